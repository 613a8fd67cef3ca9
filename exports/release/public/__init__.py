"""What a release shows to everybody: tables without golds, the data card, how to cite it."""
