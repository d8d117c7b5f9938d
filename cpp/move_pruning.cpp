#include "move_pruning.h"

#include <algorithm>
#include <bit>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include "prefetch.h"

namespace taquin {

namespace {

// A word of moves, two bits a letter.
struct Way {
  static constexpr unsigned kBits = 2 * MovePruning::kMostMoves;
  std::uint32_t letters : kBits = 0;
  std::uint32_t length : 32 - kBits = 0;

  Direction letter(unsigned i) const { return letters >> 2 * i & 3U; }
  Way with(Direction letter) const {
    constexpr std::uint32_t all = (1U << kBits) - 1;
    return {(letters | letter << 2 * length) & all, length + 1U};
  }
  // How many letters two of them begin with in common.
  unsigned shared(const Way& other) const {
    const auto same =
        static_cast<unsigned>(std::countr_zero(std::uint32_t{letters} ^ other.letters)) / 2;
    return std::min({same, unsigned{length}, unsigned{other.length}});
  }
};

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

  // From where it stands, after some word, to where another one leads.
  void go_to(const Way& way) {
    const unsigned shared = way_.shared(way);
    for (unsigned i = way_.length; i-- > shared;) slide(opposite(way_.letter(i)));
    for (unsigned i = shared; i < way.length; ++i) slide(way.letter(i));
    way_ = way;
  }
  bool looks_like(const Meadow& other) const {
    return blank_ == other.blank_ && tiles_ == other.tiles_;
  }

 private:
  void slide(Direction direction) {
    const int cell = source(direction);
    std::swap(tiles_[static_cast<std::size_t>(blank_)], tiles_[static_cast<std::size_t>(cell)]);
    blank_ = cell;
  }

  int width_;
  int blank_;
  std::vector<int> tiles_;
  Way way_;
};

// The rectangle of cells that the blank comes by.
struct Box {
  int top = 0;
  int bottom = 0;
  int left = 0;
  int right = 0;

  explicit Box(const Way& way) {
    int row = 0, col = 0;
    for (unsigned i = 0; i < way.length; ++i) {
      const Direction letter = way.letter(i);
      (letter < 2 ? row : col) += letter & 1U ? -1 : 1;
      top = std::min(top, row);
      bottom = std::max(bottom, row);
      left = std::min(left, col);
      right = std::max(right, col);
    }
  }
  bool within(const Box& other) const {
    return top >= other.top && bottom <= other.bottom && left >= other.left && right <= other.right;
  }
};

// All words that are not forbidden but the longest ones, as a tree, from the short to the long and
// among equals in alphabetical order; and for each which letters end a forbidden word.
class Words {
 public:
  static constexpr int kForbidden = -1;  // forbidden, and no part of it is
  static constexpr int kDead = -2;       // something within it is forbidden
  static constexpr std::size_t kTogether = 32;

  struct Word {
    std::array<int, kDirections> longer{};
    int shorter = 0;           // without its first letter
    std::uint32_t parent = 0;  // without its last letter
    Way way;
    std::uint64_t hash = 0;  // of what it changes
  };

  explicit Words(std::size_t moves)
      : moves_(moves), meadow_(moves), other_(moves), shelf_(room_for(moves)) {
    words_.emplace_back();
    put(words_[0]);
    for (std::size_t first = 0, length = 0; length < moves; ++length) {
      const std::size_t longer = words_.size();
      for (; first < longer; first = std::min(first + kTogether, longer)) {
        extend(first, std::min(first + kTogether, longer));
      }
    }
  }

  const std::vector<Word>& all() const { return words_; }

 private:
  // Words of the same length. They wait for the memory of the shelf together.
  void extend(std::size_t first, std::size_t last) {
    longer_.clear();
    for (std::size_t i = first; i < last; ++i) {
      meadow_.go_to(words_[i].way);
      for (const Direction letter : kSearchOrder) {
        longer_.push_back(grow(i, letter));
        prefetch(&shelf_[place(longer_.back().hash)]);
      }
    }
    for (const Word& next : longer_) {
      words_[next.parent].longer[next.way.letter(next.way.length - 1)] = number_for(next);
    }
  }

  // What its parent is to know of a word. One of the longest, with which nothing begins, is as good
  // as the word without its first letter.
  int number_for(const Word& word) {
    if (word.shorter < 0) return kDead;
    if (has_smaller(word)) return kForbidden;
    put(word);
    if (word.way.length == moves_) return word.shorter;
    words_.push_back(word);
    return static_cast<int>(words_.size() - 1);
  }

  // The word with one more letter; its `shorter` is negative when that one is forbidden.
  Word grow(std::size_t index, Direction letter) const {
    Word word = words_[index];
    const int cell = meadow_.source(letter);
    const int tile = meadow_.tile(cell);
    word.hash ^= key(tile, cell) ^ key(tile, meadow_.blank());
    word.shorter =
        word.way.length == 0 ? 0 : words_[static_cast<std::size_t>(word.shorter)].longer[letter];
    word.parent = static_cast<std::uint32_t>(index);
    word.way = word.way.with(letter);
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

  // A word on the shelf, which is ordered by hashes, and the other half of its hash.
  struct Place {
    std::uint32_t tag = 0;
    Way way{0, kEmpty};

    static constexpr std::uint32_t kEmpty = MovePruning::kMostMoves + 1;
    bool is_empty() const { return way.length == kEmpty; }
  };

  bool has_smaller(const Word& word) {
    for (std::size_t at = place(word.hash); !shelf_[at].is_empty(); at = after(at)) {
      const Place& known = shelf_[at];
      if (known.tag == tag(word.hash) && Box(known.way).within(Box(word.way)) &&
          change_the_same(known.way, word.way)) {
        return true;
      }
    }
    return false;
  }

  bool change_the_same(const Way& a, const Way& b) {
    other_.go_to(a);
    meadow_.go_to(b);
    return meadow_.looks_like(other_);
  }

  void put(const Word& word) {
    std::size_t at = place(word.hash);
    while (!shelf_[at].is_empty()) at = after(at);
    shelf_[at] = {tag(word.hash), word.way};
  }

  // Three letters can follow another, so there are fewer words than this.
  static std::size_t room_for(std::size_t moves) {
    std::size_t longest = 4;
    for (std::size_t i = 1; i < moves; ++i) longest *= 3;
    return std::bit_ceil(2 * longest);
  }
  static std::uint32_t tag(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32U); }
  std::size_t place(std::uint64_t hash) const { return hash & (shelf_.size() - 1); }
  std::size_t after(std::size_t place) const { return (place + 1) & (shelf_.size() - 1); }

  const std::size_t moves_;
  Meadow meadow_;
  Meadow other_;
  std::vector<Word> words_;
  std::vector<Word> longer_;
  std::vector<Place> shelf_;
};

// The words with which a forbidden one begins.
std::vector<bool> beginnings(const std::vector<Words::Word>& words) {
  std::vector<bool> marks(words.size());
  marks[0] = true;
  for (std::size_t i = words.size(); i-- > 1;) {
    const auto& longer = words[i].longer;
    if (std::find(longer.begin(), longer.end(), Words::kForbidden) != longer.end()) marks[i] = true;
    if (marks[i]) marks[words[i].parent] = true;
  }
  return marks;
}

// The states of an automaton, as its rows tell: where each letter leads, or kForbidden.
using Rows = std::vector<std::array<int, kDirections>>;

// A state is the longest end of the path so far with which a forbidden word begins
// (the automaton of Aho and Corasick).
Rows automaton_of(const std::vector<Words::Word>& words) {
  const std::vector<bool> marks = beginnings(words);
  std::vector<int> state_of(words.size());
  int count = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    // A word that begins nothing is as good as its longest end that does.
    state_of[i] = marks[i] ? count++ : state_of[static_cast<std::size_t>(words[i].shorter)];
  }
  Rows rows;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!marks[i]) continue;
    auto& row = rows.emplace_back();
    for (Direction letter = 0; letter < kDirections; ++letter) {
      const int longer = words[i].longer[letter];
      row[letter] = longer >= 0 ? state_of[static_cast<std::size_t>(longer)] : Words::kForbidden;
    }
  }
  return rows;
}

// The same with the fewest states (Moore): classes of them are divided until all of a class go on
// to the same classes. They are numbered in the order of their first states.
Rows smallest(const Rows& rows) {
  std::vector<int> class_of(rows.size(), 0);
  const auto row_of = [&](std::size_t state) {
    std::array<int, kDirections> row;
    for (Direction letter = 0; letter < kDirections; ++letter) {
      const int next = rows[state][letter];
      row[letter] = next < 0 ? next : class_of[static_cast<std::size_t>(next)];
    }
    return row;
  };
  for (std::size_t before = 0, count = 1; count > before;) {
    std::map<std::pair<int, std::array<int, kDirections>>, int> classes;
    std::vector<int> divided(rows.size());
    for (std::size_t state = 0; state < rows.size(); ++state) {
      const auto number = static_cast<int>(classes.size());
      divided[state] =
          classes.emplace(std::pair(class_of[state], row_of(state)), number).first->second;
    }
    class_of = std::move(divided);
    before = std::exchange(count, classes.size());
  }
  Rows merged;
  for (std::size_t state = 0; state < rows.size(); ++state) {
    if (class_of[state] == static_cast<int>(merged.size())) merged.push_back(row_of(state));
  }
  return merged;
}

}  // namespace

MovePruning::MovePruning(std::size_t moves) {
  if (moves < 2 || moves > kMostMoves) {
    throw std::invalid_argument("sequences of 2 to " + std::to_string(kMostMoves) +
                                " moves can be pruned, not " + std::to_string(moves));
  }
  const Rows rows = smallest(automaton_of(Words(moves).all()));
  if (rows.size() > kForbidden) throw std::length_error("an automaton of too many states");
  for (const auto& row : rows) {
    auto& next = next_.emplace_back();
    auto& allowed = allowed_.emplace_back();
    for (Direction letter = 0; letter < kDirections; ++letter) {
      next[letter] = row[letter] < 0 ? kForbidden : static_cast<State>(row[letter]);
      if (row[letter] >= 0) allowed = static_cast<std::uint8_t>(allowed | 1U << letter);
    }
  }
}

}  // namespace taquin
