"""Operations on histories: where a text is, what moves when rounds or sessions do."""
