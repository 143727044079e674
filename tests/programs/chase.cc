// SPDX-License-Identifier: MIT
// chase BYTES STEPS: a random pointer chase over BYTES bytes, the one that `hardmeter latency` times.
#include <cstdlib>

#include "host/chase_ring.h"
#include "host/page_buffer.h"

int main(int argc, char** argv) {
  using namespace hm::host;
  if (argc != 3) return 2;
  uint64_t bytes = std::strtoull(argv[1], nullptr, 10);
  auto memory = PageBuffer::map(bytes, PageKind::kSmall);
  if (!memory.ok() || bytes < kLineBytes) return 1;
  ChaseRing ring(memory->bytes());
  ring.grow_to(bytes);
  const ChaseNode* warm = chase(ring.start(), ring.size());
  return chase(warm, std::strtoull(argv[2], nullptr, 10)) == nullptr ? 1 : 0;
}
