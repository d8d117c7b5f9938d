"""Questions and jobs, asked of a real server."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest
from server_client import HARD, SMALL, Client, serving, wait_until

from taquin import Board, Replay, Result, heuristics, search, solvability
from taquin.server import shapes

SCHEMA = json.loads((Path(__file__).parent.parent / "docs" / "result.schema.json").read_text())


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with serving(tmp_path_factory.mktemp("home")) as client:
        yield client


# --- quick questions ----------------------------------------------------------------------------


def test_health_and_options(server: Client) -> None:
    health = server.get("/healthz").json()
    assert health["status"] == "ok"
    options = server.get("/api/options").json()
    assert options["version"] == health["version"]
    assert [entry["name"] for entry in options["algorithms"]] == list(search.ALGORITHMS)
    assert [entry["name"] for entry in options["heuristics"]] == list(heuristics.NAMED)
    assert options["limits"]["strict"] is False
    assert options["records"] is True


def test_check_tells_what_the_library_tells(server: Client) -> None:
    board = Board("1 8 2 / 0 4 5 / 3 7 6")
    told = server.post("/api/check", board="1 8 2\n0 4 5\n3 7 6").json()
    verdict = solvability(board)
    assert told["valid"] is True
    assert told["board"] == str(board)
    assert (told["rows"], told["cols"], told["format"]) == (3, 3, "rows")
    assert (told["solvable"], told["reason"]) == (False, verdict.reason)
    assert solvability(told["fix"]["board"])
    assert told["fix"]["what"] == "exchange tiles 2 and 3"


@pytest.mark.parametrize(
    ("asked", "field", "culprit"),
    [
        ({"board": "1 2 3 / 4 4 0"}, "board", "tile 4 appears twice"),
        ({"board": "1 2 3 4 5 0"}, "board", "2×3"),
        ({"board": ""}, "board", "empty"),
        ({"board": SMALL, "goal": "snial"}, "goal", "did you mean 'snail'"),
        ({"board": SMALL, "goal": "1 2 / 3 0"}, "goal", "2×2"),
        ({"board": SMALL, "format": "slsh"}, "board", "did you mean 'slash'"),
        ({"board": "/".join(" ".join(map(str, range(40 * r, 40 * r + 40))) for r in range(40))},
         "board", "too large"),
    ],
)  # fmt: skip
def test_check_says_what_is_wrong(
    server: Client, asked: dict[str, str], field: str, culprit: str
) -> None:
    response = server.post("/api/check", **asked)
    assert response.status_code == 200
    told = response.json()
    assert told["valid"] is False
    assert told["field"] == field
    assert culprit in told["error"]


def test_random_boards_come_again_by_their_seed(server: Client) -> None:
    first = server.post("/api/random", rows=3, cols=5, goal="snail").json()
    again = server.post("/api/random", rows=3, cols=5, goal="snail", seed=first["seed"]).json()
    assert first == again
    assert solvability(first["board"], first["goal"])
    walked = server.post("/api/random", rows=3, cols=3, walk=1).json()
    assert len(Board(walked["board"]).neighbours()) == 3


@pytest.mark.parametrize("name", list(heuristics.NAMED))
def test_explain(server: Client, name: str) -> None:
    told = server.post("/api/explain", board=SMALL, heuristic=name).json()
    breakdown = heuristics.get(name).explain(SMALL)
    assert told["total"] == breakdown.total == sum(part["value"] for part in told["parts"])
    assert told["tiles"] == {str(tile): value for tile, value in breakdown.per_tile().items()}


# --- solving ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "asked",
    [
        {"board": SMALL},
        {"board": SMALL, "goal": "blank-first", "quality": 1.5},
        {"board": SMALL, "quality": "fast"},
        {"board": SMALL, "metric": "multi"},
        {"board": SMALL, "algorithm": "astar", "heuristic": "linear-conflict"},
        {"board": SMALL, "algorithm": "wastar", "options": {"weight": 3}},
        {"board": "1 8 2/0 4 5/3 7 6"},
        {"board": HARD, "limit": {"seconds": 0.3}},
        {"board": HARD, "limit": {"expanded": 1000}, "algorithm": "astar"},
    ],
    ids=str,
)
def test_every_result_is_one_of_the_library(server: Client, asked: dict[str, object]) -> None:
    job = server.start("solve", **asked)
    told = server.finish(job)
    jsonschema.validate(told, SCHEMA)
    assert Result.from_dict(told).to_dict() == told
    assert server.status(job)["result"] == told


def test_the_schema_of_the_api_has_the_keys_of_results() -> None:
    assert set(shapes.Result.model_fields) == set(SCHEMA["properties"])
    assert set(shapes.Stats.model_fields) == set(SCHEMA["properties"]["stats"]["properties"])


def test_a_hard_board_has_an_answer_at_once_and_stop_keeps_the_best(server: Client) -> None:
    job = server.start("solve", board=HARD)
    stopped = False
    best: list[int] = []
    for event in server.events(job):
        if event.name == "progress":
            if "moves" in event.data:
                assert len(event.data["moves"]) == event.data["best"]
                best.append(event.data["best"])
            assert event.data["best"] == (best[-1] if best else None)
            if best and not stopped:
                answer = server.http.delete(job)
                assert answer.status_code == 200
                stopped = True
        if event.name == "result":
            result = Result.from_dict(event.data)
    assert best == sorted(best, reverse=True)
    assert result.status == "cancelled"
    assert result.length is not None
    assert result.length <= best[-1]


def test_a_textbook_algorithm_is_stopped(server: Client) -> None:
    job = server.start("solve", board=HARD, algorithm="idastar")
    for event in server.events(job):
        if event.name == "progress":
            server.http.delete(job)
        if event.name == "result":
            assert event.data["status"] == "cancelled"
    assert event.name == "result"


def test_limits_can_be_lowered_but_not_raised(tmp_path: Path) -> None:
    with serving(tmp_path, "--time", "0.2", "--cells", "36") as client:
        for limit in ({}, {"seconds": 1000}, {"seconds": 0.1}):
            told = client.finish(client.start("solve", board=HARD, limit=limit))
            seconds = min(limit.get("seconds", 0.2), 0.2)
            assert told["reason"] == f"the time limit of {seconds:g} s"
        too_large = client.post("/api/random", rows=6, cols=7)
        assert too_large.status_code == 422
        assert "too large" in too_large.json()["error"]


@pytest.mark.parametrize(
    ("asked", "field", "culprit"),
    [
        ({}, "board", "required"),
        ({"board": 5}, "board", "string"),
        ({"board": SMALL, "bord": 5}, "bord", "not permitted"),
        ({"board": SMALL, "quality": "best"}, "quality", "'optimal' or 'fast'"),
        ({"board": SMALL, "quality": 0.5}, "quality", "optimal"),
        ({"board": SMALL, "limit": {"seconds": -1}}, "limit.seconds", "greater"),
        ({"board": SMALL, "limit": {"memory": "2GB"}}, "limit.memory", "integer"),
        ({"board": SMALL, "algorithm": "astra"}, "algorithm", "did you mean 'astar'"),
        ({"board": SMALL, "heuristic": "manhatten"}, "heuristic", "did you mean 'manhattan'"),
        ({"board": SMALL, "algorithm": "astar", "options": {"width": 5}}, "options.width",
         "astar has no option 'width'"),
        ({"board": SMALL, "options": {"width": 5}}, "options.width", "the engine has no option"),
        ({"board": SMALL, "tables": "/etc/passwd"}, "tables", "unknown table set"),
    ],
)  # fmt: skip
def test_bad_questions_are_answered_in_words(
    server: Client, asked: dict[str, object], field: str, culprit: str
) -> None:
    response = server.post("/api/solve", **asked)
    assert response.status_code == 422
    assert response.json()["field"] == field
    assert culprit in response.json()["error"]


def test_what_the_library_refuses_is_an_error_event(server: Client) -> None:
    job = server.start("solve", board=SMALL, tables="exact", goal="1 2 3/4 5 6/7 8 0")
    assert server.finish(job)["proof"] == "optimal"
    job = server.start("solve", board=HARD, tables="exact")
    *_, last = server.events(job)
    assert last.name == "error"
    assert last.data["error"]
    assert server.status(job)["error"] == last.data["error"]


def test_who_comes_back_after_the_end_is_told_not_to(server: Client) -> None:
    job = server.start("solve", board=SMALL)
    *_, last = server.events(job)
    assert last.id == "end"
    assert server.get(f"{job}/events", headers={"Last-Event-ID": "end"}).status_code == 204
    assert server.get("/api/watch/" + job.rpartition("/")[2]).status_code == 404


# --- watching, comparing ------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", list(search.ALGORITHMS))
def test_watch_shows_every_expansion_and_where_it_came_from(server: Client, algorithm: str) -> None:
    board = "1 2 3/4 0 6/7 5 8"
    job = server.start("watch", board=board, algorithm=algorithm, most=200)
    *events, last = server.events(job)
    expansions = [e for event in events if event.name == "expansions" for e in event.data]
    assert last.name == "result"
    assert [e["number"] for e in expansions] == list(range(1, len(expansions) + 1))
    assert len(expansions) == last.data["stats"]["expanded"] <= 200
    for expansion in expansions:
        if expansion["parent"] is None:
            assert expansion["board"] in (board, last.data["goal"])
        else:
            parent = expansions[expansion["parent"] - 1]
            assert Board(expansion["board"]) in Board(parent["board"]).neighbours()
            assert expansion["g"] == parent["g"] + 1


def test_who_lost_the_connection_goes_on_where_it_broke(server: Client) -> None:
    job = server.start("watch", board=SMALL, algorithm="bfs", most=1000)
    items = [event for event in server.events(job) if event.name == "expansions"]
    assert len(items) > 2
    rest = [e for e in server.events(job, **{"Last-Event-ID": "2"}) if e.name == "expansions"]
    assert rest == items[2:]


def test_compare_tells_of_each_run(server: Client) -> None:
    boards = [SMALL, "1 2 3 4/5 6 7 8/9 10 11 0/13 14 15 12"]
    job = server.start(
        "compare", boards=boards, algorithms=["A*", "bidirectional"], heuristics=["manhattan"]
    )
    *events, last = server.events(job)
    runs = [event.data for event in events if event.name == "run"]
    assert last.data["results"] == runs
    assert [(run["board"], run["algorithm"]) for run in runs] == [
        (board, algorithm) for board in boards for algorithm in ("astar", "bidirectional")
    ]
    for run in runs:
        jsonschema.validate(run, SCHEMA)
    assert [row["solved"] for row in last.data["rows"]] == [2, 2]
    assert last.data["csv"].count("\n") == 5


def test_too_many_runs_are_refused(server: Client) -> None:
    response = server.post("/api/compare", boards=[SMALL] * 100, algorithms=list(search.ALGORITHMS))
    assert response.status_code == 422
    assert "runs are too many" in response.json()["error"]


# --- games --------------------------------------------------------------------------------------

GAME = Replay.parse("1 2 3/4 5 6/0 7 8;DUL2;0,100,200,480")


def test_records_keep_games_with_their_optimum(server: Client) -> None:
    added = server.post("/api/records", **GAME.to_dict(), hints=1)
    assert added.status_code == 201
    id = added.json()["id"]
    wait_until(
        lambda: server.get(f"/api/records/{id}").json()["optimum"] == 2, "the optimum is known"
    )
    game = server.get("/api/records/last").json()
    assert game["id"] == id
    assert Replay.from_dict(game) == GAME
    listed = server.get("/api/records", params={"size": "3x3", "goal": "blank-last"}).json()
    assert listed["total"] == 1
    assert listed["games"][0]["moves"] == 4
    assert listed["series"][0]["with_hints"] == 1
    assert server.get("/api/records", params={"size": "4x4"}).json()["games"] == []
    started = server.post(f"/api/records/{id}/analysis")
    analysis = server.finish(started.json()["links"]["self"])
    assert (analysis["optimum"], analysis["lost"]) == (2, 2)
    assert server.http.delete(f"/api/records/{id}").json()["id"] == id
    assert server.get(f"/api/records/{id}").status_code == 404


@pytest.mark.parametrize(
    ("change", "culprit"),
    [
        ({"moves": "UUUU"}, "move 1"),
        ({"moves": "DU"}, "given_up"),
        ({"times": [0, 1]}, "2 times for 4 moves"),
        ({"seconds": 1e300}, "seconds"),
        ({"hints": -1}, "hints"),
    ],
)
def test_games_that_can_not_be_are_refused(
    server: Client, change: dict[str, object], culprit: str
) -> None:
    asked = {**GAME.to_dict(), "times": None, **change}
    response = server.post("/api/records", **asked)
    assert response.status_code == 422
    assert culprit in response.json()["error"]


def test_analysis_of_a_game_that_is_not_recorded(server: Client) -> None:
    analysis = server.finish(server.start("analysis", **GAME.to_dict()))
    assert [step["lost"] for step in analysis["steps"]] == [2, 0, 0, 0]


@pytest.mark.parametrize(
    ("format", "magic"),
    [("svg", b"<svg"), ("png", b"\x89PNG"), ("gif", b"GIF89a"), ("cast", b'{"version": 2')],
)
def test_export(server: Client, format: str, magic: bytes) -> None:
    for moves in ("", "DULL"):
        response = server.post(
            "/api/export", board=str(GAME.board), moves=moves, format=format, dark=True
        )
        assert response.status_code == 200
        assert response.content.startswith(magic)
        assert response.headers["content-disposition"] == f'attachment; filename="taquin.{format}"'


# --- all at once --------------------------------------------------------------------------------


def test_many_at_once_get_a_result_or_are_told_when_to_come_back(tmp_path: Path) -> None:
    outcomes: list[str] = []
    with serving(tmp_path, "--jobs", "1", "--queue", "2") as client:

        def ask() -> None:
            # A client of its own: one connection at a time is not at once.
            mine = Client(client.url, client.process)
            response = mine.post("/api/solve", board=HARD, limit={"seconds": 0.5})
            if response.status_code == 429:
                assert int(response.headers["retry-after"]) >= 1
                assert "busy" in response.json()["error"]
                outcomes.append("429")
            else:
                mine.finish(response.json()["links"]["self"])
                outcomes.append("result")

        threads = [threading.Thread(target=ask) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(outcomes) == 20
    assert outcomes.count("result") >= 3
    assert "429" in outcomes
