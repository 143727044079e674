// SPDX-License-Identifier: MIT
// Runs a command under the software PMU until the last of its processes has ended.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "pmu/soft/launcher/collection_limits.h"
#include "pmu/soft/launcher/collector.h"
#include "pmu/soft/launcher/engine.h"
#include "pmu/soft/launcher/heap_options.h"

namespace hm::soft {

struct RunProgress {
  uint64_t elapsed_ns = 0;
  size_t live_processes = 0;
  bool command_ended = false;
  Totals totals;
};

// The size of the ring that holds a process's samples until the recorder takes them.
inline constexpr uint32_t kRingDataBytes = 1u << 20;

struct RunOptions {
  std::vector<std::string> command;
  Session session{};  // events, periods, geometry; the rest is filled in
  CollectionLimits limits;
  HeapOptions heap;
  // After this many samples no more are taken; a few more may still come. 0: no limit.
  uint64_t most_samples = 0;
  // Called a few times a second; null: never.
  std::function<void(const RunProgress&)> progress;
  // How many times the user has asked to stop (a signal handler counts them). The first ends the recording
  // and asks the command to end (SIGTERM, if it has not ended by itself); the second does not wait for it.
  std::function<int()> interrupts;
  // Gets the blocks that the copying engine reports (Session::trace_blocks).
  Collector::BlockSink block_sink;
};

struct RunResult {
  int exit_status = 0;  // the command's, as a shell gives it: 128 + n where signal n ended it
  bool interrupted = false;
  uint64_t elapsed_ns = 0;
  Totals totals;
  CollectionUse collection;
  std::vector<std::string> missing_allocators;  // that the user has named, and no program has
  std::vector<Undecodable> undecodable;
};

// Records go to `sink` as they come, with a FINISHED_ROUND after each round. An error is a reason why the
// command could not be run, or the sink's: then the command goes on unrecorded.
Result<RunResult> run_command(Engine& engine, const RunOptions& options, Collector::Sink sink);

}  // namespace hm::soft
