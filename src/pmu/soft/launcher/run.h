// SPDX-License-Identifier: MIT
// Runs commands under the software PMU until the last of their processes has ended, or measures running
// processes until they are detached. The caller owns the loop; pmu/source.h describes the order of calls.
#pragma once

#include <array>
#include <csignal>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "pmu/soft/launcher/attached_run.h"
#include "pmu/soft/launcher/collection_limits.h"
#include "pmu/soft/launcher/collector.h"
#include "pmu/soft/launcher/engine.h"
#include "pmu/soft/launcher/heap_options.h"
#include "pmu/source.h"
#include "pmu/target.h"

namespace hm::soft {

// Size of the ring that holds a process's samples until the recorder reads them.
inline constexpr uint32_t kRingDataBytes = 1u << 20;

using pmu::CommandOutput;

struct RunOptions {
  std::vector<std::vector<std::string>> commands;  // started one after the other, and run concurrently
  std::vector<std::string> environment;            // of the commands: "NAME=VALUE"; empty: as hardmeter's
  AttachedTargets running;                         // processes to attach to instead of running commands
  CommandOutput output = CommandOutput::kAsIs;
  std::string output_file;  // for kToFile
  Session session{};        // events, periods, geometry; Run fills in the rest
  CollectionLimits limits;
  HeapOptions heap;
  // Sampling stops after this many samples; a few more may still arrive. 0: no limit.
  uint64_t max_samples = 0;
  // Receives the blocks that the copying engine reports (Session::trace_blocks).
  Collector::BlockSink block_sink;
};

struct RunResult {
  Totals totals;
  CollectionUse collection;
  std::vector<std::string> missing_allocators;  // named by the user, but not found in any program
  std::vector<Undecodable> undecodable;
  std::vector<std::string> attachment_shortfalls;  // one sentence each
  EpisodeTotals episodes;
  std::array<unsigned, event::kEventCount> doublings{};  // of each event's sampling period (thinning.h)
  CpuTime cpu_time;  // of all processes, including the engine's; zeros if unknown
};

// Rings the session's doorbell whenever a child's state changes.
class ChildBell {
 public:
  explicit ChildBell(Session& session);
  ~ChildBell();
  ChildBell(const ChildBell&) = delete;
  ChildBell& operator=(const ChildBell&) = delete;

 private:
  struct sigaction before_ {};
};

class Run {
 public:
  // All arguments must outlive this object. Records go to `sink` as they arrive.
  Run(Engine& engine, const RunOptions& options, Collector::Sink sink);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  // Fails if a command cannot be run or a process cannot be measured.
  [[nodiscard]] Status start();
  // Lets the commands begin if the session postpones them (Session::postponed).
  void begin_commands();
  void add_to(pmu::Wait& wait) const;
  // Fails only if the sink fails. The command then continues unrecorded.
  [[nodiscard]] Status round();
  [[nodiscard]] bool over() const;
  void end(pmu::End how);
  void stop();
  // Fails with kIo or kNotFound if no process was measured.
  [[nodiscard]] Status finish();

  [[nodiscard]] Totals totals() const { return collector_ ? collector_->totals() : Totals(); }
  [[nodiscard]] size_t live_processes() const;
  // Returns null if there is no budget.
  [[nodiscard]] const Episodes* episodes() const { return attached_ ? attached_->episodes() : nullptr; }
  [[nodiscard]] bool command_ended() const { return commands_ended_ns_ != 0; }
  // Returns the exit status of the first command that failed; 0 if none failed.
  [[nodiscard]] int exit_status() const;
  // Returns the CPU time of the attached processes, or of all processes of the commands. Zeros until the
  // commands have ended.
  [[nodiscard]] CpuTime cpu_time() const;
  // Valid after start(). command_processes() is in the order of the commands. cache() is the last-level cache
  // that all processes share, or null if they share none.
  [[nodiscard]] std::vector<pid_t> command_processes() const;
  [[nodiscard]] model::SessionCache* cache() const { return folder_->cache(); }
  // Valid after finish().
  [[nodiscard]] const RunResult& result() const { return result_; }

 private:
  struct Child {
    pid_t pid = 0;
    bool ended = false;
    int exit_status = 0;
  };

  [[nodiscard]] Session& session() const { return folder_->session(); }
  [[nodiscard]] Status start_commands();
  [[nodiscard]] Status attach();
  [[nodiscard]] Status start_command(const std::vector<std::string>& command);
  void end_commands(int signal) const;
  void begin_collection();
  void reap();
  void obey_limit();

  Engine& engine_;
  const RunOptions& options_;
  Collector::Sink sink_;
  std::optional<SessionFolder> folder_;
  std::optional<Collector> collector_;
  std::optional<ChildBell> bell_;
  std::optional<AttachedRun> attached_;  // used instead of commands
  std::vector<Child> children_;          // one for each command
  uint32_t doorbell_ = 0;                // value at the beginning of the last round
  uint64_t begin_ns_ = 0;                // start of the collection
  uint64_t commands_ended_ns_ = 0;       // when the last command ended
  bool childless_ = false;  // no child is left, and therefore no descendant: see start_commands()
  bool interrupted_ = false;
  bool terminated_ = false;
  bool stop_now_ = false;
  CpuTime reaped_;  // of all processes that were reaped
  RunResult result_;
};

}  // namespace hm::soft
