// SPDX-License-Identifier: MIT
// Linux kernels for x86 as files: bzImage, and the ELF file "vmlinux" inside it. The files are untrusted.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace hm::soft {

// Returns the release as uname -r prints it, such as "6.1.0-50-amd64". Fails with kInvalidArgument if the
// bytes are neither of the two.
[[nodiscard]] Result<std::string> kernel_release(Bytes image);

// Returns the kernel in a form that QEMU can start without a boot loader (PVH), so that no code in the guest
// has to unpack it. Fails with kUnsupported if the kernel is packed in another way than gzip, xz or zstd, or
// cannot be started so.
[[nodiscard]] Result<std::vector<std::byte>> startable_kernel(Bytes image);

}  // namespace hm::soft
