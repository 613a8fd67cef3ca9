"""The layout of Mem-Gallery: scenarios with sessions, images and questions."""
