// SPDX-License-Identifier: MIT
#include "profile/copied_code.h"

#include <algorithm>

namespace hm::profile {
namespace {

constexpr uint64_t kHugePageBytes = uint64_t{2} << 20;

bool may_be_copy(const Mapping& mapping) {
  if (mapping.same_code != SameCode::kUnknown)
    return mapping.executable && mapping.same_code == SameCode::kYes;
  return mapping.in_memory && mapping.executable && mapping.start % kHugePageBytes == 0 &&
         mapping.end % kHugePageBytes == 0;
}

bool is_code_of_file(const Mapping* mapping) {
  return mapping != nullptr && mapping->executable && !mapping->in_memory &&
         mapping->same_code == SameCode::kUnknown;
}

// Returns [start, end) as a part of the file that is mapped at `file`.
Mapping part_of(const Mapping& file, uint64_t start, uint64_t end) {
  Mapping part = file;
  part.start = start;
  part.end = end;
  part.offset = file.offset + (start - file.start);
  return part;
}

}  // namespace

std::vector<Mapping> hidden_code(const Mapping& added, const AddressSpace& space) {
  std::vector<Mapping> parts;
  if (!may_be_copy(added)) return parts;
  for (const Mapping* file = space.find(added.start);
       is_code_of_file(file) && file->start < added.end && (parts.empty() || file->dso == parts.front().dso);
       file = space.find(file->end))
    parts.push_back(part_of(*file, std::max(added.start, file->start), std::min(added.end, file->end)));
  if (parts.empty() && added.same_code == SameCode::kYes && added.start != 0) {
    const Mapping* below = space.find(added.start - 1);
    if (is_code_of_file(below) && below->end == added.start)
      parts.push_back(part_of(*below, added.start, added.end));
  }
  return parts;
}

std::optional<Mapping> code_in_gap(const Mapping& added, const AddressSpace& space) {
  if (!is_code_of_file(&added) || added.start == 0) return std::nullopt;
  const Mapping* memory = space.find(added.start - 1);
  if (memory == nullptr || memory->end != added.start || !may_be_copy(*memory) || memory->start == 0)
    return std::nullopt;
  bool has_room = added.offset >= memory->end - memory->start;
  if (memory->same_code == SameCode::kYes && has_room) return part_of(added, memory->start, memory->end);
  const Mapping* file = space.find(memory->start - 1);
  bool is_gap = is_code_of_file(file) && file->end == memory->start && file->dso == added.dso &&
                file->offset + (added.start - file->start) == added.offset;
  return is_gap ? std::optional(part_of(*file, memory->start, memory->end)) : std::nullopt;
}

}  // namespace hm::profile
