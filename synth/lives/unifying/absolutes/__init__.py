"""What somebody says that they never did, have not or do first, held against all else they tell."""
