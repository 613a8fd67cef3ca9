"""Rules on golds that another turn says otherwise: taken back, or told with another value."""
