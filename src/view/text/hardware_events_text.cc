// SPDX-License-Identifier: MIT
#include "view/text/hardware_events_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hm::text {
namespace {

using event::Encoding;
using event::HardwareEvent;

constexpr std::string_view kIndent = "    ";

std::string config_of(const Encoding& encoding) {
  std::string config = fmt::format("{:#x}", encoding.config);
  return encoding.config1 == 0 ? config : fmt::format("{}, {:#x}", config, encoding.config1);
}

std::string sentence_about(const event::FormatBits& bits, const Encoding& encoding) {
  std::string_view what = &bits == &encoding.privilege_bits
                              ? "lets the kernel filter user or kernel samples"
                              : "drops many samples, so the period no longer holds";
  return fmt::format("{} (config {:#x}, config2 {:#x} more), where `format` has it, {}", bits.format,
                     bits.config, bits.config2, what);
}

std::string below(const Encoding& encoding) {
  std::string lines;
  if (std::string kept = kept_samples(encoding.keep); !kept.empty()) {
    lines += fmt::format("{}keeps {}\n", kIndent, kept);
  }
  for (const event::FormatBits* bits : {&encoding.privilege_bits, &encoding.fewer_samples_bits}) {
    if (!bits->format.empty()) lines += fmt::format("{}{}\n", kIndent, sentence_about(*bits, encoding));
  }
  if (!encoding.note.empty()) lines += fmt::format("{}{}\n", kIndent, encoding.note);
  return lines;
}

void add_encodings(Table& table, std::string_view name, std::string_view use,
                   const Result<std::vector<Encoding>>& encodings) {
  if (!encodings) {
    table.add({std::string(name), std::string(use), "none", "", "", ""},
              fmt::format("{}{}\n", kIndent, encodings.error().message));
    return;
  }
  for (size_t i = 0; i < encodings->size(); ++i) {
    const Encoding& each = (*encodings)[i];
    std::string lines = below(each);
    bool said_again = i + 1 < encodings->size() && below((*encodings)[i + 1]) == lines;
    table.add({std::string(i == 0 ? name : ""), std::string(i == 0 ? use : "and"), each.pmu, config_of(each),
               fmt::format("{}", fmt::join(sample_contents(each), ", ")), each.native},
              said_again ? "" : lines);
  }
}

void add_event(Table& table, const HardwareEvent& hardware) {
  std::string_view name = hardware.event->name;
  bool neither = !hardware.counted && !hardware.sampled;
  if (neither || same_encodings(hardware)) {
    add_encodings(table, name, "count, sample", hardware.sampled);
    return;
  }
  add_encodings(table, name, "count", hardware.counted);
  add_encodings(table, "", "sample", hardware.sampled);
}

}  // namespace

std::string hardware_events(const event::HardwareEvents& hardware, const Style& style) {
  if (hardware.cpu.empty())
    return "hardware: the events of this processor are unknown; the software PMU works\n";
  Table table({{"event", Align::kLeft},
               {"to", Align::kLeft},
               {"PMU", Align::kLeft},
               {"config, config1", Align::kLeft},
               {"sample fields", Align::kLeft},
               {"vendor's name", Align::kLeft}});
  for (const HardwareEvent& each : hardware.events) add_event(table, each);
  return fmt::format("hardware: {}\n{}", hardware.cpu, table.render(style));
}

}  // namespace hm::text
