"""Which CI runs us, and what it says of the commit; nothing else depends on it."""

from collections.abc import Mapping

_MARKS = {
    "GITHUB_ACTIONS": "github",
    "GITLAB_CI": "gitlab",
    "TF_BUILD": "azure",
    "BUILDKITE": "buildkite",
    "CIRCLECI": "circleci",
    "JENKINS_URL": "jenkins",
}
"""Source: reports.md, section 10."""

_FACTS: Mapping[str, Mapping[str, str]] = {
    "gitlab": {"sha": "CI_COMMIT_SHA", "run_url": "CI_JOB_URL", "repository_url": "CI_PROJECT_URL"},
    "azure": {"sha": "BUILD_SOURCEVERSION"},
    "buildkite": {"sha": "BUILDKITE_COMMIT", "run_url": "BUILDKITE_BUILD_URL"},
    "circleci": {"sha": "CIRCLE_SHA1", "run_url": "CIRCLE_BUILD_URL"},
    "jenkins": {"sha": "GIT_COMMIT", "run_url": "BUILD_URL"},
}


def ci_facts(environ: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """name, sha, run_url, repository_url, as far as the CI says them; nothing outside of one."""
    name = next((name for mark, name in _MARKS.items() if environ.get(mark)), None)
    if name is None:
        return ()
    if name == "github":
        found = _github(environ)
    else:
        found = {key: environ.get(variable, "") for key, variable in _FACTS[name].items()}
    return (("name", name), *((key, value) for key, value in found.items() if value))


def _github(environ: Mapping[str, str]) -> dict[str, str]:
    server, repository = environ.get("GITHUB_SERVER_URL"), environ.get("GITHUB_REPOSITORY")
    address = f"{server}/{repository}" if server and repository else ""
    run = environ.get("GITHUB_RUN_ID")
    return {
        "sha": environ.get("GITHUB_SHA", ""),
        "run_url": f"{address}/actions/runs/{run}" if address and run else "",
        "repository_url": address,
    }
