// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hm::symbol {

// Demangles a Rust symbol: the legacy scheme (`_ZN...17h<hash>E`) and v0 (`_R...`, Rust RFC 2603), without
// hashes. Returns nullopt if `name` is neither, or uses grammar newer than the RFC. Work and output are
// bounded.
[[nodiscard]] std::optional<std::string> demangle_rust(std::string_view name);

}  // namespace hm::symbol
