// SPDX-License-Identifier: MIT
#include "cli/block_trace.h"

#include <fmt/format.h>

#include <cerrno>
#include <fstream>
#include <memory>

#include "cli/output.h"

namespace hm::cli {
namespace {

std::string cannot_write(const std::string& path) {
  return fmt::format("cannot write {}: {}", path, errno_text(errno));
}

}  // namespace

Result<std::function<void(std::string_view)>> open_block_trace(const std::string& where) {
  if (where == kTraceToStandardError) return std::function<void(std::string_view)>(write_message);
  auto file = std::make_shared<std::ofstream>(where, std::ios::binary | std::ios::trunc);
  if (!*file) return Error{ErrorCode::kIo, cannot_write(where)};
  return std::function<void(std::string_view)>([file, where](std::string_view text) {
    if (!*file) return;
    *file << text << std::flush;
    if (!*file) (void)fail(cannot_write(where), 0);
  });
}

}  // namespace hm::cli
