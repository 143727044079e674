// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/address_space.h"

#include "pmu/soft/direct/ranges.h"
#include "pmu/soft/direct/start_info.h"
#include "pmu/soft/direct/system_call_numbers.h"
#include "pmu/soft/ring/system_call.h"

namespace hm::soft::direct {
namespace {

constinit Ranges g_executable;
constinit Ranges g_writable;  // and executable
constinit Ranges g_watched;   // of these

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

constexpr uint32_t kLineBytes = 8192;
char g_text[2 * kLineBytes];

}  // namespace

uint64_t executable_end(uint64_t address) { return g_executable.end_at(address); }

Range first_executable(uint64_t start, uint64_t end) { return g_executable.first_in(start, end); }

void set_executable(uint64_t start, uint64_t end, bool executable, bool writable) {
  if (start >= end) return;
  g_watched.remove(start, end);
  executable ? g_executable.add(start, end) : g_executable.remove(start, end);
  executable&& writable ? g_writable.add(start, end) : g_writable.remove(start, end);
}

bool is_writable_code(uint64_t page) { return g_writable.end_at(page) != 0 && !is_watched(page); }
bool is_watched(uint64_t page) { return g_watched.end_at(page) != 0; }
void set_watched(uint64_t page, bool watched) {
  constexpr uint64_t kPageBytes = 4096;
  watched ? g_watched.add(page, page + kPageBytes) : g_watched.remove(page, page + kPageBytes);
}

bool is_engine(const MappedRange& range) { return range.start >= kEngineBase && range.start < kEngineEnd; }

bool for_each_mapping(void (*visit)(const MappedRange& mapping, void* argument), void* argument) {
  int64_t fd = system_call(kOpen, pointer_argument("/proc/self/maps"), 02000000);
  if (fd < 0) return false;
  uint32_t filled = 0;
  while (true) {
    int64_t got = system_call(kRead, fd, pointer_argument(g_text + filled), kLineBytes);
    if (got <= 0) break;
    filled += static_cast<uint32_t>(got);
    uint32_t begin = 0;
    for (uint32_t i = 0; i < filled; ++i) {
      if (g_text[i] != '\n') continue;
      g_text[i] = '\0';
      visit(parse_line(g_text + begin), argument);
      begin = i + 1;
    }
    for (uint32_t i = begin; i < filled; ++i) g_text[i - begin] = g_text[i];
    filled -= begin;
    if (filled >= kLineBytes) break;
  }
  system_call(kClose, fd);
  return true;
}

}  // namespace hm::soft::direct
