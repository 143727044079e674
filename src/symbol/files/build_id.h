// SPDX-License-Identifier: MIT
// Build-ids, in lower-case hex: the linker's NT_GNU_BUILD_ID note that names an image's exact build.
#pragma once

#include <string>

#include "base/bytes.h"
#include "base/result.h"

struct Elf;

namespace hm::symbol {

// kNotFound where the file has no build-id.
[[nodiscard]] Result<std::string> build_id_of(const std::string& path);
// Of the vDSO that the kernel mapped into this process.
[[nodiscard]] Result<std::string> vdso_build_id();
// Of the running kernel, from /sys/kernel/notes.
[[nodiscard]] Result<std::string> kernel_build_id();
// Empty where the image has none.
[[nodiscard]] std::string build_id_of(Elf* elf);

// Build-ids agree where one is a prefix of the other: recordings hold 20 bytes, zeros after a shorter id.
[[nodiscard]] bool same_build_id(std::string_view a, std::string_view b);

}  // namespace hm::symbol
