// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hm::symbol {

// Demangles a `name` that begins with "_R". Grammar: Rust RFC 2603, "Symbol name mangling v0".
[[nodiscard]] std::optional<std::string> demangle_rust_v0(std::string_view name);

}  // namespace hm::symbol
