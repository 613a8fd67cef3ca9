"""The assay of a question: certificate and probes."""
