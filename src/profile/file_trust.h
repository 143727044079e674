// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "profile/profile.h"
#include "record/features.h"
#include "record/mmap.h"

namespace hm::profile {

// Returns true if the recording names this host and the running kernel's release.
[[nodiscard]] bool is_this_machine(const record::Features& features);

// Decides whether a file on this machine is the one in the recording if the recording has no build ID for it.
// It is if the recording was made on this machine and the running kernel, the file is for the processor in
// the recording, and it was not changed since; or if the file has the inode of the mapping.
class FileTrust {
 public:
  explicit FileTrust(const record::Features& features);

  [[nodiscard]] FileState state_of(const std::string& path, const record::Mmap& mmap) const;
  // Returns the running kernel's build ID if `mmap` is the mapping "[kernel.kallsyms]_text" of the running
  // kernel, or of one of its modules; else an empty string. The kernel is the same if the recording was made
  // here, on this release, and its reference symbol or the module has its current address. Most kernels
  // choose that address anew at each start.
  [[nodiscard]] static std::string running_kernel(const record::Features& features, const record::Mmap& mmap);

 private:
  bool made_here_;
  uint16_t other_machine_;  // EM_* of the recording if it is another one than this machine's; else EM_NONE
  uint64_t ended_ns_;       // when the recording ended, in nanoseconds since 1970; 0: unknown
};

}  // namespace hm::profile
