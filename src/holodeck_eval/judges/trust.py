"""Where a judge may be asked, and so where a key may go. Pure."""

import ipaddress
from typing import Final
from urllib.parse import SplitResult, urlsplit


def is_loopback(netloc: str) -> bool:
    """Whether a host, with or without a port, is this machine: localhost, 127.0.0.0/8 or ::1."""
    host = urlsplit(f"//{netloc}").hostname or ""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
