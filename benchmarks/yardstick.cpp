// What the 24-puzzle search is measured against: plain recursive IDA* with Korf's four patterns of
// six tiles and their reflection, a byte for each entry at the positional index, which is moved
// with each tile; huge pages; one thread. It knows nothing of the project but the file format of
// its tables, from which it makes its own.
//
//   yardstick PATTERN_FILE PATTERN_FILE < boards      one board a line, goal blank-first
//
// prints for each board its length, the boards expanded and the processor time.
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace {

constexpr int kSide = 5;
constexpr int kCells = kSide * kSide;
constexpr std::size_t kEntries = 244140625;  // 25^6
constexpr std::size_t kHeader = 4096;
using Cells = std::vector<int>;

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

int turned(int symmetry, int cell) {
  int row = cell / kSide, col = cell % kSide;
  if (symmetry & 4) std::swap(row, col);
  if (symmetry & 1) row = kSide - 1 - row;
  if (symmetry & 2) col = kSide - 1 - col;
  return row * kSide + col;
}

// pattern-5x5-1-2-5-6-7-12-blank-0.table
Cells homes_in(const std::string& name) {
  Cells homes;
  const std::size_t begin = name.rfind("5x5-") + 4;
  std::stringstream text(name.substr(begin, name.rfind("-blank") - begin));
  for (std::string number; std::getline(text, number, '-');) homes.push_back(std::stoi(number));
  return homes;
}

struct Table {
  Cells homes;
  std::uint8_t* values;
};

Table load(const std::string& name) {
  Table table{homes_in(name), nullptr};
  const std::size_t room = kEntries + (std::size_t{2} << 20U);
  void* memory =
      mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("no memory for the tables");
  madvise(memory, room, MADV_HUGEPAGE);
  table.values = static_cast<std::uint8_t*>(memory);
  std::vector<char> packed((kEntries + 1) / 2);
  std::ifstream file(name, std::ios::binary);
  file.seekg(kHeader);
  if (!file.read(packed.data(), static_cast<std::streamsize>(packed.size()))) {
    throw std::runtime_error(name + " can't be read");
  }
  for (std::size_t index = 0; index < kEntries; ++index) {
    int distance = 0;
    std::size_t rest = index;
    for (int tile = 5; tile >= 0; --tile, rest /= kCells) {
      const int cell = static_cast<int>(rest % kCells), home = table.homes[static_cast<std::size_t>(tile)];
      distance += std::abs(cell / kSide - home / kSide) + std::abs(cell % kSide - home % kSide);
    }
    const int excess = packed[index >> 1U] >> ((index & 1U) << 2U) & 15;
    table.values[index] = static_cast<std::uint8_t>(distance + 2 * excess);
  }
  return table;
}

struct Partition {
  std::uint8_t* table[4];
  std::uint8_t pattern[kCells];
  std::uint32_t digit[kCells][kCells];  // [tile][cell]
};

void add(Partition& partition, int number, const Cells& homes, const std::vector<Table>& tables) {
  for (const Table& table : tables) {
    for (int symmetry = 0; symmetry < 8; ++symmetry) {
      Cells image;
      for (const int home : homes) image.push_back(turned(symmetry, home));
      Cells sorted = image;
      std::sort(sorted.begin(), sorted.end());
      if (sorted != table.homes) continue;
      partition.table[number] = table.values;
      for (std::size_t i = 0; i < homes.size(); ++i) {
        const auto place = std::find(sorted.begin(), sorted.end(), image[i]) - sorted.begin();
        std::uint32_t stride = 1;
        for (auto k = place; k < 5; ++k) stride *= kCells;
        partition.pattern[homes[i]] = static_cast<std::uint8_t>(number);
        for (int cell = 0; cell < kCells; ++cell) {
          partition.digit[homes[i]][cell] =
              stride * static_cast<std::uint32_t>(turned(symmetry, cell));
        }
      }
      return;
    }
  }
  throw std::runtime_error("the tables are not those of Korf's patterns");
}

Partition first, second;
std::array<std::uint8_t, kCells> board;
std::uint32_t index_of[2][4];
int neighbour[kCells][4];
std::uint64_t expanded;
int bound;

bool search(int blank, int depth, int h, int mirrored, int back) {
  if (h == 0 && mirrored == 0) return true;
  ++expanded;
  for (int direction = 0; direction < 4; ++direction) {
    const int source = neighbour[blank][direction];
    if (source < 0 || direction == back) continue;
    const int tile = board[source];
    const int p = first.pattern[tile];
    const std::uint32_t old_p = index_of[0][p];
    const std::uint32_t new_p = old_p - first.digit[tile][source] + first.digit[tile][blank];
    const int next = h - first.table[p][old_p] + first.table[p][new_p];
    if (depth + 1 + next > bound) continue;
    const int q = second.pattern[tile];
    const std::uint32_t old_q = index_of[1][q];
    const std::uint32_t new_q = old_q - second.digit[tile][source] + second.digit[tile][blank];
    const int next_mirrored = mirrored - second.table[q][old_q] + second.table[q][new_q];
    if (depth + 1 + next_mirrored > bound) continue;
    board[blank] = static_cast<std::uint8_t>(tile);
    index_of[0][p] = new_p;
    index_of[1][q] = new_q;
    const bool found = search(source, depth + 1, next, next_mirrored, 3 - direction);
    board[source] = static_cast<std::uint8_t>(tile);
    index_of[0][p] = old_p;
    index_of[1][q] = old_q;
    if (found) return true;
  }
  return false;
}

void solve(const std::string& line) {
  std::stringstream text(line);
  int blank = 0;
  std::fill_n(&index_of[0][0], 8, 0);
  for (int cell = 0, tile = 0; cell < kCells && text >> tile; ++cell) {
    board[cell] = static_cast<std::uint8_t>(tile);
    if (tile == 0) blank = cell;
    if (tile == 0) continue;
    index_of[0][first.pattern[tile]] += first.digit[tile][cell];
    index_of[1][second.pattern[tile]] += second.digit[tile][cell];
  }
  int h = 0, mirrored = 0;
  for (int p = 0; p < 4; ++p) {
    h += first.table[p][index_of[0][p]];
    mirrored += second.table[p][index_of[1][p]];
  }
  expanded = 0;
  const double begin = processor_seconds();
  for (bound = std::max(h, mirrored); !search(blank, 0, h, mirrored, -1); bound += 2) {
  }
  std::printf("%d %llu %.4f\n", bound, static_cast<unsigned long long>(expanded),
              processor_seconds() - begin);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<Cells> korf = {{1, 2, 5, 6, 7, 12},
                                   {3, 4, 8, 9, 13, 14},
                                   {10, 11, 15, 16, 20, 21},
                                   {17, 18, 19, 22, 23, 24}};
  std::vector<Table> tables;
  for (int i = 1; i < argc; ++i) tables.push_back(load(argv[i]));
  for (std::size_t i = 0; i < korf.size(); ++i) {
    Cells mirrored;
    for (const int home : korf[i]) mirrored.push_back(turned(4, home));
    std::sort(mirrored.begin(), mirrored.end());
    add(first, static_cast<int>(i), korf[i], tables);
    add(second, static_cast<int>(i), mirrored, tables);
  }
  for (int cell = 0; cell < kCells; ++cell) {
    neighbour[cell][0] = cell >= kSide ? cell - kSide : -1;
    neighbour[cell][1] = cell % kSide ? cell - 1 : -1;
    neighbour[cell][2] = cell % kSide < kSide - 1 ? cell + 1 : -1;
    neighbour[cell][3] = cell < kCells - kSide ? cell + kSide : -1;
  }
  std::puts("ready");
  std::fflush(stdout);
  for (std::string line; std::getline(std::cin, line);) solve(line);
}
