"""Publishing: a release is checked, tried, uploaded, verified and given a version that stays."""
