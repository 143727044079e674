// SPDX-License-Identifier: MIT
#include "view/json/event_list_json.h"

#include <fmt/format.h>

#include "view/json/values.h"

namespace hm::json {
namespace {

using event::Encoding;

std::string hex(uint64_t value) { return fmt::format("{:#x}", value); }

std::string_view word_of(event::PeriodUnit unit) {
  switch (unit) {
    case event::PeriodUnit::kEvents:
      return "events";
    case event::PeriodUnit::kOperations:
      return "operations";
  }
  return "";
}

Json format_bits_json(const event::FormatBits& bits) {
  if (bits.format.empty()) return {};
  return {{"format", bits.format}, {"config", hex(bits.config)}, {"config2", hex(bits.config2)}};
}

Json encoding_json(const Encoding& encoding) {
  return {{"pmu", encoding.pmu},
          {"type", or_null(encoding.type)},
          {"config", hex(encoding.config)},
          {"config1", hex(encoding.config1)},
          {"config2", hex(encoding.config2)},
          {"max_precise_ip", encoding.max_precise_ip},
          {"tells", sample_contents(encoding)},
          {"keeps", text_or_null(kept_samples(encoding.keep))},
          {"period_unit", word_of(encoding.period_unit)},
          {"privilege_filter", encoding.privilege_filter},
          {"privilege_bits", format_bits_json(encoding.privilege_bits)},
          {"fewer_samples_bits", format_bits_json(encoding.fewer_samples_bits)},
          {"exclusive", encoding.exclusive},
          {"helper", encoding.helper},
          {"native", encoding.native},
          {"note", text_or_null(encoding.note)}};
}

Json encodings_json(const Result<std::vector<Encoding>>& encodings) {
  if (!encodings) return {{"error", encodings.error().message}};
  Json list = Json::array();
  for (const Encoding& each : *encodings) list.push_back(encoding_json(each));
  return {{"encodings", std::move(list)}};
}

Json hardware_json(const event::HardwareEvent& hardware) {
  return {{"count", encodings_json(hardware.counted)}, {"sample", encodings_json(hardware.sampled)}};
}

std::string_view word_of(event::SoftSupport support) {
  switch (support) {
    case event::SoftSupport::kExact:
      return "exact";
    case event::SoftSupport::kApproximate:
      return "approximate";
    case event::SoftSupport::kNone:
      return "none";
  }
  return "";
}

}  // namespace

std::string event_list_json(const event::HardwareEvents& hardware) {
  Json json{{"schema", kSchema}, {"cpu", text_or_null(hardware.cpu)}, {"events", Json::array()}};
  for (const event::HardwareEvent& each : hardware.events) {
    const event::EventTemplate* event = each.event;
    json["events"].push_back({{"name", event->name},
                              {"alias", text_or_null(event->alias)},
                              {"description", event->description},
                              {"group", group_title(event->group)},
                              {"precise", event->precise},
                              {"software", word_of(event->soft)},
                              {"note", text_or_null(event->soft_note)},
                              {"hardware", hardware_json(each)}});
  }
  return indented_json(json);
}

}  // namespace hm::json
