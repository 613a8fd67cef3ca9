"""What a release says twice, made again from its records and compared."""
