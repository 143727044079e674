// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/runtime/memory_map.h"

#include "pmu/soft/direct/runtime/process_area.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"
#include "pmu/soft/ring/system_call.h"

namespace hm::soft::direct {
namespace {

uint64_t parse_number(const char*& at, unsigned base) {
  uint64_t value = 0;
  while (true) {
    char c = *at;
    unsigned digit = c >= '0' && c <= '9'   ? static_cast<unsigned>(c - '0')
                     : c >= 'a' && c <= 'f' ? static_cast<unsigned>(c - 'a' + 10)
                                            : 99u;
    if (digit >= base) return value;
    value = value * base + digit;
    ++at;
  }
}

// "start-end rwxp offset major:minor inode   path"
MappedRange parse_line(const char* at) {
  MappedRange mapping{};
  mapping.start = parse_number(at, 16);
  mapping.end = parse_number(++at, 16);
  ++at;
  mapping.protection = (at[0] == 'r' ? 1u : 0u) | (at[1] == 'w' ? 2u : 0u) | (at[2] == 'x' ? 4u : 0u);
  mapping.shared = at[3] == 's';
  at += 5;
  mapping.offset = parse_number(at, 16);
  mapping.major = static_cast<uint32_t>(parse_number(++at, 16));
  mapping.minor = static_cast<uint32_t>(parse_number(++at, 16));
  mapping.inode = parse_number(++at, 10);
  while (*at == ' ') ++at;
  mapping.path = at;
  return mapping;
}

}  // namespace

bool is_engine(const MappedRange& range) { return range.start >= kEngineBase && range.start < kEngineEnd; }

bool MemoryMap::for_each(void (*visit)(const MappedRange& mapping, void* argument), void* argument) {
  int64_t fd = system_call(kOpen, pointer_argument("/proc/self/maps"), 02000000);
  if (fd < 0) return false;
  uint32_t filled = 0;
  while (true) {
    int64_t got = system_call(kRead, fd, pointer_argument(text_ + filled), kLineBytes);
    if (got <= 0) break;
    filled += static_cast<uint32_t>(got);
    uint32_t begin = 0;
    for (uint32_t i = 0; i < filled; ++i) {
      if (text_[i] != '\n') continue;
      text_[i] = '\0';
      visit(parse_line(text_ + begin), argument);
      begin = i + 1;
    }
    for (uint32_t i = begin; i < filled; ++i) text_[i - begin] = text_[i];
    filled -= begin;
    if (filled >= kLineBytes) break;
  }
  system_call(kClose, fd);
  return true;
}

}  // namespace hm::soft::direct
