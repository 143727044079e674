// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/defined_machine.h"

#include <cpuid.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "pmu/soft/direct/decode/features.h"

namespace hm::soft {
namespace {

constexpr uint32_t bits(std::initializer_list<unsigned> numbers) {
  uint32_t mask = 0;
  for (unsigned each : numbers) mask |= uint32_t{1} << each;
  return mask;
}

// Feature bits of CPUID by register. The leaves' tables in Intel's SDM (volume 2, CPUID) name them.
struct Features {
  uint32_t leaf1_c, leaf1_d, leaf7_b, extended_c, extended_d;

  [[nodiscard]] constexpr Features with(const Features& more) const {
    return {leaf1_c | more.leaf1_c, leaf1_d | more.leaf1_d, leaf7_b | more.leaf7_b,
            extended_c | more.extended_c, extended_d | more.extended_d};
  }
};

// fpu, vme, de, pse, tsc, msr, pae, mce, cx8, apic, sep, mtrr, pge, mca, cmov, pat, pse36, clfsh, mmx, fxsr,
// sse, sse2; syscall, nx, lm.
constexpr Features kV1{0,
                       bits({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 19, 23, 24, 25, 26}),
                       0, 0, bits({11, 20, 29})};
// sse3, ssse3, cx16, sse4.1, sse4.2, popcnt; lahf.
constexpr Features kV2 = kV1.with({bits({0, 9, 13, 19, 20, 23}), 0, 0, bits({0}), 0});
// fma, movbe, xsave, osxsave, avx, f16c; bmi1, avx2, bmi2; lzcnt.
constexpr Features kV3 = kV2.with({bits({12, 22, 26, 27, 28, 29}), 0, bits({3, 5, 8}), bits({5}), 0});
// avx512f, avx512dq, avx512cd, avx512bw, avx512vl.
constexpr Features kV4 = kV3.with({0, 0, bits({16, 17, 28, 30, 31}), 0, 0});

// State components (Intel SDM volume 1, section 13.1): x87, SSE, AVX; the masks and vectors of AVX-512.
constexpr uint32_t kSseState = 3, kAvxState = 7, kAvx512State = 0xe7;

struct DefinedCpu {
  std::string_view name;
  uint32_t signature;  // family, model and stepping of an Intel processor of this level
  Features features;
  uint32_t xcr0;
  uint32_t state_bytes;  // of the XSAVE area
  uint32_t l2_kib, l2_ways;
  uint32_t absent;         // bits of direct/decode/features.h
  std::string_view flags;  // the kernel's names of the features, without those of the level below
};

constexpr uint32_t kL3Kib = 8192;

constexpr std::string_view kVendor = "GenuineIntel";
constexpr uint32_t kBeyondV3 = direct::kFeatureAvx512;
constexpr uint32_t kBeyondV2 = kBeyondV3 | direct::kFeatureAvx | direct::kFeatureBmi;
constexpr uint32_t kBeyondV1 = kBeyondV2 | direct::kFeatureThreeByteOpcodes;

constexpr DefinedCpu kCpus[] = {
    {"x86-64-v1", 0x00000f43, kV1, kSseState, 576, 256, 8, kBeyondV1,
     "fpu vme de pse tsc msr pae mce cx8 apic sep mtrr pge mca cmov pat pse36 clflush mmx fxsr sse sse2 syscall nx lm constant_tsc"},
    {"x86-64-v2", 0x000106a5, kV2, kSseState, 576, 256, 8, kBeyondV2,
     "pni ssse3 cx16 sse4_1 sse4_2 popcnt lahf_lm"},
    {"x86-64-v3", 0x000306c3, kV3, kAvxState, 832, 256, 8, kBeyondV3,
     "fma movbe xsave avx f16c abm bmi1 avx2 bmi2"},
    {"x86-64-v4", 0x00050654, kV4, kAvx512State, 2688, 1024, 16, 0,
     "avx512f avx512dq avx512cd avx512bw avx512vl"},
};

uint32_t word_of(std::string_view text, size_t at) {
  char bytes[4] = {};
  for (size_t i = 0; i < sizeof(bytes) && at + i < text.size(); ++i) bytes[i] = text[at + i];
  uint32_t word = 0;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

std::string brand_of(const DefinedCpu& cpu) { return fmt::format("hardmeter {}", cpu.name); }

// A cache of leaf 4, with lines of 64 bytes.
CpuidLeaf cache_leaf(uint32_t number, uint32_t type, uint32_t level, uint32_t kib, uint32_t ways) {
  constexpr uint32_t kSelfInitializing = 1 << 8, kLineBytes = 64;
  return {4,
          number,
          type | level << 5 | kSelfInitializing,
          (ways - 1) << 22 | (kLineBytes - 1),
          kib * 1024 / (ways * kLineBytes) - 1,
          0};
}

class Leaves {
 public:
  explicit Leaves(DefinedMachine& machine) : machine_(machine) {}

  void add(const CpuidLeaf& leaf) { machine_.leaves[machine_.leaf_count++] = leaf; }
  void add(uint32_t leaf, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    add({leaf, kAnySubleaf, a, b, c, d});
  }

 private:
  DefinedMachine& machine_;
};

// One processor with one thread.
void add_basic_leaves(const DefinedCpu& cpu, Leaves& leaves) {
  constexpr uint32_t kMaxBasic = 0xd, kFlushBytesAndProcessors = 8 << 8 | 1 << 16;
  constexpr uint32_t kCachesAreInLeaf4 = 0x00feff01;
  enum Type : uint32_t { kData = 1, kCode = 2, kUnified = 3 };
  leaves.add(0, kMaxBasic, word_of(kVendor, 0), word_of(kVendor, 8), word_of(kVendor, 4));
  leaves.add(1, cpu.signature, kFlushBytesAndProcessors, cpu.features.leaf1_c, cpu.features.leaf1_d);
  leaves.add(2, kCachesAreInLeaf4, 0, 0, 0);
  leaves.add(cache_leaf(0, kData, 1, 32, 8));
  leaves.add(cache_leaf(1, kCode, 1, 32, 8));
  leaves.add(cache_leaf(2, kUnified, 2, cpu.l2_kib, cpu.l2_ways));
  leaves.add(cache_leaf(3, kUnified, 3, kL3Kib, 16));
  leaves.add({7, 0, 0, cpu.features.leaf7_b, 0, 0});
  constexpr uint32_t kTopology = 0xb, kThreads = 1 << 8, kCores = 2 << 8;
  leaves.add({kTopology, 0, 0, 1, kThreads, 0});
  leaves.add({kTopology, 1, 0, 1, kCores | 1, 0});
  if (cpu.xcr0 == kSseState) return;
  constexpr uint32_t kState = 0xd;
  leaves.add({kState, 0, cpu.xcr0, cpu.state_bytes, cpu.state_bytes, 0});
  leaves.add({kState, 2, 256, 576, 0, 0});
  if (cpu.xcr0 != kAvx512State) return;
  leaves.add({kState, 5, 64, 1088, 0, 0});
  leaves.add({kState, 6, 512, 1152, 0, 0});
  leaves.add({kState, 7, 1024, 1664, 0, 0});
}

void add_extended_leaves(const DefinedCpu& cpu, Leaves& leaves) {
  constexpr uint32_t kExtended = 0x80000000, kBrand = kExtended + 2, kWordsOfBrand = 12;
  constexpr uint32_t kConstantTsc = 1 << 8, kAddressBits = 48 << 8 | 46;
  leaves.add(kExtended, kExtended + 8, 0, 0, 0);
  leaves.add(kExtended + 1, 0, 0, cpu.features.extended_c, cpu.features.extended_d);
  std::string brand = brand_of(cpu);
  for (uint32_t i = 0; i < kWordsOfBrand; i += 4)
    leaves.add(kBrand + i / 4, word_of(brand, 4 * i), word_of(brand, 4 * i + 4), word_of(brand, 4 * i + 8),
               word_of(brand, 4 * i + 12));
  leaves.add(kExtended + 6, 0, 0, cpu.l2_kib << 16 | 64, 0);
  leaves.add(kExtended + 7, 0, 0, 0, kConstantTsc);
  leaves.add(kExtended + 8, kAddressBits, 0, 0, 0);
}

std::string flags_of(const DefinedCpu& cpu) {
  std::string flags;
  for (const DefinedCpu& each : kCpus) {
    flags += (flags.empty() ? "" : " ") + std::string(each.flags);
    if (each.name == cpu.name) break;
  }
  return flags;
}

// Returns the text of /proc/cpuinfo. The clock rate is that of the run's time: a nanosecond for each
// instruction.
std::string processor_text(const DefinedCpu& cpu) {
  constexpr uint32_t kExtendedFamily = 0xf;
  uint32_t family = cpu.signature >> 8 & 0xf, stepping = cpu.signature & 0xf;
  uint32_t model = (cpu.signature >> 4 & 0xf) | (cpu.signature >> 16 & 0xf) << 4;
  if (family == kExtendedFamily) family += cpu.signature >> 20 & 0xff;
  const std::pair<const char*, std::string> lines[] = {
      {"processor\t", "0"},
      {"vendor_id\t", std::string(kVendor)},
      {"cpu family\t", fmt::to_string(family)},
      {"model\t\t", fmt::to_string(model)},
      {"model name\t", brand_of(cpu)},
      {"stepping\t", fmt::to_string(stepping)},
      {"cpu MHz\t\t", "1000.000"},
      {"cache size\t", fmt::format("{} KB", kL3Kib)},
      {"physical id\t", "0"},
      {"siblings\t", "1"},
      {"core id\t\t", "0"},
      {"cpu cores\t", "1"},
      {"apicid\t\t", "0"},
      {"initial apicid\t", "0"},
      {"fpu\t\t", "yes"},
      {"fpu_exception\t", "yes"},
      {"cpuid level\t", "13"},
      {"wp\t\t", "yes"},
      {"flags\t\t", flags_of(cpu)},
      {"bogomips\t", "2000.00"},
      {"clflush size\t", "64"},
      {"cache_alignment\t", "64"},
      {"address sizes\t", "46 bits physical, 48 bits virtual"}};
  std::string text;
  for (const auto& [name, value] : lines) text += fmt::format("{}: {}\n", name, value);
  return text + "power management:\n\n";
}

Features features_of_host() {
  Features found{};
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) != 0) found.leaf1_c = c, found.leaf1_d = d;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) != 0) found.leaf7_b = b;
  if (__get_cpuid(0x80000001, &a, &b, &c, &d) != 0) found.extended_c = c, found.extended_d = d;
  return found;
}

bool has_all(const Features& host, const Features& wanted) {
  return (wanted.leaf1_c & ~host.leaf1_c) == 0 && (wanted.leaf1_d & ~host.leaf1_d) == 0 &&
         (wanted.leaf7_b & ~host.leaf7_b) == 0 && (wanted.extended_c & ~host.extended_c) == 0 &&
         (wanted.extended_d & ~host.extended_d) == 0;
}

}  // namespace

const std::vector<std::string_view>& defined_cpus() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all;
    for (const DefinedCpu& each : kCpus) all.push_back(each.name);
    return all;
  }();
  return names;
}

Status define_machine(const ReproducibleOptions& options, Session& session) {
  const auto* cpu = std::ranges::find(kCpus, options.cpu, &DefinedCpu::name);
  if (cpu == std::end(kCpus))
    return make_error(ErrorCode::kInvalidArgument, "--reproducible has no processor '{}'; it has {}",
                      options.cpu, fmt::join(defined_cpus(), ", "));
  if (!has_all(features_of_host(), cpu->features))
    return make_error(
        ErrorCode::kUnsupported,
        "--reproducible={} is not possible here: this machine's processor lacks instructions of {}; choose a lower level",
        cpu->name, cpu->name);
  DefinedMachine& machine = session.defined;
  machine = {.on = 1,
             .leaf_count = 0,
             .seed = options.seed,
             .xcr0 = cpu->xcr0,
             .hwcap = cpu->features.leaf1_d,
             .leaves = {},
             .processor = {}};
  std::string text = processor_text(*cpu);
  text.copy(machine.processor, kMaxProcessorText - 1);
  Leaves leaves(machine);
  add_basic_leaves(*cpu, leaves);
  add_extended_leaves(*cpu, leaves);
  if (cpu->absent != 0) session.absent = {cpu->absent, 0, ~uint64_t{0}};
  return {};
}

void define_limits() {
  constexpr std::pair<__rlimit_resource, rlim_t> kLimits[] = {{RLIMIT_STACK, 8u << 20},
                                                              {RLIMIT_NOFILE, 1024}};
  for (const auto& [resource, soft] : kLimits) {
    rlimit limit{};
    if (::getrlimit(resource, &limit) != 0) continue;
    limit.rlim_cur = std::min(soft, limit.rlim_max);
    (void)::setrlimit(resource, &limit);
  }
}

std::string describe(const ReproducibleOptions& options) {
  return fmt::format("{}, seed {}", options.cpu, options.seed);
}

std::vector<std::string> defined_environment(const ReproducibleOptions& options) {
  std::vector<std::string> all{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/",
                               "LANG=C.UTF-8", "TZ=UTC0"};
  const auto name_of = [](std::string_view variable) { return variable.substr(0, variable.find('=')); };
  for (const std::string& each : options.variables) {
    std::erase_if(all, [&](const std::string& other) { return name_of(other) == name_of(each); });
    all.push_back(each);
  }
  return all;
}

}  // namespace hm::soft
