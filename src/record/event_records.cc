// SPDX-License-Identifier: MIT
#include "record/event_records.h"

#include <algorithm>

#include "record/attr.h"
#include "record/extension.h"

namespace hm::record {
namespace {

void encode_private_feature(Bytes section, ByteWriter& out) {
  constexpr size_t kTextBytes = size_t{32} << 10;
  std::string_view text(reinterpret_cast<const char*>(section.data()), section.size());
  for (; !text.empty(); text.remove_prefix(std::min(kTextBytes, text.size()))) {
    ByteWriter payload;
    encode_event_update({.kind = kUpdateHardmeter, .id = 0, .text = text.substr(0, kTextBytes)}, payload);
    (void)append_record(out, kEventUpdate, 0, payload.bytes());  // cannot fail: a piece always fits
  }
}

}  // namespace

Result<EventDescription> decode_header_attr(const Record& record) {
  Result<perf_event_attr> attr = decode_attr(record.payload, record.swap);
  if (!attr.ok()) return attr.error();
  EventDescription event{.name = {}, .attr = *attr, .ids = {}};
  U64View ids(record.payload.subspan(stored_attr_bytes(record.payload, record.swap)), record.swap);
  event.ids.assign(ids.begin(), ids.end());
  return event;
}

Status encode_header_attr(const EventDescription& event, ByteWriter& out) {
  ByteWriter payload;
  payload.write(event.attr);
  for (uint64_t id : event.ids) payload.u64(id);
  return append_record(out, kHeaderAttr, 0, payload.bytes());
}

Result<EventUpdate> decode_event_update(const Record& record) {
  ByteReader in = record.reader();
  EventUpdate update{.kind = in.u64(), .id = in.u64(), .text = {}};
  if (update.kind != kUpdateScale && update.kind != kUpdateCpus) update.text = in.text(in.remaining());
  if (!in.ok()) return short_record(record);
  return update;
}

void encode_event_update(const EventUpdate& update, ByteWriter& payload) {
  payload.u64(update.kind);
  payload.u64(update.id);
  append_name(payload, update.text);
}

Result<EventType> decode_event_type(const Record& record) {
  ByteReader in = record.reader();
  EventType type{.config = in.u64(), .name = {}};
  type.name = in.text(in.remaining());
  if (!in.ok()) return short_record(record);
  return type;
}

Result<FeatureRecord> decode_feature_record(const Record& record) {
  ByteReader in = record.reader();
  FeatureRecord feature{.feature = in.u64(), .section = {}};
  feature.section = in.rest();
  if (!in.ok()) return short_record(record);
  return feature;
}

Status encode_feature_record(const FeatureRecord& feature, ByteWriter& out) {
  ByteWriter payload;
  payload.u64(feature.feature);
  payload.append(feature.section);
  return append_record(out, kHeaderFeature, 0, payload.bytes());
}

void encode_feature_records(const Features& features, const std::vector<EventDescription>& events,
                            ByteWriter& out) {
  for (const auto& [bit, section] : encode_features(features, events)) {
    if (bit == kFeatureBuildId) {
      out.append(section);  // the section consists of HEADER_BUILD_ID records
    } else if (bit == kFeatureHardmeter) {
      encode_private_feature(section, out);
    } else {
      (void)encode_feature_record({.feature = bit, .section = section}, out);  // left out if too long
    }
  }
}

}  // namespace hm::record
