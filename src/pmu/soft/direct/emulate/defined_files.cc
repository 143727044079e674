// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/emulate/defined_files.h"

#include "pmu/soft/direct/core/program_memory.h"
#include "pmu/soft/direct/emulate/resource_limits.h"
#include "pmu/soft/direct/process/process.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"

namespace hm::soft::direct {
namespace {

constexpr uint64_t kMaxBytes = uint64_t{1} << 20;

// Returns true if the program has this string at `address`.
template <size_t kBytes>
bool is_string(uint64_t address, const char (&text)[kBytes]) {
  char found[kBytes];
  return read_program(address, found, kBytes) && __builtin_memcmp(found, text, kBytes) == 0;
}

bool is_random_device(uint64_t path) {
  return is_string(path, "/dev/urandom") || is_string(path, "/dev/random");
}

// Returns true for the lists of the machine's processors.
bool is_cpu_list(uint64_t path) {
  return is_string(path, "/sys/devices/system/cpu/online") ||
         is_string(path, "/sys/devices/system/cpu/possible") ||
         is_string(path, "/sys/devices/system/cpu/present");
}

// Returns the lowest free descriptor.
int64_t make_file(uint64_t flags) {
  constexpr uint64_t kCloseOnExec = 02000000, kMemfdCloseOnExec = 1;  // O_CLOEXEC, MFD_CLOEXEC
  return system_call(kMemfdCreate, pointer_argument("defined"),
                     (flags & kCloseOnExec) != 0 ? kMemfdCloseOnExec : 0);
}

void put(int64_t fd, const void* bytes, uint64_t count, uint64_t offset) {
  system_call(kPwrite64, fd, pointer_argument(bytes), static_cast<int64_t>(count),
              static_cast<int64_t>(offset));
}

// More random numbers than programs read.
void put_random(int64_t fd) {
  uint64_t words[512];
  for (uint64_t written = 0; written < kMaxBytes; written += sizeof(words)) {
    for (uint64_t& word : words) word = g_process.defined.random();
    put(fd, words, sizeof(words), written);
  }
}

}  // namespace

bool open_defined_file(uint64_t path, uint64_t flags, int64_t& result) {
  constexpr uint32_t kFileSize = 1;  // RLIMIT_FSIZE
  bool is_random = is_random_device(path);
  if ((!is_random && !is_cpu_list(path)) || !has_limit_of(kFileSize, kMaxBytes)) return false;
  result = make_file(flags);
  if (result < 0) return true;
  constexpr char kOneCpu[] = {'0', '\n'};
  is_random ? put_random(result) : put(result, kOneCpu, sizeof(kOneCpu), 0);
  return true;
}

}  // namespace hm::soft::direct
