// SPDX-License-Identifier: MIT
// Interpretation of the counters behind libpqos's numbers.
#pragma once

#include <cstdint>
#include <optional>

namespace hm::rdt {

// How the processor counts an event. 0 bits: the processor does not count it.
struct PqosEvent {
  uint32_t number = 0;  // in IA32_QM_EVTSEL
  unsigned bits = 0;
  uint64_t bytes = 0;  // bytes per count
};

constexpr uint64_t pqos_modulus(unsigned bits) { return bits < 64 ? uint64_t{1} << bits : 0; }

// Detects a failed read. If the register IA32_QM_CTR has its bit Error set, libpqos 4.5 returns the value it
// read last instead, the selection of event and id (IA32_QM_EVTSEL). It subtracts one period of the counter
// if the period is smaller than that value. No occupancy is that large, and a traffic sum is unlikely to
// equal it. With id 1 and a 32-bit counter the value is the event's number, 1 to 3: counts that small are
// treated as errors, too.
constexpr bool is_pqos_read_error(uint64_t count, uint32_t id, const PqosEvent& event) {
  uint64_t selection = uint64_t{id} << 32 | event.number;
  if (count == selection) return true;
  uint64_t modulus = pqos_modulus(event.bits);
  return modulus != 0 && selection >= modulus && count == selection - modulus;
}

// Sums a counter that wraps around at its width. Correct if it wraps at most once between two readings.
class PqosTotal {
 public:
  void add(uint64_t count, const PqosEvent& event) {
    uint64_t modulus = pqos_modulus(event.bits);
    if (last_) counts_ += count >= *last_ ? count - *last_ : count + (modulus - *last_);
    last_ = count;
  }

  // Counts since the first value that was added.
  [[nodiscard]] uint64_t counts() const { return counts_; }

 private:
  std::optional<uint64_t> last_;
  uint64_t counts_ = 0;
};

}  // namespace hm::rdt
