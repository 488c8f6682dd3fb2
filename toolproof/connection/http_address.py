"""Where an HTTP server is: its address, taken apart once, and what a redirect may change of it."""

import os
import re
import sys
from base64 import b64encode
from ipaddress import ip_address
from urllib.parse import quote, unquote_to_bytes, urljoin, urlsplit

from toolproof.records import record

_PORTS = {"http": 80, "https": 443}
_HOST = re.compile(r"[A-Za-z0-9._~!$&'()*+,;=%:-]+")
_SAFE = "%/:@!$&'()*+,;=~-._?"  # what RFC 3986 lets stand in a path or a query, and the escapes


class AddressError(ValueError):
    """What was given is no address of an HTTP server; the text says why."""


@record
class Address:
    """An http or https URL, normalised, without its user part and its fragment.

    Attributes:
        scheme: "http" or "https".
        host: Lower case, ASCII, an IPv6 address without its brackets.
        target: Path and query as they stand in a request line.
        basic: The value of an `Authorization` header, if the URL had a user part.
    """

    scheme: str
    host: str
    port: int
    target: str
    basic: str | None = None

    @property
    def host_header(self) -> str:
        """The value of the header `Host`: without the port, if that is the scheme's own."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.host_header}"

    @property
    def url(self) -> str:
        return self.origin + self.target

    @property
    def is_loopback(self) -> bool:
        """Is it this machine: never to be reached through a proxy?"""
        if self.host == "localhost" or self.host.endswith(".localhost"):
            return True
        try:
            address = ip_address(self.host.partition("%")[0])
        except ValueError:
            return False
        return address.is_loopback or address.is_unspecified

    @property
    def metadata_places(self) -> list["Address"]:
        """Where the metadata of its sign-in may be if no answer names the place (RFC 9728, 3.1)."""
        path = self.target.partition("?")[0].rstrip("/")
        well_known = "/.well-known/oauth-protected-resource"
        places = dict.fromkeys((well_known + path, well_known))
        return [Address(self.scheme, self.host, self.port, place) for place in places]


def parse_address(url: str) -> Address:
    """Take a URL apart.

    Raises:
        AddressError: It is no http or https URL, or its host or port cannot be.
    """
    try:
        parts = urlsplit(url.strip())
        host, port = (parts.hostname or "").rstrip("."), parts.port
        if not host.isascii():
            host = host.encode("idna").decode()
        basic = _basic(parts.netloc) if "@" in parts.netloc else None
    except ValueError as exc:  # UnicodeError is one
        raise AddressError(f"not a URL: {exc}") from None
    if parts.scheme not in _PORTS:
        raise AddressError("an address begins with http:// or https://")
    if not host:
        raise AddressError("the address names no host")
    if not _HOST.fullmatch(host):
        raise AddressError(f"{host!r} is no host name")
    target = quote(parts.path or "/", safe=_SAFE.replace("?", ""), errors="replace")
    if parts.query:
        target += "?" + quote(parts.query, safe=_SAFE, errors="replace")
    port = _PORTS[parts.scheme] if port is None else port
    return Address(parts.scheme, host.lower(), port, target, basic)


def _basic(netloc: str) -> str:
    user, _, password = netloc.rpartition("@")[0].partition(":")
    pair = unquote_to_bytes(user) + b":" + unquote_to_bytes(password)
    return "Basic " + b64encode(pair).decode()


@record
class Redirect:
    """Where an answer sends its client.

    Attributes:
        target: For people: the address, or what stood in its place.
        address: Where to send the message instead; None if it must not go there.
        why_not: Why it must not.
    """

    target: str
    address: Address | None = None
    why_not: str = ""


def redirect_from(address: Address, location: str, *, credentials: bool) -> Redirect:
    """Judge a `Location`: nothing that was meant for one origin goes to another.

    Args:
        address: Where the message was sent.
        location: The header, relative or not.
        credentials: Did the message carry any? Another port of the host may not see them.
    """
    try:
        there = parse_address(urljoin(address.url, location))
    except ValueError as exc:
        return Redirect(location, why_not=str(exc))
    here = (address.scheme, address.port)
    if there.basic is not None:
        return Redirect(there.url, why_not="the new address brings a user and a password")
    if there.host != address.host:
        return Redirect(there.url, why_not="it is another host")
    if (there.scheme, there.port) != here:
        if address.scheme == "https":
            return Redirect(there.url, why_not="it leaves the origin of the https address")
        is_upgrade = here == ("http", 80) and (there.scheme, there.port) == ("https", 443)
        if credentials and not is_upgrade:
            return Redirect(there.url, why_not="it is another origin, and credentials were sent")
    basic = address.basic
    return Redirect(there.url, Address(there.scheme, there.host, there.port, there.target, basic))


def needs_proxy(address: Address) -> bool:
    """Does the environment (or the system, on macOS and Windows) name a proxy for this address?"""
    if address.is_loopback:
        return False
    names = {"http_proxy", "https_proxy", "all_proxy"}
    if sys.platform not in {"darwin", "win32"} and not names & {n.lower() for n in os.environ}:
        return False
    from urllib.request import getproxies, proxy_bypass  # slow, and rarely needed

    proxies = getproxies()
    return bool(proxies.get(address.scheme) or proxies.get("all")) and not proxy_bypass(
        address.host
    )
