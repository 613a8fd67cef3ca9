"""Rules about what is spoken: claims against the persona, values, dates, order, offence."""
