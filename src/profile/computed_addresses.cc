// SPDX-License-Identifier: MIT
#include "profile/computed_addresses.h"

#include <asm/perf_regs.h>

#include <unordered_map>

#include "profile/lookup.h"
#include "profile/profile.h"
#include "profile/register_values.h"
#include "record/run_description.h"
#include "symbol/code/decoder.h"
#include "symbol/object_code.h"

namespace hm::profile {
namespace {

using symbol::RegistersAt;

class Computer {
 public:
  Computer(Profile& profile, const symbol::Resolver& resolver, RegistersAt when)
      : profile_(profile), resolver_(resolver), when_(when) {}

  // Returns false if the address is not determined.
  bool compute(const SampledRegisters& at) {
    Samples& samples = profile_.samples;
    const Instruction& instruction = instruction_of(samples.location[at.sample]);
    if (!instruction.access.any()) return false;
    symbol::RegisterValues registers = register_values(at.registers);
    registers.set(PERF_REG_X86_IP, at.ip + instruction.length);
    std::optional<uint64_t> address = symbol::address_of(instruction.access, registers);
    if (!address) return false;
    set_access(samples, at.sample, instruction.access, address);
    return true;
  }

 private:
  struct Instruction {
    symbol::DataAccess access;
    uint64_t length = 0;
  };

  const Instruction& instruction_of(uint32_t location) {
    auto [found, is_new] = known_.try_emplace(location);
    if (is_new) found->second = decode(profile_.locations[location]);
    return found->second;
  }

  // Returns no access if the code is not available.
  [[nodiscard]] Instruction decode(const Location& location) {
    const symbol::Object* object = object_of(profile_, resolver_, location.dso);
    if (object == nullptr) return {};
    std::optional<uint64_t> address = object->address_of(location.offset);
    if (!address) return {};
    Result<Bytes> code = symbol::x86_64_code(*object, *address, ZYDIS_MAX_INSTRUCTION_LENGTH);
    if (!code || !decoder_.decode(*code)) return {};
    uint64_t length = decoder_.instruction().length;
    return {symbol::decode_data_access(decoder_, *code, when_), length};
  }

  Profile& profile_;
  const symbol::Resolver& resolver_;
  RegistersAt when_;
  symbol::Decoder decoder_;
  std::unordered_map<uint32_t, Instruction> known_;  // by location
};

}  // namespace

std::optional<RegistersAt> moment_of_registers(const record::Features& features) {
  if (record::text_in(record::run_description(features), "pmu") == "software") return RegistersAt::kBefore;
  bool is_intel = features.cpu_id.value_or("").starts_with("GenuineIntel");
  return is_intel ? std::optional(RegistersAt::kAfter) : std::nullopt;
}

// The processor's own PMU has these types; with precise_ip 1, the sample is of the next instruction.
bool has_precise_registers(const perf_event_attr& attr) {
  bool is_core_event =
      attr.type == PERF_TYPE_RAW || attr.type == PERF_TYPE_HARDWARE || attr.type == PERF_TYPE_HW_CACHE;
  bool has_only_registers =
      (attr.sample_type & (PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_ADDR)) == PERF_SAMPLE_REGS_INTR;
  return is_core_event && attr.precise_ip >= 2 && has_only_registers;
}

size_t compute_addresses(Profile& profile, const symbol::Resolver& resolver, RegistersAt when,
                         std::span<const SampledRegisters> unaddressed) {
  if (!is_x86_64(profile.features)) return 0;
  Computer computer(profile, resolver, when);
  size_t computed = 0;
  for (const SampledRegisters& each : unaddressed) computed += computer.compute(each) ? 1 : 0;
  return computed;
}

}  // namespace hm::profile
