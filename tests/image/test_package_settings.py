"""What of a machine's pip and npm settings is handed to a container."""

from scripts.package_settings import CA_IN_CONTAINER, npmrc, pip_conf, pip_settings


def test_addresses_are_taken_and_folders_of_the_machine_are_not() -> None:
    listing = (
        "global.index-url='https://index.example/simple'\n"
        "global.extra-index-url='file:///srv/wheels/simple https://more.example/simple'\n"
        "global.constraint='/etc/constraints.txt'\n"
        ":env:.find-links='/srv/wheels'"
    )
    assert pip_settings(listing) == {
        "index-url": "https://index.example/simple",
        "extra-index-url": "https://more.example/simple",
    }


def test_the_environment_wins_and_the_certificate_path_is_the_containers() -> None:
    listing = "global.timeout='15'\nglobal.cert='/somewhere/ca.pem'\n:env:.default-timeout='180'"
    assert pip_settings(listing) == {"timeout": "180", "cert": CA_IN_CONTAINER}


def test_a_machine_without_settings_gives_none() -> None:
    assert pip_settings("") == {}


def test_several_indexes_stand_on_lines_of_their_own() -> None:
    text = pip_conf({"extra-index-url": "https://a.example/ https://b.example/", "timeout": "9"})
    assert (
        text
        == "[global]\nextra-index-url =\n    https://a.example/\n    https://b.example/\ntimeout = 9\n"
    )


def test_npm_defaults_are_left_out() -> None:
    assert npmrc({"registry": "https://r.example/", "strict-ssl": "true"}, ca=True) == (
        f"registry=https://r.example/\ncafile={CA_IN_CONTAINER}\n"
    )
