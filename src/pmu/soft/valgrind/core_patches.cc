// SPDX-License-Identifier: GPL-2.0-or-later
// Disables work that Valgrind's core does for its tools, unless the session needs it. The linker redirects
// the core's uses of these functions here (--wrap).
#include "session_link.h"
#include "valgrind_api.h"

extern "C" {

// Reading a file's debug information takes longer than translating a short program. The core needs it to
// unwind stacks and to name functions; here the recorder names functions.
ULong __real_vgPlain_di_notify_mmap(Addr start, Bool of_valgrind_too, Int descriptor);

ULong __wrap_vgPlain_di_notify_mmap(Addr start, Bool of_valgrind_too, Int descriptor) {
  const hm::soft::Session* session = hm::soft::vg::session();
  if (session == nullptr || session->call_chain_depth == 0) return 0;
  return __real_vgPlain_di_notify_mmap(start, of_valgrind_too, descriptor);
}
}
