// SPDX-License-Identifier: MIT
#include "dump/details.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <span>

#include "base/take_until.h"
#include "record/extension.h"
#include "record/extension_pieces.h"

namespace hm::dump {
namespace {

using Value = std::optional<uint64_t> Details::*;
using Names = std::span<const std::string_view>;

// Texts of the values of record::AccessKind, record::MissClass and record::LoadReplay, and of a boolean.
constexpr std::string_view kKinds[] = {"none",     "load", "store", "fetch", "read-modify-write",
                                       "prefetch", "flush"};
constexpr std::string_view kClasses[] = {"none",     "compulsory",    "capacity",
                                         "conflict", "true-sharing",  "false-sharing",
                                         "sharing",  "other-program", "no-history"};
constexpr std::string_view kReplays[] = {"none", "blocked", "alias"};
constexpr std::string_view kModes[] = {"program", "kernel"};
constexpr std::string_view kOutcomes[] = {"miss", "hit"};
static_assert(std::size(kClasses) == static_cast<size_t>(record::kLastMissClass) + 1);

enum class Form { kDecimal, kSigned, kAddress, kHex, kName };

struct Key {
  std::string_view name;
  Value value;
  Form form = Form::kDecimal;
  Names names{};
};

constexpr Key kKeys[] = {
    {"time", &Details::time_ns},
    {"period", &Details::period},
    {"cpu", &Details::cpu},
    {"address", &Details::address, Form::kAddress},
    {"physical", &Details::physical_address, Form::kAddress},
    {"kind", &Details::access_kind, Form::kName, kKinds},
    {"bytes", &Details::access_bytes},
    {"source", &Details::data_source, Form::kHex},
    {"latency", &Details::latency_cycles},
    {"cycles", &Details::run_cycles},
    {"l1", &Details::l1_class, Form::kName, kClasses},
    {"l2", &Details::l2_class, Form::kName, kClasses},
    {"l3", &Details::l3_class, Form::kName, kClasses},
    {"replay", &Details::load_replay, Form::kName, kReplays},
    {"by", &Details::by_kernel, Form::kName, kModes},
    {"block", &Details::block_start, Form::kAddress},
    {"block-bytes", &Details::block_bytes},
    {"block-site", &Details::block_site},
    {"step1", &Details::step_1, Form::kSigned},
    {"step2", &Details::step_2, Form::kSigned},
    {"step3", &Details::step_3, Form::kSigned},
    {"next-line", &Details::next_line_hits, Form::kName, kOutcomes},
    {"huge-page", &Details::huge_page_hits, Form::kName, kOutcomes},
    {"reuse", &Details::reuse_lines},
    {"reuse-at-least", &Details::reuse_lines_at_least},
};
constexpr Value kSteps[] = {&Details::step_1, &Details::step_2, &Details::step_3};
static_assert(std::size(kSteps) == record::kMissSteps);

std::string word_of(const Key& key, uint64_t value) {
  switch (key.form) {
    case Form::kSigned:
      return fmt::format("{}", static_cast<int64_t>(value));
    case Form::kAddress:
      return fmt::format("{:016x}", value);
    case Form::kHex:
      return fmt::format("{:x}", value);
    case Form::kName:
      return value < key.names.size() ? std::string(key.names[value]) : fmt::format("{}", value);
    default:
      return fmt::format("{}", value);
  }
}

template <typename Number>
std::optional<uint64_t> number_in(std::string_view word, int base) {
  Number number{};
  auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number, base);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return static_cast<uint64_t>(number);
}

std::optional<uint64_t> value_in(const Key& key, std::string_view word) {
  auto named = std::ranges::find(key.names, word);
  if (named != key.names.end()) return static_cast<uint64_t>(named - key.names.begin());
  bool is_hex = key.form == Form::kAddress || key.form == Form::kHex;
  return key.form == Form::kSigned ? number_in<int64_t>(word, 10)
                                   : number_in<uint64_t>(word, is_hex ? 16 : 10);
}

void take_access(const record::SampleExtension& access, Details& details) {
  if (access.cycles_of == record::CyclesOf::kRun) details.run_cycles = uint64_t{access.cycles};
  const auto set = [](std::optional<uint64_t>& to, auto value) {
    if (value != decltype(value){}) to = static_cast<uint64_t>(value);
  };
  set(details.access_kind, access.access_kind);
  if (details.access_kind) details.access_bytes = access.access_bytes;
  set(details.l1_class, access.l1_class);
  set(details.l2_class, access.l2_class);
  set(details.l3_class, access.l3_class);
  set(details.load_replay, access.load_replay);
}

void take_what_if(const record::WhatIf& what_if, Details& details) {
  const auto set = [&](record::WhatIf::Question question, std::optional<uint64_t>& hits) {
    if ((what_if.asked & question) != 0) hits = (what_if.would_hit & question) != 0 ? 1 : 0;
  };
  set(record::WhatIf::kNextLine, details.next_line_hits);
  set(record::WhatIf::kHugePages, details.huge_page_hits);
  if (what_if.reuse_known == 0) return;
  (what_if.reuse_more != 0 ? details.reuse_lines_at_least : details.reuse_lines) = what_if.reuse_lines;
}

void take_extension(Bytes raw, Details& details) {
  auto access = record::take_piece<record::SampleExtension>(raw, record::kExtensionMagic);
  if (!access) return;
  take_access(*access, details);
  (void)record::take_piece<record::KernelObjectExtension>(raw, record::kKernelObjectMagic);
  if (auto block = record::take_piece<record::HeapBlockExtension>(raw, record::kHeapBlockMagic)) {
    details.block_start = uint64_t{block->start};
    details.block_bytes = uint64_t{block->bytes};
    if (block->site != 0) details.block_site = uint64_t{block->site};
  }
  if (auto steps = record::take_piece<record::StepsExtension>(raw, record::kStepsMagic)) {
    for (uint32_t i = 0; i < std::min<uint32_t>(steps->steps.count, record::kMissSteps); ++i)
      details.*kSteps[i] = static_cast<uint64_t>(steps->steps.bytes[i]);
  }
  if (auto what_if = record::take_piece<record::WhatIfExtension>(raw, record::kWhatIfMagic))
    take_what_if(what_if->what_if, details);
  if (record::take_piece<record::SystemCallExtension>(raw, record::kSystemCallMagic)) details.by_kernel = 1;
}

// A number outside the enumeration is read as 0, the enumerator for "none".
template <typename Enum>
Enum as(const std::optional<uint64_t>& value, size_t count) {
  return static_cast<Enum>(value && *value < count ? *value : 0);
}

record::SampleExtension access_of(const Details& details) {
  record::SampleExtension access{};
  access.magic = record::kExtensionMagic;
  access.cycles = details.run_cycles.value_or(0);
  if (details.run_cycles) access.cycles_of = record::CyclesOf::kRun;
  access.access_bytes = static_cast<uint16_t>(details.access_bytes.value_or(0));
  access.access_kind = as<record::AccessKind>(details.access_kind, std::size(kKinds));
  access.l1_class = as<record::MissClass>(details.l1_class, std::size(kClasses));
  access.l2_class = as<record::MissClass>(details.l2_class, std::size(kClasses));
  access.l3_class = as<record::MissClass>(details.l3_class, std::size(kClasses));
  access.load_replay = as<record::LoadReplay>(details.load_replay, std::size(kReplays));
  return access;
}

record::StepsExtension steps_of(const Details& details) {
  record::StepsExtension steps{.magic = record::kStepsMagic, .steps = {}};
  for (Value each : kSteps) {
    if (!(details.*each)) break;
    steps.steps.bytes[steps.steps.count++] = static_cast<int64_t>(*(details.*each));
  }
  return steps;
}

std::optional<record::WhatIfExtension> what_if_of(const Details& details) {
  record::WhatIf what_if{};
  const auto set = [&](record::WhatIf::Question question, const std::optional<uint64_t>& hits) {
    if (hits) what_if.asked |= question;
    if (hits.value_or(0) != 0) what_if.would_hit |= question;
  };
  set(record::WhatIf::kNextLine, details.next_line_hits);
  set(record::WhatIf::kHugePages, details.huge_page_hits);
  what_if.reuse_known = details.reuse_lines || details.reuse_lines_at_least ? 1 : 0;
  what_if.reuse_more = details.reuse_lines ? 0 : what_if.reuse_known;
  what_if.reuse_lines =
      static_cast<uint32_t>(details.reuse_lines.value_or(details.reuse_lines_at_least.value_or(0)));
  if (what_if.asked == 0 && what_if.reuse_known == 0) return std::nullopt;
  return record::WhatIfExtension{record::kWhatIfMagic, what_if, 0};
}

}  // namespace

Details details_of(const record::Sample& sample) {
  Details details;
  const auto set = [&](uint64_t field, std::optional<uint64_t>& to, uint64_t value) {
    if (sample.has(field)) to = value;
  };
  set(PERF_SAMPLE_TIME, details.time_ns, sample.time_ns);
  set(PERF_SAMPLE_PERIOD, details.period, sample.period);
  set(PERF_SAMPLE_CPU, details.cpu, sample.cpu);
  set(PERF_SAMPLE_ADDR, details.address, sample.addr);
  set(PERF_SAMPLE_PHYS_ADDR, details.physical_address, sample.phys_addr);
  set(PERF_SAMPLE_DATA_SRC, details.data_source, sample.data_source);
  set(PERF_SAMPLE_WEIGHT_TYPE, details.latency_cycles, sample.latency_cycles());
  if (sample.has(PERF_SAMPLE_RAW)) take_extension(sample.raw, details);
  return details;
}

std::vector<std::byte> extension_of(const Details& details) {
  if (!details.run_cycles && !details.access_kind) return {};
  ByteWriter out;
  out.write(access_of(details));
  if (details.block_start) {
    out.write(record::HeapBlockExtension{record::kHeapBlockMagic, *details.block_start,
                                         details.block_bytes.value_or(0),
                                         static_cast<uint32_t>(details.block_site.value_or(0))});
  }
  if (record::StepsExtension steps = steps_of(details); steps.steps.count != 0) out.write(steps);
  if (auto what_if = what_if_of(details)) out.write(*what_if);
  if (details.by_kernel.value_or(0) != 0) out.write(record::SystemCallExtension{record::kSystemCallMagic, 0});
  return std::move(out).take();
}

std::string text_of(const Details& details) {
  std::string text;
  for (const Key& key : kKeys) {
    const std::optional<uint64_t>& value = details.*key.value;
    if (!value) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", key.name, word_of(key, *value));
  }
  return text;
}

std::optional<Details> parse_details(std::string_view text) {
  Details details;
  while (!text.empty()) {
    std::string_view word = take_until(text, ' ');
    if (word.empty()) continue;
    std::string_view name = take_until(word, '=');
    const auto* key = std::ranges::find(kKeys, name, &Key::name);
    if (key == std::end(kKeys)) continue;
    std::optional<uint64_t> value = value_in(*key, word);
    if (!value) return std::nullopt;
    details.*key->value = value;
  }
  return details;
}

}  // namespace hm::dump
