"""A tournament over a Ray cluster; on one machine without one."""

import tempfile
from pathlib import Path

import ray
from paidia import distributed

FILE = """
games = ["tic-tac-toe", "nim-small"]
rounds = 3
simulations = 30

[players]
tree = "uct"
chance = "random"
"""


def main():
    ray.init(ignore_reinit_error=True, include_dashboard=False, log_to_driver=False)
    folder = Path(tempfile.mkdtemp())
    (folder / "small.toml").write_text(FILE, encoding="utf-8")
    summary = distributed.tournament(folder / "small.toml", folder / "matches.sqlite")
    for standing in summary.standings:
        print(standing)
    return summary


if __name__ == "__main__":
    main()
