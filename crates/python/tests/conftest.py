"""What tests share: games that are loaded once, and libraries that may be missing."""

import functools
import importlib
import os

import paidia
import pytest


@functools.cache
def loaded(name):
    return paidia.load(name)


@pytest.fixture
def game():
    return loaded


def library(name):
    """A library that may be missing: the test is skipped, or fails where PAIDIA_REQUIRE names
    `python-libraries`."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        words = os.environ.get("PAIDIA_REQUIRE", "").split(",")
        if "python-libraries" in words or "all" in words:
            raise
        pytest.skip(f"{name} is not installed: {error}")
