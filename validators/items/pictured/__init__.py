"""Rules on pictures that others captioned: each fits what is asked, its turn and its series."""
