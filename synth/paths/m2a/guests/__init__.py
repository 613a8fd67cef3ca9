"""Guest sessions about concepts without a model: what happens, how it is told, what is asked."""
