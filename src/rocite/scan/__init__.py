"""The scanner behind `rocite.quantities`: text to tokens, tokens to findings, findings to ranges and bounds."""
