// SPDX-License-Identifier: MIT
// Records that carry, in a pipe, the information of a file's header: HEADER_ATTR (an event and its ids),
// EVENT_UPDATE (its name), HEADER_EVENT_TYPE (its name, before Linux 3.11), HEADER_FEATURE (a feature
// section).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "record/event.h"
#include "record/features.h"
#include "record/perf_record.h"
#include "record/u64_view.h"

namespace hm::record {

Result<EventDescription> decode_header_attr(const Record& record);
// Fails with kInvalidArgument if the event has more ids than fit into a record.
Status encode_header_attr(const EventDescription& event, ByteWriter& out);

enum EventUpdateKind : uint64_t {
  kUpdateUnit = 0,
  kUpdateScale = 1,
  kUpdateName = 2,
  kUpdateCpus = 3,
  // A piece of the data that a file holds in the feature kFeatureHardmeter. perf fails on an unknown feature
  // record but ignores an unknown update.
  kUpdateHardmeter = 200,
};

struct EventUpdate {
  uint64_t kind = 0;      // EventUpdateKind
  uint64_t id = 0;        // one of the event's ids
  std::string_view text;  // points into the recording; empty for updates of the scale and the CPUs

  bool operator==(const EventUpdate&) const = default;
};

Result<EventUpdate> decode_event_update(const Record& record);
void encode_event_update(const EventUpdate& update, ByteWriter& payload);

struct EventType {
  uint64_t config = 0;    // perf_event_attr.config of the named event
  std::string_view name;  // points into the recording

  bool operator==(const EventType&) const = default;
};

Result<EventType> decode_event_type(const Record& record);

struct FeatureRecord {
  uint64_t feature = 0;
  Bytes section;
};

Result<FeatureRecord> decode_feature_record(const Record& record);
Status encode_feature_record(const FeatureRecord& feature, ByteWriter& out);

// Appends whole records with every feature, which a pipe has instead of a file header. Leaves out sections
// that are too long for a record.
void encode_feature_records(const Features& features, const std::vector<EventDescription>& events,
                            ByteWriter& out);

}  // namespace hm::record
