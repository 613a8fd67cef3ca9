"""Questions that join sessions (ms): one thing followed, series counted, what led to what."""
