// SPDX-License-Identifier: MIT
// Family and model numbers: Intel SDM volume 4, table 2-1, Linux' arch/x86/include/asm/intel-family.h, and
// mapfile.csv of github.com/intel/perfmon; AMD: the PPR of each family and Linux' arch/x86/kernel/cpu/amd.c;
// Arm: the part numbers in MIDR_EL1 of each Technical Reference Manual.
#include "event/hardware/known_cpus.h"

#include <algorithm>

namespace hm::event {
namespace {

using enum Generation;
using enum Vendor;

constexpr uint32_t kSkylakeXModel = 0x55;
constexpr uint32_t kCascadeLakeStepping = 5;  // and later ones: Skylake-X ends at 4

constexpr std::array kCpus{
    KnownCpu{kPentium4, "pentium4", "Intel Pentium 4 (Willamette, Northwood)", {kIntel, 0xf, 2}},
    KnownCpu{kPentium4Prescott, "pentium4-prescott", "Intel Pentium 4 (Prescott)", {kIntel, 0xf, 3}},
    KnownCpu{kSkylake, "skylake", "Intel Skylake", {kIntel, 6, 0x5e}},
    KnownCpu{kSkylakeX, "skylake-sp", "Intel Xeon Scalable (Skylake-X)", {kIntel, 6, kSkylakeXModel, 4}},
    KnownCpu{kCascadeLakeX,
             "cascadelake-sp",
             "Intel Xeon Scalable (Cascade Lake)",
             {kIntel, 6, kSkylakeXModel, kCascadeLakeStepping}},
    KnownCpu{kIceLake, "icelake", "Intel Ice Lake", {kIntel, 6, 0x7e}},
    KnownCpu{kIceLakeX, "icelake-sp", "Intel Xeon Scalable (Ice Lake)", {kIntel, 6, 0x6a}},
    KnownCpu{kSapphireRapids,
             "sapphire-rapids",
             "Intel Xeon Scalable (Sapphire Rapids, Emerald Rapids)",
             {kIntel, 6, 0x8f}},
    KnownCpu{kGraniteRapids, "granite-rapids", "Intel Xeon 6 (Granite Rapids)", {kIntel, 6, 0xad}},
    KnownCpu{kSierraForest, "sierra-forest", "Intel Xeon 6 (Sierra Forest)", {kIntel, 6, 0xaf}},
    KnownCpu{kGrandRidge, "grand-ridge", "Intel Grand Ridge", {kIntel, 6, 0xb6}},
    KnownCpu{kClearwaterForest, "clearwater-forest", "Intel Xeon (Clearwater Forest)", {kIntel, 6, 0xdd}},
    KnownCpu{kAlderLake, "alder-lake", "Intel Alder Lake, Raptor Lake", {kIntel, 6, 0x97, 0, true, true}},
    KnownCpu{kAlderLakeN, "alder-lake-n", "Intel Alder Lake-N", {kIntel, 6, 0xbe}},
    KnownCpu{kMeteorLake, "meteor-lake", "Intel Meteor Lake, Arrow Lake-U", {kIntel, 6, 0xac, 0, true, true}},
    KnownCpu{kArrowLake, "arrow-lake", "Intel Arrow Lake", {kIntel, 6, 0xc6, 0, true, true}},
    KnownCpu{kLunarLake, "lunar-lake", "Intel Lunar Lake", {kIntel, 6, 0xbd, 0, true, true}},
    KnownCpu{
        kPantherLake, "panther-lake", "Intel Panther Lake, Wildcat Lake", {kIntel, 6, 0xcc, 0, true, true}},
    KnownCpu{kZen2, "zen2", "AMD Zen 2", {kAmd, 0x17, 0x31}},
    KnownCpu{kZen3, "zen3", "AMD Zen 3", {kAmd, 0x19, 0x01}},
    KnownCpu{kZen4, "zen4", "AMD Zen 4", {kAmd, 0x19, 0x11}},
    KnownCpu{kZen5, "zen5", "AMD Zen 5", {kAmd, 0x1a, 0x02}},
    KnownCpu{kZen6, "zen6", "AMD Zen 6", {kAmd, 0x1a, 0x50}},
    KnownCpu{kNeoverseN1, "neoverse-n1", "Arm Neoverse N1", {kArm, 0, 0xd0c}},
    KnownCpu{kNeoverseV1, "neoverse-v1", "Arm Neoverse V1", {kArm, 0, 0xd40}},
    KnownCpu{kNeoverseN2, "neoverse-n2", "Arm Neoverse N2", {kArm, 0, 0xd49}},
    KnownCpu{kNeoverseV2, "neoverse-v2", "Arm Neoverse V2", {kArm, 0, 0xd4f}},
    KnownCpu{kNeoverseN3, "neoverse-n3", "Arm Neoverse N3", {kArm, 0, 0xd8e}},
    KnownCpu{kNeoverseV3, "neoverse-v3", "Arm Neoverse V3", {kArm, 0, 0xd84}},
};

const KnownCpu* of(Generation generation) {
  const auto* found = std::ranges::find(kCpus, generation, &KnownCpu::generation);
  return found == kCpus.end() ? nullptr : found;
}

const KnownCpu* identify_intel(const CpuModel& cpu) {
  if (cpu.family == 0xf) return of(cpu.model <= 2 ? kPentium4 : kPentium4Prescott);
  if (cpu.family != 6) return nullptr;
  switch (cpu.model) {
    case 0x4e:
    case 0x5e:
    case 0x8e:  // Kaby Lake and its successors have Skylake's PMU
    case 0x9e:
    case 0xa5:
    case 0xa6:
      return of(kSkylake);
    case kSkylakeXModel:
      return of(cpu.stepping < kCascadeLakeStepping ? kSkylakeX : kCascadeLakeX);
    case 0x7d:
    case 0x7e:
      return of(kIceLake);
    case 0x6a:
    case 0x6c:
      return of(kIceLakeX);
    case 0x8f:
    case 0xcf:
      return of(kSapphireRapids);
    case 0x97:
    case 0x9a:
    case 0xb7:
    case 0xba:
    case 0xbf:
      return of(kAlderLake);
    case 0xbe:
      return of(kAlderLakeN);
    case 0xad:
    case 0xae:
      return of(kGraniteRapids);
    case 0xaf:
      return of(kSierraForest);
    case 0xb6:
      return of(kGrandRidge);
    case 0xdd:
      return of(kClearwaterForest);
    case 0xaa:
    case 0xac:
    case 0xb5:
      return of(kMeteorLake);
    case 0xc5:
    case 0xc6:
      return of(kArrowLake);
    case 0xbd:
      return of(kLunarLake);
    case 0xcc:
    case 0xd5:
    case 0xe5:
      return of(kPantherLake);
    default:
      return nullptr;
  }
}

const KnownCpu* identify_family_1a(uint32_t model) {
  switch (model >> 4) {
    case 0x0:
    case 0x1:
    case 0x2:
    case 0x4:
    case 0x6:
    case 0x7:
      return of(kZen5);
    case 0x5:
    case 0x8:
    case 0x9:
    case 0xa:
    case 0xc:
      return of(kZen6);
    default:
      return nullptr;
  }
}

// Family 0x17 began with Zen 1, 0x19 holds Zen 3 and 4, and 0x1a Zen 5 and 6, each in ranges of models.
const KnownCpu* identify_amd(const CpuModel& cpu) {
  if (cpu.family == 0x17) return cpu.model >= 0x30 ? of(kZen2) : nullptr;
  if (cpu.family == 0x1a) return identify_family_1a(cpu.model);
  if (cpu.family != 0x19) return nullptr;
  bool zen4 = (cpu.model >= 0x10 && cpu.model <= 0x1f) || (cpu.model >= 0x60 && cpu.model <= 0xaf);
  return of(zen4 ? kZen4 : kZen3);
}

const KnownCpu* identify_arm(const CpuModel& cpu) {
  constexpr uint32_t kNeoverseV3Automotive = 0xd83;  // Neoverse V3AE: the same events
  if (cpu.model == kNeoverseV3Automotive) return of(kNeoverseV3);
  const auto* found = std::ranges::find_if(kCpus, [&](const KnownCpu& known) {
    return known.model.vendor == kArm && known.model.model == cpu.model;
  });
  return found == kCpus.end() ? nullptr : found;
}

}  // namespace

std::span<const KnownCpu> known_cpus() { return kCpus; }

const KnownCpu* find_known_cpu(std::string_view name) {
  if (name == "p4-xeon") name = "pentium4";  // name in `record --cpu`
  const auto* found = std::ranges::find(kCpus, name, &KnownCpu::name);
  return found == kCpus.end() ? nullptr : found;
}

const KnownCpu* identify(const CpuModel& cpu) {
  switch (cpu.vendor) {
    case kIntel:
      return identify_intel(cpu);
    case kAmd:
      return identify_amd(cpu);
    case kArm:
      return identify_arm(cpu);
    case kUnknown:
      return nullptr;
  }
  return nullptr;
}

}  // namespace hm::event
