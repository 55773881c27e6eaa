"""Keys that nobody was ever given, put together here: written out, scanners of repositories would report them."""

from typing import Final

LETTERS: Final = "Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0Uv1Wx2Yz3"
"""38 letters and digits, as random ones might be."""

HEX: Final = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"


def body(length: int) -> str:
    """So many letters and digits."""
    return (LETTERS * (length // len(LETTERS) + 1))[:length]


def armoured(kind: str = "PRIVATE KEY", lines: int = 3) -> str:
    """A private key of some lines, the last of which is short."""
    whole = [body(64) for _ in range(lines)]
    return "\n".join([f"-----BEGIN {kind}-----", *whole, f"{body(30)}==", f"-----END {kind}-----"])


KEYS: Final[dict[str, tuple[str, ...]]] = {
    "private key": (
        armoured(),
        armoured("RSA PRIVATE KEY"),
        armoured("OPENSSH PRIVATE KEY"),
        armoured("EC PRIVATE KEY", lines=1),
        armoured("ENCRYPTED PRIVATE KEY"),
    ),
    "Anthropic key": ("sk-" + "ant-api03-" + body(93) + "AA", "sk-" + "ant-admin01-" + body(93)),
    "OpenRouter key": ("sk-" + "or-v1-" + HEX * 2,),
    "OpenAI key": (
        "sk-" + body(20) + "T3Blbk" + "FJ" + body(20),
        "sk-" + "proj-" + "a_b-" * 18 + "T3Blbk" + "FJ" + "c-dE" * 18,
        "sk-" + "svcacct-" + body(74),
        "sk-" + HEX,
    ),
    "GitHub token": (
        *(f"gh{kind}_" + body(36) for kind in "opusr"),
        "gh" + "s_" + body(36) + "." + body(40) + "." + body(43),
        "github" + "_pat_" + body(22) + "_" + body(59),
    ),
    "AWS access key id": ("AKIA" + "ABCDEFGH23456723", "ASIA" + "ABCDEFGH23456723"),
    "Google key": ("AIza" + body(35), "GOC" + "SPX-" + body(28), "ya29" + "." + body(60)),
    "Slack token": (
        "xox" + "b-123456789012-1234567890123-" + body(24),
        "xox" + "e.xox" + "p-1-" + body(60),
        "xa" + "pp-1-A0123456789-1234567890123-" + HEX,
    ),
    "Hugging Face token": ("h" + "f_" + body(34),),
    "Groq key": ("gs" + "k_" + body(52),),
    "xAI key": ("xa" + "i-" + body(80),),
    "Perplexity key": ("pp" + "lx-" + body(48),),
    "GitLab token": ("gl" + "pat-" + body(20), "gl" + "rt-" + body(27) + ".01." + "0a1b2c3d4"),
    "npm token": ("np" + "m_" + body(36),),
    "PyPI token": ("py" + "pi-AgEIcHlwaS5vcmc" + body(90),),
    "Stripe key": ("s" + "k_live_" + body(24), "r" + "k_live_" + body(99)),
    "JSON Web Token": (
        "ey" + "J" + body(33) + ".ey" + "J" + body(80) + "." + body(43),
        "ey" + "J" + body(33) + ".ey" + "J" + body(80) + ".",
    ),
}
"""By kind, keys that are secret as a whole."""

IN_PLACE: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "AWS secret key": (
        ("aws_secret" + "_access_key = {}", body(38) + "/+"),
        ("export AWS_SECRET" + "_ACCESS_KEY='{}'", body(38) + "/+"),
        ('{{"Secret' + 'AccessKey": "{}"}}', body(38) + "/+"),
        ('{{\\"secret' + 'AccessKey\\": \\"{}\\"}}', body(38) + "/+"),
    ),
    "Slack webhook": (("https://hooks.slack.com/services/{}", "T01234567/B01234567/" + body(24)),),
    "Azure key": (
        ("AccountName=a;Account" + "Key={};EndpointSuffix=core.windows.net", body(86) + "=="),
        ("SharedAccess" + "Key={}", body(43) + "="),
    ),
    "Azure signature": (("https://a.example/b?sv=2024&si" + "g={}&se=1", body(40) + "%2B%2F%3D"),),
    "bearer token": (
        ("Authorization: Bear" + "er {}", "0" + body(31)),
        ("curl -H 'authorization: bear" + "er {}'", body(24) + "=="),
    ),
    "authorization header": (('"Authorization": "Ba' + 'sic {}"', "dXNlcjpwYXNzd29yZA=="),),
    "password in a URL": (
        ("postgresql://admin:{}@db.example/app", "hunter2!"),
        ("https://:{}@proxy.example:3128", "s3cr3t-w0rd"),
    ),
}
"""By kind, what stands around a key of which nothing else says that it is one, with {} for the key; and the key."""
