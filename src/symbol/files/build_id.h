// SPDX-License-Identifier: MIT
// Build IDs in lower-case hex: the linker's NT_GNU_BUILD_ID note, which identifies the exact build of an
// image.
#pragma once

#include <string>

#include "base/bytes.h"
#include "base/result.h"

struct Elf;

namespace hm::symbol {

// Fails with kNotFound if the file has no build ID.
[[nodiscard]] Result<std::string> build_id_of(const std::string& path);
// Returns the build ID of an ELF file of this machine's byte order, from its program headers; empty if it has
// none. Does not map the file, because its owner can truncate it.
[[nodiscard]] std::string build_id_of(int fd);
// Returns the build ID of the vDSO that the kernel mapped into this process.
[[nodiscard]] Result<std::string> vdso_build_id();
// Returns the build ID of the running kernel, from /sys/kernel/notes.
[[nodiscard]] Result<std::string> kernel_build_id();
// Returns an empty string if the image has no build ID.
[[nodiscard]] std::string build_id_of(Elf* elf);

// Returns true for 4 to 128 lower-case hex digits.
[[nodiscard]] bool is_build_id(std::string_view text);

// Returns true if one build ID is a prefix of the other: recordings store 20 bytes, padded with zeros.
[[nodiscard]] bool same_build_id(std::string_view a, std::string_view b);

}  // namespace hm::symbol
