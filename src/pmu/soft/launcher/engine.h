// SPDX-License-Identifier: MIT
// The seam behind which the software PMU's engines stand.
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

  // As a user knows it, such as "Valgrind 3.19.0".
  [[nodiscard]] virtual std::string name() const = 0;

  [[nodiscard]] virtual bool runs_avx512() const = 0;
  // Threads run on modelled cores of their own, so that one sees what another does to its caches.
  [[nodiscard]] virtual bool has_many_cores() const { return false; }
  // Session::trace_blocks says something to it.
  [[nodiscard]] virtual bool traces_blocks() const { return false; }

  // Starts the file `program` with the arguments `command`, as a child that writes to the session in
  // `session_folder`. All calls from here on come from the thread that made this one.
  virtual Result<pid_t> start(Session& session, const std::string& session_folder, const std::string& program,
                              const std::vector<std::string>& command) = 0;

  // While processes run: answers what they ask. Called whenever the session's doorbell rings.
  virtual void serve(Session&) {}
  // What waitpid() said; true: it concerns the engine alone.
  virtual bool take_status(Session&, pid_t, int /*status*/) { return false; }
  // A process is about to become a program that will be recorded.
  [[nodiscard]] virtual bool awaits_program() const { return false; }
  // Processes that still run are on their own from now on.
  virtual void stop_serving(Session&) {}
};

}  // namespace hm::soft
