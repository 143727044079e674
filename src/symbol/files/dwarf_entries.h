// SPDX-License-Identifier: MIT
// Iterates over debugging information entries.
#pragma once

#include <dwarf.h>
#include <elfutils/libdw.h>

#include <cstddef>
#include <limits>

namespace hm::symbol {

// Calls visit(child) for each of the first `most` children.
template <typename F>
void for_each_child(Dwarf_Die parent, F&& visit, size_t most = std::numeric_limits<size_t>::max()) {
  Dwarf_Die child;
  size_t seen = 0;
  for (int status = dwarf_child(&parent, &child); status == 0 && seen < most;
       status = dwarf_siblingof(&child, &child), ++seen)
    visit(child);
}

// Returns true for the tags of code blocks in a function that may have their own variables.
[[nodiscard]] inline bool is_scope(int tag) {
  return tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block || tag == DW_TAG_try_block ||
         tag == DW_TAG_catch_block;
}

}  // namespace hm::symbol
