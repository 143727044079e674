// SPDX-License-Identifier: MIT
#include "view/json/hardware_events.h"

#include <fmt/format.h>

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

Json to_json(const event::FormatBits& bits) {
  if (bits.format.empty()) return {};
  return {{"format", bits.format}, {"config", hex(bits.config)}, {"config2", hex(bits.config2)}};
}

Json to_json(const Encoding& encoding) {
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
          {"privilege_bits", to_json(encoding.privilege_bits)},
          {"fewer_samples_bits", to_json(encoding.fewer_samples_bits)},
          {"exclusive", encoding.exclusive},
          {"helper", encoding.helper},
          {"native", encoding.native},
          {"note", text_or_null(encoding.note)}};
}

Json to_json(const Result<std::vector<Encoding>>& encodings) {
  if (!encodings) return {{"error", encodings.error().message}};
  Json list = Json::array();
  for (const Encoding& each : *encodings) list.push_back(to_json(each));
  return {{"encodings", std::move(list)}};
}

}  // namespace

Json to_json(const event::HardwareEvent& hardware) {
  return {{"count", to_json(hardware.counted)}, {"sample", to_json(hardware.sampled)}};
}

}  // namespace hm::json
