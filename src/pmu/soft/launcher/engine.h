// SPDX-License-Identifier: MIT
// The interface of the software PMU's engines.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
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
  // True if each thread runs on a modelled core of its own, so that threads affect each other's caches.
  [[nodiscard]] virtual bool has_many_cores() const { return false; }
  // True if the engine finds callers with the programs' unwind tables. If not, it records stack memory
  // (Session::stack_bytes).
  [[nodiscard]] virtual bool unwinds() const { return false; }
  // True if the engine supports Session::trace_blocks.
  [[nodiscard]] virtual bool traces_blocks() const { return false; }
  // True if the engine supports Session::defined.
  [[nodiscard]] virtual bool defines_machine() const { return false; }
  // True if the engine's models know the event.
  [[nodiscard]] virtual bool knows_event(event::EventId) const { return true; }
  // True if the engine can limit the collection to parts of the run, and models caches of all sizes.
  [[nodiscard]] virtual bool measures_parts() const { return true; }
  // True if the programs are processes of this machine, whose CPU time its kernel knows.
  [[nodiscard]] virtual bool runs_here() const { return true; }
  // Reads the files of /proc and /sys that describe the kernel that the engine samples; empty if it samples
  // none. Complete once the first record has arrived.
  [[nodiscard]] virtual std::function<std::optional<std::string>(const std::string& path)> kernel_files()
      const {
    return {};
  }
  // True if the engine finds the callers of samples.
  [[nodiscard]] virtual bool finds_callers() const { return true; }
  // True if the engine supports Session::bursts.
  [[nodiscard]] virtual bool measures_bursts() const { return false; }

  // Runs the file `program` with the arguments `command` as a child that writes to the session in
  // `session_folder`. Its environment is hardmeter's if `environment` is empty. All later calls must come
  // from the thread that called start().
  virtual Result<pid_t> start(Session& session, const std::string& session_folder, const std::string& program,
                              const std::vector<std::string>& command,
                              const std::vector<std::string>& environment) = 0;

  // Attaches to a running process; each later serve() takes over some of its threads. Fails with kUnsupported
  // or kPermission if the process cannot be attached; the process is then unchanged.
  virtual Status attach(Session&, const std::string& session_folder, pid_t process);
  // True if the process is attached, or attaching has failed. False if the process has executed another
  // program since.
  [[nodiscard]] virtual bool knows(pid_t /*process*/) const { return false; }
  // `recorded`: all processes that have a ring now. Attaches those that are children of attached processes.
  virtual void note_recorded(const std::vector<pid_t>& /*recorded*/) {}
  // let_go() begins to detach from all attached processes for the rest of the run, pause() until resume().
  virtual void let_go(Session&) {}
  virtual void pause(Session&) {}
  virtual void resume(Session&) {}
  // True if all attached processes run natively.
  [[nodiscard]] virtual bool is_paused() const { return false; }
  // Returns the attached processes that are not let go, including their children found so far.
  [[nodiscard]] virtual std::vector<pid_t> attached() const { return {}; }
  // True if any attached process still lives and is not let go.
  [[nodiscard]] virtual bool is_attached() const { return false; }
  // Limitations of the attachment, one sentence each. Complete once the processes are let go.
  [[nodiscard]] virtual std::vector<std::string> attachment_shortfalls() const { return {}; }

  // Handles requests of running processes. To be called whenever the session's doorbell rings.
  virtual void serve(Session&) {}
  // Handles a status from waitpid(). Returns true if the status concerns only the engine.
  virtual bool take_status(Session&, pid_t, int /*status*/) { return false; }
  // True if a process is about to exec a program that will be recorded.
  [[nodiscard]] virtual bool awaits_program() const { return false; }
  // Stops handling requests, even if processes still run.
  virtual void stop_serving(Session&) {}
};

}  // namespace hm::soft
