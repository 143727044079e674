// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "base/result.h"

namespace hm {

// Creates or replaces a file, with this mode if it is new, and syncs its contents (fsync(2)). To replace a
// file at once, write another one and rename it. Fails with kIo; the file may then have a part of the text.
Status write_text(const std::string& path, std::string_view text, mode_t mode);

}  // namespace hm
