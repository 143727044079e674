// SPDX-License-Identifier: MIT
#include "profile/loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "profile/computed_addresses.h"
#include "profile/data_objects.h"
#include "profile/dso_names.h"
#include "profile/event_names.h"
#include "profile/instance_names.h"
#include "profile/interpreters.h"
#include "profile/join.h"
#include "profile/location_table.h"
#include "profile/lookup.h"
#include "profile/missing_branches.h"
#include "profile/record_index.h"
#include "profile/register_values.h"
#include "profile/segment_loader.h"
#include "profile/side_records.h"
#include "record/extension.h"

namespace hm::profile {
namespace {

// A snapshot of the processes contains all their threads, so segments must be large in comparison.
constexpr size_t kSamplesPerChange = 4;
constexpr size_t kSegmentsPerWorker = 4;

class Loader {
 public:
  Loader(record::Reader& reader, const symbol::Resolver& resolver, const LoadOptions& options)
      : reader_(reader), resolver_(resolver), options_(options), locations_(profile_, resolver) {}

  Result<Profile> load() {
    read_events();
    auto files = reader_.features().raw.find(record::kFeatureFiles);
    if (files != reader_.features().raw.end()) resolver_.add_archive(files->second);
    for (const record::BuildId& id : reader_.features().build_ids) build_ids_.add(id);
    for (const record::FileBuild& build : record::file_builds(reader_.features())) build_ids_.add(build);
    RecordIndex index = read_index(reader_, [this](const record::Record& record) { on_added(record); });
    if (profile_.events.empty()) return make_error(ErrorCode::kDamaged, "the recording has no event");
    sort_by_time(index.records, options_.workers);
    FileTrust trust(reader_.features());
    SideRecords side(reader_, build_ids_, options_.trust_files ? nullptr : &trust, profile_, locations_);
    read_side_records(index, side);
    std::vector<Segment> segments = load_segments(index, side);
    // The index is as large as a column and no longer needed.
    if (!options_.needs.objects) index = {};
    add_read_totals(segments);
    std::vector<SampledRegisters> interrupts = by_row_of_whole(segments, &Segment::interrupts);
    std::vector<SampledRegisters> unaddressed = by_row_of_whole(segments, &Segment::unaddressed);
    profile_.tlb_states = by_row_of_whole(segments, &Segment::tlb_states);
    join_segments(std::move(segments), options_.needs, profile_, locations_, options_.workers);
    take_features();
    if (options_.attribute_clock)
      attribute_clock(profile_, locations_, resolver_, interrupts, options_.needs);
    compute_missing_addresses(unaddressed);
    locations_.look_up_functions();
    name_instances(resolver_, profile_);
    find_left_functions();
    if (options_.needs.objects)
      find_data_objects(reader_, index, side.changes(), resolver_, options_.needs.fields, profile_);
    finish(side.gave_up());
    return std::move(profile_);
  }

 private:
  void read_events() {
    EventNames names;
    for (const record::EventDescription& event : reader_.events())
      profile_.events.push_back({names.name_of(event), event.attr});
    take_last_event(record::is_occupancy_event, occupancy_event_);
    take_last_event(is_heap_site_event, heap_site_event_);
  }

  // Removes the last event if its samples do not count program events (`is_it`).
  void take_last_event(bool (*is_it)(const record::EventDescription&), std::optional<size_t>& number) {
    size_t count = profile_.events.size();
    if (count == 0 || !is_it(reader_.events()[count - 1])) return;
    profile_.events.pop_back();
    number = count - 1;
  }

  void on_added(const record::Record& record) {
    if (record.type != record::kHeaderBuildId) return;
    Result<record::BuildId> id = record::decode_build_id(record.payload, record.misc, record.swap);
    if (id.ok())
      build_ids_.add(*id);
    else
      ++damaged_records_;
  }

  void read_side_records(const RecordIndex& index, SideRecords& side) {
    for (size_t position = 0; position < index.records.size(); ++position) {
      const IndexedRecord& record = index.records[position];
      if (!record.is_sample() && !side.take(position, record.time_ns(), record.record(index.swap)))
        ++damaged_records_;
    }
  }

  // Loads segments of equal length, each with the state of the processes at its start.
  std::vector<Segment> load_segments(const RecordIndex& index, const SideRecords& side) {
    const std::vector<Change>& changes = side.changes();
    const FrameRuleTable frame_rules(profile_, resolver_);
    bool readable_stacks = is_x86_64(reader_.features()) && !index.swap;
    const JitCode jit_code(reader_, resolver_, profile_);
    Recording recording{.reader = reader_,
                        .index = index,
                        .changes = changes,
                        .deferred_chains = side.deferred_chains(),
                        .jit_code = jit_code,
                        .frame_rules = readable_stacks ? &frame_rules : nullptr,
                        .heap_site_event = heap_site_event_,
                        .occupancy_event = occupancy_event_,
                        .named_threads = profile_.threads.size(),
                        .needs = options_.needs};
    size_t least = std::max({size_t{1}, options_.samples_per_segment, changes.size() * kSamplesPerChange});
    size_t count = std::clamp<size_t>(index.samples / least, 1,
                                      std::max<size_t>(options_.workers, 1) * kSegmentsPerWorker);
    // A counter's increase depends on the previous sample, so the recording is loaded as one segment.
    if (std::ranges::any_of(reader_.events(), reads_counters, &record::EventDescription::attr)) count = 1;
    std::vector<size_t> starts;
    for (size_t i = 0; i <= count; ++i) starts.push_back(index.records.size() * i / count);
    // Snapshots must exist until all segments are loaded: a mapping shared with a snapshot is never changed.
    const std::vector<ProcessTable> snapshots = snapshots_at(starts, changes);
    std::vector<Segment> segments(count);
    parallel_for(count, options_.workers, [&](size_t i) {
      segments[i] = load_segment(recording, starts[i], starts[i + 1], snapshots[i]);
    });
    for (const Segment& segment : segments) {
      damaged_records_ += segment.damaged_samples;
      samples_of_no_event_ += segment.samples_of_no_event;
      chains_without_user_ += segment.chains_without_user;
      trace_bytes_ += segment.trace_bytes;
    }
    return segments;
  }

  void add_read_totals(const std::vector<Segment>& segments) {
    for (const Segment& segment : segments) segment.reads.add_totals(reader_.events(), profile_.totals);
  }

  // Concatenates items of all segments and adjusts their sample rows.
  template <typename Item>
  static std::vector<Item> by_row_of_whole(std::vector<Segment>& segments,
                                           std::vector<Item> Segment::*items) {
    std::vector<Item> all;
    size_t first_row = 0;
    for (Segment& segment : segments) {
      for (Item& item : segment.*items) {
        item.sample += first_row;
        all.push_back(std::move(item));
      }
      first_row += segment.samples.size();
    }
    return all;
  }

  void compute_missing_addresses(const std::vector<SampledRegisters>& unaddressed) {
    std::optional<symbol::RegistersAt> when = moment_of_registers(reader_.features());
    size_t computed = when ? compute_addresses(profile_, resolver_, *when, unaddressed) : 0;
    if (computed != 0)
      profile_.notes.push_back(fmt::format(
          "the data addresses of {} samples are computed from their registers and the code", computed));
  }

  void find_left_functions() {
    std::vector<uint32_t> functions;
    for (const Location& location : profile_.locations) functions.push_back(location.function);
    std::vector<std::vector<uint32_t>>& blocks = profile_.samples.left_functions.blocks();
    parallel_for(blocks.size(), options_.workers, [&](size_t i) {
      for (uint32_t& place : blocks[i]) place = functions[place];
    });
    infer_missing_branches(profile_);
  }

  void take_features() {
    profile_.features = reader_.features();
    profile_.features.raw.clear();
  }

  static std::vector<ProcessTable> snapshots_at(const std::vector<size_t>& positions,
                                                const std::vector<Change>& changes) {
    std::vector<ProcessTable> snapshots;
    ProcessTable processes;
    auto change = changes.begin();
    for (size_t position : positions) {
      for (; change != changes.end() && change->position < position; ++change) (void)processes.apply(*change);
      snapshots.push_back(processes);
    }
    return snapshots;
  }

  void finish(bool gave_up) {
    auto& problems = profile_.problems;
    problems.insert(problems.begin(), reader_.problems().begin(), reader_.problems().end());
    if (damaged_records_ > 0)
      problems.push_back(fmt::format("{} records are damaged and were skipped", damaged_records_));
    if (samples_of_no_event_ > 0) {
      problems.push_back(fmt::format("{} samples belong to no event of the recording", samples_of_no_event_));
    }
    if (gave_up) problems.emplace_back("there are too many mappings, so some code locations are unknown");
    if (chains_without_user_ > 0) {
      problems.push_back(fmt::format(
          "the call chains of {} samples lack their part in user space, which the recording does not have",
          chains_without_user_));
    }
    std::ranges::copy(reader_.notes(), std::back_inserter(profile_.notes));
    if (trace_bytes_ != 0)
      profile_.notes.push_back(
          fmt::format("{} bytes of hardware traces in the samples are skipped", trace_bytes_));
    std::ranges::move(missing_names(profile_), std::back_inserter(profile_.notes));
    take_problems(resolver_, profile_);
  }

  record::Reader& reader_;
  const symbol::Resolver& resolver_;
  const LoadOptions& options_;
  Profile profile_;
  LocationTable locations_;
  BuildIds build_ids_;
  std::optional<size_t> heap_site_event_, occupancy_event_;  // the last ones of the reader's events
  uint64_t damaged_records_ = 0;
  uint64_t samples_of_no_event_ = 0;
  uint64_t chains_without_user_ = 0;
  uint64_t trace_bytes_ = 0;
};

}  // namespace

Result<Profile> load(record::Reader& reader, const symbol::Resolver& resolver, const LoadOptions& options) {
  return Loader(reader, resolver, options).load();
}

}  // namespace hm::profile
