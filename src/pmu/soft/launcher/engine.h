// SPDX-License-Identifier: MIT
// The interface of the software PMU's engines.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/result.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::soft {

class Engine {
 public:
  virtual ~Engine() = default;

  // The name shown to users, such as "Valgrind 3.19.0".
  [[nodiscard]] virtual std::string name() const = 0;

  [[nodiscard]] virtual bool runs_unknown_natively() const = 0;
  // Threads run on separate modelled cores, so that a thread's accesses affect other threads' caches.
  [[nodiscard]] virtual bool has_many_cores() const { return false; }
  // Whether it finds callers with the programs' unwind tables. If not, it sends the stack
  // (Session::stack_bytes).
  [[nodiscard]] virtual bool unwinds() const { return false; }
  // Whether it supports Session::trace_blocks.
  [[nodiscard]] virtual bool traces_blocks() const { return false; }
  // Whether it supports Session::bursts.
  [[nodiscard]] virtual bool measures_bursts() const { return false; }

  // Starts the file `program` with the arguments `command`, as a child that writes to the session in
  // `session_folder`. All later calls have to come from the same thread.
  virtual Result<pid_t> start(Session& session, const std::string& session_folder, const std::string& program,
                              const std::vector<std::string>& command) = 0;

  // Attaches a running process: later calls of serve() take over its threads. Fails with kUnsupported or
  // kPermission if that is not possible; the process is then unchanged.
  virtual Status attach(Session&, const std::string& session_folder, pid_t process);
  // Whether the process is attached, or attaching failed. False for a process that has called exec since.
  [[nodiscard]] virtual bool knows(pid_t /*process*/) const { return false; }
  // `recorded`: all processes that have a ring now. Attaches the children of attached processes.
  virtual void note_recorded(const std::vector<pid_t>& /*recorded*/) {}
  // Releases attached processes: let_go() permanently, pause() until resume().
  virtual void let_go(Session&) {}
  virtual void pause(Session&) {}
  virtual void resume(Session&) {}
  // Whether all attached processes run natively.
  [[nodiscard]] virtual bool is_paused() const { return false; }
  // Returns the attached processes that are not released permanently, and their known children.
  [[nodiscard]] virtual std::vector<pid_t> attached() const { return {}; }
  // Whether any attached process still lives and is not released.
  [[nodiscard]] virtual bool is_attached() const { return false; }
  // Returns sentences about attached processes, after their release.
  [[nodiscard]] virtual std::vector<std::string> attachment_shortfalls() const { return {}; }

  // Answers requests of running processes. Called when the session's doorbell rings.
  virtual void serve(Session&) {}
  // Takes a status from waitpid(). Returns true if it concerns only the engine.
  virtual bool take_status(Session&, pid_t, int /*status*/) { return false; }
  // Whether a process is about to exec a program that will be recorded.
  [[nodiscard]] virtual bool awaits_program() const { return false; }
  // Stops answering requests; processes may still run.
  virtual void stop_serving(Session&) {}
};

}  // namespace hm::soft
