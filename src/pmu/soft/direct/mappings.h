// SPDX-License-Identifier: MIT
// Files, and what may be run, are told to the recorder when it is mapped or becomes executable: as the
// program's own calls describe it, since a compiler makes thousands of them, and from /proc/self/maps only
// where they do not say. One thread at a time: with g_translation held.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/address_space.h"

namespace hm::soft::direct {

// As mmap(2) was asked for it, with the end of its last page.
struct NewMapping {
  uint64_t start, end;
  uint64_t protection, flags;
  int fd;
  uint64_t offset;
};

// A mapping that is there at the start, which the recorder has been told of.
void note_first_mapping(const MappedRange& range);
void note_mapped(uint32_t pid, const NewMapping& mapping);
// Mapped no more, or to what nobody has said.
void note_unmapped(uint64_t start, uint64_t end);
// [start, end) is memory without a name from now on, which is told only over something that has one.
void note_memory(uint32_t pid, uint64_t start, uint64_t end, uint64_t protection);
// brk(2) has put the end of the program's data there.
void note_break(uint32_t pid, uint64_t end);
void note_thread_stack(uint32_t pid, uint32_t tid, uint64_t start, uint64_t end);
// [start, end) is executable from now on.
void note_executable(uint32_t pid, uint64_t start, uint64_t end, uint64_t protection);

// Whether [start, end) is known to be private memory without a name: then no file is there.
bool is_nameless(uint64_t start, uint64_t end);

}  // namespace hm::soft::direct
