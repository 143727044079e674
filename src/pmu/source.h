// SPDX-License-Identifier: MIT
// What measures: the kernel's PMU, the software PMU, and what may come to run beside them. A source owns no
// loop: one loop (app/measure/loop.h) waits for all that run, and asks each to take what has come.
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
#include "record/cpu_use.h"
#include "record/features.h"
#include "record/recording_sink.h"

namespace hm::pmu {

// Takes whole records of perf's format, as many as lie side by side. A time series is records, too: samples
// of an event of its own. An error ends the measurement.
using Sink = std::function<Status(Bytes)>;

// What the loop waits for. Each source adds its own.
struct Wait {
  // A futex(2) that is rung when it is no longer what was seen.
  struct Doorbell {
    uint32_t* word;
    uint32_t seen;
  };

  std::vector<pollfd> descriptors;
  std::vector<Doorbell> doorbells;
  uint64_t most_ns = 100'000'000;

  void at_most(uint64_t ns) { most_ns = std::min(most_ns, ns); }
};

// How urgently the user wants an end.
enum class End {
  kAsked,  // what has nothing to wait for is over
  kUrged,  // a command that has not ended by itself is asked to (SIGTERM)
  kNow,    // nothing is waited for
};

// Why a command was not executed, with the status by which a shell would say so.
struct Refusal {
  int exit_status = 0;
  std::string reason;
};

struct CommandEnd {
  int exit_status = 0;  // as a shell gives it: 128 + n where signal n ended it
  CpuTime cpu_time;     // of it and the children that it waited for; zeros: not known
};

// What all sources of a measurement have in common.
struct Outcome {
  bool interrupted = false;
  uint64_t elapsed_ns = 0;
  uint64_t full_after_ns = 0;  // then the recording took no more samples (Observer::full); 0: it always did
};

struct Remark {
  std::string subject;
  std::string text;
};

// What a source says of itself and of what it measured.
struct Report {
  std::string name;                     // who measured: "software PMU (copying engine)"
  std::vector<Remark> delivery;         // how what was asked for was delivered, and what instead of it
  std::vector<std::string> shortfalls;  // what is missing or to be doubted: sentences
  std::vector<std::string> obstacles;   // why something that was asked for was not measured: likewise
};

struct EventCount {
  std::string name;
  uint64_t value = 0;
  uint64_t time_enabled_ns = 0;  // both 0: it was counted all the time
  uint64_t time_running_ns = 0;
  bool in_bursts = false;                  // an estimate
  std::optional<double> relative_error{};  // of an estimate: half of a 95 % interval, as a part of the value
};

// What a modelled machine tells besides.
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
  std::vector<std::string> notes;  // how they were counted, a line each
  bool in_episodes = false;        // they are those of parts of the time
  std::optional<Modelled> modelled;
  std::vector<std::string> obstacles;  // sentences
};

class Source {
 public:
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source() = default;

  // Adds what a recording says of it before it begins: its events, its machine.
  virtual void describe(record::RecordingStart& start) const = 0;

  // From now on it measures, and its command runs. A refusal: why that could not be executed.
  [[nodiscard]] virtual Result<std::optional<Refusal>> start(Sink sink) = 0;

  virtual void add_to(Wait& wait) const = 0;
  // Takes what has come. `seen`: the descriptors that it has added, as poll(2) left them; none in rounds that
  // no wait was before.
  [[nodiscard]] virtual Status round(std::span<const pollfd> seen) = 0;
  // Nothing is to be waited for. A measurement is over when all its sources are.
  [[nodiscard]] virtual bool over() = 0;
  virtual void end(End /*how*/) {}
  // Nothing is measured from now on; a target may go on without. There is one more round.
  virtual void stop() = 0;
  // Then: what comes at the end.
  [[nodiscard]] virtual Status finish() { return {}; }

  // Adds its part.
  virtual void tell(Progress& progress) const = 0;

  // What describe() says of hardmeter's own feature at the start, with what is known by now; empty where
  // that is no more.
  [[nodiscard]] virtual std::string describe_so_far() const { return {}; }

  // Of the command that it ran.
  [[nodiscard]] virtual std::optional<CommandEnd> command_end() const { return std::nullopt; }

  // After finish(): the CPU time that the target took meanwhile; nullopt: not known.
  [[nodiscard]] virtual std::optional<record::CpuUse> cpu_use() const { return std::nullopt; }

  // When it is over, however that came: adds what a recording says then.
  virtual void describe(record::Features& /*features*/) const {}
  // After finish(): JSON for hardmeter's own feature (record/extension.h).
  [[nodiscard]] virtual std::string describe_run(const Outcome& outcome) const = 0;
  [[nodiscard]] virtual Report report() const = 0;
  [[nodiscard]] virtual Counts counts() const { return {}; }
};

}  // namespace hm::pmu
