"""rocite: measure whether retrieval scores can gate a question-answering system, and check its answers instead."""

__version__ = "0.1.0"
