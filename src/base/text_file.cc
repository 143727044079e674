// SPDX-License-Identifier: MIT
#include "base/text_file.h"

#include <fcntl.h>

#include <array>
#include <cerrno>

#include "base/unique_fd.h"

namespace hm {

std::optional<std::string> read_text(const std::string& path, size_t max_bytes) {
  UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.valid()) return std::nullopt;
  std::string text;
  std::array<char, 16384> piece;
  while (true) {
    ssize_t bytes = ::read(file.get(), piece.data(), piece.size());
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes < 0) return std::nullopt;
    if (bytes == 0) return text;
    if (static_cast<size_t>(bytes) > max_bytes - text.size()) {
      errno = EFBIG;
      return std::nullopt;
    }
    text.append(piece.data(), static_cast<size_t>(bytes));
  }
}

}  // namespace hm
