// SPDX-License-Identifier: MIT
#include "pmu/soft/guest/registers.h"

#include <algorithm>
#include <cstring>

namespace hm::soft::guest {
namespace {

// By their numbers in instructions; the flags follow.
constexpr std::array<std::string_view, 17> kNames = {"rax", "rcx", "rdx", "rbx", "rsp", "rbp",
                                                     "rsi", "rdi", "r8",  "r9",  "r10", "r11",
                                                     "r12", "r13", "r14", "r15", "eflags"};

}  // namespace

void Registers::learn(unsigned cpu) {
  if (known_.size() <= cpu) known_.resize(cpu + 1);
  GArray* list = qemu_plugin_get_registers();
  const auto* descriptors = reinterpret_cast<const RegisterDescriptor*>(list->data);
  for (unsigned i = 0; i < list->length; ++i) {
    const auto* found = std::ranges::find(kNames, std::string_view(descriptors[i].name));
    if (found != kNames.end()) known_[cpu][static_cast<size_t>(found - kNames.begin())] = descriptors[i].handle;
  }
  g_array_free(list, 1);
}

uint64_t Registers::read(unsigned cpu, unsigned index) const {
  qemu_plugin_register* handle = known_[cpu][index];
  if (handle == nullptr) return 0;
  GByteArray* bytes = g_byte_array_new();
  int count = qemu_plugin_read_register(handle, bytes);
  uint64_t value = 0;
  if (count > 0) std::memcpy(&value, bytes->data, std::min<size_t>(sizeof(value), static_cast<size_t>(count)));
  g_byte_array_free(bytes, 1);
  return value;
}

uint64_t Registers::general(unsigned cpu, unsigned number) const { return read(cpu, number); }

soft::Registers Registers::all(unsigned cpu, uint64_t ip) const {
  const auto at = [&](unsigned number) { return read(cpu, number); };
  return {at(0), at(3),      at(1), at(2), at(6),  at(7),  at(5),  at(4),  ip,
          at(kFlags), at(8), at(9), at(10), at(11), at(12), at(13), at(14), at(15)};
}

bool Registers::read_memory(uint64_t address, size_t bytes, std::vector<uint8_t>& into) {
  GByteArray* read = g_byte_array_new();
  bool is_read = qemu_plugin_read_memory_vaddr(address, read, bytes);
  if (is_read) into.assign(read->data, read->data + read->length);
  g_byte_array_free(read, 1);
  return is_read;
}

}  // namespace hm::soft::guest
