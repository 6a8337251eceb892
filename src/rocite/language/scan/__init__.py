"""The scanner behind `rocite.language.quantities`: text to tokens, tokens to findings, findings to ranges and bounds."""
