"""Measuring the answer boundary: cases, policies on the same cases, calibration, stress pairs, the security suite."""
