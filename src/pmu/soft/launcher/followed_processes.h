// SPDX-License-Identifier: MIT
// The recorder's side of ring/exec_request.h: traces threads through their execve and loads the engine into
// the new program. All calls must come from one thread, as ptrace(2) requires.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "pmu/soft/inject/injector.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::soft {

class FollowedProcesses {
 public:
  FollowedProcesses(EngineImage image, std::string session_folder)
      : image_(std::move(image)), session_folder_(std::move(session_folder)) {}

  // Traces `thread` of `process` until the next execve. Returns false and sets errno if tracing is not
  // permitted.
  bool follow(pid_t process, pid_t thread);

  // Answers requests of processes. Traces one thread of each process at a time.
  void serve(Session& session);

  // Loads the engine into a process in the PTRACE_EVENT_EXEC stop and detaches. If the process has no room
  // for the engine, the program runs unmeasured, and shortfalls() gets the reason. After an error the process
  // is still stopped.
  Status take_over(Session& session, pid_t process);

  // Handles a status from take_stop(). Returns true if it was a stop; the thread then continues.
  bool take(Session& session, pid_t pid, int status);

  // True if no process is traced.
  [[nodiscard]] bool empty() const { return traced_.empty(); }

  // Lets a process run its program unmeasured after take_over() failed.
  void leave(Session& session, pid_t process);

  // Detaches from all processes.
  void stop(Session& session);

  // Reasons why programs run unmeasured, one sentence each: no room for the engine, or a resource limit.
  [[nodiscard]] const std::vector<std::string>& shortfalls() const { return shortfalls_; }

 private:
  struct Traced {
    pid_t thread;
    pid_t process;
    ExecRequest* request;    // null for the command itself, which makes no request
    bool releasing = false;  // detach at the next stop
  };

  [[nodiscard]] bool is_followed(pid_t process) const;
  Traced* find(pid_t pid);
  [[nodiscard]] Traced* find(const ExecRequest& request);
  void forget(pid_t thread);
  void answer(ExecRequest& request);
  void release(pid_t thread);
  void detach(const Traced& traced, int signal);
  bool forget_process(Session& session, pid_t process);
  Status leave_for(Session& session, pid_t process, const std::string& sentence);

  EngineImage image_;
  std::string session_folder_;
  std::vector<Traced> traced_;
  std::vector<std::string> shortfalls_;
};

// `error_number`: errno of a ptrace(2) call that was refused.
Error tracing_error(int error_number);

// Checks that this process may trace its children. An error contains the reason and a remedy.
Status try_tracing();

}  // namespace hm::soft
