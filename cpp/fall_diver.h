#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "bit_fields.h"
#include "deepening.h"
#include "fall_moves.h"
#include "fringe.h"
#include "heartbeat.h"
#include "move_pruning.h"
#include "patterns.h"
#include "roots.h"

namespace taquin {

// Depth-first search with patterns whose tables have falls. A board knows of all its moves which of
// them lead to smaller values, so that only those boards are made that will be expanded; for each
// the falls of the patterns that its last move has changed are looked up. Boards are expanded in
// batches: what they will look up is asked of memory a batch before.
template <std::size_t Parts, std::size_t Slots, bool Halves>
class FallDiver {
 public:
  using Moves = FallMoves<Parts, Slots, Halves>;

  FallDiver(const Patterns& patterns, const MovePruning& pruning)
      : moves_(patterns, pruning), pruning_(pruning), fringe_(sizeof(Note)) {}

  // All that follows begins here; the distance to the goal, at least.
  std::int64_t begin(const Tiles& tiles) {
    const Patterns& patterns = moves_.patterns();
    std::array<std::uint8_t, Parts> values;
    for (std::size_t p = 0; p < Parts; ++p) {
      values[p] = static_cast<std::uint8_t>(patterns.sum(patterns.parts()[p], tiles));
    }
    trail_.assign(1, moves_.start(tiles, values));
    return *std::max_element(values.begin(), values.end());
  }

  // Looks below a root for the goal; true when it found it, false also when the pulse told it
  // to stop.
  bool dive(const Root& root, const Allowance& allowance, Pulse& pulse) {
    const Root* const only = &root;
    return dive_together(std::span(&only, 1), allowance, pulse);
  }

  // Whether it searches below several roots at once, as it always does.
  bool is_wide(const Allowance&) const { return true; }

  // Below several roots at once. The first of them comes last onto the stack, from where it is
  // taken first.
  bool dive_together(std::span<const Root* const> roots, const Allowance& allowance, Pulse& pulse) {
    restart(allowance);
    for (std::size_t i = roots.size(); i-- > 0;) {
      const std::string& path = roots[i]->path;
      follow(path.size(), [&](std::size_t k) { return direction_of(path[k]); });
      if (add_in_place()) return true;
    }
    return search(pulse);
  }

  // Looks on from boards of the fringe, in the same way.
  bool look_on(std::span<const Fringe::Piece> pieces, const Allowance& allowance, Pulse& pulse) {
    bool found = false;
    Fringe::some_at_a_time(pieces, [&](std::span<const Fringe::Kept> boards) {
      restart(allowance);
      for (std::size_t i = boards.size(); i-- > 0 && !found;) found = add(boards[i]);
      found = found || search(pulse);
      return !found && !stopped_;
    });
    return found;
  }

  // All ways from a root to the goal within the allowance: how many, and the first of them.
  Answers all(const Root& root, const Allowance& allowance, std::size_t most, Pulse& pulse) {
    Answers answers;
    most_answers_ = most;
    answers_ = &answers;
    dive(root, allowance, pulse);
    answers_ = nullptr;
    return answers;
  }

  // The letters from the start to the goal.
  std::string path() const { return found_; }

  // What a dive from a root has left when the pulse told it to stop, as paths in the order of a
  // dive.
  std::vector<std::string> rest(const SearchTree&, const Root&) const {
    std::vector<std::string> paths;
    for (std::size_t i = 0; i < size_; ++i) paths.push_back(letters_to(stack_[i]));
    const auto comes_first = [](char one, char other) {
      return lane_of(direction_of(one)) < lane_of(direction_of(other));
    };
    std::sort(paths.begin(), paths.end(), [&](const std::string& one, const std::string& other) {
      return std::lexicographical_compare(one.begin(), one.end(), other.begin(), other.end(),
                                          comes_first);
    });
    return paths;
  }

  Fringe& fringe() { return fringe_; }
  // Adds the first moves of all paths of a piece of it to others.
  static void spell(const Fringe::Piece& piece, std::size_t moves, Fringe::Paths& paths) {
    for (std::size_t i = 0; i < piece.count(); ++i) {
      if (piece.is_noted) {
        const Note note = noted(piece.path(i));
        for (std::size_t k = 0; k < moves; ++k) {
          paths.push_back(static_cast<std::uint8_t>(move_at(note.path.data(), k)));
        }
      } else {
        paths.insert(paths.end(), piece.path(i), piece.path(i) + moves);
      }
    }
  }
  const MovePruning& pruning() const { return pruning_; }

 private:
  using Board = typename Moves::Board;
  using Number = std::uint32_t;  // of a board

  // More would wait for memory together, but follow too many ways at once where one leads home.
  static constexpr std::size_t kBatch = 16;

  // Ways are lanes, two bits for each move.
  using Word = std::uint64_t;
  static constexpr std::size_t kMovesOfWord = 32;
  static Direction move_at(const Word* path, std::size_t i) {
    return kSearchOrder[path[i / kMovesOfWord] >> 2 * (i % kMovesOfWord) & 3U];
  }
  static void write_move(Word* path, std::size_t i, Word lane) {
    path[i / kMovesOfWord] |= lane << 2 * (i % kMovesOfWord);
  }
  // So many words are copied at once; most ways are no longer.
  static constexpr std::size_t kWords = 4;
  using Stretch = std::array<Word, kWords>;

  // What the fringe has of a board, if it is not too far from the start: the board before it, the
  // move to it, and by which of its moves values fall.
  struct Note {
    Board board;
    std::uint16_t falling;
    std::uint8_t lane;
    Stretch path;
  };
  static constexpr std::size_t kMostNotedMoves = kWords * kMovesOfWord;

  static Note noted(const std::uint8_t* bytes) {
    Note note;
    std::memcpy(&note, bytes, sizeof note);
    return note;
  }
  static unsigned lane_of(Direction direction) {
    return static_cast<unsigned>(
        std::find(std::begin(kSearchOrder), std::end(kSearchOrder), direction) -
        std::begin(kSearchOrder));
  }

  // Forgets all boards.
  void restart(const Allowance& allowance) {
    allowance_ = allowance.data();
    words_ = (allowance.size() / kMostNotedMoves + 1) * kWords;
    paths_.resize(boards_.size() * words_);
    size_ = 0;
    free_size_ = boards_.size();
    for (std::size_t i = 0; i < free_size_; ++i) free_[i] = static_cast<Number>(i);
    stopped_ = false;
  }

  Word* path_of(Number number) { return paths_.data() + number * words_; }
  const Word* path_of(Number number) const { return paths_.data() + number * words_; }

  std::string letters_to(Number number) const {
    std::string letters;
    for (std::size_t i = 0; i < boards_[number].depth; ++i) {
      letters += kLetters[move_at(path_of(number), i)];
    }
    return letters;
  }

  // Puts the board at the end of a path in place. What the path shares with the one before it
  // stays: of paths in the order of a search that is most.
  template <class MoveAt>
  void follow(std::size_t length, const MoveAt& move_at) {
    std::size_t shared = 0;
    const std::size_t most = std::min(length, trail_.size() - 1);
    while (shared < most && made_path_[shared] == move_at(shared)) ++shared;
    trail_.resize(shared + 1);
    for (std::size_t i = shared; i < length; ++i) step(move_at(i));
  }

  void step(std::uint8_t direction) {
    Board next = trail_.back();
    const unsigned lane = lane_of(direction);
    if (lane >= kDirections || (moves_.moves(next) >> lane & 1U) == 0) {
      throw std::invalid_argument("a path that this search does not know");
    }
    moves_.move(next, lane, moves_.template falling<PlainBitFields>(next));
    made_path_.resize(trail_.size() - 1);
    made_path_.push_back(direction);
    trail_.push_back(next);
  }

  // The board in place to those of the search, or to the fringe; true if it is the goal.
  bool add_in_place() {
    const Board& board = trail_.back();
    const std::int32_t most = *std::max_element(board.h.begin(), board.h.end());
    const std::int32_t allowed = allowance_[board.depth];
    if (most == allowed + 2) keep_in_place();
    if (most > allowed) return false;
    const Number number = make();
    boards_[number] = board;
    write_path(path_of(number), board.depth);
    return push(number);
  }

  void write_path(Word* path, std::size_t length) const {
    std::fill_n(path, words_, 0);
    for (std::size_t i = 0; i < length; ++i) write_move(path, i, lane_of(made_path_[i]));
  }

  // The start itself is in no fringe: it has no move to it.
  void keep_in_place() {
    if (trail_.size() < 2) return;
    Board before = trail_[trail_.size() - 2];
    const unsigned falling = moves_.template falling<PlainBitFields>(before);
    std::vector<Word> path(words_);
    write_path(path.data(), before.depth);
    keep(before, path.data(), lane_of(made_path_[before.depth]), falling);
  }

  // True when that is the goal.
  bool add(const Fringe::Kept& board) {
    if (!board.piece->is_noted) {
      follow(board.piece->length, [&](std::size_t k) { return board.path()[k]; });
      return add_in_place();
    }
    add(noted(board.path()));
    return false;
  }

  void add(const Note& note) {
    const Number number = make();
    Board& board = boards_[number] = note.board;
    std::fill_n(path_of(number), words_, 0);
    std::copy(note.path.begin(), note.path.end(), path_of(number));
    moves_.move(board, note.lane, note.falling);
    moves_.ask_for(board);
    push(number);
  }

  Number make() {
    make_room();
    return free_[--free_size_];
  }

  // For all children of a batch.
  void make_room() {
    constexpr std::size_t most = kBatch * kDirections + 1;
    if (free_size_ >= most) return;
    const std::size_t before = boards_.size(), after = 2 * before + most;
    boards_.resize(after);
    paths_.resize(after * words_);
    stack_.resize(after);
    free_.resize(after);
    for (std::size_t i = before; i < after; ++i) free_[free_size_++] = static_cast<Number>(i);
  }

  // Onto the stack, unless it is the goal: true if that ends the search.
  [[gnu::always_inline]] bool push(Number number) {
    if (boards_[number].h[0] == 0) [[unlikely]]
      return is_enough(number);
    stack_[size_++] = number;
    return false;
  }

  // A way to the goal: whether it is the last one that is wanted.
  [[gnu::noinline]] bool is_enough(Number number) {
    if (answers_ == nullptr) {
      found_ = letters_to(number);
      return true;
    }
    if (answers_->count++ < most_answers_) answers_->first.push_back(letters_to(number));
    free_[free_size_++] = number;
    return false;
  }

  bool search(Pulse& pulse) {
    return NativeBitFields::are_there() ? search<NativeBitFields>(pulse)
                                        : search<PlainBitFields>(pulse);
  }

  // A move of a board of the batch.
  struct Child {
    Number number;  // where it is to be made
    std::uint8_t parent;
    std::uint8_t lane;
  };
  template <class Value>
  using PerChild = std::array<Value, kBatch * kDirections>;

  struct Batch {
    std::array<Number, kBatch> numbers;
    std::array<std::uint16_t, kBatch> falling;
    std::array<std::uint8_t, kBatch> open;  // lanes that stay within the allowance
    std::size_t count = 0;
    PerChild<Child> children;
    std::size_t child_count = 0;
  };

  template <class BitFields>
  bool search(Pulse& pulse) {
    Batch batch;
    while (size_ > 0) {
      make_room();
      batch.count = pulse.ticks(std::min(kBatch, size_));
      if (batch.count == 0) {
        stopped_ = true;
        return false;
      }
      size_ -= batch.count;
      pulse.generate(look_up<BitFields>(batch));
      list_children(batch);
      if (push_children(batch)) return true;
    }
    return false;
  }

  // Which moves stay within the allowance; returns how many there were.
  template <class BitFields>
  [[gnu::always_inline]] std::uint64_t look_up(Batch& batch) {
    Board* const boards = boards_.data();
    const Number* const stack = stack_.data() + size_;
    const std::int32_t* const allowance = allowance_ + 1;
    const std::int64_t farthest = fringe_.farthest() - 2;
    std::uint64_t moves_made = 0;
    for (std::size_t i = 0; i < batch.count; ++i) {
      const Number number = stack[i];
      Board& board = boards[number];
      const unsigned falling = moves_.template falling<BitFields>(board);
      const unsigned moves = moves_.moves(board);
      const std::int32_t limit = allowance[board.depth];
      const unsigned open = moves & Moves::within(board, falling, limit);
      batch.numbers[i] = number;
      batch.falling[i] = static_cast<std::uint16_t>(falling);
      batch.open[i] = static_cast<std::uint8_t>(open);
      moves_made += kCount[moves];
      if (limit <= farthest) [[unlikely]]
        keep_failed(number, moves & ~open, falling);
    }
    return moves_made;
  }

  // The first child takes its parent's place, the others get copies of it. Without branches, as it
  // can't be foretold how many there are.
  [[gnu::always_inline]] void list_children(Batch& batch) {
    Board* const boards = boards_.data();
    Number* free = free_.data() + free_size_;
    PerChild<Child> others;
    std::array<Number, kBatch> done;
    std::size_t count = 0, other_count = 0, done_count = 0;
    for (std::size_t i = 0; i < batch.count; ++i) {
      const unsigned open = batch.open[i], rest = open & (open - 1);
      const Number number = batch.numbers[i];
      const auto parent = static_cast<std::uint8_t>(i);
      batch.children[count] = {number, parent, kLanes[open][0]};
      count += open != 0;
      done[done_count] = number;
      done_count += open == 0;
      for (std::size_t k = 0; k + 1 < kDirections; ++k) {
        others[other_count + k] = {0, parent, kLanes[rest][k]};
      }
      other_count += kCount[rest];
    }
    for (std::size_t i = 0; i < other_count; ++i) {
      const Number parent = batch.numbers[others[i].parent], number = *--free;
      others[i].number = number;
      boards[number] = boards[parent];
      for (std::size_t k = 0; k < words_; k += kWords) {
        std::memcpy(path_of(number) + k, path_of(parent) + k, sizeof(Stretch));
      }
      batch.children[count++] = others[i];
    }
    for (std::size_t i = 0; i < done_count; ++i) *free++ = done[i];
    free_size_ = static_cast<std::size_t>(free - free_.data());
    batch.child_count = count;
  }

  // True when one of them is the goal, and that is enough.
  [[gnu::always_inline]] bool push_children(const Batch& batch) {
    Board* const boards = boards_.data();
    // What comes last is taken first.
    for (std::size_t i = batch.child_count; i-- > 0;) {
      const Child child = batch.children[i];
      Board& board = boards[child.number];
      write_move(path_of(child.number), board.depth, child.lane);
      moves_.move(board, child.lane, batch.falling[child.parent]);
      if (push(child.number)) return true;
    }
    for (std::size_t i = batch.child_count; i-- > 0;) {
      moves_.ask_for(boards[batch.children[i].number]);
    }
    return false;
  }

  // Of a board that is near enough to the goal, the moves that fail, for the fringe.
  [[gnu::noinline]] void keep_failed(Number number, unsigned lanes, unsigned falling) {
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
      keep(boards_[number], path_of(number), static_cast<unsigned>(std::countr_zero(rest)),
           falling);
    }
  }

  // The board after a move, for the fringe, as the next bound is the one that lets it pass.
  void keep(const Board& before, const Word* path, unsigned lane, unsigned falling) {
    const std::int64_t h = allowance_[before.depth + 1] + 2;
    if (h > fringe_.farthest() || before.depth >= kMostNotedMoves) return;
    Note note;
    note.board = before;
    note.falling = static_cast<std::uint16_t>(falling);
    note.lane = static_cast<std::uint8_t>(lane);
    std::copy_n(path, kWords, note.path.begin());
    write_move(note.path.data(), before.depth, lane);
    std::array<std::uint8_t, sizeof(Note)> bytes;
    std::memcpy(bytes.data(), &note, sizeof note);
    fringe_.add(bytes.data(), h);
  }

  // The lanes of a set of them, and how many there are.
  static constexpr std::array<std::array<std::uint8_t, kDirections>, 16> kLanes = [] {
    std::array<std::array<std::uint8_t, kDirections>, 16> all{};
    for (unsigned lanes = 0; lanes < all.size(); ++lanes) {
      std::size_t count = 0;
      for (std::uint8_t lane = 0; lane < kDirections; ++lane) {
        if (lanes >> lane & 1U) all[lanes][count++] = lane;
      }
    }
    return all;
  }();
  static constexpr std::array<std::uint8_t, 16> kCount = {0, 1, 1, 2, 1, 2, 2, 3,
                                                          1, 2, 2, 3, 2, 3, 3, 4};

  Moves moves_;
  const MovePruning& pruning_;
  const std::int32_t* allowance_ = nullptr;
  std::vector<Board> trail_;             // from the start to the board in place
  std::vector<std::uint8_t> made_path_;  // the moves there
  std::vector<Board> boards_;            // by their numbers
  std::vector<Word> paths_;              // the same, so many of each:
  std::size_t words_ = kWords;
  std::vector<Number> free_;  // as many of them as `free_size_` tells
  std::size_t free_size_ = 0;
  std::vector<Number> stack_;  // boards to expand, as many of them as `size_` tells
  std::size_t size_ = 0;
  bool stopped_ = false;
  std::string found_;
  Answers* answers_ = nullptr;
  std::size_t most_answers_ = 0;
  Fringe fringe_;
};

}  // namespace taquin
