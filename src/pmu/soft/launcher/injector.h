// SPDX-License-Identifier: MIT
// Puts the copying engine into a process that is stopped at its first instruction (ptrace(2)).
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/result.h"
#include "pmu/soft/direct/runtime/start_info.h"

namespace hm::soft {

// The engine's file, read once: a static ELF program.
struct EngineImage {
  struct Segment {
    uint64_t address;              // of its first page
    std::vector<std::byte> bytes;  // whole pages
    int protection;
  };
  std::vector<Segment> segments;
  uint64_t entry = 0;
  uint64_t begin = 0, end = 0;
};
Result<EngineImage> read_engine_image(const std::string& path);

// `process` is in PTRACE_EVENT_EXEC's stop, traced by the caller with PTRACE_O_TRACESYSGOOD. Maps the engine,
// hands `start` over (the registers are filled in) and points the process at the engine's first instruction;
// it stays stopped. After an error, the process runs its program natively once it continues.
Status inject_engine(pid_t process, const EngineImage& image, direct::StartInfo start);

}  // namespace hm::soft
