// SPDX-License-Identifier: MIT
// Symbol tables in text form: the kernel's, and those that just-in-time compilers write.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/unique_fd.h"
#include "symbol/files/symbol_table.h"

namespace hm::symbol {

// Parses a line "ADDRESS TYPE NAME" of /proc/kallsyms (proc(5)). Returns nullopt for data, and for a symbol
// of a module, which has "\t[MODULE]" after its name.
[[nodiscard]] std::optional<RawSymbol> parse_kallsyms_line(std::string_view line);
// Parses lines of the form "ADDRESS TYPE NAME [module]", as in /proc/kallsyms (proc(5)). Returns the code
// symbols of the kernel proper relative to the symbol `reference` ("_text"), which makes them independent of
// the kernel's load address. Fails with kPermission if the kernel shows zeros for addresses, and with
// kNotFound if `reference` is missing.
Result<SymbolTable> parse_kallsyms(std::string_view text, std::string_view reference);
// Returns the address of the symbol in the running kernel; fails like parse_kallsyms().
Result<uint64_t> kallsyms_address(std::string_view symbol);

// Parses lines of the form "START SIZE NAME", numbers in hex: tools/perf/Documentation/jit-interface.txt in
// the Linux source. Ignores other lines.
[[nodiscard]] SymbolTable parse_perf_map(std::string_view text);
// Fails with kPermission for a file that belongs to neither this user nor root, because any user may write to
// the folder of maps.
Status check_owner(const std::string& path);
// Reads a map that was kept or copied, of any owner.
Result<SymbolTable> read_perf_map_file(const std::string& path);
// Opens the map in the root of a process with its own root folder or PID namespace; not valid if there is
// none, or if it belongs to another user than the process and root.
[[nodiscard]] UniqueFd open_map_inside(pid_t pid);
// Returns a copy of /tmp/perf-PID.map. A process with its own root folder or PID namespace writes this file
// into its own /tmp, under the number that it has there. That file must belong to the user of the process or
// to root. The file in this process's /tmp is used if there is none, and fails like check_owner().
Result<UniqueFd> open_perf_map(const std::string& path);
// Returns true for "/tmp/perf-PID.map".
[[nodiscard]] bool is_perf_map(std::string_view path);
// Returns the symbols of a kernel from /proc/kallsyms or a copy of it; fails like parse_kallsyms().
Result<SymbolTable> read_kallsyms_file(const std::string& path, std::string_view reference);

}  // namespace hm::symbol
