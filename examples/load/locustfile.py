"""Users who ask a server for the time, from as many processes and machines as it takes.

    python server.py 8000 &
    locust --headless --host http://127.0.0.1:8000/mcp --users 20 --run-time 30s --processes 2

`--processes 2` starts two workers on this machine. On several: `locust --master --headless
--expect-workers 2 ...` on one, and `locust --worker --master-host ADDRESS` on the others.
"""

from locust import constant, task

from toolproof.locust import McpUser


class Asker(McpUser):
    """Asks for the time, now in one place and now in another."""

    wait_time = constant(0.1)

    @task(3)
    def in_oslo(self) -> None:
        """Most of the time."""
        self.call("get_time", {"hours": 1})

    @task
    def beyond_the_date_line(self) -> None:
        """An input that the server refuses: right so, and counted by itself."""
        self.call("get_time", {"hours": 15}, name="get_time (refused)", errors_are_fine=True)
