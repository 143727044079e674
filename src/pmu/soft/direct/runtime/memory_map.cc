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

constexpr int64_t kCloseOnExec = 02000000;

int64_t open_maps() { return system_call(kOpen, pointer_argument("/proc/thread-self/maps"), kCloseOnExec); }

// PROCMAP_QUERY of linux/fs.h, since Linux 6.11.
struct MapQuery {
  uint64_t size, flags, address;
  uint64_t start, end, range_flags, page_size, offset, inode;
  uint32_t major, minor;
  uint32_t name_bytes, build_id_bytes;
  uint64_t name, build_id;
};
static_assert(sizeof(MapQuery) == 104);
constexpr int64_t kMapQuery = 0xc0686611;
constexpr uint64_t kThisOrNext = 0x10, kProtection = 7, kShared = 8;  // PROCMAP_QUERY_*

}  // namespace

bool is_engine(const MappedRange& range) { return range.start >= kEngineBase && range.start < kEngineEnd; }

bool MemoryMap::for_each(void (*visit)(const MappedRange& mapping, void* argument), void* argument) {
  int64_t fd = open_maps();
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

// Finds the mapping that holds `address`, or else the next one behind it.
MemoryMap::Query MemoryMap::query(int64_t fd, uint64_t address, MappedRange& found) {
  constexpr int64_t kNoEntry = -2;
  MapQuery query{};
  query.size = sizeof(query);
  query.flags = kThisOrNext;
  query.address = address;
  query.name = reinterpret_cast<uint64_t>(text_);
  query.name_bytes = kLineBytes;
  int64_t result = system_call(kIoctl, fd, kMapQuery, pointer_argument(&query));
  if (result == kNoEntry) return Query::kNone;
  if (result < 0) return Query::kUnknown;
  if (query.name_bytes == 0) text_[0] = '\0';
  found = {query.start,
           query.end,
           query.offset,
           query.inode,
           query.major,
           query.minor,
           static_cast<uint32_t>(query.range_flags & kProtection),
           (query.range_flags & kShared) != 0,
           text_};
  return Query::kFound;
}

bool MemoryMap::for_each_in(uint64_t start, uint64_t end,
                            void (*visit)(const MappedRange& mapping, void* argument), void* argument) {
  int64_t fd = open_maps();
  if (fd < 0) return false;
  MappedRange found{};
  Query last = Query::kFound;
  for (uint64_t at = start; at < end; at = found.end) {
    last = query(fd, at, found);
    if (last != Query::kFound || found.start >= end) break;
    visit(found, argument);
  }
  system_call(kClose, fd);
  if (last != Query::kUnknown) return true;
  struct Wanted {
    uint64_t start, end;
    void (*visit)(const MappedRange& mapping, void* argument);
    void* argument;
  } wanted{found.end > start ? found.end : start, end, visit, argument};
  return for_each(
      [](const MappedRange& range, void* filter) {
        const auto& in = *static_cast<const Wanted*>(filter);
        if (range.end > in.start && range.start < in.end) in.visit(range, in.argument);
      },
      &wanted);
}

}  // namespace hm::soft::direct
