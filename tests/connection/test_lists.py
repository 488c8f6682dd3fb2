"""Lists over many pages: read to their end, and what is wrong on the way is told."""

import pytest

from tests.connection.against import against, kinds, only
from toolproof.connection.observations import Kind
from toolproof.errors import ServerError


async def test_any_string_is_a_cursor_the_empty_one_too() -> None:
    async with against("listing", "three_pages") as server:
        tools = await server.list_tools()

    assert [(tool.name, tool.index) for tool in tools] == [("a", 0), ("b", 1), ("c", 2)]
    assert kinds(server) == {}


@pytest.mark.parametrize(
    ("trait", "names", "pages"),
    [
        ("same_cursor", ["a", "b"], 2),
        ("cursor_ring", ["a", "b", "c"], 3),
        ("same_page_new_cursor", ["a"], 2),
    ],
)
async def test_a_loop_ends_the_walk_and_keeps_each_entry_once(
    trait: str, names: list[str], pages: int
) -> None:
    async with against("listing", trait) as server:
        tools = await server.list_tools()

    assert [tool.name for tool in tools] == names
    assert only(server, Kind.PAGINATION_LOOP).facts == {"request": "tools/list", "pages": pages}


async def test_a_list_without_an_end_is_cut() -> None:
    async with against("listing", "no_end") as server:
        tools = await server.list_tools()

    assert len(tools) == 1000
    assert "no end after 1,000 pages" in only(server, Kind.PAGINATION_LOOP).detail


async def test_a_list_that_takes_too_long_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolproof.connection.lists.WHOLE_S", 0.05)
    async with against("listing", "no_end") as server:
        tools = await server.list_tools()

    assert 0 < len(tools) < 1000
    assert kinds(server) == {Kind.PAGINATION_LOOP: 1}


async def test_an_entry_that_comes_again_on_the_last_page_is_a_duplicate_and_no_loop() -> None:
    async with against("listing", "duplicate_on_last_page") as server:
        tools = await server.list_tools()

    assert [tool.name for tool in tools] == ["a", "a"]
    assert kinds(server) == {}


@pytest.mark.parametrize(
    ("trait", "member", "count"),
    [
        ("cursor_null", "nextCursor", 1),
        ("cursor_number", "nextCursor", 1),
        ("tools_object", "tools", 0),
        ("tools_missing", "tools", 0),
    ],
)
async def test_a_result_of_a_wrong_shape_is_told_by_its_member(
    trait: str, member: str, count: int
) -> None:
    async with against("listing", trait) as server:
        tools = await server.list_tools()

    assert len(tools) == count
    seen = only(server, Kind.LIST_RESULT_INVALID)
    assert seen.facts == {"request": "tools/list", "member": member}


async def test_entries_of_any_type_are_kept_as_they_came() -> None:
    async with against("listing", "odd_entries") as server:
        raw = await server.list_raw("tools")

    assert raw[1:] == [None, 5, "b", [], {}]


async def test_entries_that_cannot_be_compared_are_kept() -> None:
    async with against("listing", "deep_entry") as server:
        tools = await server.list_tools()

    assert [tool.name for tool in tools][:1] == ["deep"]


async def test_what_came_before_a_failing_page_is_kept() -> None:
    async with against("listing", "fails_on_second_page") as server:
        tools = await server.list_tools()

    assert [tool.name for tool in tools] == ["a"]
    assert "database is gone" in only(server, Kind.CAPABILITY_NOT_DELIVERED).detail


async def test_a_list_of_tools_that_fails_raises_and_the_info_goes_on_without() -> None:
    async with against("listing", "tools_fail") as server:
        with pytest.raises(ServerError, match="error -32603: no tools/list"):
            await server.list_tools()
        info = await server.server_info()

    assert info.tools == ()
    assert kinds(server) == {Kind.CAPABILITY_NOT_DELIVERED: 2}


async def test_all_that_is_declared_is_listed() -> None:
    async with against("listing", "everything") as server:
        info = await server.server_info()

    assert [entry.name for entry in info.resources] == ["a", "b"]
    assert [entry.name for entry in info.resource_templates] == ["doc"]
    assert [entry.name for entry in info.prompts] == ["ask"]
    assert server.info is info
    assert kinds(server) == {}


async def test_what_is_declared_and_fails_is_told_for_each_list() -> None:
    async with against("listing", "nothing_works") as server:
        info = await server.server_info()

    assert [tool.name for tool in info.tools] == ["echo"]
    told = [seen.facts["request"] for seen in server.log.each(Kind.CAPABILITY_NOT_DELIVERED)]
    assert told == ["resources/list", "prompts/list"]  # templates need not exist


async def test_tools_that_are_not_declared_are_listed_and_told() -> None:
    async with against("listing", "undeclared") as server:
        info = await server.server_info()

    assert [tool.name for tool in info.tools] == ["echo"]
    assert only(server, Kind.CAPABILITY_UNDECLARED).facts == {"tools": 1}


async def test_a_server_without_tools_is_asked_once_and_may_refuse() -> None:
    async with against("listing", "undeclared_and_none") as server:
        info = await server.server_info()

    assert info.tools == ()
    assert kinds(server) == {}


async def test_a_list_that_is_never_answered_is_told_and_the_server_restarted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("toolproof.connection.lists.PAGE_S", 0.3)
    async with against("listing", "prompts_hang") as server:
        info = await server.server_info()
        result = await server.call("echo", {"text": "hi"})

    assert [tool.name for tool in info.tools] == ["echo"]
    assert result.text == "hi"
    assert server.restarts == 1
    assert "no answer to prompts/list" in only(server, Kind.CAPABILITY_NOT_DELIVERED).detail


async def test_ten_thousand_tools_are_read() -> None:
    async with against("listing", "ten_thousand") as server:
        tools = await server.list_tools()

    assert len(tools) == 10_000
    assert tools[-1].name == "tool_9999"
