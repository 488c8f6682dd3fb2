"""Whether a string is base64, and whether the bytes in it begin like the type they are said to have."""

import base64
import binascii
import re

from toolproof.text import quoted

_BASE64 = re.compile(r"[A-Za-z0-9+/\r\n]*={0,2}[\r\n]*")
_HEAD = 1_400  # characters of base64 that hold the 1,024 bytes in which a PDF may begin
_SHOWN = 24
_UTF8_BOM = b"\xef\xbb\xbf"

_MAGIC: dict[str, re.Pattern[bytes]] = {
    "PNG": re.compile(rb"\x89PNG\r\n\x1a\n"),
    "JPEG": re.compile(rb"\xff\xd8\xff"),
    "GIF": re.compile(rb"GIF8[79]a"),
    "WebP": re.compile(rb"RIFF.{4}WEBP", re.DOTALL),
    "BMP": re.compile(rb"BM"),
    "TIFF": re.compile(rb"II\x2a\x00|MM\x00\x2a"),
    "AVIF": re.compile(rb".{4}ftyp(?:avif|avis|mif1|miaf)", re.DOTALL),
    "HEIC": re.compile(rb".{4}ftyp(?:hei[cxms]|hev[cx]|mif1|msf1)", re.DOTALL),
    "ICO": re.compile(rb"\x00\x00[\x01\x02]\x00"),
    "SVG": re.compile(rb"\s*<(?:svg|\?xml|!--|!DOCTYPE svg)", re.IGNORECASE),
    "WAV": re.compile(rb"(?:RIFF|RF64).{4}WAVE", re.DOTALL),
    "MP3": re.compile(rb"ID3|\xff[\xe2-\xe7\xf2-\xf7\xfa-\xff]"),
    "AAC": re.compile(rb"\xff[\xf0\xf1\xf8\xf9]|ADIF|.{4}ftyp", re.DOTALL),
    "Ogg": re.compile(rb"OggS"),
    "FLAC": re.compile(rb"fLaC|ID3"),
    "MP4": re.compile(rb".{4}ftyp", re.DOTALL),
    "WebM": re.compile(rb"\x1aE\xdf\xa3"),
    "PDF": re.compile(rb".{0,1020}%PDF-", re.DOTALL),
    "ZIP": re.compile(rb"PK(?:\x03\x04|\x05\x06|\x07\x08)"),
    "gzip": re.compile(rb"\x1f\x8b"),
}
"""How files of a format begin. Source: the IANA registration or the specification of each."""

_FORMATS = {
    "image/png": "PNG",
    "image/apng": "PNG",
    "image/jpeg": "JPEG",
    "image/jpg": "JPEG",
    "image/gif": "GIF",
    "image/webp": "WebP",
    "image/bmp": "BMP",
    "image/tiff": "TIFF",
    "image/avif": "AVIF",
    "image/heic": "HEIC",
    "image/heif": "HEIC",
    "image/x-icon": "ICO",
    "image/vnd.microsoft.icon": "ICO",
    "image/svg+xml": "SVG",
    "audio/wav": "WAV",
    "audio/wave": "WAV",
    "audio/x-wav": "WAV",
    "audio/vnd.wave": "WAV",
    "audio/mpeg": "MP3",
    "audio/mp3": "MP3",
    "audio/aac": "AAC",
    "audio/ogg": "Ogg",
    "audio/opus": "Ogg",
    "audio/flac": "FLAC",
    "audio/x-flac": "FLAC",
    "audio/mp4": "MP4",
    "audio/x-m4a": "MP4",
    "audio/webm": "WebM",
    "video/mp4": "MP4",
    "video/webm": "WebM",
    "application/pdf": "PDF",
    "application/zip": "ZIP",
    "application/gzip": "gzip",
}


def payload_flaw(data: str, mime_type: str | None) -> str | None:
    """What is wrong with the data, as the end of a sentence that names it; None where nothing is.

    Only the start is decoded; the alphabet of the whole is checked, in linear time.

    Args:
        data: What should be base64.
        mime_type: The declared type; None, or one whose files have no common start, is not judged.
    """
    flaw = _not_base64(data)
    if flaw:
        return flaw
    if mime_type is None:
        return None
    declared = mime_type.partition(";")[0].strip().lower()
    wanted = _FORMATS.get(declared)
    if wanted is None:
        return None
    start = _start_of(data)
    if not start:
        return f"is empty, though its type is {declared}"
    if _MAGIC[wanted].match(start) or (wanted == "SVG" and start.startswith(_UTF8_BOM)):
        return None
    found = next((name for name, magic in _MAGIC.items() if magic.match(start)), None)
    like = f"like {found}" if found else f"with the bytes {start[:4].hex(' ')}"
    return f"begins {like}, though its type is {declared}"


def _not_base64(data: str) -> str | None:
    if data.startswith("data:"):
        return "is a data URL, base64 alone is due"
    if _BASE64.fullmatch(data) is None:
        if re.fullmatch(r"[A-Za-z0-9_-]+={0,2}", data):
            return "is base64url (it has '-' or '_'), plain base64 is due"
        return f"is not base64: {quoted(data, _SHOWN)}"
    size = len(data) - data.count("\n") - data.count("\r")
    if size % 4:
        return f"is not base64: {size:,} characters are no multiple of 4, padding is missing"
    return None


def _start_of(data: str) -> bytes:
    head = re.sub(r"[\r\n]", "", data[:_HEAD])
    try:
        return base64.b64decode(head[: len(head) // 4 * 4])
    except (binascii.Error, ValueError):
        return b""
