// SPDX-License-Identifier: MIT
// Finds a Linux kernel for the guest, and those of its modules with which it reaches the host's files.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace hm::soft {

struct KernelModule {
  std::string name;
  std::vector<std::byte> image;
};

struct GuestKernel {
  std::string image;                  // path of its file
  std::string release;                // as uname -r prints it there
  std::vector<KernelModule> modules;  // in the order in which they have to be loaded
};

// Returns the kernel in the file `image`. If it is empty: this machine's own if it has the modules, else the
// newest of /boot that has. Fails with kNotFound, and a sentence that says what to install.
[[nodiscard]] Result<GuestKernel> find_guest_kernel(const std::string& image);

}  // namespace hm::soft
