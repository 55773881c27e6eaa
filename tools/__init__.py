"""Programs for those who look after this repository; no part of the package."""
