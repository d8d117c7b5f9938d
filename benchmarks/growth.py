"""How the cost of an optimal solution grows with the board: random boards, default tables."""

from __future__ import annotations

from statistics import fmean, median

from taquin import Board, Limit, goals, solve, tables

SHAPES = ((3, 4), (2, 7), (3, 5), (4, 4), (3, 6), (4, 5))
SEEDS = range(10)


def main() -> None:
    print("| board | solved | moves, mean | expanded, mean | median s | worst s |")
    print("|---|---|---|---|---|---|")
    for shape in SHAPES:
        goal = goals.blank_last(*shape)
        tables.obtain(goal, "default")
        results = [
            solve(Board.random(*shape, seed=seed), tables="default", limit=Limit(seconds=60))
            for seed in SEEDS
        ]
        solved = [result for result in results if result.proof == "optimal"]
        seconds = [result.stats.seconds for result in results]
        print(
            f"| {shape[0]}×{shape[1]} | {len(solved)} of {len(results)} "
            f"| {fmean(result.length or 0 for result in solved):.1f} "
            f"| {fmean(result.stats.expanded for result in results):,.0f} "
            f"| {median(seconds):.3f} | {max(seconds):.2f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
