// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/runtime/memory.h"

#include "pmu/soft/direct/runtime/runtime.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"
#include "pmu/soft/ring/system_call.h"

namespace hm::soft::direct {
namespace {

constexpr int64_t kPrivate = 2, kAnonymous = 0x20, kNoReserve = 0x4000, kFixedNoReplace = 0x100000;
constexpr int64_t kHugePages = 14;  // MADV_HUGEPAGE
constexpr uint64_t kPageBytes = 4096;
constexpr size_t kHugePageBytes = 2u << 20;
constexpr size_t kPoolBytes = 4 * kHugePageBytes;

// Returns the end of the engine's image, which ends with the process area.
uint64_t image_end(const ProcessArea& area) { return reinterpret_cast<uint64_t>(&area) + sizeof(area); }

OwnMapping* free_place(ProcessArea& area) {
  for (uint64_t i = 0; i < area.mapping_count; ++i) {
    if (area.mappings[i].bytes == 0) return &area.mappings[i];
  }
  if (area.mapping_count == kMaxOwnMappings) return nullptr;
  return &area.mappings[area.mapping_count++];
}

// Records a mapping of the engine, so that the launcher can unmap it when the process is let go.
void* note(int64_t mapped, uint64_t bytes) {
  if (failed(mapped)) return nullptr;
  if (ProcessArea* area = runtime().area) {
    Guard guard(runtime().mappings_lock);
    OwnMapping* place = free_place(*area);
    if (place == nullptr) area->attachment.lost_mappings = 1;
    if (place != nullptr) *place = {static_cast<uint64_t>(mapped), bytes};
  }
  return reinterpret_cast<void*>(mapped);
}

void forget(uint64_t start) {
  ProcessArea* area = runtime().area;
  if (area == nullptr) return;
  Guard guard(runtime().mappings_lock);
  for (uint64_t i = area->mapping_count; i-- != 0;) {
    if (area->mappings[i].start == start) area->mappings[i].bytes = 0;
  }
}

// Returns an address in the area that is probably free. If it is not, the kernel chooses another one.
uint64_t next_place(const OwnArea& area, uint64_t& next, uint64_t bytes) {
  uint64_t room = (bytes + kPageBytes - 1) & ~(kPageBytes - 1);
  uint64_t offset = __atomic_fetch_add(&next, room, __ATOMIC_RELAXED);
  if (offset + room <= area.bytes) return area.begin + offset;
  __atomic_store_n(&next, 0, __ATOMIC_RELAXED);  // some of the memory has probably been unmapped
  return area.begin;
}

uint64_t place_for(uint64_t bytes) {
  constexpr uint64_t kTableBytes = uint64_t{1} << 40;
  Runtime& own = runtime();
  return bytes < kTableBytes ? next_place(kOwnArea, own.next_own, bytes)
                             : next_place(kTableArea, own.next_table, bytes);
}

void* map(uint64_t address, uint64_t bytes, int protection, int64_t more_flags) {
  int64_t mapped = system_call(kMmap, static_cast<int64_t>(address), static_cast<int64_t>(bytes), protection,
                               kPrivate | kAnonymous | kNoReserve | more_flags, -1, 0);
  return note(mapped, bytes);
}

// Unmaps memory at another address: a kernel without kFixedNoReplace (before 4.17) maps elsewhere if the
// address is taken.
void* only_at(uint64_t address, void* mapped, uint64_t bytes) {
  if (mapped == nullptr || reinterpret_cast<uint64_t>(mapped) == address) return mapped;
  unmap_pages(mapped, bytes);
  return nullptr;
}

// Maps memory for the tables of lines, which are read when the target misses. In huge pages, a random access
// over 64 MiB costs a fifth less.
void* map_huge_pages(uint64_t bytes) {
  void* mapped = map_pages(bytes + kHugePageBytes, kReadWrite);
  if (mapped == nullptr) return nullptr;
  uint64_t start = (reinterpret_cast<uint64_t>(mapped) + kHugePageBytes - 1) & ~uint64_t{kHugePageBytes - 1};
  system_call(kMadvise, static_cast<int64_t>(start), static_cast<int64_t>(bytes), kHugePages);
  return reinterpret_cast<void*>(start);
}

}  // namespace

void* map_pages(uint64_t bytes, int protection) { return map(place_for(bytes), bytes, protection, 0); }

void* map_pages_at(uint64_t address, uint64_t bytes, int protection) {
  return only_at(address, map(address, bytes, protection, kFixedNoReplace), bytes);
}

void* map_file(int fd, uint64_t bytes, int protection, Sharing sharing) {
  int64_t mapped = system_call(kMmap, static_cast<int64_t>(place_for(bytes)), static_cast<int64_t>(bytes),
                               protection, static_cast<int64_t>(sharing), fd, 0);
  return note(mapped, bytes);
}

void* map_file_at(uint64_t address, int fd, uint64_t offset, uint64_t bytes) {
  int64_t mapped = system_call(kMmap, static_cast<int64_t>(address), static_cast<int64_t>(bytes), kReadWrite,
                               static_cast<int64_t>(Sharing::kShared) | kNoReserve | kFixedNoReplace, fd,
                               static_cast<int64_t>(offset));
  return only_at(address, note(mapped, bytes), bytes);
}

bool make_accessible(void* pages, uint64_t bytes) {
  return !failed(system_call(kMprotect, pointer_argument(pages), static_cast<int64_t>(bytes), kReadWrite));
}

void unmap_pages(void* pages, uint64_t bytes) {
  forget(reinterpret_cast<uint64_t>(pages));
  system_call(kMunmap, pointer_argument(pages), static_cast<int64_t>(bytes));
}

bool is_own_mapping(uint64_t address) {
  const ProcessArea* area = runtime().area;
  if (area == nullptr) return false;
  Guard guard(runtime().mappings_lock);
  for (uint64_t i = 0; i < area->mapping_count; ++i) {
    if (address - area->mappings[i].start < area->mappings[i].bytes) return true;
  }
  return false;
}

OwnPart first_own_part(uint64_t start, uint64_t end) {
  OwnPart first{end, end};
  const ProcessArea* area = runtime().area;
  if (area == nullptr) return first;
  const auto consider = [&](uint64_t own_start, uint64_t own_end) {
    own_end = (own_end + kPageBytes - 1) & ~(kPageBytes - 1);
    uint64_t from = own_start > start ? own_start : start, to = own_end < end ? own_end : end;
    if (from < to && from < first.start) first = {from, to};
  };
  consider(kEngineBase, image_end(*area));
  Guard guard(runtime().mappings_lock);
  for (uint64_t i = 0; i < area->mapping_count; ++i) {
    const OwnMapping& each = area->mappings[i];
    consider(each.start, each.start + each.bytes);
  }
  return first;
}

void let_children_inherit(bool inherit) {
  constexpr int64_t kNotInChildren = 10, kInChildren = 11;  // MADV_DONTFORK, MADV_DOFORK
  int64_t advice = inherit ? kInChildren : kNotInChildren;
  ProcessArea& area = *runtime().area;
  auto image_bytes = static_cast<int64_t>(image_end(area) - kEngineBase);
  const auto advise_image = [&] {
    system_call(kMadvise, static_cast<int64_t>(kEngineBase), image_bytes, advice);
  };
  // If the image comes first, a child that is forked in between has only mappings that nothing refers to.
  if (!inherit) advise_image();
  Guard guard(runtime().mappings_lock);
  for (uint64_t i = 0; i < area.mapping_count; ++i) {
    const OwnMapping& each = area.mappings[i];
    if (each.bytes != 0)
      system_call(kMadvise, static_cast<int64_t>(each.start), static_cast<int64_t>(each.bytes), advice);
  }
  if (inherit) advise_image();
}

void* take_bytes(size_t bytes) {
  if (bytes > kHugePageBytes / 2) return map_pages(bytes, kReadWrite);
  Guard guard(runtime().memory_lock);
  return runtime().memory.take(bytes, kPoolBytes, map_huge_pages);
}

}  // namespace hm::soft::direct
