// SPDX-License-Identifier: MIT
// Like objects.c, in C++: classes base|member|grid|bits|iterator.
#include <cstring>
#include <vector>

namespace shop {

struct Base {
  virtual ~Base() = default;
  long id = 1;
};

template <typename T>
struct Cell : Base {
  T value{};
  union {
    int small = 0;
    double large;
  };
  unsigned low : 3 = 0, high : 29 = 0;
  T grid[2][4]{};
  struct {
    int x = 0, y = 0;
  } at;
};

constexpr int kCells = 8192;
constexpr int kRounds = 4;

Cell<double> cells[kCells];
long sum = 0;

__attribute__((noinline)) void read_base(const Cell<double>* all) {
  for (int i = 0; i < kCells; ++i) sum += all[i].id;
}
__attribute__((noinline)) void read_member(const Cell<double>* all) {
  for (int i = 0; i < kCells; ++i) sum += all[i].at.y;
}
__attribute__((noinline)) void read_grid(const Cell<double>* all) {
  for (int i = 0; i < kCells; ++i) sum += static_cast<long>(all[i].grid[1][2]);
}
__attribute__((noinline)) void read_bits(const Cell<double>* all) {
  for (int i = 0; i < kCells; ++i) sum += all[i].high;
}
__attribute__((noinline)) void read_all(const std::vector<Cell<double>>& all) {
  for (const Cell<double>& cell : all) sum += static_cast<long>(cell.value);
}

}  // namespace shop

int main(int count, char** words) {
  using namespace shop;
  const char* what = count > 1 ? words[1] : "";
  std::vector<Cell<double>> copies;
  if (std::strcmp(what, "iterator") == 0) copies.resize(kCells);
  for (int round = 0; round < 4 * kRounds; ++round) {
    if (std::strcmp(what, "base") == 0) read_base(cells);
    if (std::strcmp(what, "member") == 0) read_member(cells);
    if (std::strcmp(what, "grid") == 0) read_grid(cells);
    if (std::strcmp(what, "bits") == 0) read_bits(cells);
    if (std::strcmp(what, "iterator") == 0) read_all(copies);
  }
  __asm__ volatile("" ::"r"(sum) : "memory");
  return 0;
}
