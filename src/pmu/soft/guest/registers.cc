// SPDX-License-Identifier: MIT
#include "pmu/soft/guest/registers.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace hm::soft::guest {
namespace {

// By their numbers in instructions, and then the flags and the instruction pointer.
constexpr std::array<std::string_view, 18> kNames = {"rax", "rcx", "rdx", "rbx", "rsp",    "rbp",
                                                     "rsi", "rdi", "r8",  "r9",  "r10",    "r11",
                                                     "r12", "r13", "r14", "r15", "eflags", "rip"};

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

uint64_t Registers::general(unsigned cpu, unsigned number) const { return read(cpu, number); }

soft::Registers Registers::all(unsigned cpu, uint64_t ip) const {
  soft::Registers all{};
  uint64_t* const general[] = {&all.ax, &all.cx, &all.dx,  &all.bx,  &all.sp,  &all.bp,  &all.si,  &all.di,
                               &all.r8, &all.r9, &all.r10, &all.r11, &all.r12, &all.r13, &all.r14, &all.r15};
  for (unsigned i = 0; i < std::size(general); ++i) *general[i] = read(cpu, i);
  all.flags = read(cpu, kFlags);
  all.ip = ip;
  return all;
}

uint64_t Registers::read(unsigned cpu, unsigned index) const {
  qemu_plugin_register* handle = known_[cpu][index];
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
