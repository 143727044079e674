// SPDX-License-Identifier: MIT
// Sources of measurements: the kernel's PMU, the software PMU, and others that run concurrently. A source has
// no loop of its own. One loop (app/measure/loop.h) waits for all running sources and lets each process its
// new data.
// docs/decisions/14-sources-run-side-by-side.md
#pragma once

#include <poll.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/cpu_time.h"
#include "base/result.h"
#include "pmu/progress.h"
#include "record/cost_source.h"
#include "record/cpu_use.h"
#include "record/features.h"
#include "record/recording_sink.h"

namespace hm::pmu {

// Receives whole records in perf's format, as many as are contiguous. A time series consists of records, too:
// samples of its own event. An error ends the measurement.
using Sink = std::function<Status(Bytes)>;

// The conditions that the loop waits for. Each source adds its own.
struct Wait {
  // A futex(2) that wakes the loop when its value differs from `seen`.
  struct Doorbell {
    uint32_t* word;
    uint32_t seen;
  };

  std::vector<pollfd> descriptors;
  std::vector<Doorbell> doorbells;
  uint64_t max_ns = 100'000'000;

  void at_most(uint64_t ns) { max_ns = std::min(max_ns, ns); }
};

// How urgently the user wants the measurement to end.
enum class End {
  kAsked,  // end everything that does not wait for a command
  kUrged,  // send SIGTERM to a command that still runs
  kNow,    // wait for nothing
};

// Why a command was not executed, and the exit status with which a shell would report that.
struct Refusal {
  int exit_status = 0;
  std::string reason;
};

struct CommandEnd {
  int exit_status = 0;  // as a shell reports it: 128 + n if signal n ended it
  CpuTime cpu_time;     // of the command and of the children it waited for; zeros: unknown
};

// The outcome of a measurement, common to all its sources.
struct Outcome {
  bool interrupted = false;
  uint64_t elapsed_ns = 0;
  // Time after which the recording took no more samples (Observer::full); 0: it was never full.
  uint64_t full_after_ns = 0;
};

struct Remark {
  std::string subject;
  std::string text;
};

// A source's report on itself and its measurement.
struct Report {
  std::string name;                     // name of the source: "software PMU (copying engine)"
  std::vector<Remark> delivery;         // how each request was fulfilled, or what was done instead
  std::vector<std::string> shortfalls;  // missing or doubtful results, one sentence each
  std::vector<std::string> obstacles;   // why a request was not measured, one sentence each
};

struct EventCount {
  std::string name;
  uint64_t value = 0;
  uint64_t time_enabled_ns = 0;  // both times 0: it was counted all the time
  uint64_t time_running_ns = 0;
  bool in_bursts = false;  // the value is an estimate
  // Of an estimate: half of a 95 % confidence interval, as a fraction of the value.
  std::optional<double> relative_error{};
};

// Additional results of a modelled machine.
struct Modelled {
  std::string machine;
  uint64_t processes = 0;
  uint64_t threads = 0;
  uint64_t unrecorded_processes = 0;
  std::optional<uint64_t> cycles;  // nullopt: not measured
  // Half-width of the 95 % interval of the share of memory_wait in the cycles; nullopt: none, or unknown.
  std::optional<double> wait_share_error{};
  // If no burst had a wait: the largest share of the instructions that bursts may have missed.
  std::optional<double> unseen_waits{};
  record::CostSource costs = record::CostSource::kStated;
  std::string cost_model;
};

struct Counts {
  std::vector<EventCount> events;
  std::vector<std::string> notes;  // how the events were counted, one line each
  bool in_episodes = false;        // counts cover only parts of the time
  std::optional<Modelled> modelled;
  std::vector<std::string> obstacles;  // one sentence each
};

class Source {
 public:
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source() = default;

  // Adds the source's description before a recording begins: its events and its machine.
  virtual void describe(record::RecordingStart& start) const = 0;

  // Starts the measurement and the command. Returns a refusal if the command could not be executed.
  [[nodiscard]] virtual Result<std::optional<Refusal>> start(Sink sink) = 0;

  virtual void add_to(Wait& wait) const = 0;
  // Processes new data. `seen`: the descriptors added by add_to(), with the results of poll(2). Empty if the
  // loop has not waited before this round.
  [[nodiscard]] virtual Status round(std::span<const pollfd> seen) = 0;
  // Returns true if there is nothing to wait for. A measurement is over when all its sources are.
  [[nodiscard]] virtual bool over() = 0;
  virtual void end(End /*how*/) {}
  // Stops measuring; a target may continue unmeasured. One more round follows.
  virtual void stop() = 0;
  // Completes the measurement after the last round.
  [[nodiscard]] virtual Status finish() { return {}; }

  // Adds this source's values.
  virtual void add_progress(Progress& progress) const = 0;

  // Returns describe()'s data for hardmeter's own feature with present values; empty if there is nothing to
  // add to it.
  [[nodiscard]] virtual std::string describe_so_far() const { return {}; }
  // True if describe_so_far() returns something once the measurement has begun.
  [[nodiscard]] virtual bool has_description_so_far() const { return false; }

  // Returns the result of the command that this source ran.
  [[nodiscard]] virtual std::optional<CommandEnd> command_end() const { return std::nullopt; }

  // CPU time that the target used during the measurement. Valid after finish(); nullopt: unknown.
  [[nodiscard]] virtual std::optional<record::CpuUse> cpu_use() const { return std::nullopt; }

  // Adds the features known at the end of a recording, even after an error.
  virtual void describe(record::Features& /*features*/) const {}
  // Returns JSON for hardmeter's own feature (record/extension.h). Valid after finish().
  [[nodiscard]] virtual std::string describe_run(const Outcome& outcome) const = 0;
  [[nodiscard]] virtual Report report() const = 0;
  [[nodiscard]] virtual Counts counts() const { return {}; }
};

}  // namespace hm::pmu
