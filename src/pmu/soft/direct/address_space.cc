// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/address_space.h"

#include "pmu/soft/direct/memory.h"
#include "pmu/soft/ring/system_call.h"

namespace hm::soft::direct {
namespace {

struct Range {
  uint64_t start, end;
};

// Executable ranges, sorted, none touching another.
constexpr uint32_t kMaxRanges = 65536;
Range* g_ranges;
uint32_t g_count;

// The first range that ends behind `address`.
uint32_t first_behind(uint64_t address) {
  uint32_t low = 0, high = g_count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (g_ranges[middle].end <= address) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

void insert(uint32_t at, Range range) {
  if (g_count == kMaxRanges)
    give_up("hardmeter: the program has more pieces of code than the engine can hold\n");
  for (uint32_t i = g_count++; i > at; --i) g_ranges[i] = g_ranges[i - 1];
  g_ranges[at] = range;
}

void remove(uint32_t at) {
  --g_count;
  for (uint32_t i = at; i < g_count; ++i) g_ranges[i] = g_ranges[i + 1];
}

void cut(uint64_t start, uint64_t end) {
  uint32_t i = first_behind(start);
  while (i < g_count && g_ranges[i].start < end) {
    Range old = g_ranges[i];
    remove(i);
    if (old.start < start) insert(i++, {old.start, start});
    if (old.end > end) insert(i++, {end, old.end});
  }
}

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

uint64_t executable_end(uint64_t address) {
  uint32_t i = first_behind(address);
  return i < g_count && g_ranges[i].start <= address ? g_ranges[i].end : 0;
}

void set_executable(uint64_t start, uint64_t end, bool executable) {
  if (g_ranges == nullptr && (g_ranges = take<Range>(kMaxRanges)) == nullptr)
    give_up("hardmeter: no memory\n");
  cut(start, end);
  if (!executable) return;
  uint32_t at = first_behind(start);
  if (at > 0 && g_ranges[at - 1].end == start) {
    start = g_ranges[--at].start;
    remove(at);
  }
  if (at < g_count && g_ranges[at].start == end) {
    end = g_ranges[at].end;
    remove(at);
  }
  insert(at, {start, end});
}

bool for_each_mapping(void (*visit)(const MappedRange& mapping, void* argument), void* argument) {
  constexpr int64_t kSysRead = 0, kSysOpen = 2, kSysClose = 3;
  int64_t fd = system_call(kSysOpen, pointer_argument("/proc/self/maps"), 02000000);
  if (fd < 0) return false;
  uint32_t filled = 0;
  while (true) {
    int64_t got = system_call(kSysRead, fd, pointer_argument(g_text + filled), kLineBytes);
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
  system_call(kSysClose, fd);
  return true;
}

}  // namespace hm::soft::direct
