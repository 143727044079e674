// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "record/features.h"
#include "record/mmap.h"

namespace hm::profile {

// Whether a file of this machine is the one that a recording names, where the recording has no build-id of
// it: then it was made here, on the kernel that runs, or the file has the inode that was mapped.
class FileTrust {
 public:
  explicit FileTrust(const record::Features& features);

  [[nodiscard]] bool is_same(const std::string& path, const record::Mmap& mmap) const;
  // The build-id of the running kernel if a mapping of a kernel, "[kernel.kallsyms]_text", is one of it: made
  // here, on this release, and with that symbol at the address that it has now, which most kernels choose
  // anew at each start. Empty otherwise.
  [[nodiscard]] static std::string running_kernel(const record::Features& features, const record::Mmap& mmap);

 private:
  bool made_here_;
};

}  // namespace hm::profile
