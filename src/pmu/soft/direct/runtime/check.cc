// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/runtime/check.h"

#include <stddef.h>

#include "pmu/soft/direct/runtime/give_up.h"
#include "pmu/soft/direct/runtime/lock_order.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"
#include "pmu/soft/ring/system_call.h"

namespace hm::soft::direct {
namespace {

// A sentence of limited length.
class Text {
 public:
  Text& add(const char* words) {
    while (*words != '\0' && length_ + 1 < sizeof(text_)) text_[length_++] = *words++;
    return *this;
  }
  Text& add_number(uint64_t number, unsigned base) {
    char digits[2 * sizeof(number) + 5];
    char* first = digits + sizeof(digits) - 1;
    *first = '\0';
    do {
      *--first = "0123456789abcdef"[number % base];
      number /= base;
    } while (number != 0);
    return add(first);
  }
  [[nodiscard]] const char* text() const { return text_; }

 private:
  char text_[512] = {};
  size_t length_ = 0;
};

}  // namespace

void fail_check(const char* invariant, const void* at) {
  Text text;
  text.add("hardmeter: a check of the copying engine failed: ").add(invariant);
  text.add(" (process ").add_number(static_cast<uint64_t>(system_call(kSysGetpid)), 10);
  text.add(", at 0x").add_number(reinterpret_cast<uint64_t>(at), 16);
  give_up(text.add("); please report this sentence, with the program\n").text());
}

[[gnu::noinline]] void fail_check(const char* invariant) {
  fail_check(invariant, __builtin_return_address(0));
}

void check_no_lock(const char* invariant) {
  if (!is_checking()) return;
  const HeldLocks* held = held_locks();
  if (held != nullptr && held->count() != 0) fail_check(invariant, __builtin_return_address(0));
}

// Both functions are called from where a lock is taken or released, so a failed check reports that address.
[[gnu::noinline]] void note_taken(uint32_t position) {
  HeldLocks* held = held_locks();
  if (held == nullptr) return;
  if (held->holds(position)) fail_check("a thread takes no lock that it holds", __builtin_return_address(0));
  if (!held->may_take(position))
    fail_check("a thread takes locks in the order of docs/engine-locks.md", __builtin_return_address(0));
  held->add(position);
}

[[gnu::noinline]] void note_released(uint32_t position) {
  HeldLocks* held = held_locks();
  if (held == nullptr) return;
  if (!held->holds(position))
    fail_check("a thread releases only locks that it holds", __builtin_return_address(0));
  held->remove(position);
}

}  // namespace hm::soft::direct
