// SPDX-License-Identifier: MIT
#include "profile/side_records.h"

#include <optional>
#include <utility>

#include "record/code_copies.h"
#include "record/comm.h"
#include "record/ksymbol.h"
#include "record/lost.h"
#include "record/read.h"
#include "record/sample_id.h"
#include "record/task.h"
#include "record/throttle.h"
#include "symbol/files/jitdump.h"

namespace hm::profile {

SideRecords::SideRecords(const record::Reader& reader, const BuildIds& build_ids, const FileTrust* trust,
                         Profile& profile, LocationTable& locations)
    : reader_(reader),
      build_ids_(build_ids),
      trust_(trust),
      process_files_(reader.features()),
      profile_(profile),
      locations_(locations) {
  for (const record::CodeCopy& copy : record::code_copies(reader.features()))
    code_copies_[{copy.pid, copy.start, copy.end}] = copy.has_same_code;
  uint32_t event = 0;
  for (const record::EventDescription& description : reader.events()) {
    for (uint64_t id : description.ids) event_of_id_.try_emplace(id, event);
    ++event;
  }
}

bool SideRecords::take(size_t position, uint64_t time_ns, const record::Record& record) {
  position_ = position;
  time_ns_ = time_ns;
  switch (record.type) {
    case PERF_RECORD_MMAP:
    case PERF_RECORD_MMAP2:
      return on_mmap(record);
    case PERF_RECORD_KSYMBOL:
      return on_ksymbol(record);
    case PERF_RECORD_COMM:
      return on_comm(record);
    case PERF_RECORD_FORK:
      return on_fork(record);
    case PERF_RECORD_LOST:
    case PERF_RECORD_LOST_SAMPLES:
      return on_lost(record);
    case PERF_RECORD_THROTTLE:
    case PERF_RECORD_UNTHROTTLE:
      return on_throttle(record);
    case PERF_RECORD_READ:
      return on_read(record);
    case record::kCallchainDeferred:
      return on_deferred_chain(record);
    default:
      return true;
  }
}

template <typename What>
void SideRecords::add(What what) {
  changes_.push_back({position_, std::move(what)});
  copied_mappings_ += processes_.apply(changes_.back());
}

bool SideRecords::on_mmap(const record::Record& record) {
  Result<record::Mmap> mmap = record::decode_mmap(record);
  if (!mmap.ok()) return false;
  bool kernel = (record.misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
  auto [path, process] = kernel ? Dump{std::string(mmap->path), {}} : dump_or_file(*mmap);
  std::string build_id = build_ids_.of(*mmap);
  if (build_id.empty()) build_id = build_ids_.of(path);  // code in memory has the map of its process
  if (kernel && build_id.empty()) build_id = FileTrust::running_kernel(reader_.features(), *mmap);
  bool is_doubtful = !kernel && build_id.empty() && trust_ != nullptr;
  FileState state = is_doubtful ? trust_->state_of(path, *mmap) : FileState::kSame;
  bool is_of_other_root = process.pid != 0;  // the file at this path is another one
  if (state == FileState::kChanged && is_of_other_root) state = FileState::kSame;
  Mapping mapping = to_mapping(*mmap, path, locations_.dso(path, build_id, state, process));
  auto copy = code_copies_.find({mmap->pid, mapping.start, mapping.end});
  if (copy != code_copies_.end() && may_hold_copied_code(mmap->path))
    mapping.same_code = copy->second ? SameCode::kYes : SameCode::kNo;
  if (kernel)
    add(MapKernel{mapping});
  else if (!gave_up())
    add(MapUser{mmap->pid, mapping});
  if (!kernel && mmap->executable) find_program(*mmap, path);
  return true;
}

// Code without a name, and code that the kernel removed, is unknown from here on.
bool SideRecords::on_ksymbol(const record::Record& record) {
  Result<record::Ksymbol> symbol = record::decode_ksymbol(record);
  if (!symbol.ok()) return false;
  uint64_t end = symbol->bytes > UINT64_MAX - symbol->address ? UINT64_MAX : symbol->address + symbol->bytes;
  Mapping mapping{.start = symbol->address, .end = end};
  bool is_removed = (symbol->flags & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER) != 0;
  if (is_removed || symbol->name.empty())
    mapping.offset = symbol->address;
  else
    mapping.dso = locations_.dso(symbol::kernel_code_path(symbol->name, symbol->bytes), "");
  add(MapKernel{mapping});
  return true;
}

// The first executable mapping of a file with the process's name is of its executable. Scripts have the name
// of their file, which no mapping has.
void SideRecords::find_program(const record::Mmap& mmap, const std::string& path) {
  Program& program = programs_[mmap.pid];
  std::optional<uint32_t> leader = processes_.thread(mmap.pid, mmap.pid);
  if (!program.name.empty() || !leader) return;
  std::string name = path.substr(path.rfind('/') + 1);
  if (name.empty() || !is_comm_of(profile_.threads[*leader].comm, name)) return;
  for (uint32_t row : program.rows) profile_.threads[row].program = name;
  program.name = std::move(name);
}

// A just-in-time compiler maps a page of its dump as executable, which records the dump's path.
SideRecords::Dump SideRecords::dump_or_file(const record::Mmap& mmap) {
  std::string path = user_dso_path(mmap);
  if (symbol::JitDump::is_name_of_one(mmap.path))
    jitdumps_[mmap.pid] = {std::string(mmap.path), process_files_.find(path, mmap)};
  auto dump = jitdumps_.find(mmap.pid);
  bool is_dumped = mmap.executable && is_jit_code(path) && dump != jitdumps_.end();
  if (is_dumped) return dump->second;
  return {path, process_files_.find(path, mmap)};
}

bool SideRecords::on_comm(const record::Record& record) {
  Result<record::Comm> comm = record::decode_comm(record);
  if (!comm.ok()) return false;
  if (comm->by_exec) {
    jitdumps_.erase(comm->pid);
    programs_.erase(comm->pid);
    add(Exec{comm->pid});
  }
  rename(comm->pid, comm->tid, std::string(comm->name));
  return true;
}

bool SideRecords::on_fork(const record::Record& record) {
  Result<record::Task> task = record::decode_task(record);
  if (!task.ok()) return false;
  if (task->pid != task->parent_pid) programs_[task->pid] = {programs_[task->parent_pid].name, {}};
  if (auto parent = processes_.thread(task->parent_pid, task->parent_tid))
    rename(task->pid, task->tid, profile_.threads[*parent].comm);
  if (task->pid != task->parent_pid) {
    add(Fork{task->pid, task->parent_pid});
    profile_.parents[task->pid] = task->parent_pid;
  }
  return true;
}

void SideRecords::rename(uint32_t pid, uint32_t tid, std::string comm) {
  std::optional<uint32_t> before = processes_.thread(pid, tid);
  Program& program = programs_[pid];
  bool is_same = before && profile_.threads[*before].comm == comm;
  auto row = is_same ? *before : static_cast<uint32_t>(profile_.threads.size());
  program.rows.push_back(row);
  if (is_same) return;
  add(Rename{pid, tid, row});
  profile_.threads.push_back({pid, tid, std::move(comm), program.name});
}

bool SideRecords::on_lost(const record::Record& record) {
  Result<record::Lost> lost = record::decode_lost(record);
  if (!lost.ok()) return false;
  (record.type == PERF_RECORD_LOST ? profile_.lost.records : profile_.lost.samples) += lost->count;
  const perf_event_attr& attr = reader_.events()[reader_.event_of(record).value_or(0)].attr;
  record::SampleId id = record::decode_sample_id(attr, record);
  bool has_cpu = (id.type & PERF_SAMPLE_CPU) != 0;
  profile_.gaps.push_back({time_ns_, time_ns_, has_cpu ? std::optional(id.cpu) : std::nullopt, std::nullopt});
  return true;
}

// A throttling that never ends becomes a gap of length 0 at its start: its end is unknown.
bool SideRecords::on_throttle(const record::Record& record) {
  Result<record::Throttle> throttle = record::decode_throttle(record);
  if (!throttle.ok()) return false;
  auto began = throttled_.find(throttle->stream_id);
  if (record.type == PERF_RECORD_UNTHROTTLE) {
    if (began == throttled_.end()) return true;
    profile_.gaps[began->second].end_ns = time_ns_;
    throttled_.erase(began);
    return true;
  }
  ++profile_.lost.throttlings;
  auto event = event_of_id_.find(throttle->id);
  throttled_[throttle->stream_id] = profile_.gaps.size();
  profile_.gaps.push_back({time_ns_, time_ns_, std::nullopt,
                           event == event_of_id_.end() ? std::nullopt : std::optional(event->second)});
  return true;
}

bool SideRecords::on_read(const record::Record& record) {
  std::optional<size_t> event = reader_.event_of(record);
  const perf_event_attr& attr = reader_.events()[event.value_or(0)].attr;
  Result<record::Read> read = record::decode_read(record, attr.read_format);
  if (!read.ok()) return false;
  const record::ReadValues& values = read->values;
  for (size_t i = 0; i < values.size(); ++i) {
    auto found = event_of_id_.find(values[i].id);
    bool by_id = found != event_of_id_.end();
    if (!by_id && !event) return false;
    uint32_t counted = by_id ? found->second : static_cast<uint32_t>(*event);
    if (counted >= profile_.events.size()) continue;  // the event of allocation sites has no counts
    profile_.totals.push_back(
        {counted, read->pid, read->tid, values[i].value, values.time_enabled_ns, values.time_running_ns});
  }
  return true;
}

bool SideRecords::on_deferred_chain(const record::Record& record) {
  Result<record::DeferredChain> chain = record::decode_deferred_chain(record);
  if (!chain.ok()) return false;
  const perf_event_attr& attr = reader_.events()[reader_.event_of(record).value_or(0)].attr;
  deferred_chains_.add(record::decode_sample_id(attr, record).tid, *chain);
  return true;
}

}  // namespace hm::profile
