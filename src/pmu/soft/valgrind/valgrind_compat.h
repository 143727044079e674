// SPDX-License-Identifier: GPL-2.0-or-later
// Differences between the versions of Valgrind that the tool can be built with (3.19 to 3.27). The compiler
// selects what fits the installed headers.
#pragma once

#include "valgrind_api.h"

namespace hm::soft::vg {

// VG_(am_shadow_alloc) returns a pointer in 3.19 and a SysRes in later versions.
inline void* block_of(void* allocated) { return allocated; }
inline void* block_of(SysRes allocated) {
  return sr_isError(allocated) ? nullptr : reinterpret_cast<void*>(sr_Res(allocated));
}

// Returns zeroed memory of the tool, or nullptr if there is none.
inline void* allocate_pages(SizeT bytes) { return block_of(VG_(am_shadow_alloc)(bytes)); }

// VG_(out_of_memory_NORETURN) takes an error number as its last argument in versions later than 3.19.
template <typename... ErrorNumber>
void call_out_of_memory(void (*report)(const HChar*, SizeT, ErrorNumber...), const HChar* what, SizeT bytes) {
  report(what, bytes, ErrorNumber{}...);
}

// Prints that there is no memory for `what`, and ends the process.
inline void fail_for_lack_of_memory(const HChar* what, SizeT bytes) {
  call_out_of_memory(VG_(out_of_memory_NORETURN), what, bytes);
}

}  // namespace hm::soft::vg
