"""Negotiation, case by case of the protocol's page, against a real process each."""

from pathlib import Path

import pytest

from tests.connection.against import against, kinds, only
from toolproof.connection import opening
from toolproof.connection.observations import Kind
from toolproof.errors import ServerError

SLOW = {"SLOW": "0.8"}
"""So many seconds, a server misses the probe of `short_probe`."""


@pytest.fixture
def short_probe(monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes seconds for users takes a part of one here."""
    monkeypatch.setattr(opening, "PROBE_S", 0.3)
    monkeypatch.setattr(opening, "_SECOND_PROBE_S", 0.3)


@pytest.mark.parametrize(
    ("trait", "revision"),
    [
        ("legacy", "2025-11-25"),
        ("modern", "2026-07-28"),
        ("dual", "2026-07-28"),
        ("old", "2024-11-05"),
    ],
)
async def test_a_good_server_is_spoken_to_in_its_newest_revision(trait: str, revision: str) -> None:
    async with against("opening", trait) as server:
        info = await server.server_info()
        result = await server.call("echo", {"text": "hi"})

    assert info.protocol == revision
    assert result.text == "hi"
    assert [tool.name for tool in info.tools] == ["echo"]
    assert info.timing.start_ms > 0
    assert info.timing.list_bytes > 100
    assert kinds(server) == {}


@pytest.mark.parametrize("revision", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
async def test_a_pin_reaches_the_second_era_of_a_server(revision: str) -> None:
    async with against("opening", "dual", protocol=revision) as server:
        info = await server.server_info()

    assert info.protocol == revision
    assert info.name == "mini"
    assert kinds(server) == {}


async def test_the_config_can_pin_too() -> None:
    async with against("opening", "dual", config_={"protocol": "2025-06-18"}) as server:
        assert (await server.server_info()).protocol == "2025-06-18"


async def test_a_pin_to_an_older_revision_takes_what_the_server_answers() -> None:
    async with against("opening", "old", protocol="2025-11-25") as server:
        assert (await server.server_info()).protocol == "2024-11-05"

    assert kinds(server) == {}


async def test_a_pin_that_the_server_does_not_speak_is_an_error() -> None:
    server = against("opening", "legacy", protocol="2026-07-28")
    with pytest.raises(ServerError, match="it does not speak 2026-07-28: error -32601"):
        await server.__aenter__()

    assert kinds(server) == {Kind.START_FAILED: 1}


async def test_a_pinned_handshake_that_is_refused_is_an_error() -> None:
    server = against("opening", "modern", protocol="2025-11-25")
    with pytest.raises(ServerError, match="initialize was refused: error -32022"):
        await server.__aenter__()


async def test_a_server_that_leaves_the_probe_unanswered_is_greeted_in_the_same_process() -> None:
    async with against("opening", "ignores_unknown") as server:
        info = await server.server_info()

        assert not server.session.waiting.by_id  # the probe is waited for no more

    assert info.protocol == "2025-11-25"
    assert info.timing.start_ms > 2000
    assert kinds(server) == {}


@pytest.mark.parametrize("trait", ["at_the_probe", "at_the_probe_slowly", "after_the_probe"])
@pytest.mark.usefixtures("short_probe")
async def test_a_server_that_ends_at_the_probe_is_started_again_in_silence(trait: str) -> None:
    async with against("ending", trait, env=SLOW) as server:
        result = await server.call("echo", {"text": "hi"})
        await server.reconnect()
        again = await server.call("echo", {"text": "hi"})

    assert result.text == again.text == "hi"
    assert server.restarts == 1
    assert kinds(server) == {Kind.ENDS_AT_PROBE: 1}  # no rule reports it


async def test_a_server_that_ends_at_every_first_request_is_a_start_crash() -> None:
    server = against("ending", "at_the_first_request")
    with pytest.raises(ServerError, match="exit code 5 before it answered initialize"):
        await server.__aenter__()

    assert kinds(server) == {Kind.START_CRASH: 1}


@pytest.mark.parametrize(
    ("mode", "revision"),
    [("legacy", "2025-11-25"), ("modern", "2026-07-28"), ("dual", "2026-07-28")],
)
@pytest.mark.usefixtures("short_probe")
async def test_the_era_does_not_depend_on_how_slow_the_start_is(mode: str, revision: str) -> None:
    async with against("timing", "slow_start", env={**SLOW, "MODE": mode}) as server:
        info = await server.server_info()
        result = await server.call("echo", {"text": "hi"})

    assert info.protocol == revision
    assert result.text == "hi"
    assert kinds(server) == {}


@pytest.mark.usefixtures("short_probe")
async def test_a_late_probe_settles_the_era_where_initialize_has_no_answer() -> None:
    async with against("timing", "slow_and_deaf", env=SLOW) as server:
        assert (await server.server_info()).protocol == "2026-07-28"

    assert kinds(server) == {}


@pytest.mark.usefixtures("short_probe")
async def test_a_late_answer_to_the_probe_that_settles_nothing_leaves_it_to_initialize() -> None:
    async with against("timing", "slow_and_sloppy", env=SLOW) as server:
        assert (await server.server_info()).protocol == "2025-11-25"

    assert kinds(server) == {}


@pytest.mark.usefixtures("short_probe")
async def test_a_slow_server_that_refuses_is_asked_again_and_then_offered_an_older_version() -> (
    None
):
    async with against("timing", "slow_and_picky", env=SLOW) as server:
        assert (await server.server_info()).protocol == "2024-11-05"

    assert kinds(server)[Kind.VERSION_REFUSED] == 1


async def test_a_first_answer_after_the_limit_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "SLOW_S", 1.0)
    assert opening.PROBE_S == 2.0
    async with against("timing", "slow_start", env={"SLOW": "1.5", "MODE": "legacy"}) as server:
        await server.list_tools()

    assert only(server, Kind.SLOW_START).facts["seconds"] >= 1.5


async def test_a_restart_skips_the_probe_and_keeps_what_was_agreed(tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    async with against("opening", "counts_starts", env={"STARTS": str(starts)}) as server:
        first = server.handshake
        await server.reconnect()
        second = server.handshake

    assert first is not None
    assert second is not None
    assert second.revision == first.revision == "2026-07-28"
    assert starts.read_text(encoding="utf-8") == "xx"


@pytest.mark.parametrize(
    ("env", "agreed"),
    [
        ({"ONLY": "2025-06-18", "NAMES": "1"}, "2025-06-18"),
        ({"ONLY": "2024-11-05"}, "2024-11-05"),
        ({"ONLY": "2025-03-26"}, "2025-03-26"),
    ],
)
async def test_a_refused_version_is_told_and_an_older_one_is_offered(
    env: dict[str, str], agreed: str
) -> None:
    async with against("opening", "refuses_newer", env=env) as server:
        info = await server.server_info()
        await server.reconnect()

    assert info.protocol == agreed
    assert only(server, Kind.VERSION_REFUSED).facts == {"asked": "2025-11-25", "agreed": agreed}
    assert kinds(server) == {Kind.VERSION_REFUSED: 1}  # the restart offers the right one


async def test_a_server_that_refuses_every_handshake_is_an_error() -> None:
    server = against("opening", "refuses_all")
    with pytest.raises(ServerError, match="initialize was refused: error -32603: not today"):
        await server.__aenter__()

    assert kinds(server) == {Kind.START_FAILED: 1}


@pytest.mark.parametrize(
    ("trait", "answered"), [("version_made_up", "1999-01-01"), ("version_modern", "2026-07-28")]
)
async def test_a_version_that_initialize_does_not_know_is_told(trait: str, answered: str) -> None:
    async with against("opening", trait) as server:
        info = await server.server_info()

    assert info.protocol == "2025-11-25"
    seen = only(server, Kind.VERSION_UNKNOWN)
    assert seen.facts == {"asked": "2025-11-25", "answered": answered}


@pytest.mark.parametrize(
    ("trait", "member"),
    [
        ("version_missing", "protocolVersion"),
        ("no_server_info", "serverInfo"),
        ("info_without_version", "serverInfo.version"),
        ("no_capabilities", "capabilities"),
    ],
)
async def test_a_handshake_that_lacks_a_member_is_told_and_goes_on(trait: str, member: str) -> None:
    async with against("opening", trait) as server:
        tools = await server.list_tools()

    assert [tool.name for tool in tools] == ["echo"]
    seen = only(server, Kind.HANDSHAKE_INVALID)
    assert seen.facts == {"member": member, "request": "initialize"}


async def test_an_empty_version_is_no_fault() -> None:
    async with against("opening", "empty_version") as server:
        info = await server.server_info()

    assert info.version == ""
    assert kinds(server) == {}


async def test_a_handshake_that_is_no_object_is_an_error() -> None:
    server = against("opening", "result_null")
    with pytest.raises(ServerError, match="result is null"):
        await server.__aenter__()

    assert kinds(server) == {Kind.RESPONSE_INVALID: 1, Kind.START_FAILED: 1}


@pytest.mark.parametrize(
    ("trait", "member"),
    [
        ("discover_without_versions", "supportedVersions"),
        ("discover_without_capabilities", "capabilities"),
    ],
)
async def test_a_discovery_that_lacks_a_member_is_told_and_goes_on(trait: str, member: str) -> None:
    async with against("opening", trait) as server:
        info = await server.server_info()

    assert info.protocol == "2026-07-28"
    assert [tool.name for tool in info.tools] == ["echo"]
    assert only(server, Kind.HANDSHAKE_INVALID).facts["member"] == member


async def test_a_discovery_that_names_older_revisions_leads_to_the_newest_of_them() -> None:
    async with against("opening", "discover_names_legacy") as server:
        assert (await server.server_info()).protocol == "2025-06-18"

    assert kinds(server) == {}


async def test_a_server_without_a_common_revision_is_an_error() -> None:
    server = against("opening", "discover_names_future")
    with pytest.raises(ServerError, match="it speaks 2099-01-01, toolproof does not"):
        await server.__aenter__()


@pytest.mark.parametrize("trait", ["no_discover", "capability_error"])
async def test_a_modern_server_without_a_discovery_is_told_and_spoken_to(trait: str) -> None:
    async with against("opening", trait) as server:
        info = await server.server_info()
        result = await server.call("echo", {"text": "hi"})

    assert info.protocol == "2026-07-28"
    assert result.text == "hi"
    assert kinds(server) == {Kind.HANDSHAKE_INVALID: 1}


async def test_members_that_a_modern_result_lacks_are_told_once_a_method() -> None:
    async with against("opening", "bare_results") as server:
        tools = await server.list_tools()

    assert len(tools) == 1
    seen = only(server, Kind.MODERN_RESULT_FIELDS)
    assert seen.facts == {"request": "tools/list", "members": "resultType, ttlMs, cacheScope"}


async def test_the_start_takes_no_longer_than_its_limit_whatever_happens() -> None:
    server = against(
        "timing",
        "slow_start",
        env={"SLOW": "60", "MODE": "dual"},
        config_={"startup_timeout_s": 2.5},
    )
    with pytest.raises(ServerError, match=r"no answer to initialize within 2\.5 s") as caught:
        await server.__aenter__()

    assert caught.value.hint is not None
    assert only(server, Kind.START_TIMEOUT).detail == "no answer to initialize within 2.5 s"


async def test_before_the_start_there_is_nothing_to_ask() -> None:
    server = against("opening", "legacy")
    assert server.ended is None
    assert server.pid is None
    assert server.stderr_tail() == ""
    assert not await server.is_alive()
    with pytest.raises(ServerError, match="not connected"):
        await server.list_tools()
    with pytest.raises(ServerError, match="not connected"):
        await server.call("echo")
    await server.close()
