// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/emulate/descriptors.h"

#include "pmu/soft/direct/core/program_memory.h"
#include "pmu/soft/direct/process/process.h"
#include "pmu/soft/direct/runtime/descriptor_path.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"
#include "pmu/soft/ring/decimal.h"

namespace hm::soft::direct {
namespace {

bool is_own(uint32_t descriptor) {
  return g_process.recording.first_own_descriptor(descriptor) == descriptor;
}

}  // namespace

bool uses_own_descriptor(const Thread& thread, uint64_t number) {
  const uint64_t* r = thread.context.registers;
  bool has_second = number == kDup2 || number == kDup3;
  return is_own(static_cast<uint32_t>(r[kDi])) || (has_second && is_own(static_cast<uint32_t>(r[kSi])));
}

bool replaces_own_descriptor(const Context& context, uint64_t number) {
  const uint64_t* r = context.registers;
  bool replaces = number == kDup2 || number == kDup3;
  return replaces && is_own(static_cast<uint32_t>(r[kSi])) &&
         g_process.recording.is_within_limit(static_cast<uint32_t>(r[kSi]));
}

bool lacks_descriptor(int64_t result) {
  constexpr int64_t kTooMany = -24;  // EMFILE
  return result == kTooMany && g_process.recording.holds_last_descriptors();
}

int64_t close_range_but_own(const Thread& thread) {
  constexpr int64_t kMarkOnly = 4;  // CLOSE_RANGE_CLOEXEC: the engine's descriptors have this mark already
  constexpr auto kCloseRangeCall = static_cast<int64_t>(kCloseRange);
  const uint64_t* r = thread.context.registers;
  auto first = static_cast<uint32_t>(r[kDi]), last = static_cast<uint32_t>(r[kSi]);
  auto flags = static_cast<int64_t>(r[kDx]);
  if (first > last || (flags & kMarkOnly) != 0) return system_call(kCloseRangeCall, first, last, flags);
  while (true) {
    uint32_t own = g_process.recording.first_own_descriptor(first);
    if (own > last) return system_call(kCloseRangeCall, first, last, flags);
    if (own > first) {
      int64_t result = system_call(kCloseRangeCall, first, own - 1, flags);
      if (result < 0) return result;
    }
    if (own == last) return 0;
    first = own + 1;
  }
}

namespace {

// The beginning of struct linux_dirent and of struct linux_dirent64; a name follows.
struct EntryHead {
  uint64_t inode;
  int64_t offset;
  uint16_t bytes;
};

// Returns true if an entry's name is the number of one of the engine's descriptors.
bool names_own(uint64_t entry, uint64_t number) {
  constexpr uint64_t kNameOffset = 18, kNameOffset64 = 19;
  constexpr unsigned kMaxDigits = 9;
  uint64_t name = entry + (number == kGetdents64 ? kNameOffset64 : kNameOffset);
  uint32_t value = 0;
  for (unsigned i = 0; i <= kMaxDigits; ++i) {
    char digit = 0;
    if (!read_program(name + i, digit)) return false;
    if (digit == '\0') return i != 0 && is_own(value);
    if (digit < '0' || digit > '9') return false;
    value = value * 10 + static_cast<uint32_t>(digit - '0');
  }
  return false;
}

// Returns true for /proc/PID/fd and /proc/PID/fdinfo of the calling process, and for those of its threads.
bool lists_own_descriptors(uint32_t folder) {
  char path[64];
  int64_t length = read_descriptor_path(folder, path, sizeof(path));
  char own[sizeof("/proc/") + kMaxDecimalDigits + 1] = "/proc/";
  char* end = write_decimal(own + sizeof("/proc/") - 1, static_cast<uint64_t>(system_call(kSysGetpid)));
  *end++ = '/';
  int64_t prefix = end - own;
  if (length <= prefix || __builtin_memcmp(path, own, static_cast<uint64_t>(prefix)) != 0) return false;
  const auto ends_with = [&](const char* name, int64_t bytes) {
    return length >= bytes &&
           __builtin_memcmp(path + length - bytes, name, static_cast<uint64_t>(bytes)) == 0;
  };
  return ends_with("/fd", 3) || ends_with("/fdinfo", 7);
}

}  // namespace

int64_t remove_own_descriptors(const Thread& thread, uint64_t number, int64_t bytes) {
  const uint64_t* r = thread.context.registers;
  auto folder = static_cast<uint32_t>(r[kDi]);
  uint64_t entry = r[kSi], end = entry + static_cast<uint64_t>(bytes);
  EntryHead head{};
  while (entry < end && read_program(entry, head) && head.bytes != 0 && head.bytes <= end - entry) {
    uint64_t next = entry + head.bytes;
    if (!names_own(entry, number)) {
      entry = next;
      continue;
    }
    if (!lists_own_descriptors(folder)) return bytes;
    if (!write_program(entry, reinterpret_cast<const void*>(next), end - next)) return bytes;
    end -= head.bytes;
  }
  return static_cast<int64_t>(end - r[kSi]);
}

}  // namespace hm::soft::direct
