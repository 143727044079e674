// SPDX-License-Identifier: MIT
#include "pmu/soft/guest/guest_memory.h"

#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <string>

namespace hm::soft::guest {
namespace {

// The machine type q35 puts memory beyond `kLow` above 4 GiB, if all of it does not fit below
// kMostLow.
constexpr uint64_t kMostLow = 0xb000'0000, kLow = 0x8000'0000, kHigh = uint64_t{1} << 32;

}  // namespace

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
  bool is_low = end_ - start_ < kMostLow || offset < kLow;
  return is_low ? offset : offset - kLow + kHigh;
}

}  // namespace hm::soft::guest
