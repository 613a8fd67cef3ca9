"""Questions on what was corrected, changed or contradicted: Mem-Gallery's KR and CD (A.3)."""
