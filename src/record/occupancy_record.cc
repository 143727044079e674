// SPDX-License-Identifier: MIT
#include "record/occupancy_record.h"

#include <algorithm>

namespace hm::record {
namespace {

constexpr uint32_t kOccupancyMagic = 0x314c4d48;  // "HML1" in file order
enum Flag : uint16_t { kOccupancy = 1, kTotal = 2, kModelled = 4 };

}  // namespace

EventDescription occupancy_event(uint64_t id) {
  EventDescription event;
  event.name = kOccupancyEvent;
  event.ids = {id};
  perf_event_attr& attr = event.attr;
  attr.type = PERF_TYPE_RAW;
  attr.size = sizeof(attr);
  attr.config = kOccupancyConfig;
  attr.sample_period = 1;
  attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
                     PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW;
  attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID;
  attr.exclude_kernel = attr.exclude_hv = attr.inherit = 1;
  attr.sample_id_all = 1;
  return event;
}

bool is_occupancy_event(const EventDescription& event) {
  return event.attr.type == PERF_TYPE_RAW && event.attr.config == kOccupancyConfig &&
         event.name == kOccupancyEvent && (event.attr.sample_type & PERF_SAMPLE_RAW) != 0;
}

// Payload layout: magic, flags, length of the name, three numbers, the name. Padded like all RAW data.
Sample occupancy_sample(const OccupancyReading& reading, std::vector<std::byte>& payload) {
  ByteWriter out;
  size_t name_bytes = std::min(reading.name.size(), kMaxOccupancyName);
  out.u32(kOccupancyMagic);
  out.u16(static_cast<uint16_t>((reading.occupancy_bytes ? kOccupancy : 0) |
                                (reading.total_bytes_per_s ? kTotal : 0) |
                                (reading.is_modelled ? kModelled : 0)));
  out.u16(static_cast<uint16_t>(name_bytes));
  out.u64(reading.cache_bytes);
  out.u64(reading.occupancy_bytes.value_or(0));
  out.u64(reading.total_bytes_per_s.value_or(0));
  out.text(std::string_view(reading.name).substr(0, name_bytes));
  payload = std::move(out).take();
  Sample sample;
  sample.period = reading.occupancy_bytes.value_or(0);
  sample.raw = payload;
  return sample;
}

std::optional<OccupancyReading> decode_occupancy(Bytes raw, bool swap) {
  ByteReader in(raw, swap);
  if (in.u32() != kOccupancyMagic) return std::nullopt;
  OccupancyReading reading;
  uint16_t flags = in.u16();
  size_t name_bytes = in.u16();
  reading.cache_bytes = in.u64();
  uint64_t occupancy = in.u64(), total = in.u64();
  reading.name = in.text(name_bytes);
  if (!in.ok() || name_bytes > kMaxOccupancyName) return std::nullopt;
  if ((flags & kOccupancy) != 0) reading.occupancy_bytes = occupancy;
  if ((flags & kTotal) != 0) reading.total_bytes_per_s = total;
  reading.is_modelled = (flags & kModelled) != 0;
  return reading;
}

}  // namespace hm::record
