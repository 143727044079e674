// SPDX-License-Identifier: MIT
#pragma once

#include "mcp/tool.h"

namespace hm::mcp {

[[nodiscard]] Tool run_tool();
[[nodiscard]] Tool report_tool();
[[nodiscard]] Tool explain_tool();
[[nodiscard]] Tool annotate_tool();
[[nodiscard]] Tool diff_tool();
[[nodiscard]] Tool list_tool();
[[nodiscard]] Tool doctor_tool();

}  // namespace hm::mcp
