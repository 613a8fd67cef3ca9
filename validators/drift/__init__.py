"""Rules about what is said: claims against the persona, values, dates, order, offence."""
