// SPDX-License-Identifier: MIT
// Restartable sequences (rseq(2), Linux include/uapi/linux/rseq.h): code that runs as a whole on one CPU, or
// is left for its abort address. A thread points a field of its rseq area at the descriptor of the sequence
// that it begins. If the kernel preempts the thread, or sends it a signal, it compares the instruction
// pointer with the descriptor, and clears the field.
//
// In copied code the instruction pointer is never in the sequence itself. So the kernel only clears the
// field: from then on the sequence must not store anything. Each storing instruction of a sequence is
// therefore copied as a sequence of its own, with one instruction and its own descriptor
// (translator_restartable.cc).
#pragma once

#include <stdint.h>

namespace hm::soft::direct {

struct RestartableSequence {
  uint64_t descriptor = 0;  // address of the program's RestartDescriptor
  uint64_t start = 0;
  uint64_t end = 0;
  uint64_t abort = 0;

  [[nodiscard]] bool contains(uint64_t address) const { return address >= start && address < end; }
};

// struct rseq_cs.
struct RestartDescriptor {
  uint32_t version;
  uint32_t flags;
  uint64_t start;
  uint64_t bytes;
  uint64_t abort;
};

// Offset of the field rseq_cs in a thread's rseq area.
inline constexpr uint64_t kDescriptorField = 8;

}  // namespace hm::soft::direct
