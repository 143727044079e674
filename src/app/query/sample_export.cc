// SPDX-License-Identifier: MIT
#include "app/query/sample_export.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "app/query/input.h"
#include "base/parallel.h"
#include "profile/event_names.h"
#include "profile/heap_sites.h"
#include "profile/record_index.h"
#include "profile/sample_rows.h"
#include "record/occupancy_record.h"

namespace hm::query {
namespace {

// Returns the event that describes allocation sites; nullptr if the recording has none.
const record::EventDescription* heap_site_event(const record::Reader& reader) {
  auto found = std::ranges::find_if(reader.events(), profile::is_heap_site_event);
  return found == reader.events().end() ? nullptr : &*found;
}

// Returns the events with the names used in reports.
std::vector<record::EventDescription> named_events(const record::Reader& reader) {
  std::vector<record::EventDescription> events = reader.events();
  if (!events.empty() && record::is_occupancy_event(events.back())) events.pop_back();
  if (!events.empty() && profile::is_heap_site_event(events.back())) events.pop_back();
  profile::EventNames names;
  for (record::EventDescription& event : events) event.name = names.name_of(event);
  return events;
}

bool is_counted(const record::Record& record, const record::Reader& reader) {
  std::optional<size_t> event = reader.event_of(record);
  return record.type == PERF_RECORD_SAMPLE && event && profile::reads_counters(reader.events()[*event].attr);
}

// Returns true if the record belongs to the chosen event as a whole, or describes an allocation site.
bool is_dumped(const record::Record& record, size_t chosen, const record::Reader& reader) {
  std::optional<size_t> event = reader.event_of(record);
  if (!event || is_counted(record, reader)) return false;
  return *event == chosen || profile::is_heap_site_event(reader.events()[*event]);
}

Result<size_t> choose_event(const std::vector<record::EventDescription>& events, const std::string& name) {
  std::vector<std::string> names;
  names.reserve(events.size());
  for (const record::EventDescription& event : events) names.push_back(event.name);
  if (events.empty()) return make_error(ErrorCode::kDamaged, "the recording has no event");
  if (name.empty() && events.size() == 1) return size_t{0};
  if (name.empty()) {
    return make_error(ErrorCode::kInvalidArgument,
                      "a dump holds one event, and the recording has {}: choose one with -e",
                      fmt::join(names, ", "));
  }
  auto found = std::ranges::find(names, name);
  if (found == names.end())
    return make_error(ErrorCode::kNotFound, "the recording has no event {}; it has {}", name,
                      fmt::join(names, ", "));
  return static_cast<size_t>(found - names.begin());
}

// Converts samples with counter values to samples of the chosen event, weighted by the increase of its
// counter.
class CountedSamples {
 public:
  CountedSamples(const record::Reader& reader, size_t chosen)
      : reader_(reader), chosen_(chosen), rows_(reader) {}

  // Returns nullopt if the record is no sample with counter values, or the counter did not increase.
  [[nodiscard]] std::optional<uint64_t> of(const record::Record& record) {
    if (!is_counted(record, reader_)) return std::nullopt;
    std::optional<size_t> event = reader_.event_of(record);
    const perf_event_attr& attr = reader_.events()[*event].attr;
    Result<record::Sample> sample = record::decode_sample(attr, record.payload, record.swap);
    if (!sample.ok()) return std::nullopt;
    std::optional<uint64_t> events;
    (void)rows_.visit(*event, *sample, [&](size_t counted) {
      if (counted == chosen_) events = sample->period;
    });
    return events;
  }

 private:
  const record::Reader& reader_;
  size_t chosen_;
  profile::SampleRows rows_;
};

}  // namespace

Result<uint64_t> export_dump(const DumpExport& options) {
  Result<Input> input = Input::open(options.input);
  if (!input) return input.error();
  record::Reader& reader = input->reader();
  std::vector<record::EventDescription> events = named_events(reader);
  Result<size_t> chosen = choose_event(events, options.event);
  if (!chosen) return chosen.error();
  profile::RecordIndex index = profile::read_index(reader, [](const record::Record&) {});
  profile::sort_by_time(index.records, available_cpus());
  std::vector<record::EventDescription> dumped{events[*chosen]};
  if (const record::EventDescription* sites = heap_site_event(reader)) dumped.push_back(*sites);
  dump::DumpOptions dump = options.dump;
  dump.gets_all_samples = true;
  dump::DumpSink sink(std::move(dump));
  if (Status begun = sink.begin({dumped, reader.features(), 0}); !begun) return begun.error();
  CountedSamples counted(reader, *chosen);
  for (const profile::IndexedRecord& each : index.records) {
    record::Record record = each.record(index.swap);
    bool is_of_event = record.type == PERF_RECORD_SAMPLE || record.type == PERF_RECORD_READ;
    if (std::optional<uint64_t> gained = counted.of(record))
      sink.take_sample(record, *gained);
    else if (!is_of_event || is_dumped(record, *chosen, reader))
      sink.take(record);
    if (Status flushed = sink.flush_when_large(); !flushed) return flushed.error();
  }
  if (Status finished = sink.finish(reader.features()); !finished) return finished.error();
  return sink.samples();
}

Result<ExportedSamples> export_samples(const SampleExport& options, const symbol::Resolver& resolver) {
  profile::Needs needs = profile::kPlacesOnly;
  needs.cpus = needs.details = needs.objects = true;
  needs.chains = options.chains;
  Result<profile::Profile> profile = load_profile(options.input, resolver, needs, options.reading);
  if (!profile) return profile.error();
  Result<profile::Filter> filter = profile::Filter::make(*profile, options.filter, &resolver);
  if (!filter) return filter.error();
  ExportedSamples exported;
  for (size_t sample = 0; sample < profile->samples.size(); ++sample) {
    if (filter->passes(*profile, sample)) exported.samples.push_back(sample);
  }
  exported.profile = *std::move(profile);
  return exported;
}

}  // namespace hm::query
