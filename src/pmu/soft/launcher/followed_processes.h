// SPDX-License-Identifier: MIT
// The recorder's side of ring/exec_request.h: traces threads through their execve and loads the engine into
// the new program. All calls have to come from one thread, as ptrace(2) requires.
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

  // Traces `thread` of `process` until the next execve. Returns false, with errno, if that is not permitted.
  bool follow(pid_t process, pid_t thread);

  // Answers requests of processes, for one thread of a process at a time.
  void serve(Session& session);

  // A followed process is in PTRACE_EVENT_EXEC's stop: loads the engine and detaches. If the process has no
  // room for the engine, the program runs unmeasured, and shortfalls() has the reason. After an error the
  // process is still stopped.
  Status take_over(Session& session, pid_t process);

  // Takes a status from waitpid(). Returns true if it was a stop, which has been handled.
  bool take(Session& session, pid_t pid, int status);

  // Whether no process is followed.
  [[nodiscard]] bool empty() const { return traced_.empty(); }

  // Lets a process that take_over() could not take over run its program unmeasured.
  void leave(Session& session, pid_t process);

  // Detaches from all processes.
  void stop(Session& session);

  // Sentences: why programs run unmeasured, e.g. no room for the engine, or a limit that leaves none.
  [[nodiscard]] const std::vector<std::string>& shortfalls() const { return shortfalls_; }

 private:
  struct Traced {
    pid_t thread;
    pid_t process;
    ExecRequest* request;    // null for the command itself, which made no request
    bool releasing = false;  // its next stop is its last
  };

  [[nodiscard]] bool is_followed(pid_t process) const;
  Traced* find(pid_t pid);
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

// `error_number`: errno of a refused ptrace(2).
Error tracing_error(int error_number);

// Checks that this process may trace its children. The error has the reason and the remedy.
Status try_tracing();

}  // namespace hm::soft
