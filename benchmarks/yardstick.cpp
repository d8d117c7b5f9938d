// What the 24-puzzle search is measured against: plain recursive IDA* with Korf's four patterns of
// six tiles and their reflection, a byte for each entry at the positional index, which is moved
// with each tile; huge pages; one thread. It knows nothing of the project. The first run builds the
// tables, with two threads in two minutes or more, and keeps them in a file.
//
//   yardstick FILE < boards      one board a line, goal blank-first
//
// prints for each board its length, the boards expanded and the processor time.
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int kSide = 5;
constexpr int kCells = kSide * kSide;
constexpr std::size_t kEntries = 244140625;  // 25^6
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

struct Table {
  Cells homes;
  std::uint8_t* values;
};

std::uint8_t* room(std::size_t bytes) {
  bytes += std::size_t{2} << 20U;
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("no memory for the tables");
  madvise(memory, bytes, MADV_HUGEPAGE);
  return static_cast<std::uint8_t*>(memory);
}

std::uint32_t around(std::uint32_t cells) {
  constexpr std::uint32_t kFirst = 0x108421, kLast = kFirst << (kSide - 1);  // columns
  return cells << kSide | cells >> kSide | (cells & ~kLast) << 1U | (cells & ~kFirst) >> 1U;
}

struct Region {
  int number;
  std::uint32_t cells;
};

// Where the blank can go from a cell while the tiles of a mask rest.
Region region_of(std::uint32_t mask, int cell) {
  std::uint32_t free = ((1U << kCells) - 1) & ~mask;
  for (int number = 0;; ++number) {
    std::uint32_t region = free & (~free + 1), before = 0;
    while (region != before) {
      before = region;
      region |= around(region) & free;
    }
    if (region >> cell & 1U) return {number, region};
    free &= ~region;
  }
}

constexpr int kRegions = 6;  // more than six tiles can make

// The least moves of six tiles, wherever the blank is: breadth first over indexes and the
// regions in which it can be.
void build(const Cells& homes, std::uint8_t* values) {
  std::vector<std::uint8_t> steps(kEntries * kRegions, 0xff);
  std::uint32_t stride[6];
  std::uint64_t index = 0;
  std::uint32_t mask = 0;
  for (std::size_t tile = 0, unit = kEntries / kCells; tile < 6; ++tile, unit /= kCells) {
    stride[tile] = static_cast<std::uint32_t>(unit);
    index += unit * static_cast<std::size_t>(homes[tile]);
    mask |= 1U << homes[tile];
  }
  struct Place {
    std::uint32_t index;
    std::uint8_t blank;
  };
  std::vector<Place> layer{{static_cast<std::uint32_t>(index), 0}}, next;
  steps[index * kRegions + static_cast<std::size_t>(region_of(mask, 0).number)] = 0;
  for (std::uint8_t moves = 1; !layer.empty(); ++moves, layer.swap(next), next.clear()) {
    for (const Place place : layer) {
      int cells[6];
      mask = 0;
      for (int tile = 0; tile < 6; ++tile) {
        cells[tile] = static_cast<int>(place.index / stride[tile] % kCells);
        mask |= 1U << cells[tile];
      }
      const std::uint32_t blanks = region_of(mask, place.blank).cells;
      for (int tile = 0; tile < 6; ++tile) {
        for (std::uint32_t to = around(1U << cells[tile]) & blanks; to != 0; to &= to - 1) {
          const int target = __builtin_ctz(to);
          const std::uint32_t after = mask ^ (1U << cells[tile] | 1U << target);
          const std::uint64_t there =
              place.index + std::uint64_t{stride[tile]} * static_cast<unsigned>(target) -
              std::uint64_t{stride[tile]} * static_cast<unsigned>(cells[tile]);
          std::uint8_t& step = steps[there * kRegions + static_cast<std::size_t>(
                                                            region_of(after, cells[tile]).number)];
          if (step != 0xff) continue;
          step = moves;
          next.push_back(
              {static_cast<std::uint32_t>(there), static_cast<std::uint8_t>(cells[tile])});
        }
      }
    }
  }
  for (std::size_t i = 0; i < kEntries; ++i) {
    values[i] = *std::min_element(&steps[i * kRegions], &steps[i * kRegions] + kRegions);
  }
}

// From the file, or built and kept there.
std::vector<Table> tables_of(const std::vector<Cells>& patterns, const std::string& name) {
  std::vector<Table> tables;
  for (const Cells& homes : patterns) tables.push_back({homes, room(kEntries)});
  std::ifstream kept(name, std::ios::binary);
  bool complete = kept.good();
  for (const Table& table : tables) {
    complete = complete && kept.read(reinterpret_cast<char*>(table.values), kEntries);
  }
  if (complete) return tables;
  std::vector<std::thread> builders;
  for (const Table& table : tables) {
    builders.emplace_back([&table] { build(table.homes, table.values); });
  }
  for (std::thread& builder : builders) builder.join();
  std::ofstream file(name + ".part", std::ios::binary);
  for (const Table& table : tables) {
    file.write(reinterpret_cast<const char*>(table.values), kEntries);
  }
  file.close();
  if (!file || std::rename((name + ".part").c_str(), name.c_str()) != 0) {
    throw std::runtime_error(name + " can't be written");
  }
  return tables;
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
  if (argc != 2) throw std::runtime_error("usage: yardstick FILE < boards");
  // The other two are the second one, turned.
  const std::vector<Table> tables = tables_of({korf[0], korf[1]}, argv[1]);
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
