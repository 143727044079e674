// SPDX-License-Identifier: MIT
#include "profile/loader.h"

#include <fmt/format.h>

#include <utility>

#include "profile/dso_names.h"
#include "profile/event_names.h"
#include "profile/place_table.h"
#include "profile/process_table.h"
#include "profile/sample_writer.h"
#include "profile/timed_records.h"
#include "record/comm.h"
#include "record/lost.h"
#include "record/read.h"
#include "record/task.h"

namespace hm::profile {
namespace {

class Loader {
 public:
  explicit Loader(record::Reader& reader)
      : reader_(reader),
        places_(profile_),
        processes_(profile_.threads),
        samples_(profile_, places_, processes_) {}

  Result<Profile> load() {
    EventNames names;
    for (const record::EventDescription& event : reader_.events()) {
      profile_.events.push_back({names.name_of(event), event.attr});
      for (uint64_t id : event.ids)
        event_of_id_.try_emplace(id, static_cast<uint32_t>(profile_.events.size() - 1));
    }
    for (const record::BuildId& id : reader_.features().build_ids) build_ids_.add(id);
    std::vector<TimedRecord> records =
        read_in_order_of_time(reader_, [this](const record::Record& record) { on_added(record); });
    if (profile_.events.empty()) return make_error(ErrorCode::kDamaged, "the recording describes no event");
    samples_.reserve(records);
    for (const TimedRecord& record : records) dispatch(record);
    places_.look_up_functions();
    finish();
    return std::move(profile_);
  }

 private:
  void dispatch(const TimedRecord& timed) {
    bool good = true;
    switch (timed.record.type) {
      case PERF_RECORD_SAMPLE:
        good = on_sample(timed);
        break;
      case PERF_RECORD_MMAP:
      case PERF_RECORD_MMAP2:
        good = on_mmap(timed.record);
        break;
      case PERF_RECORD_COMM:
        good = on_comm(timed.record);
        break;
      case PERF_RECORD_FORK:
        good = on_fork(timed.record);
        break;
      case PERF_RECORD_LOST:
      case PERF_RECORD_LOST_SAMPLES:
        good = on_lost(timed.record);
        break;
      case PERF_RECORD_READ:
        good = on_read(timed);
        break;
      default:
        break;
    }
    if (!good) ++damaged_records_;
  }

  void on_added(const record::Record& record) {
    if (record.type != record::kHeaderBuildId) return;
    Result<record::BuildId> id = record::decode_build_id(record.payload, record.misc, record.swap);
    if (id.ok())
      build_ids_.add(*id);
    else
      ++damaged_records_;
  }

  bool on_sample(const TimedRecord& timed) {
    if (!timed.event_known) return ++samples_of_no_event_, true;
    const perf_event_attr& attr = profile_.events[timed.event].attr;
    Result<record::Sample> sample = record::decode_sample(attr, timed.record.payload, timed.record.swap);
    if (!sample.ok()) return false;
    samples_.add(timed.event, timed.record.misc, *sample);
    return true;
  }

  bool on_mmap(const record::Record& record) {
    Result<record::Mmap> mmap = record::decode_mmap(record);
    if (!mmap.ok()) return false;
    bool kernel = (record.misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
    std::string path = kernel ? std::string(mmap->path) : user_dso_path(*mmap);
    Mapping mapping = to_mapping(*mmap, path, places_.dso(path, build_ids_.of(*mmap)));
    if (kernel)
      processes_.map_kernel(mapping);
    else
      processes_.map_user(mmap->pid, mapping);
    return true;
  }

  bool on_comm(const record::Record& record) {
    Result<record::Comm> comm = record::decode_comm(record);
    if (!comm.ok()) return false;
    if (comm->by_exec) processes_.exec(comm->pid);
    processes_.rename(comm->pid, comm->tid, std::string(comm->name));
    return true;
  }

  bool on_fork(const record::Record& record) {
    Result<record::Task> task = record::decode_task(record);
    if (!task.ok()) return false;
    processes_.fork(task->pid, task->tid, task->parent_pid, task->parent_tid);
    return true;
  }

  bool on_lost(const record::Record& record) {
    Result<record::Lost> lost = record::decode_lost(record);
    if (!lost.ok()) return false;
    (record.type == PERF_RECORD_LOST ? profile_.lost.records : profile_.lost.samples) += lost->count;
    return true;
  }

  bool on_read(const TimedRecord& timed) {
    Result<record::Read> read =
        record::decode_read(timed.record, profile_.events[timed.event].attr.read_format);
    if (!read.ok()) return false;
    const record::ReadValues& values = read->values;
    for (size_t i = 0; i < values.size(); ++i) {
      uint32_t event = timed.event;
      if (auto found = event_of_id_.find(values[i].id); found != event_of_id_.end())
        event = found->second;
      else if (!timed.event_known)
        return false;
      profile_.totals.push_back(
          {event, read->pid, read->tid, values[i].value, values.time_enabled_ns, values.time_running_ns});
    }
    return true;
  }

  void finish() {
    auto& problems = profile_.problems;
    problems.insert(problems.begin(), reader_.problems().begin(), reader_.problems().end());
    if (damaged_records_ > 0)
      problems.push_back(fmt::format("{} records are damaged and left out", damaged_records_));
    if (samples_of_no_event_ > 0) {
      problems.push_back(fmt::format("{} samples belong to no event of the recording", samples_of_no_event_));
    }
    if (processes_.gave_up())
      problems.emplace_back("there are too many mappings; some places are unknown for that");
    profile_.notes = reader_.notes();
    profile_.features = reader_.features();
    profile_.features.raw.clear();
  }

  record::Reader& reader_;
  Profile profile_;
  PlaceTable places_;
  ProcessTable processes_;
  SampleWriter samples_;
  BuildIds build_ids_;
  std::unordered_map<uint64_t, uint32_t> event_of_id_;
  uint64_t damaged_records_ = 0;
  uint64_t samples_of_no_event_ = 0;
};

}  // namespace

Result<Profile> load(record::Reader& reader) { return Loader(reader).load(); }

}  // namespace hm::profile
