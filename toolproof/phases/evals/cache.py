"""Answers on disk, by all that shapes them; a committed folder replays without a key."""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from toolproof.config import EvalsConfig
from toolproof.phases.evals.providers.provider import Pick, Question, Reply

FORMAT = 1
"""Of the files: another one is another key, so old answers are simply not found."""


def key_of(config: EvalsConfig, question: Question) -> dict[str, Any]:
    """Everything that shapes an answer, and nothing else: no key, no header, no address of a proxy."""
    return {
        "format": FORMAT,
        "provider": config.provider,
        "base_url": config.base_url,
        "command": list(config.command or ()) or None,
        "model": config.model,
        "system": config.system,
        "params": {k: v for k, v in config.params.items() if k != "price_per_mtok"},
        "prompt": question.prompt,
        "repeat": question.repeat,
        "tools": list(question.tools),
    }


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()


class Cache:
    """A folder of answers, a file each.

    Args:
        folder: It need not be there.
        read: Whether answers that are there are used; if not they are replaced.
    """

    def __init__(self, folder: Path, *, read: bool = True) -> None:
        self.folder = folder
        self._read = read

    def _path(self, key: Mapping[str, Any]) -> Path:
        return self.folder / f"{_digest(key)[:32]}.json"

    def get(self, key: Mapping[str, Any]) -> Reply | None:
        """The answer of an earlier run, if there is one that can be read."""
        if not self._read:
            return None
        try:
            found = json.loads(self._path(key).read_text(encoding="utf-8"))["answer"]
            return Reply(**{**found, "picks": [Pick(**pick) for pick in found["picks"]]})
        except (OSError, ValueError, KeyError, TypeError):
            return None  # not there, or not ours: it is asked anew

    def put(self, key: Mapping[str, Any], reply: Reply) -> None:
        """Keep an answer; where that cannot be done the run goes on without."""
        entry = {
            "about": {
                "provider": key["provider"],
                "model": key["model"],
                "prompt": key["prompt"],
                "repeat": key["repeat"],
                "tools": _digest(key["tools"])[:16],
            },
            "answer": {**asdict(reply), "picks": [asdict(pick) for pick in reply.picks]},
        }
        with suppress(OSError, ValueError):
            self.folder.mkdir(parents=True, exist_ok=True)
            text = json.dumps(entry, indent=2, ensure_ascii=True, allow_nan=False) + "\n"
            temporary = self._path(key).with_suffix(".new")
            temporary.write_text(text, encoding="utf-8")
            temporary.replace(self._path(key))

    def why_missing(self, key: Mapping[str, Any]) -> str:
        """What differs from the nearest answer that is there, in words."""
        tools = _digest(key["tools"])[:16]
        seen = False
        for path in sorted(self.folder.glob("*.json")) if self.folder.is_dir() else []:
            with suppress(OSError, ValueError, KeyError, TypeError):
                about = json.loads(path.read_text(encoding="utf-8"))["about"]
                seen = True
                if about["prompt"] == key["prompt"] and about["model"] == key["model"]:
                    if about["tools"] != tools:
                        return "the cached answer was given to another tool list"
                    return "the cached answer was given with other settings"
        return "the cache holds no answer to this prompt" if seen else "the cache is empty"
