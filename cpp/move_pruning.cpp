#include "move_pruning.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <unordered_map>

namespace taquin {

namespace {

// A board large enough for any word of moves from its middle.
class Meadow {
 public:
  explicit Meadow(std::size_t moves) : width_(2 * static_cast<int>(moves) + 1) {
    blank_ = static_cast<int>(moves) * (width_ + 1);
    for (int cell = 0; cell < width_ * width_; ++cell) tiles_.push_back(cell);
  }

  int source(Direction direction) const {
    const int step = direction & 1U ? -1 : 1;
    return blank_ + (direction < 2 ? step * width_ : step);
  }
  int blank() const { return blank_; }
  int tile(int cell) const { return tiles_[static_cast<std::size_t>(cell)]; }
  void slide(Direction direction) {
    const int cell = source(direction);
    std::swap(tiles_[static_cast<std::size_t>(blank_)], tiles_[static_cast<std::size_t>(cell)]);
    blank_ = cell;
  }
  bool operator==(const Meadow&) const = default;

 private:
  int width_;
  int blank_;
  std::vector<int> tiles_;
};

struct Box {
  int top = 0;
  int bottom = 0;
  int left = 0;
  int right = 0;

  bool within(const Box& other) const {
    return top >= other.top && bottom <= other.bottom && left >= other.left && right <= other.right;
  }
};

// All words that are not forbidden, as a tree, from the short to the long and among equals in
// alphabetical order; and for each which letters end a forbidden word.
class Words {
 public:
  static constexpr int kNone = -1;       // too long to be known
  static constexpr int kForbidden = -2;  // forbidden, and no part of it is
  static constexpr int kDead = -3;       // something within it is forbidden
  static constexpr std::size_t kWordsPerBeat = 4096;

  struct Word {
    std::array<int, kDirections> longer{kNone, kNone, kNone, kNone};
    int shorter = 0;  // without its first letter
    int parent = 0;   // without its last letter
    Direction last = 0;
    int length = 0;
    int row = 0;  // where it takes the blank
    int col = 0;
    Box box;
    std::uint64_t hash = 0;
  };

  Words(std::size_t moves, Heartbeat& heart) : meadow_(moves), scratch_(moves) {
    words_.emplace_back();
    known_.emplace(0, 0);
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (i % kWordsPerBeat == 0) heart.beat();
      if (heart.halted()) throw Stopped("making the automaton that prunes moves was stopped");
      if (words_[i].length < static_cast<int>(moves)) extend(static_cast<int>(i));
    }
  }

  const std::vector<Word>& all() const { return words_; }

 private:
  void extend(int index) {
    walk(meadow_, index);
    for (const Direction letter : kSearchOrder) {
      const Word next = grow(index, letter);
      int& entry = words_[static_cast<std::size_t>(index)].longer[letter];
      if (next.shorter < 0) {
        entry = kDead;
        continue;
      }
      meadow_.slide(letter);
      const bool fresh = !has_smaller(next);
      meadow_.slide(opposite(letter));
      if (!fresh) {
        entry = kForbidden;
        continue;
      }
      entry = static_cast<int>(words_.size());
      known_.emplace(next.hash, entry);
      words_.push_back(next);
    }
    walk_back(meadow_, index);
  }

  // The word with one more letter; its `shorter` is negative when that one is forbidden.
  Word grow(int index, Direction letter) const {
    Word word = words_[static_cast<std::size_t>(index)];
    const int cell = meadow_.source(letter);
    const int tile = meadow_.tile(cell);
    word.hash ^= key(tile, cell) ^ key(tile, meadow_.blank());
    word.longer.fill(kNone);
    word.shorter =
        word.length == 0 ? 0 : words_[static_cast<std::size_t>(word.shorter)].longer[letter];
    word.parent = index;
    word.last = letter;
    ++word.length;
    (letter < 2 ? word.row : word.col) += letter & 1U ? -1 : 1;
    word.box = {std::min(word.box.top, word.row), std::max(word.box.bottom, word.row),
                std::min(word.box.left, word.col), std::max(word.box.right, word.col)};
    return word;
  }

  // Tiles at home count nothing, so that a hash tells what a word changes.
  static std::uint64_t key(int tile, int cell) {
    if (tile == cell) return 0;
    std::uint64_t x = static_cast<std::uint64_t>(tile) << 32U | static_cast<std::uint64_t>(cell);
    x = (x ^ x >> 30U) * 0xbf58476d1ce4e5b9U;
    x = (x ^ x >> 27U) * 0x94d049bb133111ebU;
    return x ^ x >> 31U;
  }

  bool has_smaller(const Word& word) {
    const auto [first, last] = known_.equal_range(word.hash);
    return std::any_of(first, last, [&](const auto& entry) {
      return words_[static_cast<std::size_t>(entry.second)].box.within(word.box) &&
             leads_here(entry.second);
    });
  }

  bool leads_here(int index) {
    walk(scratch_, index);
    const bool same = scratch_ == meadow_;
    walk_back(scratch_, index);
    return same;
  }

  void walk(Meadow& meadow, int index) const {
    if (index == 0) return;
    const Word& word = words_[static_cast<std::size_t>(index)];
    walk(meadow, word.parent);
    meadow.slide(word.last);
  }

  void walk_back(Meadow& meadow, int index) const {
    for (; index != 0; index = words_[static_cast<std::size_t>(index)].parent) {
      meadow.slide(opposite(words_[static_cast<std::size_t>(index)].last));
    }
  }

  Meadow meadow_;
  Meadow scratch_;
  std::vector<Word> words_;
  std::unordered_multimap<std::uint64_t, int> known_;
};

// The words with which a forbidden one begins.
std::vector<bool> beginnings(const std::vector<Words::Word>& words) {
  std::vector<bool> marks(words.size());
  marks[0] = true;
  for (std::size_t i = words.size(); i-- > 1;) {
    const auto& longer = words[i].longer;
    if (std::find(longer.begin(), longer.end(), Words::kForbidden) != longer.end()) marks[i] = true;
    if (marks[i]) marks[static_cast<std::size_t>(words[i].parent)] = true;
  }
  return marks;
}

}  // namespace

// A state is the longest end of the path so far with which a forbidden word begins
// (the automaton of Aho and Corasick).
MovePruning::MovePruning(std::size_t moves, Heartbeat& heart) {
  if (moves < 2 || moves > kMostMoves) {
    throw std::invalid_argument("sequences of 2 to " + std::to_string(kMostMoves) +
                                " moves can be pruned, not " + std::to_string(moves));
  }
  const Words dictionary(moves, heart);
  const auto& words = dictionary.all();
  const std::vector<bool> marks = beginnings(words);
  std::vector<State> state_of(words.size());
  State count = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    // A word that begins nothing is as good as its longest end that does.
    state_of[i] = marks[i] ? count++ : state_of[static_cast<std::size_t>(words[i].shorter)];
  }
  next_.resize(count);
  allowed_.resize(count);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!marks[i]) continue;
    for (Direction letter = 0; letter < kDirections; ++letter) {
      const int longer = words[i].longer[letter];
      next_[state_of[i]][letter] = longer >= 0 ? state_of[static_cast<std::size_t>(longer)]
                                   : longer == Words::kNone ? kStart
                                                            : kForbidden;
      if (next_[state_of[i]][letter] != kForbidden) {
        allowed_[state_of[i]] |= static_cast<std::uint8_t>(1U << letter);
      }
    }
  }
}

MovePruning::MovePruning(std::size_t moves) {
  Heartbeat alone;
  *this = MovePruning(moves, alone);
}

}  // namespace taquin
