// SPDX-License-Identifier: MIT
#include "pmu/soft/sampling/kernel_frames.h"

#include <linux/mman.h>

#include "pmu/soft/ring/system_call.h"

namespace hm::soft {
namespace {

using model::PageFrame;
using model::PageFrames;
using model::PageUse;

// Bits of a page's entry in /proc/thread-self/pagemap, and (kZeroPage) of a frame's entry in
// /proc/kpageflags.
constexpr uint64_t kFrameBits = (uint64_t{1} << 55) - 1, kMappedOnce = uint64_t{1} << 56,
                   kOfFile = uint64_t{1} << 61, kPresent = uint64_t{1} << 63;
constexpr uint64_t kZeroPage = uint64_t{1} << 24;

// Reads the 64-bit entry of a page or frame in a file of /proc; 0 if it cannot be read.
uint64_t read_entry(const char* path, uint64_t number) {
  constexpr int64_t kWorkingFolder = -100, kCloseOnExec = 02000000, kSysPread = 17;
  int64_t fd = system_call(kSysOpenat, kWorkingFolder, pointer_argument(path), kCloseOnExec, 0);
  if (fd < 0) return 0;
  uint64_t entry = 0;
  int64_t got = system_call(kSysPread, fd, pointer_argument(&entry), sizeof(entry),
                            static_cast<int64_t>(number * sizeof(entry)));
  system_call(kSysClose, fd);
  return got == sizeof(entry) ? entry : 0;
}

uint64_t read_pagemap(uint64_t page) { return read_entry("/proc/thread-self/pagemap", page); }

void bring_in(uint64_t page, PageUse use) {
  constexpr int64_t kSysMadvise = 28, kPopulateRead = 22, kPopulateWrite = 23;
  system_call(kSysMadvise, static_cast<int64_t>(page << PageFrames::kPageShift),
              int64_t{1} << PageFrames::kPageShift, use == PageUse::kWrite ? kPopulateWrite : kPopulateRead);
}

}  // namespace

PageFrame frame_from_kernel(uint64_t page, PageUse use) {
  uint64_t entry = read_pagemap(page);
  bool is_own = (entry & kMappedOnce) != 0 && (entry & kOfFile) == 0;
  if ((entry & kPresent) == 0 || (use == PageUse::kWrite && !is_own)) {
    bring_in(page, use);
    entry = read_pagemap(page);
    is_own = (entry & kMappedOnce) != 0 && (entry & kOfFile) == 0;
  }
  uint64_t frame = entry & kFrameBits;
  if ((entry & kPresent) == 0 || frame == 0) return {};
  // For memory that was only read so far, many pages share one frame of zeros.
  bool may_be_zeros = !is_own && (entry & kOfFile) == 0;
  if (may_be_zeros && (read_entry("/proc/kpageflags", frame) & kZeroPage) != 0) return {};
  // After a store the page is private to the process, or belongs to a shared mapping, which is not copied on
  // write.
  return {frame, true, is_own || use != PageUse::kRead};
}

bool gives_memory_back(uint64_t advice) {
  return advice == MADV_DONTNEED || advice == MADV_FREE || advice == MADV_REMOVE ||
         advice == MADV_DONTNEED_LOCKED || advice == MADV_PAGEOUT;
}

void note_missing_frames(Session& session) {
  if (!session.geometry.physical) return;
  auto own_page = reinterpret_cast<uint64_t>(__builtin_frame_address(0)) >> PageFrames::kPageShift;
  if (!frame_from_kernel(own_page, PageUse::kWrite).known)
    __atomic_fetch_add(&session.without_frames, 1, __ATOMIC_RELAXED);
}

}  // namespace hm::soft
