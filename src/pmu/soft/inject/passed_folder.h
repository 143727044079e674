// SPDX-License-Identifier: MIT
// The session's folder for a process that does not find it by its path, because its root folder is another
// one: a container. The process gets a descriptor of the folder, through which it opens the session's files.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "base/result.h"
#include "pmu/soft/inject/remote_calls.h"

namespace hm::soft {

// Returns true if the path of the session leads to the session in the root folder of the process.
[[nodiscard]] bool finds_session(pid_t process, const std::string& session_folder);

// Gives the process a descriptor of the folder by a socket pair that the process makes, and returns its
// number there. `scratch` is the address of 256 writable bytes in the process. Fails if the kernel has no
// pidfd_getfd(2) (Linux 5.6).
[[nodiscard]] Result<int> pass_folder(pid_t process, const RemoteCall& call, uint64_t scratch,
                                      const std::string& folder);

}  // namespace hm::soft
