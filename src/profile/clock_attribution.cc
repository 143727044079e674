// SPDX-License-Identifier: MIT
#include "profile/clock_attribution.h"

#include <asm/perf_regs.h>

#include <optional>
#include <unordered_map>

#include "profile/address_space.h"
#include "profile/location_table.h"
#include "profile/lookup.h"
#include "profile/profile.h"
#include "profile/register_values.h"
#include "record/extension.h"

namespace hm::profile {
namespace {

using symbol::RegisterValues;
using symbol::Undetermined;

// Returns no registers if they do not belong to `ip`.
RegisterValues values_of(const record::Registers& registers, uint64_t ip) {
  RegisterValues result = register_values(registers);
  std::optional<uint64_t> found = result.at(PERF_REG_X86_IP);
  return !found || *found == ip ? result : RegisterValues();
}

class Attributor {
 public:
  Attributor(Profile& profile, LocationTable& locations, const symbol::Resolver& resolver, const Needs& needs)
      : profile_(profile), locations_(locations), resolver_(resolver), needs_(needs) {}

  void attribute(const SampledRegisters& interrupt) {
    Samples& samples = profile_.samples;
    std::optional<ClockAttribution>& counts = profile_.events[samples.event[interrupt.sample]].clock;
    if (!counts) counts.emplace();
    ++counts->samples;
    uint64_t ip = interrupt.ip;
    if (is_kernel_address(ip)) return stay(*counts, Undetermined::kKernel);
    uint32_t fell = samples.location[interrupt.sample];
    const Known& known = place_of(fell);
    RegisterValues registers = values_of(interrupt.registers, ip);
    registers.set(PERF_REG_X86_IP, ip);
    symbol::Waiting waiting = symbol::waiting_at(known.predecessors, registers, ip);
    if (waiting.arrival == nullptr) return stay(*counts, waiting.undetermined);
    ++counts->attributed;
    move(interrupt.sample, known, waiting.arrival->way);
    take_access(interrupt.sample, waiting.arrival->access, registers, *counts);
  }

 private:
  struct Known {
    uint64_t address = 0;  // in the object
    symbol::Predecessors predecessors;
  };

  static void stay(ClockAttribution& counts, Undetermined reason) {
    ++counts.stayed[static_cast<size_t>(reason)];
  }

  const Known& place_of(uint32_t location) {
    auto [found, is_new] = known_.try_emplace(location);
    if (is_new) found->second = look_at(profile_.locations[location]);
    return found->second;
  }

  [[nodiscard]] Known look_at(const Location& location) const {
    Known known;
    const symbol::Object* object = object_of(profile_, resolver_, location.dso);
    std::optional<uint64_t> address = object == nullptr ? std::nullopt : object->address_of(location.offset);
    if (!address) {
      known.predecessors.undetermined = Undetermined::kNoCode;
      return known;
    }
    known.address = *address;
    known.predecessors = object->predecessors_at(*address);
    return known;
  }

  // Also moves the first entry of the sample's call chain.
  void move(size_t sample, const Known& from, const symbol::Way& way) {
    Samples& samples = profile_.samples;
    uint32_t fell = samples.location[sample];
    const Location& location = profile_.locations[fell];
    uint32_t waited = locations_.location({location.dso, location.offset - (from.address - way.from)});
    samples.location[sample] = waited;
    const Slice chain = samples.chain_of(sample);
    if (chain.count > 0 && samples.chain_locations[chain.offset] == fell) {
      samples.chain_locations[chain.offset] = waited;
    }
  }

  void take_access(size_t sample, const symbol::DataAccess& access, const RegisterValues& registers,
                   ClockAttribution& counts) {
    if (!access.any()) return;
    ++counts.accesses;
    std::optional<uint64_t> address = symbol::address_of(access, registers);
    if (address) ++counts.addresses;
    if (!needs_.details) return;
    set_access(profile_.samples, sample, access, address);
  }

  Profile& profile_;
  LocationTable& locations_;
  const symbol::Resolver& resolver_;
  const Needs& needs_;
  std::unordered_map<uint32_t, Known> known_;  // by location
};

}  // namespace

void set_access(Samples& samples, size_t sample, const symbol::DataAccess& access,
                std::optional<uint64_t> address) {
  record::AccessKind kind = access.reads && access.writes ? record::AccessKind::kReadModifyWrite
                            : access.reads                ? record::AccessKind::kLoad
                                                          : record::AccessKind::kStore;
  samples.access_kind.set(sample, static_cast<uint64_t>(kind));
  if (access.width_bytes != 0) samples.access_bytes.set(sample, access.width_bytes);
  if (address) samples.address.set(sample, *address);
}

bool is_attributable_clock(const perf_event_attr& attr) {
  bool clock = attr.type == PERF_TYPE_SOFTWARE &&
               (attr.config == PERF_COUNT_SW_CPU_CLOCK || attr.config == PERF_COUNT_SW_TASK_CLOCK);
  return clock && (attr.sample_type & PERF_SAMPLE_REGS_INTR) != 0 && (attr.sample_type & PERF_SAMPLE_IP) != 0;
}

void attribute_clock(Profile& profile, LocationTable& locations, const symbol::Resolver& resolver,
                     std::span<const SampledRegisters> interrupts, const Needs& needs) {
  if (!is_x86_64(profile.features)) return;
  Attributor attributor(profile, locations, resolver, needs);
  for (const SampledRegisters& interrupt : interrupts) attributor.attribute(interrupt);
}

}  // namespace hm::profile
