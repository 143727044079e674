// SPDX-License-Identifier: MIT
// The plugin that QEMU loads. It first waits for the hypercall that begins the measurement. Then QEMU
// translates all code anew, with calls of the models.
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <optional>
#include <string>

#include "pmu/soft/guest/guest.h"
#include "pmu/soft/guest/hypercall.h"
#include "pmu/soft/guest/qemu_plugin_api.h"

namespace hm::soft::guest {
namespace {

constexpr unsigned kRax = 0, kRdx = 2, kRsi = 6, kRdi = 7;

// Never destroyed: when QEMU exits, it calls the plugin after the destructors of static objects have run.
Guest& g_guest = *new Guest;
PluginId g_plugin = 0;

void run_block(unsigned cpu, void* block) {
  if (g_guest.measures()) g_guest.core(cpu).run(*static_cast<Block*>(block));
}

// Called for each access: loads and stores have functions of their own, which know what they are.
template <bool kStores>
void access_memory(unsigned cpu, MemoryInfo info, uint64_t address, void* site) {
  if (!g_guest.measures()) return;
  qemu_plugin_hwaddr* where = qemu_plugin_get_hwaddr(info, address);
  if (where == nullptr || qemu_plugin_hwaddr_is_io(where)) return;
  uint64_t physical = qemu_plugin_hwaddr_phys_addr(where);
  if (physical == address) return;  // QEMU reads a page table; the models have costs of their own for walks
  g_guest.core(cpu).access(*static_cast<const Site*>(site), address, physical,
                           1u << qemu_plugin_mem_size_shift(info), kStores);
}

// mov %reg, %cr3: the CPU changes to another address space.
void change_space(unsigned cpu, void* number) {
  constexpr uint64_t kTable = 0x000f'ffff'ffff'f000;
  auto source = static_cast<unsigned>(reinterpret_cast<uintptr_t>(number));
  if (g_guest.measures()) g_guest.core(cpu).enter_space(g_guest.registers().general(cpu, source) & kTable);
}

// The kernel enters a function that reports to perf.
void report(unsigned cpu, void* what) {
  if (g_guest.measures()) g_guest.report(cpu, static_cast<KernelReport>(reinterpret_cast<uintptr_t>(what)));
}

void translate(PluginId, qemu_plugin_tb* block);

void watch_for_exit(PluginId plugin) {
  qemu_plugin_register_atexit_cb(
      plugin,
      [](PluginId, void*) {
        g_guest.finish();
        ::_exit(g_guest.exit_status());
      },
      nullptr);
}

// QEMU has removed all of the plugin's callbacks, and all translated code.
void watch_everything(PluginId plugin) {
  qemu_plugin_register_vcpu_tb_trans_cb(plugin, translate);
  watch_for_exit(plugin);
}

void begin() {
  std::string problem = g_guest.begin(static_cast<unsigned>(qemu_plugin_num_vcpus()));
  if (problem.empty()) return qemu_plugin_reset(g_plugin, watch_everything);
  std::fprintf(stderr, "hardmeter: %s\n", problem.c_str());
  std::fflush(stderr);
  ::_exit(g_guest.exit_status());
}

void on_hypercall(unsigned cpu, void*) {
  const Registers& registers = g_guest.registers();

  switch (static_cast<Hypercall>(registers.general(cpu, kRax))) {
    case Hypercall::kBegin:
      begin();
      break;
    case Hypercall::kTable:
      g_guest.take_table(static_cast<KernelTable>(registers.general(cpu, kRdi)), registers.general(cpu, kRsi),
                         registers.general(cpu, kRdx));
      break;
    case Hypercall::kPause:
      g_guest.pause();
      break;
    case Hypercall::kEnd:
      g_guest.end(static_cast<int>(registers.general(cpu, kRdi)));
      break;
  }
}

bool is_hypercall(const uint8_t* bytes, size_t count) {
  return count == sizeof(kHypercallCode) && std::memcmp(bytes, kHypercallCode, count) == 0;
}

// Returns the source register's number if the instruction is mov %reg, %cr3; -1 otherwise.
int source_of_page_table(const uint8_t* bytes, size_t count) {
  size_t at = count == 4 && (bytes[0] & 0xf0) == 0x40 ? 1 : 0;
  bool is_move =
      count == at + 3 && bytes[at] == 0x0f && bytes[at + 1] == 0x22 && (bytes[at + 2] >> 3 & 7) == 3;
  if (!is_move) return -1;
  return (bytes[at + 2] & 7) | (at != 0 && (bytes[0] & 1) != 0 ? 8 : 0);
}

// Registers callbacks for instructions that the plugin itself reacts to.
void watch_instruction(qemu_plugin_insn* instruction) {
  uint8_t bytes[16];
  size_t count = qemu_plugin_insn_data(instruction, bytes, sizeof(bytes));
  if (is_hypercall(bytes, count))
    qemu_plugin_register_vcpu_insn_exec_cb(instruction, on_hypercall, kReadsRegisters, nullptr);
  if (int source = source_of_page_table(bytes, count); source >= 0)
    qemu_plugin_register_vcpu_insn_exec_cb(instruction, change_space, kReadsRegisters,
                                           reinterpret_cast<void*>(static_cast<uintptr_t>(source)));
}

void watch_for_begin(PluginId, qemu_plugin_tb* block) {
  size_t count = qemu_plugin_tb_n_insns(block);
  for (size_t i = 0; i < count; ++i) watch_instruction(qemu_plugin_tb_get_insn(block, i));
}

Block describe(qemu_plugin_tb* block) {
  unsigned shift = g_guest.line_shift();
  Block described;
  described.mode = GuestAddress::is_kernel(qemu_plugin_tb_vaddr(block)) ? Mode::kKernel : Mode::kUser;
  described.instructions = static_cast<uint32_t>(qemu_plugin_tb_n_insns(block));
  for (uint32_t i = 0; i < described.instructions; ++i) {
    qemu_plugin_insn* each = qemu_plugin_tb_get_insn(block, i);
    described.sites.push_back({qemu_plugin_insn_vaddr(each)});
    uint64_t physical = g_guest.memory().physical(qemu_plugin_insn_haddr(each));
    if (physical == GuestMemory::kNone) continue;
    uint64_t first = physical >> shift, last = (physical + qemu_plugin_insn_size(each) - 1) >> shift;
    for (uint64_t line = first; line <= last; ++line) {
      if (!described.lines.empty() && described.lines.back() == line) continue;
      described.lines.push_back(line);
      described.first_sites.push_back(i);
    }
  }
  return described;
}

void translate(PluginId, qemu_plugin_tb* block) {
  Block* known = g_guest.block_of(describe(block));
  GuestRecords* records = g_guest.records();
  CallbackFlags reads = records != nullptr ? kReadsRegisters : kNoRegisters;
  qemu_plugin_register_vcpu_tb_exec_cb(block, run_block, reads, known);
  for (uint32_t i = 0; i < known->instructions; ++i) {
    qemu_plugin_insn* each = qemu_plugin_tb_get_insn(block, i);
    watch_instruction(each);
    if (std::optional<KernelReport> what = records ? records->report_at(known->sites[i].ip) : std::nullopt)
      qemu_plugin_register_vcpu_insn_exec_cb(each, report, kReadsRegisters,
                                             reinterpret_cast<void*>(static_cast<uintptr_t>(*what)));
    qemu_plugin_register_vcpu_mem_cb(each, access_memory<false>, reads, kLoads, &known->sites[i]);
    qemu_plugin_register_vcpu_mem_cb(each, access_memory<true>, reads, kStores, &known->sites[i]);
  }
}

}  // namespace
}  // namespace hm::soft::guest

extern "C" {

[[gnu::visibility("default")]] int qemu_plugin_version = hm::soft::guest::kPluginVersion;

[[gnu::visibility("default")]] int qemu_plugin_install(hm::soft::guest::PluginId plugin,
                                                       const hm::soft::guest::QemuInfo* info, int, char**) {
  using namespace hm::soft::guest;
  if (!info->system_emulation || !g_guest.open()) {
    std::fputs("hardmeter: QEMU cannot reach the recording\n", stderr);
    return 1;
  }
  g_plugin = plugin;
  qemu_plugin_register_vcpu_init_cb(plugin, [](PluginId, unsigned cpu) { g_guest.registers().learn(cpu); });
  qemu_plugin_register_vcpu_tb_trans_cb(plugin, watch_for_begin);
  watch_for_exit(plugin);
  return 0;
}

}  // extern "C"
