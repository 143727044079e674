// SPDX-License-Identifier: MIT
#include "profile/process_table.h"

#include "profile/copied_code.h"

namespace hm::profile {
namespace {

uint64_t key(uint32_t pid, uint32_t tid) { return uint64_t{pid} << 32 | tid; }

}  // namespace

size_t ProcessTable::apply(const Change& change) {
  return std::visit([this](const auto& what) { return apply(what); }, change.what);
}

size_t ProcessTable::apply(const MapUser& map) {
  NumberedSpace& space = spaces_[map.pid];
  std::vector<Mapping> hidden = hidden_code(map.mapping, space.mappings);
  std::optional<Mapping> below = code_in_gap(map.mapping, space.mappings);
  size_t copied = add(map.mapping, space);
  for (const Mapping& part : hidden) copied += add(part, space);
  if (below) copied += add(*below, space);
  return copied;
}

size_t ProcessTable::apply(const MapKernel& map) { return add(map.mapping, kernel_); }

size_t ProcessTable::add(const Mapping& mapping, NumberedSpace& space) {
  space.version = ++versions_;
  return space.mappings.add(mapping);
}

size_t ProcessTable::apply(const Exec& exec) {
  spaces_.erase(exec.pid);
  return 0;
}

size_t ProcessTable::apply(const Fork& fork) {
  spaces_[fork.pid] = NumberedSpace(user(fork.parent_pid));
  return 0;
}

size_t ProcessTable::apply(const Rename& rename) {
  rows_[key(rename.pid, rename.tid)] = rename.row;
  return 0;
}

std::optional<uint32_t> ProcessTable::thread(uint32_t pid, uint32_t tid) const {
  auto found = rows_.find(key(pid, tid));
  return found == rows_.end() ? std::nullopt : std::optional(found->second);
}

const NumberedSpace& ProcessTable::user(uint32_t pid) const {
  auto space = spaces_.find(pid);
  return space == spaces_.end() ? nothing_ : space->second;
}

}  // namespace hm::profile
