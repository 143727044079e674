// SPDX-License-Identifier: MIT
// std_list [NODES=50000]: walks a std::list with nodes in another order than they were allocated in. Mended:
// a std::vector of the same values in the same order.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <utility>
#include <vector>

namespace {

constexpr uint32_t kMaxNodes = 50000;
constexpr int kPasses = 30;

std::vector<uint32_t> shuffled(uint32_t nodes) {
  std::vector<uint32_t> order(nodes);
  uint64_t state = 1;
  for (uint32_t i = 0; i < nodes; ++i) order[i] = i;
  for (uint32_t i = nodes - 1; i > 0; --i) {
    state = state * 6364136223846793005 + 1442695040888963407;
    std::swap(order[i], order[(state >> 33) % (i + 1)]);
  }
  return order;
}

#ifdef MENDED
using Values = std::vector<uint64_t>;

Values make(const std::vector<uint32_t>& order) { return {order.begin(), order.end()}; }
#else
using Values = std::list<uint64_t>;

Values make(const std::vector<uint32_t>& order) {
  Values values;
  std::vector<Values::iterator> nodes;
  for (uint32_t i = 0; i < order.size(); ++i) nodes.push_back(values.insert(values.end(), i));
  for (uint32_t each : order) values.splice(values.end(), values, nodes[each]);
  return values;
}
#endif

[[gnu::noipa]] uint64_t walk(const Values& values, uint64_t hash) {
  for (uint64_t each : values) hash = hash * 31 + each;
  return hash;
}

}  // namespace

int main(int count, char** arguments) {
  uint32_t nodes = count > 1 ? static_cast<uint32_t>(std::atoi(arguments[1])) : kMaxNodes;
  if (nodes == 0 || nodes > kMaxNodes) return 1;
  Values values = make(shuffled(nodes));
  uint64_t hash = 0;
  for (int pass = 0; pass < kPasses; ++pass) hash = walk(values, hash);
  std::printf("%lu\n", hash);
}
