// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/bytes.h"

namespace hm {

// Writes all bytes at the offset of a file, and leaves the file's position as it is. Returns false if that
// fails, with errno.
[[nodiscard]] bool write_all(int fd, Bytes bytes, uint64_t offset = 0);

}  // namespace hm
