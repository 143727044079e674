// SPDX-License-Identifier: MIT
#include "pmu/soft/guest/registers.h"

#include <algorithm>
#include <cstring>

namespace hm::soft::guest {
namespace {

// By their numbers in instructions.
constexpr std::array<std::string_view, 16> kNames = {"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
                                                     "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15"};

}  // namespace

void Registers::learn(unsigned cpu) {
  if (known_.size() <= cpu) known_.resize(cpu + 1);
  GArray* list = qemu_plugin_get_registers();
  const auto* descriptors = reinterpret_cast<const RegisterDescriptor*>(list->data);
  for (unsigned i = 0; i < list->length; ++i) {
    const auto* found = std::ranges::find(kNames, std::string_view(descriptors[i].name));
    if (found != kNames.end())
      known_[cpu][static_cast<size_t>(found - kNames.begin())] = descriptors[i].handle;
  }
  g_array_free(list, 1);
}

uint64_t Registers::general(unsigned cpu, unsigned number) const {
  qemu_plugin_register* handle = known_[cpu][number];
  if (handle == nullptr) return 0;
  GByteArray* bytes = g_byte_array_new();
  int count = qemu_plugin_read_register(handle, bytes);
  uint64_t value = 0;
  if (count > 0)
    std::memcpy(&value, bytes->data, std::min<size_t>(sizeof(value), static_cast<size_t>(count)));
  g_byte_array_free(bytes, 1);
  return value;
}

}  // namespace hm::soft::guest
