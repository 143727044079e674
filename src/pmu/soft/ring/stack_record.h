// SPDX-License-Identifier: MIT
// A part of a thread's stack, valid for the thread's samples that follow (Session::stack_bytes). Only the
// recorder sees this record, and finds the callers in it. Freestanding.
#pragma once

#include <linux/perf_event.h>
#include <stdint.h>

namespace hm::soft {

inline constexpr uint32_t kStackRecord = 0x484f;

// The stack's bytes follow, a multiple of 8, up to the end of the record. A stack's first part begins at the
// stack pointer; each further part continues the previous one.
struct StackRecord {
  perf_event_header header{};
  uint32_t pid = 0;
  uint32_t tid = 0;
  uint64_t stack_pointer = 0;
  uint64_t address = 0;  // of the first byte here
};

}  // namespace hm::soft
