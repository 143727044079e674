// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "view/text/table.h"

namespace hm::cli {

// The terminal behind standard output: its width, colour where NO_COLOR (no-color.org) is not set, and
// drawing characters where the locale is UTF-8. What is no terminal gets full width and neither.
[[nodiscard]] text::Style output_style();

// How many columns and rows the terminal behind the descriptor has; 0 where there is none, or it does not
// say. Asked each time: a terminal can change its size.
struct TerminalSize {
  size_t columns = 0;
  size_t rows = 0;
};
[[nodiscard]] TerminalSize terminal_size(int descriptor);

// To standard output. A reader that has gone away (`| head`) is no error. kIo where it cannot be written.
Status write_output(std::string_view text);

// Likewise; gives `status`, for the program to end with.
[[nodiscard]] Result<int> print(std::string_view text, int status = 0);

// Over the file that is there. kIo where it cannot be written.
Status write_file(const std::string& path, std::string_view text);

// To standard error; where that is closed there is nobody to tell.
void write_message(std::string_view text);

// "hardmeter: MESSAGE" on standard error. Returns `status`, for the program to end with.
int fail(std::string_view message, int status);

}  // namespace hm::cli
