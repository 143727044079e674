// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "base/result.h"
#include "view/text/table.h"

namespace hm::cli {

// The terminal behind standard output: its width, and colour where NO_COLOR (no-color.org) is not set. What
// is no terminal gets full width and no colour.
[[nodiscard]] text::Style output_style();

// To standard output. A reader that has gone away (`| head`) is no error. kIo where it cannot be written.
Status write_output(std::string_view text);

}  // namespace hm::cli
