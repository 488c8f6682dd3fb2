"""`--wait-on`: a run begins once addresses answer."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from tests.cli.commanding import SHOP
from tests.cli.commanding import inside as toolproof


class Late(BaseHTTPRequestHandler):
    """Answers 503 at first, then 404."""

    asked = 0

    def do_GET(self) -> None:
        Late.asked += 1
        self.send_response(503 if Late.asked < 3 else 404)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def address() -> Iterator[str]:
    Late.asked = 0
    server = HTTPServer(("127.0.0.1", 0), Late)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/health"
    server.shutdown()
    thread.join()
    server.server_close()


def test_any_status_under_500_is_an_answer(tmp_path: Path, address: str) -> None:
    ended = toolproof("run", "--phases=checks", "--wait-on", address, "--", *SHOP, cwd=tmp_path)

    assert ended.code in (0, 1), ended.stdout + ended.stderr
    assert Late.asked >= 3


def test_what_is_no_address_ends_the_run(tmp_path: Path) -> None:
    ended = toolproof(
        "run", "--phases=checks", "--wait-on=health", "--json=r.json", "--", *SHOP, cwd=tmp_path
    )

    assert ended.code == 3
    assert "health" in ended.stdout + ended.stderr
    assert (tmp_path / "r.json").exists()


def test_a_single_call_waits_too(tmp_path: Path, address: str) -> None:
    words = ("call", "get_book", "--arg", "id=b-1", "--wait-on", address)
    ended = toolproof(*words, "--", *SHOP, cwd=tmp_path)

    assert ended.code == 0, ended.stdout + ended.stderr
    assert Late.asked >= 3
