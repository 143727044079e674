// SPDX-License-Identifier: MIT
#include "pmu/soft/guest/guest_memory.h"

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

namespace hm::soft::guest {

bool GuestMemory::find() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find(kName) == std::string::npos) continue;
    return std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64, &start_, &end_) == 2;
  }
  return false;
}

uint64_t GuestMemory::physical(const void* host) const {
  auto address = reinterpret_cast<uint64_t>(host);
  if (address < start_ || address >= end_) return kNone;
  uint64_t offset = address - start_;
  return !is_split() || offset < kLow ? offset : offset - kLow + kHigh;
}

uint64_t GuestMemory::load(uint64_t physical) const {
  uint64_t offset = physical;
  if (is_split() && physical >= kLow) {
    if (physical < kHigh) return 0;
    offset = physical - kHigh + kLow;
  }
  if (offset > end_ - start_ - sizeof(uint64_t)) return 0;
  uint64_t value = 0;
  std::memcpy(&value, reinterpret_cast<const char*>(start_) + offset, sizeof(value));
  return value;
}

}  // namespace hm::soft::guest
