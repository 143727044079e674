// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "view/text/table.h"

namespace hm::cli {

// Returns the style for standard output: the terminal's width, colour unless NO_COLOR (no-color.org) is set
// or TERM is "dumb", and drawing characters if the locale is UTF-8. If standard output is not a terminal, the
// width is unlimited, without colour and drawing characters.
[[nodiscard]] text::Style output_style(bool full_names = false);

// Columns and rows of the terminal behind a descriptor; 0 if it is not a terminal or its size is unknown.
// Read the size each time, because it can change.
struct TerminalSize {
  size_t columns = 0;
  size_t rows = 0;
};
[[nodiscard]] TerminalSize terminal_size(int descriptor);

// Writes to standard output. A closed pipe (`| head`) is not an error. Fails with kIo if writing fails.
Status write_output(std::string_view text);

// Writes to standard output and returns `status`, the program's exit status.
[[nodiscard]] Result<int> print(std::string_view text, int status = 0);

// Replaces an existing file. Fails with kIo if it cannot be written; a new file is then removed.
Status write_file(const std::string& path, std::string_view text);

// Writes lines to standard error, and ignores errors. Control characters are escaped: messages may hold names
// of files and of other programs.
void write_message(std::string_view text);

// The same for sentences, which a terminal's width breaks.
void write_sentences(std::string_view text);

// Writes text with control sequences to the terminal behind standard error, and ignores errors.
void write_to_terminal(std::string_view text);

// Writes the sentence "hardmeter: MESSAGE" to standard error. Returns `status`, the program's exit status.
int fail(std::string_view message, int status);

}  // namespace hm::cli
