// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/program/mappings.h"

#include <linux/mman.h>

#include "pmu/soft/direct/runtime/descriptor_path.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"

namespace hm::soft::direct {
namespace {

// If the ranges no longer fit, all are forgotten: /proc/thread-self/maps is read instead.
void add(Ranges& ranges, uint64_t start, uint64_t end) {
  if (ranges.is_nearly_full()) ranges.clear();
  ranges.add(start, end);
}

void remove(Ranges& ranges, uint64_t start, uint64_t end) {
  if (ranges.is_nearly_full()) ranges.clear();
  ranges.remove(start, end);
}

bool is_anonymous(uint64_t flags) {
  return (flags & MAP_ANONYMOUS) != 0 && (flags & MAP_TYPE) == MAP_PRIVATE;
}

}  // namespace

void Mappings::report(uint32_t pid, const Mapping& mapping) {
  recording_.write(mapping_record({pid, pid, monotonic_ns()}, mapping));
}

// Reports a mapping of a file. Returns false if the descriptor does not suffice, because it may have been
// closed meanwhile.
bool Mappings::note_file(uint32_t pid, const NewMapping& from) {
  char path[4096];
  FileStatus status{};
  int64_t length = read_descriptor_path(static_cast<uint32_t>(from.fd), path, sizeof(path) - 1);
  if (length <= 0 || system_call(kFstat, from.fd, pointer_argument(&status)) != 0) return false;
  path[length] = '\0';
  Mapping mapping = memory_mapping(from.start, from.end, static_cast<uint32_t>(from.protection));
  mapping.of_file = true;
  mapping.shared = (from.flags & MAP_TYPE) != MAP_PRIVATE;
  mapping.file_offset = from.offset;
  mapping.device_major = static_cast<uint32_t>(status.device >> 8 & 0xfff);
  mapping.device_minor = static_cast<uint32_t>((status.device & 0xff) | (status.device >> 12 & 0xfff00));
  mapping.inode = status.inode;
  mapping.name = path;
  report(pid, mapping);
  return true;
}

void Mappings::forget_all() {
  anonymous_.clear();
  reported_.clear();
  named_ = {};
  heap_ = {};
}

void Mappings::note_first(const MappedRange& range) {
  if (range.inode == 0 && range.path[0] == '\0') add(anonymous_, range.start, range.end);
  if ((range.protection & PROT_EXEC) != 0) add(reported_, range.start, range.end);
  if (range.inode != 0) named_.add(range.start, range.end);
}

void Mappings::note_unmapped(uint64_t start, uint64_t end) {
  if (start >= end) return;
  remove(anonymous_, start, end);
  remove(reported_, start, end);
  common_.note_not_common(start, end);
  common_.note_new_frames(start, end);
}

void Mappings::note_mapped(uint32_t pid, const NewMapping& mapping) {
  note_unmapped(mapping.start, mapping.end);
  if ((mapping.flags & MAP_TYPE) != MAP_PRIVATE) common_.note_common(mapping.start, mapping.end);
  bool anonymous = is_anonymous(mapping.flags);
  if (anonymous) add(anonymous_, mapping.start, mapping.end);
  bool executable = (mapping.protection & PROT_EXEC) != 0;
  bool of_file = (mapping.flags & MAP_ANONYMOUS) == 0;
  if (of_file && note_file(pid, mapping)) {
    named_.add(mapping.start, mapping.end);
    if (executable) add(reported_, mapping.start, mapping.end);
  } else if (!of_file && !anonymous) {
    recording_.write_mappings(pid, mapping.start,
                              mapping.end);  // shared memory: the kernel has a file for it
    named_.add(mapping.start, mapping.end);
  } else if (executable) {
    note_executable(pid, mapping.start, mapping.end, mapping.protection);
  } else {
    note_memory(pid, mapping.start, mapping.end, mapping.protection);
  }
}

void Mappings::note_memory(uint32_t pid, uint64_t start, uint64_t end, uint64_t protection) {
  if (named_.take_over(start, end))
    report(pid, memory_mapping(start, end, static_cast<uint32_t>(protection)));
}

void Mappings::note_break(uint32_t pid, uint64_t end) {
  if (heap_.grows(end)) report(pid, heap_mapping(heap_.start(), heap_.reported_end()));
}

void Mappings::note_thread_stack(uint32_t pid, uint32_t tid, uint64_t start, uint64_t end) {
  if (start >= end) return;
  named_.add(start, end);
  recording_.write(thread_stack_record({pid, tid, monotonic_ns()}, start, end));
}

void Mappings::note_executable(uint32_t pid, uint64_t start, uint64_t end, uint64_t protection) {
  if (start >= end || reported_.hold(start, end)) return;
  if (anonymous_.hold(start, end))
    report(pid, memory_mapping(start, end, static_cast<uint32_t>(protection)));
  else
    recording_.write_mappings(pid, start, end);
  add(reported_, start, end);
}

}  // namespace hm::soft::direct
