// SPDX-License-Identifier: MIT
// Opens files of other processes through /proc/PID, as these processes see them: files of containers, deleted
// files, memory files. The contents of such a file, and of the folders that lead to it, belong to the other
// process and are untrusted: no symbolic link leads out of its root folder, and only regular files are
// opened.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/unique_fd.h"

namespace hm {

// A mapped part of a file in a process.
struct ProcessMapping {
  pid_t pid = 0;  // 0: none
  uint64_t start = 0;
  uint64_t end = 0;
  uint64_t inode = 0;  // 0: unknown
  std::string path{};  // in the root folder of the process

  bool operator==(const ProcessMapping&) const = default;
};

// Returns true if the process has another root folder or mount namespace than this process. Returns false if
// the process has ended, or if this user may not examine it.
[[nodiscard]] bool has_own_files(pid_t pid);

// Opens a regular file by its path in the root folder of the process. `path` is absolute. The result is not
// valid if there is no such file, or if the kernel has no openat2(2) (Linux 5.6).
[[nodiscard]] UniqueFd open_in_root(pid_t pid, const std::string& path);

// Opens the file that the process maps, even if the file is deleted. Uses /proc/PID/map_files, which needs
// CAP_CHECKPOINT_RESTORE or CAP_SYS_ADMIN, or else the path in the root of the process, its executable, or
// its descriptors. The inode must be that of the mapping if it is known.
[[nodiscard]] UniqueFd open_mapped_file(const ProcessMapping& mapping);

// Copies the file to memory, so that its owner can no longer truncate or change it. The result is not valid
// if the file has more than `max_bytes` bytes or is not readable.
[[nodiscard]] UniqueFd copy_to_memory(int file, size_t max_bytes);

// Returns the number that the process has in its own PID namespace, from "NSpid" in /proc/PID/status. Returns
// `pid` if the process has ended.
[[nodiscard]] pid_t number_in_namespace(pid_t pid);

// Returns the reason why a process is not found, as the end of a sentence: it does not exist, or /proc is not
// mounted.
[[nodiscard]] std::string no_process_text();

// Returns true if the process lives and belongs to this user ID.
[[nodiscard]] bool belongs_to(pid_t pid, uid_t user);

}  // namespace hm
