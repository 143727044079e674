// SPDX-License-Identifier: MIT
#include "view/csv/samples_csv.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "analysis/cause/cause.h"
#include "profile/data_source.h"
#include "record/extension.h"
#include "view/csv/text_field.h"

namespace hm::csv {
namespace {

using profile::Profile;

std::string number(std::optional<uint64_t> value) { return value ? std::to_string(*value) : ""; }

std::string hexadecimal(std::optional<uint64_t> value) {
  return value && *value != 0 ? fmt::format("{:x}", *value) : "";
}

std::string class_text(std::optional<uint64_t> miss_class) {
  if (!miss_class || *miss_class == 0) return {};
  return std::string(cause::name_of(static_cast<record::MissClass>(*miss_class)));
}

template <std::string (*kText)(uint64_t)>
std::string source_text(const Profile& profile, size_t sample) {
  std::optional<uint64_t> source = profile.samples.data_source.at(sample);
  return source && profile::has_access_kind(*source) ? kText(*source) : "";
}

const profile::Thread& thread_of(const Profile& profile, size_t sample) {
  return profile.threads[profile.samples.thread[sample]];
}

const profile::Location& place_of(const Profile& profile, size_t sample) {
  return profile.locations[profile.samples.location[sample]];
}

struct Field {
  std::string_view name;
  std::string (*text)(const Profile& profile, size_t sample);
};

constexpr std::array kFields{
    Field{"time_ns", [](const Profile& p, size_t i) { return number(p.samples.time_ns.at(i)); }},
    Field{"event", [](const Profile& p, size_t i) { return text_field(p.events[p.samples.event[i]].name); }},
    Field{"period", [](const Profile& p, size_t i) { return number(p.samples.period.at(i)); }},
    Field{"pid", [](const Profile& p, size_t i) { return number(thread_of(p, i).pid); }},
    Field{"tid", [](const Profile& p, size_t i) { return number(thread_of(p, i).tid); }},
    Field{"comm", [](const Profile& p, size_t i) { return text_field(thread_of(p, i).comm); }},
    Field{"cpu", [](const Profile& p, size_t i) { return number(p.samples.cpu.at(i)); }},
    Field{"function",
          [](const Profile& p, size_t i) { return text_field(p.functions[place_of(p, i).function].name); }},
    Field{"dso", [](const Profile& p, size_t i) { return text_field(p.dsos[place_of(p, i).dso].path); }},
    Field{"place", [](const Profile& p, size_t i) { return fmt::format("{:x}", place_of(p, i).address); }},
    Field{"address", [](const Profile& p, size_t i) { return hexadecimal(p.samples.address.at(i)); }},
    Field{"physical_address",
          [](const Profile& p, size_t i) { return hexadecimal(p.samples.physical_address.at(i)); }},
    Field{"object",
          [](const Profile& p, size_t i) {
            uint32_t object = p.samples.object.empty() ? 0 : p.samples.object[i];
            return object == 0 ? "" : text_field(p.object_text(object));
          }},
    Field{"field",
          [](const Profile& p, size_t i) {
            uint32_t field = p.samples.field.empty() ? 0 : p.samples.field[i];
            return field == 0 ? "" : text_field(p.fields[field].text);
          }},
    Field{"bytes", [](const Profile& p, size_t i) { return number(p.samples.access_bytes.at(i)); }},
    Field{"access", source_text<profile::access_of>},
    Field{"level", source_text<profile::level_of>},
    Field{"snoop", source_text<profile::snoop_of>},
    Field{"tlb", source_text<profile::tlb_of>},
    Field{"locked", source_text<profile::locked_of>},
    Field{"latency_cycles",
          [](const Profile& p, size_t i) { return number(p.samples.latency_cycles.at(i)); }},
    Field{"l1_class", [](const Profile& p, size_t i) { return class_text(p.samples.l1_class.at(i)); }},
    Field{"l2_class", [](const Profile& p, size_t i) { return class_text(p.samples.l2_class.at(i)); }},
    Field{"l3_class", [](const Profile& p, size_t i) { return class_text(p.samples.l3_class.at(i)); }},
};

template <typename Text>
std::string line_of(Text text) {
  std::string line;
  for (const Field& field : kFields) {
    if (&field != kFields.data()) line += ',';
    line += text(field);
  }
  return line + "\r\n";
}

}  // namespace

std::string samples_head() {
  return line_of([](const Field& field) { return std::string(field.name); });
}

std::string sample_line(const Profile& profile, size_t sample) {
  return line_of([&](const Field& field) { return field.text(profile, sample); });
}

}  // namespace hm::csv
