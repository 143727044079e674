// SPDX-License-Identifier: MIT
// Interface of a measurement source: the kernel's PMU, the software PMU, and sources that run beside them. A
// source owns no loop. One loop (app/measure/loop.h) waits for all sources and lets each one read its new
// data. docs/decisions/14-sources-run-side-by-side.md
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
#include "record/cpu_use.h"
#include "record/features.h"
#include "record/recording_sink.h"

namespace hm::pmu {

// Takes one or more whole consecutive records in perf's format. A time series consists of records, too:
// samples of its own event. An error ends the measurement.
using Sink = std::function<Status(Bytes)>;

// Descriptors, doorbells and timeout that the loop waits for. Each source adds its own.
struct Wait {
  // A futex(2) word. The wait ends when `*word` differs from `seen`.
  struct Doorbell {
    uint32_t* word;
    uint32_t seen;
  };

  std::vector<pollfd> descriptors;
  std::vector<Doorbell> doorbells;
  uint64_t most_ns = 100'000'000;

  void at_most(uint64_t ns) { most_ns = std::min(most_ns, ns); }
};

// How urgently the user wants the measurement to end.
enum class End {
  kAsked,  // sources with nothing left to wait for end
  kUrged,  // a command that still runs is sent SIGTERM
  kNow,    // sources end without waiting for anything
};

// The reason why a command was not executed, with the exit status that a shell would return for it.
struct Refusal {
  int exit_status = 0;
  std::string reason;
};

struct CommandEnd {
  int exit_status = 0;  // as a shell returns it: 128 + n if signal n ended the command
  CpuTime cpu_time;     // of the command and the children that it waited for; zeros if unknown
};

// Outcome common to all sources of a measurement.
struct Outcome {
  bool interrupted = false;
  uint64_t elapsed_ns = 0;
  uint64_t full_after_ns = 0;  // when it took no more samples (Observer::full); 0: it never was full
};

struct Remark {
  std::string subject;
  std::string text;
};

// A source's description of itself and of its measurement.
struct Report {
  std::string name;                     // the source: "software PMU (copying engine)"
  std::vector<Remark> delivery;         // how each request was measured, or the substitute used instead
  std::vector<std::string> shortfalls;  // missing or doubtful results, as sentences
  std::vector<std::string> obstacles;   // reasons why a requested item was not measured, as sentences
};

struct EventCount {
  std::string name;
  uint64_t value = 0;
  uint64_t time_enabled_ns = 0;  // both times 0: the event was counted all the time
  uint64_t time_running_ns = 0;
  bool in_bursts = false;                  // the value is an estimate
  std::optional<double> relative_error{};  // of an estimate: half of a 95 % interval, relative to the value
};

// Additional results of a modelled machine.
struct Modelled {
  std::string machine;
  uint64_t processes = 0;
  uint64_t threads = 0;
  uint64_t unrecorded_processes = 0;
  std::optional<uint64_t> cycles;  // nullopt: not measured
  std::string cost_model;
};

struct Counts {
  std::vector<EventCount> events;
  std::vector<std::string> notes;  // how the events were counted, one line per note
  bool in_episodes = false;        // the events were counted during parts of the time only
  std::optional<Modelled> modelled;
  std::vector<std::string> obstacles;  // sentences
};

class Source {
 public:
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source() = default;

  // Adds the source's part of a recording's start: its events and its machine.
  virtual void describe(record::RecordingStart& start) const = 0;

  // Starts measuring and runs the source's command. Returns a refusal if the command could not be executed.
  [[nodiscard]] virtual Result<std::optional<Refusal>> start(Sink sink) = 0;

  virtual void add_to(Wait& wait) const = 0;
  // Processes newly arrived data. `seen`: the descriptors that add_to() added, with poll(2)'s results; empty
  // in a round without a preceding wait.
  [[nodiscard]] virtual Status round(std::span<const pollfd> seen) = 0;
  // Returns whether the source has nothing left to wait for. A measurement is over when all its sources are.
  [[nodiscard]] virtual bool over() = 0;
  virtual void end(End /*how*/) {}
  // Stops measuring. The target may continue without it. One more round() follows.
  virtual void stop() = 0;
  // Called after the last round(): writes the final records.
  [[nodiscard]] virtual Status finish() { return {}; }

  // Adds the source's part to `progress`.
  virtual void tell(Progress& progress) const = 0;

  // Returns an updated version of the text that describe() wrote at the start for hardmeter's own feature.
  // Empty if there is no update.
  [[nodiscard]] virtual std::string describe_so_far() const { return {}; }

  // End of the command that the source ran; nullopt if it ran none or it has not ended.
  [[nodiscard]] virtual std::optional<CommandEnd> command_end() const { return std::nullopt; }

  // After finish(): the CPU time that the target used during the measurement; nullopt if unknown.
  [[nodiscard]] virtual std::optional<record::CpuUse> cpu_use() const { return std::nullopt; }

  // Called at the end, however the measurement ended: adds the source's features to the recording.
  virtual void describe(record::Features& /*features*/) const {}
  // After finish(): JSON for hardmeter's own feature (record/extension.h).
  [[nodiscard]] virtual std::string describe_run(const Outcome& outcome) const = 0;
  [[nodiscard]] virtual Report report() const = 0;
  [[nodiscard]] virtual Counts counts() const { return {}; }
};

}  // namespace hm::pmu
