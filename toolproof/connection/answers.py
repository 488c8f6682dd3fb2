"""What we answer when a server asks its client for something: by default, a clear refusal."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from toolproof.connection.messages import strings_in
from toolproof.connection.wire import JsonObject
from toolproof.records import record

ROOTS, SAMPLING, ELICITATION = "roots/list", "sampling/createMessage", "elicitation/create"
_SETTINGS = {ROOTS: "client.roots", SAMPLING: "client.sampling", ELICITATION: "client.elicitation"}
_METHOD_NOT_FOUND, _INVALID_PARAMS, _REFUSED = -32601, -32602, -1
_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "number": (int, float),
    "integer": (int,),
    "boolean": (bool,),
    "array": (list,),
}

Sampler = Callable[[JsonObject], JsonObject | None]
"""From the params of sampling/createMessage to its result; None where no scripted answer fits."""


@record
class Reply:
    """What goes back: a result or an error.

    Attributes:
        declared: Whether we had told the server that it may ask for this.
    """

    declared: bool
    result: JsonObject | None = None
    error: JsonObject | None = None


@record(kw_only=True)
class ClientAnswers:
    """The answers of the config's `client` section. What is None is not declared.

    Attributes:
        roots: Entries of roots/list: `uri`, and maybe `name`.
        sampling: See `Sampler`; `scripted` makes one of a list.
        elicitation: Values for forms, by the name of the field.
    """

    roots: Sequence[JsonObject] | None = None
    sampling: Sampler | None = None
    elicitation: Mapping[str, Any] | None = None

    @property
    def capabilities(self) -> JsonObject:
        """What we declare: only what is answered, as it changes the server (its list of tools)."""
        declared: JsonObject = {}
        if self.roots is not None:
            declared["roots"] = {}
        if self.sampling is not None:
            declared["sampling"] = {}
        if self.elicitation is not None:
            declared["elicitation"] = {"form": {}}
        return declared

    def reply(self, method: str, params: Any) -> Reply:
        """The answer to one request of the server, whatever it asks for."""
        params = params if isinstance(params, dict) else {}
        if method == ROOTS and self.roots is not None:
            return Reply(declared=True, result={"roots": list(self.roots)})
        if method == SAMPLING and self.sampling is not None:
            made = self.sampling(params)
            if made is None:
                return _refusal(_REFUSED, "no scripted answer fits", declared=True)
            return Reply(declared=True, result=made)
        if method == ELICITATION and params.get("mode") == "url":
            words = "elicitation by URL is not supported by this client"
            return _refusal(_INVALID_PARAMS, words, declared=False)
        if method == ELICITATION and self.elicitation is not None:
            return Reply(declared=True, result=_filled(params, self.elicitation))
        return _refusal(
            _METHOD_NOT_FOUND, f"{method[:100]} is not supported by this client", declared=False
        )


def setting_for(method: str) -> str:
    """The key of toolproof.yaml that answers such a request; "" if none does."""
    return _SETTINGS.get(method, "")


class SamplingSettings(Protocol):
    """One scripted answer, as the config has it."""

    @property
    def when(self) -> str | None: ...
    @property
    def role(self) -> str: ...
    @property
    def block(self) -> Mapping[str, Any]: ...
    @property
    def model(self) -> str: ...
    @property
    def stop_reason(self) -> str: ...


class ElicitationSettings(Protocol):
    """What is filled into forms, as the config has it."""

    @property
    def accept(self) -> Mapping[str, Any]: ...


class ClientSettings(Protocol):
    """What is needed of a `ClientConfig`."""

    @property
    def roots(self) -> Sequence[Path] | None: ...
    @property
    def sampling(self) -> Sequence[SamplingSettings] | None: ...
    @property
    def elicitation(self) -> ElicitationSettings | None: ...


def answers_of(client: ClientSettings, base_dir: Path) -> ClientAnswers:
    """The answers that the config's `client` section describes."""
    roots = None
    if client.roots is not None:
        folders = [(base_dir / root).resolve() for root in client.roots]
        roots = [{"uri": folder.as_uri(), "name": folder.name or "/"} for folder in folders]
    form = client.elicitation
    return ClientAnswers(
        roots=roots,
        sampling=None if client.sampling is None else scripted(client.sampling),
        elicitation=None if form is None else form.accept,
    )


def scripted(entries: Sequence[SamplingSettings | Mapping[str, Any]]) -> Sampler:
    """Answers by the first entry whose text stands in the messages of the request.

    Args:
        entries: Of the config; or mappings with the members of a result, and maybe `contains`.
    """
    script = [_line(entry) for entry in entries]

    def sample(params: JsonObject) -> JsonObject | None:
        asked = "\n".join(text for _, text in strings_in(params.get("messages")))
        return next((dict(answer) for wanted, answer in script if wanted in asked), None)

    return sample


def _line(entry: SamplingSettings | Mapping[str, Any]) -> tuple[str, JsonObject]:
    """What must stand in the request, and the answer then."""
    if isinstance(entry, Mapping):
        answer = {name: value for name, value in entry.items() if name != "contains"}
        return str(entry.get("contains", "")), answer
    answer = {
        "role": entry.role,
        "content": dict(entry.block),
        "model": entry.model,
        "stopReason": entry.stop_reason,
    }
    return entry.when or "", answer


def _refusal(code: int, message: str, *, declared: bool) -> Reply:
    return Reply(declared, error={"code": code, "message": message})


def _filled(params: JsonObject, values: Mapping[str, Any]) -> JsonObject:
    """The form, filled in with the values that it asks for; declined if they do not fit it."""
    schema = params.get("requestedSchema")
    schema = schema if isinstance(schema, dict) else {}
    fields = schema.get("properties")
    fields = fields if isinstance(fields, dict) else {}
    required = schema.get("required")
    required = required if isinstance(required, list) else []
    content = {name: values[name] for name in fields if name in values}
    complete = all(isinstance(name, str) and name in content for name in required)
    if complete and all(_fits(value, fields[name]) for name, value in content.items()):
        return {"action": "accept", "content": content}
    return {"action": "decline"}


def _fits(value: Any, field: Any) -> bool:
    """Does the value fit a field of a form? These are flat: a type, maybe choices and bounds.

    Source: MCP 2025-11-25, client/elicitation, Requested Schema.
    """
    if not isinstance(field, dict):
        return True
    wanted = field.get("type")
    types = _TYPES.get(wanted, ()) if isinstance(wanted, str) else ()
    if types and (not isinstance(value, types) or (type(value) is bool) != (wanted == "boolean")):
        return False
    choices = field.get("enum")
    if isinstance(choices, list) and value not in choices:
        return False
    size = (
        value if isinstance(value, int | float) else len(value) if hasattr(value, "__len__") else 0
    )
    low = _bound(field, "minimum" if isinstance(value, int | float) else "minLength")
    high = _bound(field, "maximum" if isinstance(value, int | float) else "maxLength")
    return (low is None or size >= low) and (high is None or size <= high)


def _bound(field: JsonObject, name: str) -> float | None:
    bound = field.get(name)
    return bound if isinstance(bound, int | float) and not isinstance(bound, bool) else None
