// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/program/common_models.h"
#include "base/thread_safety.h"

#include "pmu/soft/direct/runtime/memory.h"
#include "pmu/soft/direct/runtime/process_area.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"

namespace hm::soft::direct {
using model::Processes;

// Located at kCommonModelsBase. The memory is zeroed at first: the first process builds the models.
struct SessionModels {
  enum State : uint32_t { kEmpty, kBeingBuilt, kBuilt };
  uint32_t state;
  alignas(64) Processes processes;
};
static_assert(sizeof(SessionModels) < kCommonModelsBytes / 2);

namespace {

// Any process may call this function: the engine is at the same address in all processes.
void* more_common_memory(uint64_t bytes) {
  return reinterpret_cast<SessionModels*>(kCommonModelsBase)->processes.take(bytes);
}

// Returns false if the process that began to build the models does not finish, because it was killed.
bool build_once(SessionModels& common, const model::MachineGeometry& geometry) {
  uint32_t state = SessionModels::kEmpty;
  if (__atomic_compare_exchange_n(&common.state, &state, SessionModels::kBeingBuilt, false, __ATOMIC_SEQ_CST,
                                  __ATOMIC_SEQ_CST)) {
    common.processes.build(kCommonModelsBytes - offsetof(SessionModels, processes), more_common_memory,
                           geometry);
    __atomic_store_n(&common.state, SessionModels::kBuilt, __ATOMIC_SEQ_CST);
  }
  constexpr int kMaxLooks = 1000;
  for (int i = 0; i < kMaxLooks; ++i) {
    if (__atomic_load_n(&common.state, __ATOMIC_SEQ_CST) == SessionModels::kBuilt) return true;
    system_call(kSchedYield);
  }
  return false;
}

// A process ID is unique only in its PID namespace, so the namespace is part of the process's name.
constexpr unsigned kNamespaceShift = 32;

uint64_t name_of(uint32_t pid) {
  FileStatus status{};
  system_call(kStat, pointer_argument("/proc/thread-self/ns/pid"), pointer_argument(&status));
  return status.inode << kNamespaceShift | pid;
}

bool is_alive(uint64_t process) {
  constexpr int64_t kNoSuchProcess = -3;
  auto pid = static_cast<uint32_t>(process);
  bool is_foreign = name_of(pid) != process;  // of another namespace: it cannot be checked
  return is_foreign || system_call(kSysKill, pid, 0) != kNoSuchProcess;
}

bool is_system_v(const MappedRange& range) { return __builtin_memcmp(range.path, "/SYSV", 5) == 0; }

// Returns true if other processes may share the memory. Files count only if they are mapped writable. Devices
// do not count, because two mappings of one device need not be the same memory.
bool is_for_many(const MappedRange& range) {
  constexpr uint32_t kWrite = 2;
  const auto begins_with = [&](const char* text, size_t length) {
    return __builtin_memcmp(range.path, text, length) == 0;
  };
  if (!range.shared) return false;
  if (begins_with("/dev/shm/", 9) || begins_with("/dev/zero", 9) || begins_with("/memfd:", 7) ||
      is_system_v(range))
    return true;
  return (range.protection & kWrite) != 0 && !begins_with("/dev/", 5) && !begins_with("anon_inode:", 11);
}

// System V segments have numbers of their own instead of inodes, on the device of anonymous shared memory.
model::MemoryObject object_of(const MappedRange& range) {
  constexpr uint64_t kOfSystemV = uint64_t{1} << 63;
  return {uint64_t{range.major} << 32 | range.minor | (is_system_v(range) ? kOfSystemV : 0), range.inode};
}

}  // namespace

SessionModels* CommonModels::map_session_models() {
  if (recording_.session()->common_models_bytes < kCommonModelsBytes) return nullptr;
  auto* common = static_cast<SessionModels*>(map_file_at(kCommonModelsBase, recording_.session_descriptor(),
                                                         kCommonModelsOffset, kCommonModelsBytes));
  return common != nullptr && build_once(*common, recording_.session()->geometry) ? common : nullptr;
}

// Counts the process as one that shares no lines with others. The recorder reports the number of these
// processes to the user.
void CommonModels::count_as_unshared() {
  if (!is_counted_) __atomic_fetch_add(&recording_.session()->unshared, 1, __ATOMIC_RELAXED);
  is_counted_ = true;
}

// Adds the mapping to the models, if they have room. The caller holds the lock of copies.
void CommonModels::map_common(const MappedRange& range) HM_UNCHECKED_LOCKS {
  if (slot_ == Processes::kNoSlot) return;
  unsigned shift = plan_.line_shift;
  uint64_t first = range.start >> shift, end = range.end >> shift;
  uint64_t common = common_->processes.line_of(object_of(range), range.offset >> shift, end - first);
  bool is_first = !has_common_memory();
  bool fits = common != Processes::kNoLine && cores_.shared_levels()->map_common(first, end, common);
  if (!fits) count_as_unshared();
  if (fits && is_first) copies_.forget_all();  // existing copies of `pause` do not look at other processes
}

void CommonModels::join_session(uint32_t pid) {
  if (plan_.uninstrumented) return;
  cache_.begin_process();
  bool parent_was_alone = has_more_;
  if (common_ == nullptr) common_ = map_session_models();
  slot_ = common_ == nullptr || parent_was_alone ? Processes::kNoSlot
                                                 : common_->processes.take_slot(name_of(pid), is_alive);
  is_counted_ = false;
  if (slot_ == Processes::kNoSlot && (parent_was_alone || has_common_memory())) count_as_unshared();
  if (model::SharedLevels* levels = cores_.shared_levels()) attach(*levels);
}

void CommonModels::leave_session() {
  if (model::SharedLevels* levels = cores_.shared_levels()) levels->detach();
}

void CommonModels::forget_mappings() {
  note_not_common(0, ~uint64_t{0});
  has_more_ = false;
}

void CommonModels::attach(model::SharedLevels& levels) {
  cache_.attach(levels);
  levels.attach(slot_ == Processes::kNoSlot ? nullptr : &common_->processes, slot_);
}

void CommonModels::note_common(uint64_t start, uint64_t end) {
  if (cores_.shared_levels() == nullptr || plan_.uninstrumented) return;
  maps_.for_each_in(
      start, end,
      [](const MappedRange& range, void* argument) {
        static_cast<CommonModels*>(argument)->note_mapping(range);
      },
      this);
}

void CommonModels::note_mapping(const MappedRange& range) {
  if (is_engine(range) || !is_for_many(range)) return;
  map_common(range);
  if (slot_ != Processes::kNoSlot) return;
  has_more_ = true;
  count_as_unshared();
}

void CommonModels::note_detached(uint64_t start) {
  unsigned shift = plan_.line_shift;
  if (model::SharedLevels* levels = cores_.shared_levels())
    levels->unmap_common(start >> shift, levels->end_of_common(start >> shift));
}

void CommonModels::note_new_frames(uint64_t start, uint64_t end) {
  unsigned shift = plan_.line_shift;
  if (model::SharedLevels* levels = cores_.shared_levels())
    levels->forget_frames(start >> shift, end >> shift);
}

bool CommonModels::has_common_memory() {
  const model::SharedLevels* levels = cores_.shared_levels();
  return levels != nullptr && levels->has_common_memory();
}

bool CommonModels::is_common(uint64_t address) {
  model::SharedLevels* levels = cores_.shared_levels();
  return levels != nullptr && levels->is_common(address >> plan_.line_shift);
}

void CommonModels::note_not_common(uint64_t start, uint64_t end) {
  unsigned shift = plan_.line_shift;
  if (model::SharedLevels* levels = cores_.shared_levels())
    levels->unmap_common(start >> shift, end >> shift);
}

}  // namespace hm::soft::direct
