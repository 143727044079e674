// SPDX-License-Identifier: MIT
#include "event/hardware/encode.h"

#include <fmt/format.h>
#include <linux/perf_event.h>

#include <algorithm>

#include "event/event_template.h"
#include "event/hardware/event_row.h"
#include "event/hardware/families.h"
#include "event/hardware/known_cpus.h"

namespace hm::event {
namespace {

struct CoreKind {
  std::string_view name;
  Result<std::vector<Encoding>> encodings;
};

// Returns the kinds of cores that Linux exposes.
std::vector<CoreKind> core_kinds(EventId id, const KnownCpu& known, const CpuModel& cpu, Use use) {
  std::vector<CoreKind> kinds;
  if (cpu.has_cpu_core)
    kinds.push_back({"performance", encode_intel(id, known, use, "cpu_core", std::nullopt)});
  if (cpu.has_cpu_atom)
    kinds.push_back({"efficient", encode_intel_atom(id, known, "cpu_atom", std::nullopt)});
  if (cpu.has_cpu_lowpower)
    kinds.push_back({"low-power", encode_intel_atom(id, known, kLowPowerPmu, std::nullopt)});
  return kinds;
}

void mention_cores(Encoding& encoding, std::string_view which) {
  encoding.note += encoding.note.empty() ? "" : "; ";
  encoding.note += fmt::format("on the {} cores only; the other cores have no such event", which);
}

// Encodes for all kinds of cores that Linux exposes. If only some kinds have the event, it is counted only
// there, and the note mentions that. If no kind has the event, fails with the first kind's reason.
Result<std::vector<Encoding>> encode_hybrid(EventId id, const KnownCpu& known, const CpuModel& cpu, Use use) {
  std::vector<CoreKind> kinds = core_kinds(id, known, cpu, use);
  if (kinds.empty()) {
    return make_error(
        ErrorCode::kUnsupported,
        "{} has two kinds of cores and Linux shows neither, as in most virtual machines, so {} cannot be programmed; the software PMU works",
        known.title, event_template(id).name);
  }
  std::vector<Encoding> all;
  std::string with_event;
  for (const CoreKind& kind : kinds) {
    if (!kind.encodings) continue;
    with_event += fmt::format("{}{}", with_event.empty() ? "" : " and ", kind.name);
    all.insert(all.end(), kind.encodings->begin(), kind.encodings->end());
  }
  if (all.empty()) return kinds.front().encodings;
  if (std::ranges::any_of(kinds, [](const CoreKind& kind) { return !kind.encodings; })) {
    for (Encoding& each : all) mention_cores(each, with_event);
  }
  return all;
}

}  // namespace

Result<std::vector<Encoding>> encode(EventId id, const CpuModel& cpu, Use use) {
  const KnownCpu* known = identify(cpu);
  if (known == nullptr) {
    return make_error(
        ErrorCode::kUnsupported,
        "the hardware events of this processor (family {:#x}, model {:#x}) are not known here, so {} cannot be programmed; the software PMU works",
        cpu.family, cpu.model, event_template(id).name);
  }
  if (event_template(id).group == EventGroup::kWait)
    return not_to_be_had(id, known->title, "waits are estimated by the software PMU's cost model");
  switch (known->generation) {
    case Generation::kSkylake:
    case Generation::kSkylakeX:
    case Generation::kCascadeLakeX:
    case Generation::kIceLake:
    case Generation::kIceLakeX:
    case Generation::kSapphireRapids:
    case Generation::kGraniteRapids:
      return encode_intel(id, *known, use, "cpu", PERF_TYPE_RAW);
    case Generation::kSierraForest:
    case Generation::kGrandRidge:
    case Generation::kClearwaterForest:
    case Generation::kAlderLakeN:
      return encode_intel_atom(id, *known, "cpu", PERF_TYPE_RAW);
    case Generation::kAlderLake:
    case Generation::kMeteorLake:
    case Generation::kArrowLake:
    case Generation::kLunarLake:
    case Generation::kPantherLake:
      return encode_hybrid(id, *known, cpu, use);
    case Generation::kPentium4:
    case Generation::kPentium4Prescott:
      return encode_pentium4(id, *known);
    case Generation::kZen2:
    case Generation::kZen3:
    case Generation::kZen4:
    case Generation::kZen5:
    case Generation::kZen6:
      return encode_zen(id, *known, use);
    case Generation::kNeoverseN1:
    case Generation::kNeoverseV1:
    case Generation::kNeoverseN2:
    case Generation::kNeoverseV2:
    case Generation::kNeoverseN3:
    case Generation::kNeoverseV3:
      return encode_neoverse(id, *known, use);
  }
  return not_to_be_had(id, known->title, "its events are not known here");
}

Encoding software_clock() {
  Encoding clock;
  clock.pmu = "software";
  clock.type = PERF_TYPE_SOFTWARE;
  clock.config = PERF_COUNT_SW_CPU_CLOCK;
  clock.native = "cpu-clock";
  clock.note = "the kernel's timer: the period is in nanoseconds, and samples skid";
  return clock;
}

}  // namespace hm::event
