// SPDX-License-Identifier: MIT
#include "profile/stack_finder.h"

#include <charconv>
#include <string_view>

namespace hm::profile {
namespace {

constexpr std::string_view kStackPrefix = "[stack";
// A function may write this far below the stack pointer without moving it (System V ABI for x86-64, 3.2.2).
constexpr uint64_t kRedZoneBytes = 128;
// A larger mapping, or one that reaches further, contains more than a stack.
constexpr uint64_t kMaxStackBytes = uint64_t{64} << 20;
// The first thread's stack grows below its initial mapping, by default up to this limit (getrlimit(2)).
constexpr uint64_t kMaxGrowthBytes = uint64_t{8} << 20;
// If the mapping is unknown, addresses this near above the stack pointer count as stack.
constexpr uint64_t kNearBytes = uint64_t{64} << 10;

bool is_memory(const DsoRow& dso) { return dso.path.starts_with("/tmp/perf-") || dso.path == "//anon"; }

bool holds(const Mapping& mapping, uint64_t address) {
  return address - mapping.start < mapping.end - mapping.start;
}

}  // namespace

uint32_t StackFinder::row_of(uint32_t pid, uint32_t tid, uint32_t otherwise) {
  if (rows_.empty()) {
    for (uint32_t row = 0; row < profile_.threads.size(); ++row)
      rows_[{profile_.threads[row].pid, profile_.threads[row].tid}] = row;
  }
  auto found = rows_.find({pid, tid});
  return found == rows_.end() ? otherwise : found->second;
}

std::optional<uint32_t> StackFinder::named_owner(const Mapping& mapping, const Access& access) {
  std::string_view path = profile_.dsos[mapping.dso].path;
  if (!path.starts_with(kStackPrefix)) return std::nullopt;
  const Thread& thread = profile_.threads[access.thread];
  uint32_t tid = thread.pid;
  if (path.size() > kStackPrefix.size() && path[kStackPrefix.size()] == ':')
    std::from_chars(path.data() + kStackPrefix.size() + 1, path.data() + path.size(), tid);
  return row_of(thread.pid, tid, access.thread);
}

std::optional<uint32_t> StackFinder::seen_owner(const Mapping& mapping, const Access& access) {
  if (!is_memory(profile_.dsos[mapping.dso]) || mapping.end - mapping.start > kMaxStackBytes)
    return std::nullopt;
  const Thread& thread = profile_.threads[access.thread];
  if (access.stack_pointer && holds(mapping, *access.stack_pointer))
    seen_[{thread.pid, mapping.start}] = row_of(thread.pid, thread.tid, access.thread);
  auto seen = seen_.find({thread.pid, mapping.start});
  return seen == seen_.end() ? std::nullopt : std::optional(seen->second);
}

std::optional<uint32_t> StackFinder::find(const AddressSpace& space, const Mapping* mapping,
                                          const Access& access) {
  if (mapping != nullptr) {
    if (std::optional<uint32_t> named = named_owner(*mapping, access)) return named;
    return seen_owner(*mapping, access);
  }
  const Mapping* above = space.above(access.address);
  if (above != nullptr && above->start - access.address <= kMaxGrowthBytes) {
    std::optional<uint32_t> named = named_owner(*above, access);
    if (named) return named;
  }
  if (!access.stack_pointer) return std::nullopt;
  bool near = access.address - (*access.stack_pointer - kRedZoneBytes) < kNearBytes;
  const Thread& thread = profile_.threads[access.thread];
  return near ? std::optional(row_of(thread.pid, thread.tid, access.thread)) : std::nullopt;
}

}  // namespace hm::profile
