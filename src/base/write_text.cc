// SPDX-License-Identifier: MIT
#include "base/write_text.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "base/unique_fd.h"

namespace hm {

Status write_text(const std::string& path, std::string_view text, mode_t mode) {
  const auto failed = [&] {
    return make_error(ErrorCode::kIo, "cannot write {}: {}", path, errno_text(errno));
  };
  UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode));
  if (!file.valid()) return failed();
  while (!text.empty()) {
    ssize_t written = ::write(file.get(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failed();
    text.remove_prefix(static_cast<size_t>(written));
  }
  if (::fsync(file.get()) != 0) return failed();
  return {};
}

}  // namespace hm
