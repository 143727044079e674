// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/session/ring_recording.h"

#include "pmu/soft/direct/runtime/memory.h"
#include "pmu/soft/direct/runtime/runtime.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"
#include "pmu/soft/sampling/kernel_frames.h"

namespace hm::soft::direct {
namespace {

constexpr uint32_t kOwn = 8;  // maximum number of the engine's descriptors

struct Limit {
  uint64_t soft, hard;
};

// Sets this process's limit on descriptors, unless `wanted` is null. Returns false if the kernel refuses.
bool exchange_limit(const Limit* wanted, Limit* before) {
  constexpr int64_t kDescriptors = 7;  // RLIMIT_NOFILE
  return system_call(kPrlimit, 0, kDescriptors, pointer_argument(wanted), pointer_argument(before)) == 0;
}

// Returns a duplicate of the descriptor with the lowest free number from `from` on; negative: an error.
int64_t duplicate(int fd, uint64_t from) {
  constexpr int64_t kDuplicateCloseOnExec = 1030;  // F_DUPFD_CLOEXEC
  return system_call(kSysFcntl, fd, kDuplicateCloseOnExec, static_cast<int64_t>(from));
}

// Returns a duplicate with the highest free number below `end`: the program gets all lower numbers first.
int64_t duplicate_below(int fd, uint64_t end) {
  int64_t high = -1;
  for (uint64_t i = 1; i <= kOwn && i < end && high < 0; ++i) high = duplicate(fd, end - i);
  return high;
}

// Moves a descriptor of the engine to a number that the target does not use: above the target's limit if
// possible. That requires a higher hard limit or CAP_SYS_RESOURCE.
int hide_own_descriptor(int fd) {
  constexpr uint64_t kHighest = 65536;  // fork copies the descriptor table up to this number
  Limit limit{};
  exchange_limit(nullptr, &limit);
  bool is_low = limit.soft <= kHighest;
  Limit raised{limit.soft + kOwn, limit.hard < limit.soft + kOwn ? limit.soft + kOwn : limit.hard};
  bool room_above = is_low && exchange_limit(&raised, nullptr);
  int64_t high = room_above ? duplicate(fd, limit.soft)
                 : is_low   ? duplicate_below(fd, limit.soft)
                            : duplicate(fd, kHighest);
  if (room_above) exchange_limit(&limit, nullptr);
  if (high < 0) return fd;
  system_call(kSysClose, fd);
  return static_cast<int>(high);
}

struct Wanted {
  Recording& recording;
  uint32_t pid;
  uint64_t start, end;
};

void record_range(const MappedRange& range, void* argument) {
  const auto& wanted = *static_cast<const Wanted*>(argument);
  bool is_wanted = range.end > wanted.start && range.start < wanted.end;
  if (!is_wanted || is_engine(range) || is_own_mapping(range.start)) return;
  Mapping mapping;
  mapping.start = range.start;
  mapping.bytes = range.end - range.start;
  mapping.file_offset = range.offset;
  mapping.device_major = range.major;
  mapping.device_minor = range.minor;
  mapping.inode = range.inode;
  mapping.protection = range.protection;
  mapping.shared = range.shared;
  mapping.of_file = range.inode != 0;
  mapping.name = range.path[0] == '\0' ? "//anon" : range.path;
  if (mapping.worth_recording())
    wanted.recording.write(mapping_record({wanted.pid, wanted.pid, monotonic_ns()}, mapping));
}

}  // namespace

void* SessionFiles::map_shared(int fd, uint64_t bytes) {
  return map_file(fd, bytes, kReadWrite, Sharing::kShared);
}
void SessionFiles::unmap(void* mapping, uint64_t bytes) { unmap_pages(mapping, bytes); }
int SessionFiles::hide_descriptor(int fd) { return hide_own_descriptor(fd); }

bool Recording::open(const char* folder, int passed) {
  if (!link_.open_session(folder, passed)) return false;
  runtime().given_up = &session()->cut_short;
  runtime().lost_pages = &session()->lost_pages;
  return true;
}

void Recording::open_ring(uint32_t pid) {
  if (!link_.open_ring()) return;
  link_.ring()->open(pid);
  note_missing_frames(*session());
}

void Recording::close_ring() {
  if (RingWriter* own = ring()) own->close();
}

bool Recording::is_within_limit(uint32_t descriptor) {
  Limit limit{};
  return exchange_limit(nullptr, &limit) && descriptor < limit.soft;
}

bool Recording::holds_last_descriptors() const {
  if (!is_within_limit(first_own_descriptor(0))) return false;
  int64_t free = duplicate(link_.folder_descriptor(), 0);
  if (free >= 0) system_call(kSysClose, free);
  return free < 0;
}

uint32_t Recording::first_own_descriptor(uint32_t from) const {
  uint32_t first = ~uint32_t{0};
  const int all[] = {link_.folder_descriptor(), link_.session_descriptor(), link_.ring_descriptor()};
  for (int each : all) {
    auto own = static_cast<uint32_t>(each);
    if (each >= 0 && own >= from && own < first) first = own;
  }
  return first;
}

void Recording::write(RecordBuilder&& record) {
  if (ring() == nullptr) return;
  Guard guard(lock_);
  record.write_to(*ring());
}

void Recording::write(const NoticeRecord& notice) {
  if (ring() == nullptr) return;
  Guard guard(lock_);
  ring()->write(&notice, sizeof(notice));
}

void Recording::write_mappings(uint32_t pid, uint64_t start, uint64_t end) {
  if (ring() == nullptr) return;
  Wanted wanted{*this, pid, start, end};
  maps_.for_each_in(start, end, record_range, &wanted);
}

void Recording::write_program_start(uint32_t pid) {
  char path[4096];
  int64_t length = system_call(kReadlink, pointer_argument("/proc/thread-self/exe"), pointer_argument(path),
                               sizeof(path) - 1);
  path[length > 0 ? length : 0] = '\0';
  write(comm_record({pid, pid, monotonic_ns()}, base_name(path), true));
  write_mappings(pid, 0, ~uint64_t{0});
}

}  // namespace hm::soft::direct
