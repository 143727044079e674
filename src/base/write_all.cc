// SPDX-License-Identifier: MIT
#include "base/write_all.h"

#include <unistd.h>

namespace hm {

bool write_all(int fd, Bytes bytes, uint64_t offset) {
  while (!bytes.empty()) {
    ssize_t written = ::pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written <= 0) return false;
    bytes = bytes.subspan(static_cast<size_t>(written));
    offset += static_cast<uint64_t>(written);
  }
  return true;
}

}  // namespace hm
