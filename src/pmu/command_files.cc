// SPDX-License-Identifier: MIT
#include "pmu/command_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace hm::pmu {
namespace {

Result<UniqueFd> opened(const std::string& path, int flags) {
  UniqueFd file(::open(path.c_str(), flags | O_CLOEXEC, 0600));
  if (!file.valid()) return make_error(ErrorCode::kIo, "cannot open {}: {}", path, errno_text(errno));
  return file;
}

}  // namespace

Result<CommandFiles> open_command_files(CommandOutput output, const std::string& file) {
  CommandFiles files;
  if (output == CommandOutput::kAsIs) return files;
  if (output == CommandOutput::kToStandardError) {
    files.output = UniqueFd(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
    return files;
  }
  Result<UniqueFd> input = opened("/dev/null", O_RDONLY);
  if (!input) return input.error();
  Result<UniqueFd> to = output == CommandOutput::kToFile ? opened(file, O_WRONLY | O_CREAT | O_TRUNC)
                                                         : opened("/dev/null", O_WRONLY);
  if (!to) return to.error();
  files.input = *std::move(input);
  files.output = *std::move(to);
  files.also_errors = true;
  return files;
}

}  // namespace hm::pmu
