"""What one call gave, for `toolproof call`."""

import json

from toolproof.report import Answer, CallResult, RpcError
from toolproof.report.values import json_of
from toolproof.reporters.escape import screen_lines, visible


def render(result: CallResult, *, color: bool = False) -> str:
    """The result as a person reads it: text, other blocks in a line each, structured content."""
    reply = result.reply
    red, end = ("\x1b[31m", "\x1b[0m") if color else ("", "")
    lines: list[str] = []
    if isinstance(reply, Answer):
        if reply.is_error:
            lines.append(f"{red}error result{end} (isError)")
        content = reply.raw.get("content")
        for block in content if isinstance(content, list) else []:
            lines.append(_block(block))
        if reply.structured is not None:
            lines.append("structured content:")
            lines.append(visible(_json(reply.structured)))
        if not lines:
            lines.append("(an empty result)")
    elif isinstance(reply, RpcError):
        lines.append(f"{red}JSON-RPC error {reply.code}{end}: {visible(reply.message)}")
        if reply.data is not None:
            lines.append(visible(_json(reply.data)))
    else:
        lines.append(f"{red}no result{end}: {visible(result.transport_error or '')}")
    lines.append(f"({result.latency_ms:.1f} ms)")
    return screen_lines("\n".join(lines) + "\n")  # also in a job's log


def _block(block: object) -> str:
    if not isinstance(block, dict):
        return f"a content block that is no object: {visible(_json(block))}"
    if block.get("type") == "text" and isinstance(block.get("text"), str):
        return visible(block["text"])
    if isinstance(block.get("data"), str):
        kind, media = block.get("type"), block.get("mimeType")
        return visible(f"[{kind} {media}, {len(block['data']):,} characters of base64]")
    return visible(_json(block))


def _json(value: object) -> str:
    try:
        return json.dumps(value, indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):  # endless integers, nested too deeply
        return json_of(value)
