// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/common_models.h"

#include "pmu/soft/direct/address_space.h"
#include "pmu/soft/direct/cores.h"
#include "pmu/soft/direct/engine.h"
#include "pmu/soft/direct/invalidation.h"
#include "pmu/soft/direct/memory.h"
#include "pmu/soft/direct/recording.h"
#include "pmu/soft/direct/session_cache.h"
#include "pmu/soft/direct/start_info.h"
#include "pmu/soft/direct/system_call_numbers.h"

namespace hm::soft::direct {
namespace {

using model::Processes;

// At kCommonModelsBase. Zeroed at first: the first process builds it.
struct CommonModels {
  enum State : uint32_t { kEmpty, kBeingBuilt, kBuilt };
  uint32_t state;
  alignas(64) Processes processes;
};
static_assert(sizeof(CommonModels) < kCommonModelsBytes / 2);

CommonModels* g_common;  // null: this process shares no lines with others
uint32_t g_process_slot = Processes::kNoSlot;
bool g_is_counted;
bool g_has_more;  // it has common memory that is not in the models, for want of a slot

// Called by any process: the engine is at the same address in all of them.
void* more_common_memory(uint64_t bytes) {
  return reinterpret_cast<CommonModels*>(kCommonModelsBase)->processes.take(bytes);
}

// False where the process that began to build it does not finish, as it was killed.
bool build_once(CommonModels& common) {
  uint32_t state = CommonModels::kEmpty;
  if (__atomic_compare_exchange_n(&common.state, &state, CommonModels::kBeingBuilt, false, __ATOMIC_SEQ_CST,
                                  __ATOMIC_SEQ_CST)) {
    common.processes.build(kCommonModelsBytes - offsetof(CommonModels, processes), more_common_memory,
                           session()->geometry);
    __atomic_store_n(&common.state, CommonModels::kBuilt, __ATOMIC_SEQ_CST);
  }
  constexpr int kMostLooks = 1000;
  for (int i = 0; i < kMostLooks; ++i) {
    if (__atomic_load_n(&common.state, __ATOMIC_SEQ_CST) == CommonModels::kBuilt) return true;
    system_call(kSchedYield);
  }
  return false;
}

CommonModels* map_common_models() {
  if (session()->common_models_bytes < kCommonModelsBytes) return nullptr;
  auto* common = static_cast<CommonModels*>(
      map_file_at(kCommonModelsBase, session_descriptor(), kCommonModelsOffset, kCommonModelsBytes));
  return common != nullptr && build_once(*common) ? common : nullptr;
}

// A process id is unique only in its namespace, so the namespace is part of the process's name.
constexpr unsigned kNamespaceShift = 32;

uint64_t name_of(uint32_t pid) {
  FileStatus status{};
  system_call(kStat, pointer_argument("/proc/self/ns/pid"), pointer_argument(&status));
  return status.inode << kNamespaceShift | pid;
}

bool is_alive(uint64_t process) {
  constexpr int64_t kNoSuchProcess = -3;
  auto pid = static_cast<uint32_t>(process);
  bool is_foreign = name_of(pid) != process;  // of another namespace: it cannot be checked
  return is_foreign || system_call(kSysKill, pid, 0) != kNoSuchProcess;
}

bool is_system_v(const MappedRange& range) { return __builtin_memcmp(range.path, "/SYSV", 5) == 0; }

// Of files, those that are mapped writable; of devices none, as two mappings of one device need not be the
// same memory.
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

// System V segments have their own numbers in place of an inode, on the device that anonymous shared memory
// is on.
model::MemoryObject object_of(const MappedRange& range) {
  constexpr uint64_t kOfSystemV = uint64_t{1} << 63;
  return {uint64_t{range.major} << 32 | range.minor | (is_system_v(range) ? kOfSystemV : 0), range.inode};
}

struct Wanted {
  uint64_t start, end;
  bool met = false;
};

// The recorder reports the number of such processes to the user.
void count_as_unshared() {
  if (!g_is_counted) __atomic_fetch_add(&session()->unshared, 1, __ATOMIC_RELAXED);
  g_is_counted = true;
}

void map_if_common(const MappedRange& range, void* argument) {
  auto& wanted = *static_cast<Wanted*>(argument);
  if (range.end <= wanted.start || range.start >= wanted.end || is_engine(range) || !is_for_many(range))
    return;
  wanted.met = true;
  if (g_process_slot == Processes::kNoSlot) return;
  unsigned shift = g_plan.line_shift;
  uint64_t first = range.start >> shift, end = range.end >> shift;
  uint64_t common = g_common->processes.line_of(object_of(range), range.offset >> shift, end - first);
  bool is_first = !has_common_memory();
  bool fits = common != Processes::kNoLine && shared_models()->map_common(first, end, common);
  if (!fits) count_as_unshared();
  if (fits && is_first) forget_all_code();  // its copies of `pause` do not look at other processes yet
}

}  // namespace

void join_session(uint32_t pid) {
  if (g_plan.uninstrumented) return;
  begin_address_space();
  bool parent_was_alone = g_has_more;
  if (g_common == nullptr) g_common = map_common_models();
  g_process_slot = g_common == nullptr || parent_was_alone
                       ? Processes::kNoSlot
                       : g_common->processes.take_slot(name_of(pid), is_alive);
  g_is_counted = false;
  if (g_process_slot == Processes::kNoSlot && (parent_was_alone || has_common_memory())) count_as_unshared();
  if (model::SharedLevels* levels = shared_models()) attach_shared_levels(*levels);
}

void leave_session() {
  if (model::SharedLevels* levels = shared_models()) levels->detach();
}

void attach_shared_levels(model::SharedLevels& levels) {
  attach_shared_cache(levels);
  levels.attach(g_process_slot == Processes::kNoSlot ? nullptr : &g_common->processes, g_process_slot);
}

void note_common(uint64_t start, uint64_t end) {
  if (shared_models() == nullptr || g_plan.uninstrumented) return;
  Wanted wanted{start, end};
  for_each_mapping(map_if_common, &wanted);
  if (!wanted.met || g_process_slot != Processes::kNoSlot) return;
  g_has_more = true;
  count_as_unshared();
}

void note_detached(uint64_t start) {
  unsigned shift = g_plan.line_shift;
  if (model::SharedLevels* levels = shared_models())
    levels->unmap_common(start >> shift, levels->end_of_common(start >> shift));
}

void note_new_frames(uint64_t start, uint64_t end) {
  unsigned shift = g_plan.line_shift;
  if (model::SharedLevels* levels = shared_models()) levels->forget_frames(start >> shift, end >> shift);
}

bool has_common_memory() {
  const model::SharedLevels* levels = shared_models();
  return levels != nullptr && levels->has_common_memory();
}

bool is_common(uint64_t address) {
  model::SharedLevels* levels = shared_models();
  return levels != nullptr && levels->is_common(address >> g_plan.line_shift);
}

void note_not_common(uint64_t start, uint64_t end) {
  unsigned shift = g_plan.line_shift;
  if (model::SharedLevels* levels = shared_models()) levels->unmap_common(start >> shift, end >> shift);
}

}  // namespace hm::soft::direct
