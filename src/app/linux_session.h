// SPDX-License-Identifier: MIT
// The kernel's PMU as the commands use it: what the user wants becomes a session, and a run becomes totals or
// a recording.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "event/selection.h"
#include "pmu/linux/recorder.h"
#include "record/recording_sink.h"

namespace hm::app {

struct LinuxOptions {
  linux_pmu::Target target;
  std::vector<event::Selection> events;
  linux_pmu::Sampling sampling;  // of a recording
  linux_pmu::Modes modes;
  bool inherit = true;
  uint64_t most_samples = 0;  // then no more are taken, though a few may come; 0: no limit
  size_t ring_bytes = 0;      // of each CPU, a power of two; 0: what is usual
  std::function<void(const linux_pmu::RunProgress&)> progress;
  std::function<int()> interrupts;
};

// What was delivered of one event, next to what was asked for.
struct Delivery {
  linux_pmu::Event asked;
  perf_event_attr attr{};  // as the kernel took it
  linux_pmu::Batching batching;
  std::vector<std::string> fallbacks;
  linux_pmu::Counted counted;
};

struct LinuxResult {
  linux_pmu::RunResult run;
  std::vector<Delivery> events;
  uint64_t recorded_bytes = 0;
};

// Counts the events; takes no samples.
Result<LinuxResult> count_with_linux_pmu(const LinuxOptions& options);

// Samples the events into `sink`.
Result<LinuxResult> record_with_linux_pmu(const LinuxOptions& options, record::RecordingSink& sink,
                                          const std::vector<std::string>& command_line);

}  // namespace hm::app
