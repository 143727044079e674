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
  // Threads run on modelled cores of their own, so that one sees what another does to its caches.
  [[nodiscard]] virtual bool has_many_cores() const { return false; }
  // Whether it finds callers by the programs' unwind tables; if not, it sends the stack
  // (Session::stack_bytes).
  [[nodiscard]] virtual bool unwinds() const { return false; }
  // Whether it obeys Session::trace_blocks.
  [[nodiscard]] virtual bool traces_blocks() const { return false; }
  // Whether it obeys Session::bursts.
  [[nodiscard]] virtual bool measures_bursts() const { return false; }

  // Starts the file `program` with the arguments `command`, as a child that writes to the session in
  // `session_folder`. All calls from here on come from the thread that made this one.
  virtual Result<pid_t> start(Session& session, const std::string& session_folder, const std::string& program,
                              const std::vector<std::string>& command) = 0;

  // From now on takes over the threads of a running process, at each serve(). kUnsupported, kPermission: it
  // cannot be, and is as it was.
  virtual Status attach(Session&, const std::string& session_folder, pid_t process);
  // Whether the process is attached, or could not be. What has become another program is not.
  [[nodiscard]] virtual bool knows(pid_t /*process*/) const { return false; }
  // `recorded`: all processes that have a ring now. Children of attached processes are attached, too.
  virtual void note_recorded(const std::vector<pid_t>& /*recorded*/) {}
  // From now on lets attached processes go: for good, or until resume().
  virtual void let_go(Session&) {}
  virtual void pause(Session&) {}
  virtual void resume(Session&) {}
  // Whether all of them run natively.
  [[nodiscard]] virtual bool is_paused() const { return false; }
  // Attached processes that are not let go for good, and likewise their children that are known by now.
  [[nodiscard]] virtual std::vector<pid_t> attached() const { return {}; }
  // Whether any attached process still lives and is not let go.
  [[nodiscard]] virtual bool is_attached() const { return false; }
  // Sentences about attached processes, once they are let go.
  [[nodiscard]] virtual std::vector<std::string> attachment_shortfalls() const { return {}; }

  // Answers requests of running processes. Called whenever the session's doorbell rings.
  virtual void serve(Session&) {}
  // Gets a status from waitpid(). True: only the engine is concerned by it.
  virtual bool take_status(Session&, pid_t, int /*status*/) { return false; }
  // Whether a process is about to exec a program that will be recorded.
  [[nodiscard]] virtual bool awaits_program() const { return false; }
  // From now on no requests are answered; processes may still run.
  virtual void stop_serving(Session&) {}
};

}  // namespace hm::soft
