// SPDX-License-Identifier: MIT
// Buffers of io_uring(7). A submission names a buffer, and a completion has the number of bytes that the
// kernel has used. Both are in memory that the program and the kernel share. Freestanding.
#pragma once

#include <stdint.h>

#include "pmu/soft/sampling/system_call_buffers.h"

namespace hm::soft {

// The rings of a process. One thread at a time may use the object.
class IoRings {
 public:
  static constexpr uint32_t kMaxDone = 32;

  // Whether follow() does anything after calls of this number.
  static bool concerns(uint64_t number);

  // To be called after each system call. After io_uring_enter(2), writes the system calls that do the same as
  // the operations that have completed since the last call for the ring, with their results, to `done`, at
  // most kMaxDone. Returns their number; if it is kMaxDone, more may follow. The program may have taken
  // completions from the ring since: only those are missing that newer ones have overwritten.
  uint32_t follow(const CompletedCall& call, ReadProgram read, CompletedCall* done);

 private:
  static constexpr uint32_t kMaxRings = 8, kMaxPending = 256;

  struct Submission {
    uint64_t user_data;
    uint64_t address, offset;
    uint32_t bytes;
    uint8_t operation;
    bool pending;
  };

  // Offsets are those that the kernel has reported to io_uring_setup(2).
  struct Ring {
    bool used;
    int32_t descriptor;
    uint32_t submissions, completions;  // number of entries
    uint32_t head, array;               // offsets of submissions
    uint32_t tail, entries;             // offsets of completions
    bool has_array, shares_mapping;
    uint64_t submission_ring, completion_ring, submission_entries;  // addresses; 0: not mapped yet
    uint32_t seen_head, seen_tail;
    Submission pending[kMaxPending];
    uint32_t next;
  };

  static Submission* pending_of(Ring& ring, uint64_t user_data);
  Ring* find(uint64_t descriptor);
  void begin(const CompletedCall& call, ReadProgram read);
  void map(const CompletedCall& call);
  static void take_submissions(Ring& ring, ReadProgram read);
  static uint32_t take_completions(Ring& ring, ReadProgram read, CompletedCall* done);

  Ring rings_[kMaxRings] = {};
  uint32_t next_ring_ = 0;
};

}  // namespace hm::soft
