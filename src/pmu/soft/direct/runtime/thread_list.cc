// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/runtime/thread_list.h"

#include "pmu/soft/ring/system_call.h"

namespace hm::soft::direct {
namespace {

constexpr int64_t kSysOpen = 2, kSysGetdents64 = 217;
constexpr int64_t kFolderFlags = 0200000 | 02000000;  // O_DIRECTORY | O_CLOEXEC

// getdents(2), linux_dirent64.
constexpr uint32_t kLengthOffset = 16, kNameOffset = 19;

// Returns the number in `name`; 0 if the name is not a number.
uint32_t number_of(const char* name) {
  uint32_t number = 0;
  for (; *name >= '0' && *name <= '9'; ++name) number = number * 10 + static_cast<uint32_t>(*name - '0');
  return *name == '\0' ? number : 0;
}

}  // namespace

void for_each_thread(void (*visit)(uint32_t thread)) {
  alignas(8) char entries[4096];
  int64_t folder = system_call(kSysOpen, pointer_argument("/proc/self/task"), kFolderFlags);
  if (folder < 0) return;
  for (int64_t got;
       (got = system_call(kSysGetdents64, folder, pointer_argument(entries), sizeof(entries))) > 0;) {
    for (int64_t at = 0; at < got;) {
      uint16_t length = 0;
      __builtin_memcpy(&length, entries + at + kLengthOffset, sizeof(length));
      if (uint32_t thread = number_of(entries + at + kNameOffset)) visit(thread);
      at += length;
    }
  }
  system_call(kSysClose, folder);
}

}  // namespace hm::soft::direct
