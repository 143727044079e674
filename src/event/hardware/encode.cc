// SPDX-License-Identifier: MIT
#include "event/hardware/encode.h"

#include <linux/perf_event.h>

#include "event/event_template.h"
#include "event/hardware/event_row.h"
#include "event/hardware/families.h"
#include "event/hardware/known_cpus.h"

namespace hm::event {
namespace {

std::vector<Encoding> on_some_cores(std::vector<Encoding> encodings, std::string_view which) {
  for (Encoding& each : encodings) {
    each.note += each.note.empty() ? "" : "; ";
    each.note += fmt::format("on the {} cores only; the other cores have no such event", which);
  }
  return encodings;
}

// Encodes for both kinds of cores that Linux exposes. If only one kind has the event, it is counted only
// there, and the note mentions that.
Result<std::vector<Encoding>> encode_hybrid(EventId id, const KnownCpu& known, const CpuModel& cpu, Use use) {
  if (!cpu.has_cpu_core && !cpu.has_cpu_atom) {
    return make_error(
        ErrorCode::kUnsupported,
        "{} has two kinds of cores and Linux shows neither, as in most virtual machines, so {} cannot be programmed; the software PMU works",
        known.title, event_template(id).name);
  }
  if (!cpu.has_cpu_atom) return encode_intel(id, known, use, "cpu_core", std::nullopt);
  if (!cpu.has_cpu_core) return encode_gracemont(id, known);
  auto performance = encode_intel(id, known, use, "cpu_core", std::nullopt);
  auto efficient = encode_gracemont(id, known);
  if (!performance && !efficient) return performance;
  if (!efficient) return on_some_cores(*std::move(performance), "performance");
  if (!performance) return on_some_cores(*std::move(efficient), "efficient");
  performance->insert(performance->end(), efficient->begin(), efficient->end());
  return performance;
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
      return encode_intel(id, *known, use, "cpu", PERF_TYPE_RAW);
    case Generation::kAlderLake:
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
