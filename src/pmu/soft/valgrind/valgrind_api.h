// SPDX-License-Identifier: GPL-2.0-or-later
// Valgrind's C interface for tools, and the few functions of its core that a tool has to declare itself.
#pragma once

#include <stddef.h>
#include <stdint.h>

// The headers are C headers: all are in extern "C", except the one that contains a C++ template. They use C's
// keyword for static_assert since 3.24.
#define _Static_assert static_assert
extern "C" {
#include "pub_tool_basics.h"
}
#include "pub_tool_vki.h"
extern "C" {
#include "libvex.h"
#include "libvex_guest_amd64.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_clientstate.h"
#include "pub_tool_guest.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"
#include "pub_tool_stacktrace.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_transtab.h"
#include "pub_tool_vkiscnums.h"

// pub_core_aspacemgr.h
SysRes VG_(am_shared_mmap_file_float_valgrind)(SizeT length, UInt prot, Int fd, Off64T offset);
SysRes VG_(am_munmap_valgrind)(Addr start, SizeT length);
// pub_core_libcfile.h: moves a descriptor to a number that the client cannot close.
Int VG_(safe_fd)(Int oldfd);
}

#undef _Static_assert
