// SPDX-License-Identifier: MIT
// Symbol tables that are text: the kernel's own, and those that just-in-time compilers write.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "symbol/files/symbol_table.h"

namespace hm::symbol {

// "ADDRESS TYPE NAME [module]" a line, as in /proc/kallsyms (proc(5)). The code symbols of the kernel proper,
// relative to the symbol `reference` ("_text"), which makes them independent of where the kernel was loaded.
// kPermission where the kernel shows zeros for addresses; kNotFound where `reference` is not there.
Result<SymbolTable> parse_kallsyms(std::string_view text, std::string_view reference);
Result<SymbolTable> read_kallsyms(std::string_view reference);
// Where the running kernel has that symbol; kPermission and kNotFound as parse_kallsyms().
Result<uint64_t> kallsyms_address(std::string_view symbol);

// "START SIZE NAME" a line, numbers in hex: tools/perf/Documentation/jit-interface.txt in the Linux source.
// Lines that are something else are passed over.
[[nodiscard]] SymbolTable parse_perf_map(std::string_view text);
// kPermission for a file that belongs to neither this user nor root: anybody may write to the folder of maps.
Status check_owner(const std::string& path);
// As check_owner().
Result<SymbolTable> read_perf_map(const std::string& path);

}  // namespace hm::symbol
