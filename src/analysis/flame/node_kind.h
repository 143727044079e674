// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace hm::flame {

// What a node of a call tree stands for.
enum class NodeKind { kFunction, kProcess, kThread };

// Returns "function", "process" or "thread".
[[nodiscard]] std::string_view name_of(NodeKind kind);

}  // namespace hm::flame
