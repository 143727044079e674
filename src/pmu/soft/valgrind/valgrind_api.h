// SPDX-License-Identifier: GPL-2.0-or-later
// Valgrind's tool interface, in C, and the few core functions that it does not declare.
#pragma once

#include <stddef.h>
#include <stdint.h>

// The headers are C, so they need extern "C", except for one that contains a C++ template.
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
