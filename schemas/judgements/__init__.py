"""Records about records: findings, certificates, decisions, flaws, provenance, assignments."""
