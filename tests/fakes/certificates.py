"""Certificates for servers on loopback, made for one test."""

import datetime as dt
import ssl
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Self

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """A certificate that nobody but its own file vouches for.

    Attributes:
        file: what a client has to trust.
        tls: what a server shows it with.
    """

    file: Path
    tls: ssl.SSLContext

    @classmethod
    def made(cls, folder: Path, host: str = "localhost") -> Self:
        """A certificate of a host and of 127.0.0.1, good for a day, and its key beside it."""
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
        now = dt.datetime.now(dt.UTC)
        names = x509.SubjectAlternativeName([x509.DNSName(host), x509.IPAddress(ip_address("127.0.0.1"))])
        signed = (
            x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
            .not_valid_before(now - dt.timedelta(days=1))
            .not_valid_after(now + dt.timedelta(days=1))
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(names, critical=False)
            .sign(key, hashes.SHA256())
        )
        file, secret = folder / "certificate.pem", folder / "key.pem"
        file.write_bytes(signed.public_bytes(serialization.Encoding.PEM))
        secret.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(file, secret)
        return cls(file=file, tls=tls)
