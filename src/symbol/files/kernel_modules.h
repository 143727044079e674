// SPDX-License-Identifier: MIT
// Functions of the running kernel's modules, from /proc/kallsyms and /proc/modules.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "symbol/files/symbol_table.h"

namespace hm::symbol {

// Returns the module with this path in a recording: "ext4" for "[ext4]" and for
// "/lib/modules/6.1/fs/ext4.ko.xz"; empty for all other paths.
[[nodiscard]] std::string module_of(std::string_view path);

// Parses lines "NAME SIZE USERS USED_BY STATE 0xADDRESS" of /proc/modules. Returns nullopt if the module is
// not loaded or its address is hidden.
[[nodiscard]] std::optional<uint64_t> parse_module_address(std::string_view modules, std::string_view module);
[[nodiscard]] std::optional<uint64_t> module_address(std::string_view module);

// Parses lines "ADDRESS TYPE NAME\t[MODULE]" of /proc/kallsyms. Returns the module's code symbols relative to
// its address `start`.
[[nodiscard]] SymbolTable parse_module_symbols(std::string_view kallsyms, std::string_view module,
                                               uint64_t start);

// Returns the symbols of a module. `build_id` is that of the kernel that runs, or of the loaded module. Fails
// with kNotFound if the recorded module is not loaded, and with kPermission if the kernel hides addresses.
[[nodiscard]] Result<SymbolTable> read_module_symbols(std::string_view module, std::string_view build_id);

// Returns the address of a module of a kernel that was kept.
[[nodiscard]] std::optional<uint64_t> kept_module_address(std::string_view module,
                                                          const std::string& build_id);

// Returns the symbols of a module of a kernel that was kept (keep_kernel()). Fails with kNotFound if it was
// not.
[[nodiscard]] Result<SymbolTable> read_kept_module_symbols(std::string_view module,
                                                           const std::string& build_id);

}  // namespace hm::symbol
