#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "check.h"
#include "distance_table.h"
#include "move_pruning.h"
#include "play.h"

using namespace taquin;

namespace {

bool allows(const MovePruning& pruning, MovePruning::State state, Direction direction) {
  const bool allowed = pruning.allowed(state) >> direction & 1U;
  CHECK(allowed == (pruning.after(state, direction) != MovePruning::kForbidden));
  CHECK(!allowed || pruning.after(state, direction) < pruning.states());
  return allowed;
}

// The state after some moves; kForbidden when one of them is.
MovePruning::State read(const MovePruning& pruning, std::string_view letters) {
  MovePruning::State state = MovePruning::kStart;
  for (const char letter : letters) {
    const auto direction = static_cast<Direction>(std::string_view(kLetters).find(letter));
    if (!allows(pruning, state, direction)) return MovePruning::kForbidden;
    state = pruning.after(state, direction);
  }
  return state;
}

// A breadth-first search by allowed moves alone must reach every board, in the least moves.
// Distances to the goal are those from it, because ways can be turned back.
void every_board_stays_at_its_distance(const MovePruning& pruning, const DistanceTable& table) {
  using Place = std::pair<std::uint64_t, MovePruning::State>;  // a board's rank, and the state
  const Goal& goal = table.goal();
  const std::vector<std::uint64_t> layers = table.layers();
  std::vector<Place> places{{table.rank(goal.tiles()), MovePruning::kStart}};
  for (std::size_t depth = 0; depth < layers.size(); ++depth) {
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    std::vector<Place> farther;
    std::uint64_t boards = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto [rank, state] = places[i];
      boards += i == 0 || rank != places[i - 1].first ? 1 : 0;
      const Tiles tiles = table.unrank(rank);
      const std::size_t blank = blank_cell(tiles);
      for (Direction direction = 0; direction < kDirections; ++direction) {
        if (!(goal.moves(blank) >> direction & 1U) || !allows(pruning, state, direction)) continue;
        Tiles after = tiles;
        std::swap(after[blank], after[goal.source(blank, direction)]);
        const std::uint64_t next = table.rank(after);
        if (table.distances()[next] <= depth) continue;  // no shortest path goes there from here
        farther.emplace_back(next, pruning.after(state, direction));
      }
    }
    CHECK(boards == layers[depth]);
    places = std::move(farther);
  }
}

void no_board_is_lost(const MovePruning& pruning, int rows, int cols) {
  for (int blank = 0; blank < rows * cols; ++blank) {
    Heartbeat heart;
    every_board_stays_at_its_distance(pruning, DistanceTable(Goal(rows, cols, blank), heart));
  }
}

void moves_back_are_forbidden(const MovePruning& pruning) {
  for (MovePruning::State state = 0; state < pruning.states(); ++state) {
    for (Direction direction = 0; direction < kDirections; ++direction) {
      if (!allows(pruning, state, direction)) continue;
      CHECK(!allows(pruning, pruning.after(state, direction), opposite(direction)));
    }
  }
}

// Round a block of 2×2 cells six moves one way are six the other way; twelve change nothing.
void one_way_round_a_block() {
  const MovePruning six(6);
  const std::pair<const char*, const char*> ways[] = {
      {"DRULDR", "RDLURD"}, {"ULDRUL", "LURDLU"}, {"URDLUR", "RULDRU"}, {"DLURDL", "LDRULD"}};
  const Goal goal(2, 2, 0);
  for (const auto& [one, other] : ways) {
    const bool kept = read(six, one) != MovePruning::kForbidden;
    CHECK(kept != (read(six, other) != MovePruning::kForbidden));
    CHECK(read(MovePruning(4), one) != MovePruning::kForbidden);
  }
  CHECK(play(goal, goal.tiles(), "LURDLU") == play(goal, goal.tiles(), "ULDRUL"));
  // Seven moves one way are five the other.
  for (const char* const longer : {"DRULDRU", "RDLURDL", "ULDRULD", "LURDLUR"}) {
    CHECK(read(six, longer) == MovePruning::kForbidden ||
          read(MovePruning(7), longer) == MovePruning::kForbidden);
  }
}

// Counted far from any edge, where without an automaton there are 4 * 3^11 paths of 12 moves.
void longer_automata_forbid_more() {
  std::size_t before = 1 << 30;
  for (std::size_t moves = 2; moves <= 10; moves += 2) {
    const MovePruning pruning(moves);
    std::map<MovePruning::State, std::size_t> paths{{MovePruning::kStart, 1}};
    for (int depth = 0; depth < 12; ++depth) {
      std::map<MovePruning::State, std::size_t> next;
      for (const auto& [state, count] : paths) {
        for (Direction direction = 0; direction < kDirections; ++direction) {
          if (allows(pruning, state, direction)) next[pruning.after(state, direction)] += count;
        }
      }
      paths = std::move(next);
    }
    std::size_t all = 0;
    for (const auto& [state, count] : paths) all += count;
    CHECK(moves == 2 ? all == 4 * 177'147 : moves == 4 ? all == before : all < before);
    before = all;
  }
}

// A word of moves as the definition sees it: what it changes, and the cells that the blank comes
// by.
struct Word {
  std::vector<Direction> letters;
  std::map<std::pair<int, int>, std::pair<int, int>> moved;  // by cells, which tile is there
  int row = 0, col = 0, top = 0, bottom = 0, left = 0, right = 0;

  Word with(std::size_t rank) const {
    Word next = *this;
    const Direction letter = kSearchOrder[rank];
    next.letters.push_back(static_cast<Direction>(rank));
    (letter < 2 ? next.row : next.col) += letter & 1U ? -1 : 1;
    const std::pair from{next.row, next.col}, to{row, col};
    const auto there = moved.find(from);
    next.moved[to] = there == moved.end() ? from : there->second;
    next.moved.erase(from);
    if (next.moved[to] == to) next.moved.erase(to);
    next.top = std::min(top, next.row);
    next.bottom = std::max(bottom, next.row);
    next.left = std::min(left, next.col);
    next.right = std::max(right, next.col);
    return next;
  }
  auto effect() const { return std::tuple(row, col, moved); }
  bool within(const Word& other) const {
    return top >= other.top && bottom <= other.bottom && left >= other.left && right <= other.right;
  }
};

// Each word against all smaller ones, by the definition.
void what_has_a_smaller_one_is_forbidden() {
  constexpr std::size_t most = 7;
  const MovePruning pruning(most);
  std::map<std::tuple<int, int, decltype(Word::moved)>, std::vector<Word>> smaller;
  std::set<std::vector<Direction>> forbidden;
  std::vector<Word> words(1);
  smaller[words[0].effect()] = words;
  for (std::size_t length = 1; length <= most; ++length) {
    std::vector<Word> longer;
    for (const Word& word : words) {
      for (std::size_t rank = 0; rank < kDirections; ++rank) longer.push_back(word.with(rank));
    }
    words = std::move(longer);
    for (const Word& word : words) {
      auto& others = smaller[word.effect()];
      if (std::any_of(others.begin(), others.end(),
                      [&](const Word& one) { return one.within(word); }))
        forbidden.insert(word.letters);
      others.push_back(word);
    }
  }
  const auto has_forbidden = [&](const std::vector<Direction>& letters) {
    for (auto first = letters.begin(); first != letters.end(); ++first) {
      for (auto last = first + 1; last - first <= static_cast<std::ptrdiff_t>(most); ++last) {
        if (forbidden.count({first, last})) return true;
        if (last == letters.end()) break;
      }
    }
    return false;
  };
  std::size_t kept = 0;
  for (const Word& word : words) {
    std::string spelled;
    for (const Direction rank : word.letters) spelled += kLetters[kSearchOrder[rank]];
    const bool allowed = read(pruning, spelled) != MovePruning::kForbidden;
    CHECK(allowed != has_forbidden(word.letters));
    kept += allowed;
  }
  CHECK(kept > 1000 && kept < words.size() / 4);
}

void no_two_states_allow_the_same(const MovePruning& pruning) {
  std::vector<std::size_t> class_of(pruning.states(), 0);
  for (std::size_t before = 0, count = 1; count > before;) {
    std::map<std::vector<std::size_t>, std::size_t> classes;
    std::vector<std::size_t> divided;
    for (MovePruning::State state = 0; state < pruning.states(); ++state) {
      std::vector<std::size_t> row{class_of[state]};
      for (Direction direction = 0; direction < kDirections; ++direction) {
        row.push_back(allows(pruning, state, direction) ? class_of[pruning.after(state, direction)]
                                                        : pruning.states());
      }
      divided.push_back(classes.emplace(row, classes.size()).first->second);
    }
    class_of = divided;
    before = std::exchange(count, classes.size());
  }
  CHECK(std::set(class_of.begin(), class_of.end()).size() == pruning.states());
}

void lengths_are_checked() {
  CHECK_THROWS(std::invalid_argument, MovePruning(1));
  CHECK_THROWS(std::invalid_argument, MovePruning(MovePruning::kMostMoves + 1));
}

}  // namespace

int main() {
  for (const std::size_t moves : {2, 6, 9}) {
    const MovePruning pruning(moves);
    moves_back_are_forbidden(pruning);
    no_two_states_allow_the_same(pruning);
    for (const auto& [rows, cols] : {std::pair{2, 2}, {2, 3}, {1, 5}, {2, 4}}) {
      no_board_is_lost(pruning, rows, cols);
    }
  }
  const MovePruning most;
  CHECK(most == MovePruning(MovePruning::kMostMoves));
  moves_back_are_forbidden(most);
  no_board_is_lost(most, 2, 3);
  no_board_is_lost(most, 2, 4);
  no_board_is_lost(most, 3, 3);
  one_way_round_a_block();
  what_has_a_smaller_one_is_forbidden();
  longer_automata_forbid_more();
  lengths_are_checked();
}
