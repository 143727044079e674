// SPDX-License-Identifier: MIT
// Names that just-in-time compilers and interpreters give to their functions in /tmp/perf-PID.map.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hm::symbol {

// Returns the name as programmers write it, if the name is one of Node.js, CPython, or of the JVM in the form
// of type descriptors (display_name.h); nullopt for other names. `detailed`: with V8's mark of the compiler
// ("*" optimizing, "~" interpreter, "^" and "+" those between), Python's path, or Java's parameters.
[[nodiscard]] std::optional<std::string> compiled_name(std::string_view name, bool detailed);

}  // namespace hm::symbol
