"""A call's result in the JSON document: the public attributes, and which of five ways it ended."""

from typing import Any

from toolproof.report.call import (
    Answer,
    CallResult,
    ConnectionLost,
    Fault,
    Malformed,
    RpcError,
    TimedOut,
)
from toolproof.report.record_schema import exact_schema
from toolproof.report.records import EXACT, Mismatch, Special, exactly
from toolproof.report.values import json_of, plain, short

_WAYS = {
    Answer: "answer",
    TimedOut: "timeout",
    ConnectionLost: "lost",
    RpcError: "error",
    Malformed: "malformed",
}
_FREE = ("arguments", "structured", "data")


def _dump(result: CallResult) -> dict[str, Any]:
    text = short(result.text)
    values = {
        "arguments": result.arguments,
        "structured": result.structured,
        # what was cut can no longer be read as JSON: nobody shall find data that the text has not
        "data": result.data if text == result.text or result.structured is not None else None,
    }
    found: dict[str, Any] = {"tool": short(result.tool)}
    _put(found, "arguments", values)
    found["is_error"] = result.is_error
    found["text"] = text
    _put(found, "structured", values)
    _put(found, "data", values)
    found["latency_ms"] = round(float(result.latency_ms), 6)
    error = result.transport_error
    found["transport_error"] = None if error is None else short(error)
    found["timed_out"] = result.timed_out
    found["protocol_error"] = result.protocol_error
    found["error_code"] = plain(result.error_code)[0]
    found["reply"] = _WAYS[type(result.reply)]
    return found


def _put(found: dict[str, Any], name: str, values: dict[str, Any]) -> None:
    found[name], exact = plain(values[name])
    if not exact:
        found[name + EXACT] = json_of(values[name])


def _load(value: Any) -> CallResult:
    if not isinstance(value, dict):
        raise Mismatch(": expected an object")
    arguments = exactly(value, "arguments")
    latency = value.get("latency_ms")
    return CallResult(
        tool=str(value.get("tool", "")),
        arguments=arguments if isinstance(arguments, dict) else None,
        latency_ms=float(latency) if isinstance(latency, int | float) else 0.0,
        reply=_reply(value),
    )


def _reply(value: dict[str, Any]) -> Answer | Fault:
    text, error = str(value.get("text") or ""), str(value.get("transport_error") or "")
    match value.get("reply"):
        case "timeout":
            return TimedOut(limit_s=0.0, detail=error)
        case "lost":
            return ConnectionLost(error)
        case "malformed":
            return Malformed(error)
        case "error":
            return RpcError(value.get("error_code") or 0, text)
    raw: dict[str, Any] = {"content": [{"type": "text", "text": text}] if text else []}
    structured = exactly(value, "structured")
    if structured is not None:
        raw["structuredContent"] = structured
    if value.get("is_error") is True:
        raw["isError"] = True
    return Answer(raw)


def _schema() -> dict[str, Any]:
    text, flag = {"type": "string"}, {"type": "boolean"}
    optional_text = {"type": ["string", "null"]}
    properties: dict[str, Any] = {
        "tool": {"description": "The tool that was called.", **text},
        "arguments": {"description": "What it was called with; null where there were none."},
        "is_error": {
            "description": "The tool said so itself, or no result came.",
            **flag,
        },
        "text": {"description": "The text blocks joined by newlines, or the error's.", **text},
        "structured": {"description": "The structured content, if there was any."},
        "data": {"description": "The structured content, else the text read as JSON, else null."},
        "latency_ms": {"type": "number"},
        "transport_error": {"description": "Why no result came back.", **optional_text},
        "timed_out": flag,
        "protocol_error": {"description": "A JSON-RPC error came back instead.", **flag},
        "error_code": {
            "description": "Its code; text where it is no number.",
            "type": ["integer", "null", "string"],
        },
        "reply": {"description": "Which way the call ended.", "enum": list(_WAYS.values())},
    }
    return {
        "description": "The outcome of one call.",
        "type": "object",
        "properties": properties | {name + EXACT: exact_schema(name) for name in _FREE},
        "required": list(properties),
    }


CALL = Special(_dump, _load, _schema())
