// SPDX-License-Identifier: MIT
// Symbol tables in text form: the kernel's, and those that just-in-time compilers write.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "symbol/files/symbol_table.h"

namespace hm::symbol {

// Parses lines of the form "ADDRESS TYPE NAME [module]", as in /proc/kallsyms (proc(5)). Returns the code
// symbols of the kernel proper relative to the symbol `reference` ("_text"), which makes them independent of
// the kernel's load address. Fails with kPermission if the kernel shows zeros for addresses, and with
// kNotFound if `reference` is missing.
Result<SymbolTable> parse_kallsyms(std::string_view text, std::string_view reference);
Result<SymbolTable> read_kallsyms(std::string_view reference);
// Returns the address of the symbol in the running kernel; fails like parse_kallsyms().
Result<uint64_t> kallsyms_address(std::string_view symbol);

// Parses lines of the form "START SIZE NAME", numbers in hex: tools/perf/Documentation/jit-interface.txt in
// the Linux source. Ignores other lines.
[[nodiscard]] SymbolTable parse_perf_map(std::string_view text);
// Fails with kPermission for a file that belongs to neither this user nor root, because any user may write to
// the folder of maps.
Status check_owner(const std::string& path);
// Fails like check_owner().
Result<SymbolTable> read_perf_map(const std::string& path);

}  // namespace hm::symbol
