// SPDX-License-Identifier: MIT
// The recorder's end of ring/exec_request.h: it traces threads through their execve and brings the engine
// into what they become. All calls come from one thread, as ptrace(2) wants it.
#pragma once

#include <sys/types.h>

#include <vector>

#include "pmu/soft/launcher/injector.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::soft {

class FollowedProcesses {
 public:
  FollowedProcesses(EngineImage image, std::string session_folder)
      : image_(std::move(image)), session_folder_(std::move(session_folder)) {}

  // Traces `thread` of `process` until the next execve; false, with errno, where that is not permitted.
  bool follow(pid_t process, pid_t thread);

  // Answers what processes ask: one thread of each at a time.
  void serve(Session& session);

  // A followed process is in PTRACE_EVENT_EXEC's stop. Brings the engine in and lets it go; after an error it
  // is still stopped, and would begin its program unmeasured.
  Status take_over(Session& session, pid_t process);

  // What waitpid() said. True: a stop, which has been dealt with.
  bool take(Session& session, pid_t pid, int status);

  // Whether any is followed.
  [[nodiscard]] bool empty() const { return traced_.empty(); }

  // Lets everybody go.
  void stop(Session& session);

 private:
  struct Traced {
    pid_t thread;
    pid_t process;
    ExecRequest* request;    // null: none, as for the command itself
    bool releasing = false;  // its next stop is its last
  };

  [[nodiscard]] bool is_followed(pid_t process) const;
  Traced* find(pid_t pid);
  void forget(pid_t thread);
  void answer(ExecRequest& request);
  void release(pid_t thread);
  void detach(const Traced& traced, int signal);
  bool forget_process(Session& session, pid_t process);

  EngineImage image_;
  std::string session_folder_;
  std::vector<Traced> traced_;
};

// `error_number`: of a ptrace(2) that was refused.
Error tracing_error(int error_number);

// Whether this process may trace its children; the error says why not and what to do.
Status try_tracing();

}  // namespace hm::soft
