// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/process/program_knowledge.h"

#include "pmu/soft/sampling/read_memory.h"

namespace hm::soft::direct {

bool ProgramKnowledge::is_readable(uint64_t page) const {
  if (page == readable_[0] || page == readable_[1]) return true;
  uint8_t byte = 0;
  if (read_memory(page, &byte, sizeof(byte)) != sizeof(byte)) return false;
  readable_[1] = readable_[0];
  readable_[0] = page;
  return true;
}

// Excludes pages that cannot be read: a mapping may extend behind the end of its file, where reads fail
// (SIGBUS).
uint64_t ProgramKnowledge::executable_end(uint64_t address) const {
  constexpr uint64_t kLongestInstruction = 15;
  uint64_t end = space_.executable_end(address);
  if (end <= address) return end;
  uint64_t page = address & ~(kPageBytes - 1), next_page = page + kPageBytes;
  if (!is_readable(page)) return 0;
  bool crosses = end > next_page && address + kLongestInstruction > next_page;
  return crosses && !is_readable(next_page) ? next_page : end;
}

}  // namespace hm::soft::direct
