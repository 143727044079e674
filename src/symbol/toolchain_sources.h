// SPDX-License-Identifier: MIT
// Sources that Go and Rust install on this machine.
#pragma once

#include <optional>
#include <string>

namespace hm::symbol {

// Returns the file of Go's module cache that a path names: with -trimpath "example.com/m@v1.2.3/f.go",
// without it a path in another user's cache. The version makes it the very file.
[[nodiscard]] std::optional<std::string> go_module_file(const std::string& path);

// Returns the file of an installed toolchain's standard library: Rust's for "/rustc/COMMIT/library/...", Go's
// for
// ".../src/runtime/proc.go" and, with -trimpath, "runtime/proc.go". The toolchain may be of another version.
[[nodiscard]] std::optional<std::string> toolchain_file(const std::string& path);

}  // namespace hm::symbol
