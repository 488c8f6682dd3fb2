"""HTTPS on loopback: a certificate that is trusted, and one that is not."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.connection.recording import wire
from toolproof.connection.wire import Failure

ANSWER = b'{"jsonrpc":"2.0","id":1,"result":{}}'


def certificate(folder: Path) -> Path:
    """A self-signed certificate for 127.0.0.1, with its key in the same file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / "server.pem"
    file.write_bytes(
        signed.public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return file


@asynccontextmanager
async def serving_https(file: Path) -> AsyncIterator[str]:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(ANSWER)}"
        writer.write(head.encode() + b"\r\nConnection: close\r\n\r\n" + ANSWER)
        await writer.drain()
        writer.close()

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    listener = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context)
    async with listener:
        yield f"https://127.0.0.1:{listener.sockets[0].getsockname()[1]}/mcp"


async def test_a_certificate_that_the_environment_trusts_will_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    async with serving_https(file) as url, wire(url) as open_wire:
        got = await open_wire.ask("initialize")

    assert got.value == {"jsonrpc": "2.0", "id": 1, "result": {}}
    assert not open_wire.kinds


async def test_a_certificate_that_nobody_trusts_is_refused_in_words(tmp_path: Path) -> None:
    async with serving_https(certificate(tmp_path)) as url, wire(url) as open_wire:
        got = await open_wire.ask("initialize")

    assert got.failure is Failure.LOST
    assert got.detail.startswith("TLS: the certificate of 127.0.0.1 is not trusted: self")
    refusal = open_wire.transport.refusal
    assert refusal is not None
    assert "SSL_CERT_FILE" in (refusal.hint or "")
