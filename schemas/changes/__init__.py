"""Operations on histories: where a text stands, what moves when rounds or sessions do."""
