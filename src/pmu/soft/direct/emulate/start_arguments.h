// SPDX-License-Identifier: MIT
// What the kernel puts on the stack of a program that starts: the number of arguments, their addresses, those
// of the environment, and the auxiliary vector (System V ABI, AMD64 supplement, 3.4.1).
#pragma once

#include "pmu/soft/direct/core/core.h"

namespace hm::soft::direct {

class StartArguments {
 public:
  // `context` is that of the first thread, before it begins.
  explicit StartArguments(Context& context)
      : context_(context), begin_(reinterpret_cast<uint64_t*>(context.registers[kSp])) {
    uint64_t* word = begin_ + 1 + *begin_ + 1;
    while (*word++ != 0) {
    }
    auxiliary_ = end_ = word;
    while (*end_ != 0) end_ += 2;
    end_ += 2;
  }

  // Calls `define` with the type and the value of each entry of the auxiliary vector.
  template <typename Define>
  void for_each_auxiliary(Define&& define) {
    for (uint64_t* entry = auxiliary_; entry + 2 < end_; entry += 2) define(entry[0], entry[1]);
  }

  [[nodiscard]] uint64_t bytes() const { return static_cast<uint64_t>(end_ - begin_) * sizeof(uint64_t); }

  // Moves them down the stack to `address`, where the program then begins; once.
  void move_to(uint64_t address) {
    auto* to = reinterpret_cast<uint64_t*>(address);
    // Upwards, because both may overlap; a loop that the compiler does not turn into a call of memmove.
    for (uint64_t* from = begin_; from != end_; ++from, ++to) __atomic_store_n(to, *from, __ATOMIC_RELAXED);
    context_.registers[kSp] = address;
  }

 private:
  Context& context_;
  uint64_t *begin_, *auxiliary_, *end_;
};

}  // namespace hm::soft::direct
