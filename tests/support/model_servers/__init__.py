"""Local servers that speak the protocols of OpenAI and Gemini, with faults by script.

Start one by hand, with ``PYTHONPATH=tests``:
``python tests/support/model_servers/serve.py openai --port 8800 --latency 0.2``.
"""
