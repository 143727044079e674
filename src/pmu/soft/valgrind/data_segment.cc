// SPDX-License-Identifier: GPL-2.0-or-later
// Lets the program break grow as far as natively. Valgrind's core reserves only 8 MiB after the program for
// it (coregrind/m_initimg/initimg-linux.c, setup_client_dataseg). Beyond that the C library uses mapped
// memory, so heap blocks would have other addresses, and other misses, than natively. If the core's first
// reservation fails, it requests another location. So this refuses the first one, and then provides a larger
// location. The linker redirects the core's calls here (--wrap).
#include "valgrind_api.h"

extern "C" {
extern Addr VG_(brk_base);  // pub_core_clientstate.h

Bool __real_vgPlain_am_create_reservation(Addr start, SizeT length, ShrinkMode shrinks, SSizeT extra);
Addr __real_vgPlain_am_get_advisory_client_simple(Addr start, SizeT length, Bool* ok);
}

namespace {

constexpr SizeT kPage = 4096;
constexpr SizeT kLargest = SizeT{64} << 30;

enum class Step { kFirstTry, kAsksForPlace, kTakesPlace, kDone };
Step g_step = Step::kFirstTry;
Addr g_place;  // start of the data segment, once known
SizeT g_bytes;

}  // namespace

extern "C" {

Bool __wrap_vgPlain_am_create_reservation(Addr start, SizeT length, ShrinkMode shrinks, SSizeT extra) {
  if (g_step == Step::kFirstTry && shrinks == SmLower && start == VG_(brk_base) + kPage) {
    g_step = Step::kAsksForPlace;
    return False;
  }
  if (g_step == Step::kTakesPlace && start == g_place + kPage) {
    g_step = Step::kDone;
    if (__real_vgPlain_am_create_reservation(start, g_bytes - kPage, shrinks, extra)) return True;
  }
  return __real_vgPlain_am_create_reservation(start, length, shrinks, extra);
}

Addr __wrap_vgPlain_am_get_advisory_client_simple(Addr start, SizeT length, Bool* ok) {
  if (g_step != Step::kAsksForPlace) return __real_vgPlain_am_get_advisory_client_simple(start, length, ok);
  g_step = Step::kTakesPlace;
  for (g_bytes = kLargest; g_bytes > length; g_bytes /= 2) {
    g_place = __real_vgPlain_am_get_advisory_client_simple(start, g_bytes, ok);
    if (*ok) return g_place;
  }
  g_bytes = length;
  return g_place = __real_vgPlain_am_get_advisory_client_simple(start, length, ok);
}
}
