// SPDX-License-Identifier: MIT
// churn [OBJECTS=20000]: allocates objects of many sizes and frees them in random order: the allocator reads
// and links its free blocks, anywhere in memory. Mended: a pool, which is reset at once.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory_resource>
#include <utility>
#include <vector>

namespace {

constexpr uint32_t kMaxObjects = 20000;
constexpr int kRounds = 10;

uint64_t state = 1;

uint32_t next() {
  state = state * 6364136223846793005 + 1442695040888963407;
  return static_cast<uint32_t>(state >> 33);
}

struct Block {
  void* at;
  size_t bytes;
};

#ifdef MENDED
std::pmr::monotonic_buffer_resource pool(size_t{64} << 20);

void* take(size_t bytes) { return pool.allocate(bytes); }
void give_back(void*) {}
void end_round() { pool.release(); }
#else
void* take(size_t bytes) { return std::malloc(bytes); }
void give_back(void* block) { std::free(block); }
void end_round() {}
#endif

[[gnu::noipa]] uint64_t round_of(std::vector<Block>& blocks) {
  uint64_t sum = 0;
  for (Block& each : blocks) {
    each.bytes = 1100 + next() % 1000;
    each.at = take(each.bytes);
    sum += each.bytes;
  }
  for (size_t i = blocks.size(); i > 1; --i) std::swap(blocks[i - 1], blocks[next() % i]);
  for (Block& each : blocks) give_back(each.at);
  end_round();
  return sum;
}

}  // namespace

int main(int count, char** arguments) {
  uint32_t objects = count > 1 ? static_cast<uint32_t>(std::atoi(arguments[1])) : kMaxObjects;
  if (objects == 0 || objects > kMaxObjects) return 1;
  std::vector<Block> blocks(objects);
  uint64_t sum = 0;
  for (int round = 0; round < kRounds; ++round) sum = sum * 3 + round_of(blocks);
  std::printf("%lu\n", sum);
}
