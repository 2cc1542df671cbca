"""Tournaments over a Ray cluster.

    >>> import ray, paidia.distributed
    >>> ray.init(address="auto")                       # a cluster, or ray.init() for this machine
    >>> summary = paidia.distributed.tournament("tournaments/small.toml", "results/matches.sqlite")
    >>> summary.standings

Matches are tasks. Each has a seed of its own, so it does not matter which node plays it. What is
finished is in the store at once, the same that `paidia tournament` keeps: a run that was stopped
goes on where it was, on one machine or on many. If a node is lost its unfinished matches are played
elsewhere, and no finished match is lost or played again.
"""

import pathlib

import ray

from paidia.errors import PaidiaError
from paidia.paidia_native import Tournament, TournamentStore

#: How often a match is begun again whose node was lost.
MOST_RETRIES = 5

_loaded = {}


def _tournament(name, text, engine):
    """A tournament, loaded once in each process."""
    key = (name, text, engine)
    if key not in _loaded:
        _loaded.clear()
        _loaded[key] = Tournament(name, text, engine=engine)
    return _loaded[key]


@ray.remote(max_retries=0)
def _play(name, text, engine, fingerprint):
    return _tournament(name, text, engine).play(fingerprint)


def tournament(file, store, *, engine="auto", at_most=None, most_running=None, progress=None):
    """Plays what is left of a tournament, and returns its summary: standings, pairings, ratings.

    `file` is the TOML file of the tournament (docs/tournaments.md), `store` a SQLite file or a
    `postgres://` address. At most `at_most` matches are played now, `most_running` at a time (as
    many as the cluster has processors). `progress` is called with the matches that are done and
    those that there are.
    """
    path = pathlib.Path(file)
    name, text = path.stem, path.read_text(encoding="utf-8")
    plan = _tournament(name, text, engine)
    kept = TournamentStore(plan, str(store))
    most_running = most_running or max(1, int(ray.cluster_resources().get("CPU", 1)))
    running, tries = {}, {}
    begun = 0
    every = len(plan.matches)

    def begin(fingerprint):
        tries[fingerprint] = tries.get(fingerprint, 0) + 1
        if tries[fingerprint] > MOST_RETRIES:
            raise PaidiaError(
                f"the match {fingerprint} was lost {MOST_RETRIES} times with its node; the others "
                "are kept: look at the nodes and run this again"
            )
        running[_play.remote(name, text, engine, fingerprint)] = fingerprint

    while True:
        while len(running) < most_running and (at_most is None or begun < at_most):
            fingerprint = kept.claim()
            if fingerprint is None:
                break
            begun += 1
            begin(fingerprint)
        if not running:
            break
        done, _ = ray.wait(list(running), num_returns=1)
        for reference in done:
            fingerprint = running.pop(reference)
            try:
                kept.finish(ray.get(reference))
            except (ray.exceptions.WorkerCrashedError, ray.exceptions.NodeDiedError,
                    ray.exceptions.ObjectLostError, ray.exceptions.RaySystemError):
                begin(fingerprint)
                continue
            if progress is not None:
                progress(every - kept.left, every)
    return plan.summary(kept.outcomes())
