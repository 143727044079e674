// SPDX-License-Identifier: MIT
#include "mcp/mcp_server.h"

#include <unistd.h>

#include <cerrno>
#include <memory>

#include "cli/commands.h"
#include "cli/interrupts.h"

namespace hm::cli {
namespace {

Result<int> serve_assistant(const std::string& folder) {
  if (!folder.empty() && ::chdir(folder.c_str()) != 0)
    return make_error(ErrorCode::kNotFound, "cannot work in the folder {}: {}", folder, errno_text(errno));
  count_interrupts();
  Status served = mcp::serve({.version = HM_VERSION, .interrupted = [] { return interrupts() > 0; }});
  if (!served) return served.error();
  return status_after(interrupts() > 0, 0);
}

}  // namespace

Run add_mcp(CommandLine& line) {
  auto folder = std::make_shared<std::string>();
  line.add_option("-C,--folder", *folder,
                  "work in this folder: programs run there, and names of recordings are relative to it")
      .type("DIR");
  line.set_footer(
      "The client runs commands with your rights. It starts this server itself: see docs/editors.md for its settings.");
  return [folder] { return serve_assistant(*folder); };
}

}  // namespace hm::cli
