"""Rules about questions: answers, evidence, proofs, dates, leaks, balance."""
