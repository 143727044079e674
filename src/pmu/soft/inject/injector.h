// SPDX-License-Identifier: MIT
// Puts the copying engine into a process: its image, followed by the process area.
#pragma once

#include <sys/types.h>
#include <sys/user.h>

#include <string>
#include <vector>

#include "base/result.h"
#include "pmu/soft/direct/runtime/process_area.h"
#include "pmu/soft/inject/remote_calls.h"

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

  // Size including the process area, which begins at `end`.
  [[nodiscard]] uint64_t bytes() const;
};
Result<EngineImage> read_engine_image(const std::string& path);

// Maps the image and an empty process area. After an error neither is mapped.
Status map_engine(pid_t process, const EngineImage& image, const RemoteCall& call);

// Start information for a thread that is taken over.
direct::StartInfo start_info(const user_regs_struct& registers, uint64_t signal_mask,
                             const std::string& session_folder);

// `process` is in PTRACE_EVENT_EXEC's stop, traced by the caller with PTRACE_O_TRACESYSGOOD. Loads the engine
// and sets the process to its first instruction; the process stays stopped. After an error, the process runs
// its program natively once it continues.
Status inject_engine(pid_t process, const EngineImage& image, const std::string& session_folder);

}  // namespace hm::soft
