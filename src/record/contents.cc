// SPDX-License-Identifier: MIT
#include "record/contents.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "record/attr.h"
#include "record/event_records.h"
#include "record/feature_sections.h"
#include "record/file_header.h"
#include "record/newest_description.h"
#include "record/record_cursor.h"
#include "record/u64_view.h"

namespace hm::record {
namespace {

// Formats a size from a damaged header for a message to the user.
std::string plausible(uint64_t bytes) {
  constexpr uint64_t kLargest = uint64_t{1} << 50;
  return bytes <= kLargest ? fmt::format("{}", bytes) : "an impossible number";
}

// Reads an entry of the attrs section: the attr, then the section of its ids. `id_budget` limits the ids of
// all events together, because a damaged file may have many entries that point to the same ids.
Result<EventDescription> read_file_attr(Bytes file, Bytes entry, bool swap, size_t& id_budget) {
  Result<perf_event_attr> attr = decode_attr(entry.first(entry.size() - sizeof(FileSection)), swap);
  if (!attr.ok()) return attr.error();
  ByteReader in(entry.last(sizeof(FileSection)), swap);
  FileSection section{.offset = in.u64(), .bytes = in.u64()};
  std::optional<Bytes> bytes = slice(file, section);
  U64View ids(bytes.value_or(Bytes{}), swap);
  if (!bytes.has_value() || ids.size() > id_budget) {
    return make_error(ErrorCode::kDamaged,
                      "an event's {} bytes of ids are said to be at offset {} of a file of {} bytes",
                      plausible(section.bytes), plausible(section.offset), file.size());
  }
  id_budget -= ids.size();
  return EventDescription{.name = {}, .attr = *attr, .ids = {ids.begin(), ids.end()}};
}

Status read_file_attrs(Bytes file, const FileHeader& header, std::vector<EventDescription>& events) {
  std::optional<Bytes> attrs = slice(file, header.attrs);
  constexpr size_t kLeast = PERF_ATTR_SIZE_VER0 + sizeof(FileSection);
  if (!attrs.has_value() || header.attr_bytes < kLeast || attrs->size() < header.attr_bytes) {
    return make_error(
        ErrorCode::kDamaged,
        "the recording's header says that its events take {} bytes, {} each, at offset {} of {}",
        plausible(header.attrs.bytes), plausible(header.attr_bytes), plausible(header.attrs.offset),
        file.size());
  }
  size_t id_budget = file.size() / sizeof(uint64_t);
  for (size_t at = 0; attrs->size() - at >= header.attr_bytes; at += header.attr_bytes) {
    auto event = read_file_attr(file, attrs->subspan(at, header.attr_bytes), header.swap, id_budget);
    if (!event.ok()) return event.error();
    events.push_back(std::move(*event));
  }
  return {};
}

void read_feature(unsigned bit, Bytes section, Contents& contents) {
  if (decode_feature(bit, section, contents.swap, contents.features)) return;
  contents.problems.push_back(fmt::format("{} of the header could not be read", feature_name(bit)));
}

// Reads the features after the data (or the early features before the data).
void read_features(Bytes file, const FileHeader& header, Contents& contents) {
  FeatureSections found = find_feature_sections(file, header);
  for (const auto& [bit, section] : found.sections) read_feature(bit, section, contents);
  if (found.cut_off_at) {
    contents.problems.push_back(
        fmt::format("the header's features are cut off from {} on", feature_name(*found.cut_off_at)));
  }
}

// Metadata from the records before the first sample, or from all records of a pipe.
struct HeadRecords {
  std::vector<EventUpdate> updates;
  std::map<uint64_t, std::string_view> name_of_config;
};

// Returns false if a metadata record could not be decoded.
bool take_head_record(const Record& record, Contents& contents, HeadRecords& head) {
  auto take = [](auto&& decoded, auto&& use) {
    if (decoded.ok()) use(*decoded);
    return decoded.ok();
  };
  switch (record.type) {
    case kHeaderAttr:
      return !contents.is_pipe || take(decode_header_attr(record), [&](EventDescription& event) {
        contents.events.push_back(std::move(event));
      });
    case kEventUpdate:
      return take(decode_event_update(record),
                  [&](const EventUpdate& update) { head.updates.push_back(update); });
    case kHeaderEventType:
      return take(decode_event_type(record),
                  [&](const EventType& type) { head.name_of_config.emplace(type.config, type.name); });
    case kHeaderBuildId:
      return take(decode_build_id(record.payload, record.misc, record.swap),
                  [&](BuildId& build_id) { contents.features.build_ids.push_back(std::move(build_id)); });
    case kIdIndex:
      return take(decode_id_index(record), [&](const std::vector<IdPlace>& places) {
        contents.id_places.insert(contents.id_places.end(), places.begin(), places.end());
      });
    case kHeaderFeature: {
      Result<FeatureRecord> feature = decode_feature_record(record);
      return feature.ok() && feature->feature < kFeatureBits &&
             decode_feature(static_cast<unsigned>(feature->feature), feature->section, record.swap,
                            contents.features);
    }
    default:
      return true;
  }
}

// Reads the file's own table of event names, before Linux 3.11: perf_trace_event_type in
// tools/perf/util/event.h of that time.
void read_event_types(Bytes file, const FileHeader& header, HeadRecords& head) {
  constexpr size_t kNameBytes = 64;
  ByteReader in(slice(file, header.event_types).value_or(Bytes()), header.swap);
  while (in.remaining() >= sizeof(uint64_t) + kNameBytes) {
    uint64_t config = in.u64();
    head.name_of_config.emplace(config, in.text(kNameBytes));
  }
}

bool ends_head(const Record& record) {
  return record.type == PERF_RECORD_SAMPLE || record.type == kCompressed || record.type == kCompressed2;
}

HeadRecords read_head_records(Contents& contents) {
  HeadRecords head;
  bool all_readable = true;
  RecordCursor cursor(contents.records, contents.swap, contents.records_offset);
  std::vector<std::string> seen_again_later;  // dropped: they are found again later
  while (std::optional<Record> record = cursor.next(seen_again_later)) {
    if (!contents.is_pipe && ends_head(*record)) break;
    if (take_head_record(*record, contents, head)) continue;
    if (!std::exchange(all_readable, false)) continue;
    contents.problems.push_back(
        fmt::format("the {} record at offset {}, and perhaps others, could not be read",
                    record_name(record->type), record->file_offset));
  }
  return head;
}

void join_private_feature(const std::vector<EventUpdate>& updates, Features& features) {
  for (const EventUpdate& update : updates) {
    if (update.kind != kUpdateHardmeter) continue;
    if (!features.hardmeter.has_value()) features.hardmeter.emplace();
    features.hardmeter->append(update.text);
  }
}

// An EVENT_UPDATE has priority over the header's description, which lists the events in order.
void name_events(const HeadRecords& head, Contents& contents) {
  std::vector<EventDescription>& events = contents.events;
  for (const EventUpdate& update : head.updates) {
    std::optional<size_t> event = contents.index.of_id(update.id);
    if (update.kind == kUpdateName && event.has_value()) events[*event].name = update.text;
  }
  for (size_t i = 0; i < events.size(); ++i) {
    bool is_described = i < contents.features.events.size();
    if (events[i].name.empty() && is_described) events[i].name = contents.features.events[i].name;
    auto named = head.name_of_config.find(events[i].attr.config);
    if (events[i].name.empty() && named != head.name_of_config.end()) events[i].name = named->second;
  }
}

// Messages for a file without the features that perf writes last. Without build IDs, symbols come from the
// current versions of the programs.
constexpr const char* kFeaturesMissing =
    "the final part (host, command line, event names, build IDs) is missing, and programs are used as they are now";
constexpr const char* kLateFeaturesMissing =
    "the final part (totals, build IDs) is missing, and programs are used as they are now";
constexpr const char* kBuildIdsMissing =
    "the final part (build IDs) is missing, and programs are used as they are now; totals are those counted until shortly before the end";

// The features that a recorder writes before the data.
enum class EarlyFeatures { kNone, kOfTheStart, kWithNewestCounts };

std::string_view missing_text(EarlyFeatures early) {
  switch (early) {
    case EarlyFeatures::kNone:
      return kFeaturesMissing;
    case EarlyFeatures::kOfTheStart:
      return kLateFeaturesMissing;
    case EarlyFeatures::kWithNewestCounts:
      return kBuildIdsMissing;
  }
  return {};
}

EarlyFeatures read_early_features(Bytes file, const FileHeader& header, Contents& contents) {
  std::optional<FileHeader> early = decode_early_features(file, header);
  if (!early) return EarlyFeatures::kNone;
  read_features(file, *early, contents);
  auto newest = decode_newest_description(file.first(contents.records_offset), header.swap);
  if (!newest) return EarlyFeatures::kOfTheStart;
  contents.features.hardmeter = *newest;
  return EarlyFeatures::kWithNewestCounts;
}

// Locates the records, and reads the features after them if the file can have any.
void read_data_section(Bytes file, const FileHeader& header, Contents& contents) {
  contents.records_offset = std::min<uint64_t>(header.data.offset, file.size());
  Bytes rest = file.subspan(contents.records_offset);
  bool is_finished = header.data.bytes != 0 && header.data.bytes <= rest.size();
  contents.records = is_finished ? rest.first(header.data.bytes) : rest;
  if (is_finished && header.has_any_feature()) return read_features(file, header, contents);

  EarlyFeatures early = read_early_features(file, header, contents);
  std::string_view missing = missing_text(early);
  if (header.data.bytes == 0) {
    contents.problems.push_back(fmt::format(
        "the recorder did not finish: the header says 0 bytes of records, and the file was read to its end ({} bytes); {}",
        rest.size(), missing));
  } else if (!is_finished) {
    contents.problems.push_back(
        fmt::format("the file is cut off: {} bytes of records are there, the header says {}; {}", rest.size(),
                    plausible(header.data.bytes), missing));
  } else if (early != EarlyFeatures::kNone) {
    contents.problems.push_back(fmt::format("the recorder could not write to the end: {}", missing));
  }
}

}  // namespace

Result<Contents> read_contents(Bytes file) {
  Result<FileHeader> header = decode_file_header(file);
  if (!header.ok()) return header.error();
  Contents contents;
  contents.swap = header->swap;
  contents.is_pipe = header->is_pipe;
  if (header->is_pipe) {
    contents.records_offset = kPipeHeaderBytes;
    contents.records = file.subspan(kPipeHeaderBytes);
  } else {
    Status attrs = read_file_attrs(file, *header, contents.events);
    if (!attrs.ok()) return attrs.error();
    read_data_section(file, *header, contents);
  }
  HeadRecords head = read_head_records(contents);
  read_event_types(file, *header, head);
  contents.index = EventIndex(contents.events);
  join_private_feature(head.updates, contents.features);
  name_events(head, contents);
  return contents;
}

}  // namespace hm::record
