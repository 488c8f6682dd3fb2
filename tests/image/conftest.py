"""The tests of the image need an engine and the image: `make image` gives them both."""

import os

collect_ignore_glob = [] if "IMAGE_UNDER_TEST" in os.environ else ["test_image*.py"]
