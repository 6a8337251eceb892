"""Measurements: separation of question populations, grounding of sentences, end-to-end cases."""
