"""Releases a version: checks that it may be, points action.yml at its image, and sets the tags.

`python3 -m tools.release` runs on the Python of a runner, without anything installed.
"""
