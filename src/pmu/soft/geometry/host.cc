// SPDX-License-Identifier: MIT
// TLBs: CPUID leaf 18H (Intel SDM volume 2), 80000005H
// and 80000006H (AMD APM volume 3).
#include <cpuid.h>

#include "machine/host_caches.h"
#include "pmu/soft/geometry/geometry.h"

namespace hm::soft {
namespace {

using model::MachineGeometry;
using model::SetGeometry;

struct Tlbs {
  SetGeometry instruction, data, second;
};

struct CpuidResult {
  uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
};

// Zeros where the processor does not know the leaf.
CpuidResult cpuid(uint32_t leaf, uint32_t subleaf = 0) {
  CpuidResult r;
  if (__get_cpuid_count(leaf, subleaf, &r.eax, &r.ebx, &r.ecx, &r.edx) == 0) return {};
  return r;
}

// Leaf 18H: one subleaf a TLB.
Tlbs intel_tlbs() {
  Tlbs tlbs;
  uint32_t last = cpuid(0x18).eax;
  for (uint32_t i = 0; i <= last && i < 32; ++i) {
    CpuidResult r = cpuid(0x18, i);
    uint32_t type = r.edx & 0x1f;
    uint32_t level = (r.edx >> 5) & 7;
    bool small_pages = (r.ebx & 1) != 0;
    SetGeometry shape{r.ecx, r.ebx >> 16};
    if (!small_pages || !shape.present() || shape.ways == 0) continue;
    if (type == 2 && level == 1) tlbs.instruction = shape;
    if ((type == 1 || type == 4) && level == 1) tlbs.data = shape;
    if ((type == 1 || type == 3) && level == 2) tlbs.second = shape;
  }
  return tlbs;
}

// Entries and an associativity code of leaf 80000006H.
SetGeometry amd_second_level(uint32_t entries, uint32_t code) {
  constexpr uint32_t kWays[] = {0, 1, 2, 3, 4, 6, 8, 0, 16, 0, 32, 48, 64, 96, 128, 0};
  uint32_t ways = code == 0xf ? entries : kWays[code];
  if (entries == 0 || ways == 0 || entries % ways != 0) return {};
  return {entries / ways, ways};
}

Tlbs amd_tlbs() {
  Tlbs tlbs;
  CpuidResult first = cpuid(0x80000005);
  uint32_t instruction_entries = first.ebx & 0xff;
  uint32_t data_entries = (first.ebx >> 16) & 0xff;
  if (instruction_entries != 0) tlbs.instruction = {1, instruction_entries};  // fully associative since Zen
  if (data_entries != 0) tlbs.data = {1, data_entries};
  CpuidResult second = cpuid(0x80000006);
  tlbs.second = amd_second_level((second.ebx >> 16) & 0xfff, second.ebx >> 28);
  return tlbs;
}

bool vendor_is(std::string_view name) {
  CpuidResult r = cpuid(0);
  std::string vendor;
  for (uint32_t part : {r.ebx, r.edx, r.ecx}) vendor.append(reinterpret_cast<const char*>(&part), 4);
  return vendor == name;
}

void take_or_assume(SetGeometry& target, const SetGeometry& found, std::string_view name,
                    std::string* notes) {
  bool usable = found.present() && found.ways <= model::kMaxTlbWays;
  if (usable) {
    target = found;
  } else if (notes != nullptr) {
    *notes += fmt::format("{}this host does not tell its {}; {} entries are assumed",
                          notes->empty() ? "" : "; ", name, target.entries());
  }
}

}  // namespace

MachineGeometry host_geometry(std::string* notes) {
  bool amd = vendor_is("AuthenticAMD") || vendor_is("HygonGenuine");
  MachineGeometry geometry = *preset_geometry(amd ? "zen4" : "sapphire-rapids");
  bool found_l3 = false;
  bool found_any = false;
  for (const machine::HostCache& cache : machine::host_caches(0)) {
    found_any = true;
    SetGeometry shape{cache.sets, cache.ways};
    if (shape.ways > model::kMaxCacheWays) continue;
    if (cache.level == 1 && !model::is_modelled_l1(shape)) continue;
    if (cache.level == 1 && cache.type == "Data") {
      geometry.l1d = shape;
      geometry.line_bytes = cache.line_bytes;
    }
    if (cache.level == 1 && cache.type == "Instruction") geometry.l1i = shape;
    if (cache.level == 2) geometry.l2 = shape;
    if (cache.level == 3) {
      geometry.l3 = shape;
      found_l3 = true;
    }
  }
  if (found_any && !found_l3) geometry.l3 = {};
  if (!found_any && notes != nullptr)
    *notes = "this host does not tell its caches; a current server's are assumed";
  Tlbs tlbs = amd ? amd_tlbs() : intel_tlbs();
  take_or_assume(geometry.itlb, tlbs.instruction, "instruction TLB", notes);
  take_or_assume(geometry.dtlb, tlbs.data, "data TLB", notes);
  take_or_assume(geometry.second_tlb, tlbs.second, "second-level TLB", notes);
  return geometry;
}

}  // namespace hm::soft
