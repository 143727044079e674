// SPDX-License-Identifier: GPL-2.0-or-later
// What Valgrind's core does for tools that want it, and this one does only where somebody asks. The linker
// sends the core's uses of these functions here (--wrap).
#include "session_link.h"
#include "valgrind_api.h"

extern "C" {

// Reading a file's debug information takes longer than translating what a short program runs; the core needs
// it to unwind stacks, and to name functions, which is the recorder's business here.
ULong __real_vgPlain_di_notify_mmap(Addr start, Bool of_valgrind_too, Int descriptor);

ULong __wrap_vgPlain_di_notify_mmap(Addr start, Bool of_valgrind_too, Int descriptor) {
  const hm::soft::Session* session = hm::soft::vg::session();
  if (session == nullptr || session->call_chain_depth == 0) return 0;
  return __real_vgPlain_di_notify_mmap(start, of_valgrind_too, descriptor);
}
}
