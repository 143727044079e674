// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/emulate/defined_files.h"

#include "pmu/soft/direct/core/program_memory.h"
#include "pmu/soft/direct/emulate/defined_machine.h"
#include "pmu/soft/direct/emulate/resource_limits.h"
#include "pmu/soft/direct/process/process.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"

namespace hm::soft::direct {
namespace {

constexpr uint64_t kMaxBytes = uint64_t{1} << 20;

constexpr char kMemory[] =
    "MemTotal:        8388608 kB\nMemFree:         6291456 kB\nMemAvailable:    7340032 kB\nBuffers:               0 kB\nCached:          1048576 kB\nSwapCached:            0 kB\nSwapTotal:             0 kB\nSwapFree:              0 kB\nHugePages_Total:       0\nHugePages_Free:        0\nHugepagesize:       2048 kB\n";
constexpr char kTimesOfCpus[] =
    "cpu  10000000 0 0 0 0 0 0 0 0 0\ncpu0 10000000 0 0 0 0 0 0 0 0 0\nctxt 0\nbtime 1703967200\nprocesses 1\nprocs_running 1\nprocs_blocked 0\n";

// Files that describe the machine. Runtimes size their heaps and thread pools by them.
struct DefinedFile {
  const char *path, *text;
};
constexpr const char* kAbsent = nullptr;  // the file does not exist
constexpr DefinedFile kFiles[] = {
    {"/sys/devices/system/cpu/online", "0\n"},
    {"/sys/devices/system/cpu/possible", "0\n"},
    {"/sys/devices/system/cpu/present", "0\n"},
    {"/proc/meminfo", kMemory},
    {"/proc/stat", kTimesOfCpus},
    {"/proc/uptime", "100000.00 0.00\n"},
    {"/proc/loadavg", "0.00 0.00 0.00 1/1 1\n"},
    {"/proc/self/cgroup", "0::/\n"},
    {"/sys/fs/cgroup/cpu.max", kAbsent},
    {"/sys/fs/cgroup/memory.max", kAbsent},
    {"/sys/fs/cgroup/memory.high", kAbsent},
    {"/sys/fs/cgroup/cpu/cpu.cfs_quota_us", kAbsent},
    {"/sys/fs/cgroup/memory/memory.limit_in_bytes", kAbsent},
    {"/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", kAbsent},
    {"/proc/sys/vm/overcommit_memory", "0\n"},
    {"/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n"},
    {"/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "2097152\n"},
};
constexpr uint64_t kMaxPath = 64;  // longer than any of these paths

// Copies a string of the program. Returns false if it is longer than the buffer. The string may end at the
// end of the last mapped page.
bool read_path(uint64_t address, char (&path)[kMaxPath]) {
  constexpr uint64_t kPage = 4096;
  for (uint64_t done = 0; done < kMaxPath;) {
    uint64_t in_page = kPage - (address + done) % kPage, left = kMaxPath - done;
    uint64_t bytes = in_page < left ? in_page : left;
    if (!read_program(address + done, path + done, bytes)) return false;
    for (; bytes != 0; --bytes, ++done) {
      if (path[done] == '\0') return true;
    }
  }
  return false;
}

bool is_same(const char* a, const char* b) {
  for (; *a == *b; ++a, ++b) {
    if (*a == '\0') return true;
  }
  return false;
}

uint64_t length_of(const char* text) {
  uint64_t length = 0;
  while (text[length] != '\0') ++length;
  return length;
}

bool is_random_device(const char* path) {
  return is_same(path, "/dev/urandom") || is_same(path, "/dev/random");
}

// Returns false for other files.
bool find_file(const char* path, const char*& text) {
  text = defined_machine().processor;
  if (is_same(path, "/proc/cpuinfo")) return true;
  for (const DefinedFile& each : kFiles) {
    text = each.text;
    if (is_same(path, each.path)) return true;
  }
  return false;
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
  constexpr uint32_t kFileSize = 1;    // RLIMIT_FSIZE
  constexpr int64_t kNoSuchFile = -2;  // ENOENT
  char name[kMaxPath];
  if (!read_path(path, name)) return false;
  const char* text = nullptr;
  bool is_random = is_random_device(name), is_text = !is_random && find_file(name, text);
  if (is_text && text == kAbsent) {
    result = kNoSuchFile;
    return true;
  }
  if ((!is_random && !is_text) || !has_limit_of(kFileSize, kMaxBytes)) return false;
  result = make_file(flags);
  if (result < 0) return true;
  is_random ? put_random(result) : put(result, text, length_of(text), 0);
  return true;
}

}  // namespace hm::soft::direct
