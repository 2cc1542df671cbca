"""The examples run, and reach what they are about."""

import importlib.util
from pathlib import Path

import pytest
from conftest import library

FOLDER = Path(__file__).parent.parent / "examples"


def example(name):
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_play_and_draw():
    assert example("play_and_draw").main(seconds=0.02) in (0, 50, 100)


def test_q_learning_solves_the_puzzle():
    assert example("q_learning").main(episodes=1500) == 100


def test_a_policy_gets_better():
    before, after = example("policy_gradient").main(updates=15)
    assert after > before + 0.1


def test_algorithms_of_openspiel():
    library("pyspiel")
    assert example("openspiel_algorithms").main(rounds=20) < 0.05


def test_a_tournament_over_ray():
    library("ray")
    pytest.importorskip("ray")
    assert len(example("ray_tournament").main().standings) == 2
