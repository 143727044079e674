// SPDX-License-Identifier: MIT
#include "pqos/emulated_cpu.h"

#include <cpuid.h>
#include <dlfcn.h>
#include <link.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "pmu/rdt/pqos_cpuid.h"

namespace hm::pqos_test {
namespace {

constexpr std::array<uint8_t, 2> kCpuidCode{0x0F, 0xA2};
constexpr std::array<uint8_t, 2> kInvalidCode{0x0F, 0x0B};

EmulatedCpu g_cpu;
std::vector<uintptr_t> g_replaced;    // addresses of replaced instructions
thread_local unsigned g_runs_on = 0;  // the emulated CPU that this thread runs on
struct sigaction g_before {};

struct Registers {
  uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
};

uint32_t four(const char* text) {
  uint32_t word = 0;
  std::memcpy(&word, text, sizeof word);
  return word;
}

Registers vendor_answer() {
  const char* name = g_cpu.vendor == Vendor::kIntel ? "GenuineIntel"
                     : g_cpu.vendor == Vendor::kAmd ? "AuthenticAMD"
                                                    : "SomebodyElse";
  return {.eax = 0x1F, .ebx = four(name), .ecx = four(name + 8), .edx = four(name + 4)};
}

// Leaf 11: bit 0 of a CPU's number distinguishes the two threads of a core; all bits number the CPUs of a
// package.
Registers topology_answer(uint32_t level) {
  constexpr uint32_t kThreads = 1 << 8, kCores = 2 << 8;
  uint32_t number = g_runs_on;
  if (level == 0) return {.eax = 1, .ebx = 2, .ecx = kThreads, .edx = number};
  if (level == 1) return {.eax = 3, .ebx = kCpus, .ecx = kCores | 1, .edx = number};
  return {.ecx = level, .edx = number};
}

Registers cache(uint32_t type, uint32_t level, uint32_t cpus, uint64_t bytes) {
  constexpr uint32_t kWays = 16, kLineBytes = 64;
  uint32_t sets = static_cast<uint32_t>(bytes / kWays / kLineBytes);
  return {.eax = type | level << 5 | (cpus - 1) << 14,
          .ebx = (kWays - 1) << 22 | (kLineBytes - 1),
          .ecx = sets - 1};
}

Registers cache_answer(uint32_t number) {
  switch (number) {
    case 0:
      return cache(1, 1, 2, 32 << 10);
    case 1:
      return cache(2, 1, 2, 32 << 10);
    case 2:
      return cache(3, 2, 2, 1 << 20);
    case 3:
      return cache(3, 3, kCpusOfCache, kCacheBytes);
    default:
      return {};
  }
}

Registers monitoring_answer(uint32_t resource) {
  if (!g_cpu.monitors) return {};
  if (resource == 0) return {.ebx = g_cpu.ids - 1, .edx = 1U << 1};
  if (resource != 1) return {};
  uint32_t events = (g_cpu.occupancy ? 1U : 0) | (g_cpu.total ? 2U : 0) | (g_cpu.local ? 4U : 0);
  return {.eax = g_cpu.counter_bits - 24, .ebx = g_cpu.bytes_per_count, .ecx = g_cpu.ids - 1, .edx = events};
}

// The processor lacks all features not listed here.
Registers answer(uint32_t leaf, uint32_t subleaf) {
  switch (leaf) {
    case 0:
      return vendor_answer();
    case 1:
      return {.ecx = g_cpu.virtual_machine ? 1U << 31 : 0};
    case 4:
      return g_cpu.vendor == Vendor::kIntel ? cache_answer(subleaf) : Registers{};
    case 7:
      return {.ebx = g_cpu.monitors ? 1U << 12 : 0};
    case 11:
      return topology_answer(subleaf);
    case 15:
      return monitoring_answer(subleaf);
    case 0x80000000:
      return {.eax = 0x80000020};
    case 0x80000008:
      return {.ebx = g_cpu.vendor == Vendor::kAmd && g_cpu.bandwidth_allocation ? 1U << 6 : 0};
    case 0x8000001D:
      return g_cpu.vendor == Vendor::kAmd ? cache_answer(subleaf) : Registers{};
    case 0x80000020:
      return subleaf == 0 ? Registers{.ebx = 1U << 1} : Registers{.eax = 11, .edx = 15};
    default:
      return {};
  }
}

void answer_cpuid(int signal, siginfo_t*, void* context) {
  greg_t* registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  auto at = static_cast<uintptr_t>(registers[REG_RIP]);
  if (std::find(g_replaced.begin(), g_replaced.end(), at) == g_replaced.end()) {
    ::sigaction(signal, &g_before, nullptr);  // the instruction traps again
    return;
  }
  Registers found =
      answer(static_cast<uint32_t>(registers[REG_RAX]), static_cast<uint32_t>(registers[REG_RCX]));
  registers[REG_RAX] = found.eax;
  registers[REG_RBX] = found.ebx;
  registers[REG_RCX] = found.ecx;
  registers[REG_RDX] = found.edx;
  registers[REG_RIP] += static_cast<greg_t>(kInvalidCode.size());
}

// If there are several matches, some may be parts of other instructions.
bool replace_only_one(uint8_t* begin, uint8_t* end) {
  uint8_t* found = std::search(begin, end, kCpuidCode.begin(), kCpuidCode.end());
  if (found == end || std::search(found + 1, end, kCpuidCode.begin(), kCpuidCode.end()) != end) return false;
  auto page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  auto first = reinterpret_cast<uintptr_t>(found) / page * page;
  size_t bytes = reinterpret_cast<uintptr_t>(found) + kInvalidCode.size() - first;
  if (::mprotect(reinterpret_cast<void*>(first), bytes, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
    return false;
  std::copy(kInvalidCode.begin(), kInvalidCode.end(), found);
  ::mprotect(reinterpret_cast<void*>(first), bytes, PROT_READ | PROT_EXEC);
  g_replaced.push_back(reinterpret_cast<uintptr_t>(found));
  return true;
}

bool replace_in_libpqos(void* library) {
  link_map* loaded = nullptr;
  if (::dlinfo(library, RTLD_DI_LINKMAP, &loaded) != 0) return false;
  auto replace = [](dl_phdr_info* object, size_t, void* wanted) {
    if (object->dlpi_addr != *static_cast<ElfW(Addr)*>(wanted)) return 0;
    for (int i = 0; i < object->dlpi_phnum; ++i) {
      const ElfW(Phdr)& segment = object->dlpi_phdr[i];
      if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
      auto* begin = reinterpret_cast<uint8_t*>(object->dlpi_addr + segment.p_vaddr);
      return replace_only_one(begin, begin + segment.p_memsz) ? 1 : 0;
    }
    return 0;
  };
  return ::dl_iterate_phdr(replace, &loaded->l_addr) == 1;
}

bool replace_in_hardmeter() {
  constexpr size_t kMaxCodeBytes = 128;
  auto* begin = reinterpret_cast<uint8_t*>(&rdt::pqos_cpuid);
  uint8_t* end = begin + kMaxCodeBytes;
  uint8_t* second = std::search(begin, end, kCpuidCode.begin(), kCpuidCode.end()) + kCpuidCode.size();
  return replace_only_one(begin, std::min(end, second));
}

}  // namespace

void set_emulated_cpu(const EmulatedCpu& cpu) { g_cpu = cpu; }

std::string emulate_cpuid() {
  void* library = ::dlopen("libpqos.so.4", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return ::dlerror();
  if (!replace_in_libpqos(library)) return "the CPUID instruction cannot be replaced in libpqos";
  if (!replace_in_hardmeter()) return "the CPUID instruction cannot be replaced in hardmeter";
  struct sigaction handler {};
  handler.sa_sigaction = answer_cpuid;
  handler.sa_flags = SA_SIGINFO;
  ::sigaction(SIGILL, &handler, &g_before);
  return "";
}

}  // namespace hm::pqos_test

// libpqos finds these functions before the C library's, because the test program defines them. They give the
// number of CPUs, and let libpqos run on a CPU to execute CPUID there; the host need not have that CPU.
extern "C" {

[[gnu::visibility("default")]] long sysconf(int name) noexcept {
  static auto next = reinterpret_cast<long (*)(int)>(::dlsym(RTLD_NEXT, "sysconf"));
  if (name == _SC_NPROCESSORS_CONF) return hm::pqos_test::kCpus;
  return next(name);
}

[[gnu::visibility("default")]] int sched_setaffinity(pid_t, size_t bytes, const cpu_set_t* cpus) noexcept {
  for (unsigned cpu = 0; cpu < hm::pqos_test::kCpus; ++cpu) {
    if (!CPU_ISSET_S(cpu, bytes, cpus)) continue;
    hm::pqos_test::g_runs_on = cpu;
    return 0;
  }
  return 0;
}
}
