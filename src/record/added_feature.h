// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/bytes.h"
#include "base/result.h"

namespace hm::record {

// Writes a copy of a recording to `path`, with one more feature section, or with another section in place of
// the one with this bit. Everything else keeps its bytes. `recording` is a whole perf.data file. Fails with
// kUnsupported for a recording that was piped, is unfinished, or is in the other byte order; with kDamaged,
// kIo or kPermission.
[[nodiscard]] Status write_with_feature(Bytes recording, unsigned bit, Bytes section,
                                        const std::string& path);

}  // namespace hm::record
