// SPDX-License-Identifier: MIT
// The table of functions that every Go program contains for its own stack traces, also a stripped one, such
// as those of `go run` and `go test`: package debug/gosym and src/runtime/symtab.go in Go's sources.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "symbol/files/symbol_table.h"

namespace hm::symbol {

// Reads the contents of the section .gopclntab of Go 1.16 or later for a 64-bit little-endian machine.
// `text_start` is the address of .text, for files that leave the start of Go's code to the linker. Returns
// the functions in order of address, with names that point into `table`; empty if the table has another
// format or is damaged.
[[nodiscard]] std::vector<RawSymbol> read_go_functions(Bytes table, uint64_t text_start);

}  // namespace hm::symbol
