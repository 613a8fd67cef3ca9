"""Stories as the paper made them: models outline, write and refine, people choose and move."""
