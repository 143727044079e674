// SPDX-License-Identifier: MIT
// What the counters behind libpqos's numbers say.
#pragma once

#include <cstdint>
#include <optional>

namespace hm::rdt {

// How the processor counts an event. 0 bits: it does not.
struct PqosEvent {
  uint32_t number = 0;  // in IA32_QM_EVTSEL
  unsigned bits = 0;
  uint64_t bytes = 0;  // one count's
};

constexpr uint64_t pqos_modulus(unsigned bits) { return bits < 64 ? uint64_t{1} << bits : 0; }

// Where the register IA32_QM_CTR has its bit Error, libpqos 4.5 takes what it last read, which is the
// selection of event and id (IA32_QM_EVTSEL), for the counter's value, and takes off one period of the
// counter where that is less. No cache holds so much, and no sum of traffic is likely to be that number. Of
// id 1 and a counter of 32 bits it is the event's number, 1 to 3: so few counts are taken for an error too,
// not for a measurement that may be none.
constexpr bool is_pqos_read_error(uint64_t count, uint32_t id, const PqosEvent& event) {
  uint64_t selection = uint64_t{id} << 32 | event.number;
  if (count == selection) return true;
  uint64_t modulus = pqos_modulus(event.bits);
  return modulus != 0 && selection >= modulus && count == selection - modulus;
}

// Adds up a counter that starts again at 0 after so many bits: right where it does so at most once between
// two readings.
class PqosTotal {
 public:
  void add(uint64_t count, const PqosEvent& event) {
    uint64_t modulus = pqos_modulus(event.bits);
    if (last_) counts_ += count >= *last_ ? count - *last_ : count + (modulus - *last_);
    last_ = count;
  }

  // Since the first count that was added.
  [[nodiscard]] uint64_t counts() const { return counts_; }

 private:
  std::optional<uint64_t> last_;
  uint64_t counts_ = 0;
};

}  // namespace hm::rdt
