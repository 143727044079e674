// SPDX-License-Identifier: MIT
// The part of QEMU's plugin interface that the guest engine uses, declared from its documentation
// (docs/devel/tcg-plugins.rst of QEMU 10). A C ABI: QEMU's program exports these functions.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace hm::soft::guest {

extern "C" {

// The version of the interface. QEMU refuses a plugin with a later version than its own.
inline constexpr int kPluginVersion = 4;

using PluginId = uint64_t;
using MemoryInfo = uint32_t;

struct qemu_plugin_tb;        // a translated block; valid during the callback
struct qemu_plugin_insn;      // one of its instructions; valid during the callback
struct qemu_plugin_hwaddr;    // the physical address of an access; valid during the callback
struct qemu_plugin_register;  // a register of one virtual CPU

// Whether a callback reads registers: QEMU then writes them to memory before.
enum CallbackFlags : int { kNoRegisters = 0, kReadsRegisters = 1 };
enum MemoryDirection : int { kLoads = 1, kStores = 2 };

// qemu_info_t
struct QemuInfo {
  const char* target_name;
  struct {
    int min, current;
  } version;
  bool system_emulation;
  struct {
    int virtual_cpus, max_virtual_cpus;
  } system;
};

// qemu_plugin_reg_descriptor
struct RegisterDescriptor {
  qemu_plugin_register* handle;
  const char* name;
  const char* feature;
};

// GLib's arrays, in which QEMU returns lists and bytes.
struct GArray {
  char* data;
  unsigned length;
};
struct GByteArray {
  uint8_t* data;
  unsigned length;
};
GByteArray* g_byte_array_new();
uint8_t* g_byte_array_free(GByteArray* array, int free_data);
char* g_array_free(GArray* array, int free_data);

using SimpleCallback = void (*)(PluginId);
using CpuCallback = void (*)(PluginId, unsigned cpu);
using DataCallback = void (*)(PluginId, void* data);
using CpuDataCallback = void (*)(unsigned cpu, void* data);
using BlockCallback = void (*)(PluginId, qemu_plugin_tb*);
using MemoryCallback = void (*)(unsigned cpu, MemoryInfo, uint64_t address, void* data);

void qemu_plugin_reset(PluginId, SimpleCallback);
void qemu_plugin_register_vcpu_init_cb(PluginId, CpuCallback);
void qemu_plugin_register_vcpu_tb_trans_cb(PluginId, BlockCallback);
void qemu_plugin_register_vcpu_tb_exec_cb(qemu_plugin_tb*, CpuDataCallback, CallbackFlags, void* data);
void qemu_plugin_register_vcpu_insn_exec_cb(qemu_plugin_insn*, CpuDataCallback, CallbackFlags, void* data);
void qemu_plugin_register_vcpu_mem_cb(qemu_plugin_insn*, MemoryCallback, CallbackFlags, MemoryDirection,
                                      void* data);
void qemu_plugin_register_atexit_cb(PluginId, DataCallback, void* data);

size_t qemu_plugin_tb_n_insns(const qemu_plugin_tb*);
uint64_t qemu_plugin_tb_vaddr(const qemu_plugin_tb*);
qemu_plugin_insn* qemu_plugin_tb_get_insn(const qemu_plugin_tb*, size_t index);
size_t qemu_plugin_insn_data(const qemu_plugin_insn*, void* bytes, size_t most);
size_t qemu_plugin_insn_size(const qemu_plugin_insn*);
uint64_t qemu_plugin_insn_vaddr(const qemu_plugin_insn*);
// The address of the instruction's bytes in QEMU's own memory.
void* qemu_plugin_insn_haddr(const qemu_plugin_insn*);

unsigned qemu_plugin_mem_size_shift(MemoryInfo);
qemu_plugin_hwaddr* qemu_plugin_get_hwaddr(MemoryInfo, uint64_t address);
bool qemu_plugin_hwaddr_is_io(const qemu_plugin_hwaddr*);
uint64_t qemu_plugin_hwaddr_phys_addr(const qemu_plugin_hwaddr*);

GArray* qemu_plugin_get_registers();
// Appends the register's bytes. Returns their number.
int qemu_plugin_read_register(qemu_plugin_register*, GByteArray*);
int qemu_plugin_num_vcpus();
// Sets the array to the bytes at a virtual address of the CPU that runs. Returns false if they are not
// mapped.
bool qemu_plugin_read_memory_vaddr(uint64_t address, GByteArray*, size_t bytes);

}  // extern "C"

}  // namespace hm::soft::guest
