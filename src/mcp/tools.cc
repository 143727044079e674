// SPDX-License-Identifier: MIT
#include "mcp/tools.h"

namespace hm::mcp {

const std::vector<Tool>& all_tools() {
  static const std::vector<Tool> tools{run_tool(),  explain_tool(), report_tool(), annotate_tool(),
                                       diff_tool(), list_tool(),    doctor_tool()};
  return tools;
}

}  // namespace hm::mcp
