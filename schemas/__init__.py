"""What memassay says: records, their JSON Schemas, ids, errors, protocols and pure functions."""
