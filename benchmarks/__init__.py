"""Figures as ratios: `python -m benchmarks NAME`."""
