// SPDX-License-Identifier: MIT
// Misses in functions with blanks, brackets and signs in their names, in an inlined one, and in three that
// get worse names by tests/cli/exports_names.py. Runs in two threads, and one thread has such a name, too.
#include <pthread.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <thread>
#include <vector>

#define KEPT __attribute__((noipa))

namespace {

template <typename Cell, typename Place>
struct Table {
  std::vector<Cell> cells;

  KEPT Cell operator()(Place at) const { return cells[at % cells.size()]; }
  __attribute__((always_inline)) Cell operator[](Place at) const {
    Cell cell = cells[at * 7 % cells.size()];
    __asm__ volatile("" : "+r"(cell));  // makes the load a separate instruction
    return cell;
  }
};

Table<uint64_t, unsigned long> table;

uint32_t next_place(uint32_t x) { return x * 1664525u + 1013904223u; }

}  // namespace

uint64_t with_line_feed(uint32_t x) __asm__("hostile_name_with_a_line_feed___");
KEPT uint64_t with_line_feed(uint32_t x) { return table(next_place(x)) + 1; }

uint64_t like_a_number(uint32_t x) __asm__("hostile_name_like_a_number");
KEPT uint64_t like_a_number(uint32_t x) { return with_line_feed(x + 1) + table[next_place(x)]; }

uint64_t of_no_utf8(uint32_t x) __asm__("hostile_name_of_no_utf8");
KEPT uint64_t of_no_utf8(uint32_t x) { return like_a_number(x) + table(next_place(x + 7)); }

static void look_up(uint32_t seed) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < 50000; ++i) sum += of_no_utf8((i + seed) * 2654435761u);
  std::printf("%llu\n", static_cast<unsigned long long>(sum));
}

int main() {
  table.cells.resize(size_t{1} << 21, 3);
  std::thread other([] {
    pthread_setname_np(pthread_self(), "a;b \"c\"\n(1)");
    look_up(1000);
  });
  other.join();
  look_up(0);
}
