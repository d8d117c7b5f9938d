"""Jobs without a server around them: how many are kept, and what their listeners are told."""

import json
from collections.abc import Awaitable, Callable

import pytest
from loops import run_apart

from taquin.server import jobs as room
from taquin.server.jobs import Full, Job, Jobs
from taquin.server.limits import limits_for
from taquin.server.shapes import Bounds
from taquin.server.trouble import BROKEN, NO_MEMORY, told

SMALL = {"board": "8 6 7/2 5 4/3 0 1", "goal": "1 2 3/4 5 6/7 8 0", "limit": {}, "options": {}}


def with_jobs(work: Callable[[Jobs], Awaitable[None]], **limits: int) -> None:
    async def run() -> None:
        jobs = Jobs(limits_for(strict=False, **limits))
        try:
            await work(jobs)
        finally:
            await jobs.close()

    run_apart(run())


async def finished(job: Job) -> Job:
    while not job.done:
        await job.wait()
    return job


def test_finished_jobs_are_kept_but_not_all_and_not_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(room, "_KEPT_JOBS", 5)

    async def work(jobs: Jobs) -> None:
        done = [await finished(jobs.start("solve", SMALL, native=True)) for _ in range(20)]
        jobs._sweep()
        assert jobs.counts["kept"] == 5
        assert jobs.get("solve", done[-1].id) is done[-1]
        assert jobs.get("solve", done[0].id) is None
        monkeypatch.setattr(room, "_KEPT_BYTES", done[-1].size)
        jobs._sweep()
        assert jobs.counts["kept"] == 1
        monkeypatch.setattr(room, "_KEPT_SECONDS", 0)
        jobs._sweep()
        assert jobs.counts["kept"] == 0

    with_jobs(work)


def test_a_full_queue_turns_away_and_makes_room_again() -> None:
    async def work(jobs: Jobs) -> None:
        started = [jobs.start("solve", SMALL, native=True) for _ in range(3)]
        assert [jobs.ahead_of(job) for job in started] == [0, 0, 1]
        with pytest.raises(Full) as full:
            jobs.start("solve", SMALL, native=True)
        assert full.value.seconds >= 1
        # The other kind has a queue of its own.
        other = jobs.start("solve", {**SMALL, "options": {"algorithm": "astar"}}, native=False)
        for job in [*started, other]:
            await finished(job)
            assert json.loads(job.result or "null")["length"] == 31
        await finished(jobs.start("solve", SMALL, native=True))

    with_jobs(work, jobs=1, queue=2)


def test_a_worker_does_one_task_after_the_other_and_a_late_cancel_meets_none() -> None:
    async def work(jobs: Jobs) -> None:
        asked = {**SMALL, "options": {"algorithm": "astar"}}
        for _ in range(5):
            job = await finished(jobs.start("solve", asked, native=False))
            assert json.loads(job.result or "null")["status"] == "solved"
            jobs.cancel(job)
            assert job.result is not None

    with_jobs(work, jobs=1)


def test_an_error_inside_is_told_in_words_and_harms_no_one(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def work(jobs: Jobs) -> None:
        for native in (True, False):
            broken = await finished(jobs.start("solve", {"board": 5}, native=native))
            assert broken.error == told(BROKEN)
            await finished(jobs.start("solve", SMALL, native=native))

    with_jobs(work)
    assert "a job failed" in caplog.text


HARD = {"board": "14 15 8 12/10 11 9 13/2 6 5 1/3 7 0 4", "goal": "blank-last"}


def test_a_worker_that_takes_too_much_memory_says_so_and_harms_no_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What a run counts itself is not limited here: only the process is."""
    asked = {**HARD, "limit": {}, "options": {"algorithm": "bfs"}, "seconds": 60}
    modest = {**SMALL, "options": {"algorithm": "astar"}}

    async def work(jobs: Jobs) -> None:
        # The program itself has more than 100 MB of addresses, most of them for libraries.
        monkeypatch.setattr(room, "_SPARE_MEMORY", 170_000_000)
        greedy = await finished(jobs.start("solve", asked, native=False))
        assert greedy.error == told(NO_MEMORY)
        job = await finished(jobs.start("solve", modest, native=False))
        assert json.loads(job.result or "null")["length"] == 31

    with_jobs(work, jobs=1, memory=0)


def test_what_is_asked_is_not_kept() -> None:
    async def work(jobs: Jobs) -> None:
        job = await finished(jobs.start("solve", SMALL, native=True))
        assert job.ask == {}

    with_jobs(work)


def test_limits_have_no_holes() -> None:
    limits = limits_for(strict=True)
    asked = Bounds(seconds=10**9, memory=10**15)
    allowed = limits.within(asked.seconds, asked.expanded, asked.memory)
    assert (allowed.seconds, allowed.memory) == (limits.seconds, limits.memory)
