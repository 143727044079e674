// SPDX-License-Identifier: GPL-2.0-or-later
// Work that Valgrind's core does for all tools, and that this tool needs only on request. The linker
// redirects the core's calls of these functions here (--wrap).
#include "session_link.h"
#include "valgrind_api.h"

extern "C" {

// Reads a file's debug information only if call chains are requested. This takes longer than translating the
// code of a short program. The core needs the information to unwind stacks and to name functions, but here
// the recorder names functions.
ULong __real_vgPlain_di_notify_mmap(Addr start, Bool of_valgrind_too, Int descriptor);

ULong __wrap_vgPlain_di_notify_mmap(Addr start, Bool of_valgrind_too, Int descriptor) {
  const hm::soft::Session* session = hm::soft::vg::session();
  if (session == nullptr || session->call_chain_depth == 0) return 0;
  return __real_vgPlain_di_notify_mmap(start, of_valgrind_too, descriptor);
}
}
