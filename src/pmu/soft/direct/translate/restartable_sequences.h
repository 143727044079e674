// SPDX-License-Identifier: MIT
// The restartable sequences that the program's code is known to contain.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/runtime/memory.h"
#include "pmu/soft/direct/translate/restartable_sequence.h"

namespace hm::soft::direct {

// Called with the lock of the copies held.
class RestartableSequences {
 public:
  // Returns true if a thread has registered an rseq area.
  [[nodiscard]] bool are_used() const { return used_; }
  [[nodiscard]] uint32_t signature() const { return signature_; }
  // `signature`: the four bytes before each abort address, as registered by the program's threads.
  void begin(uint32_t signature);

  // Adds the sequence if its descriptor is at `address`. Returns true if it was not known.
  bool learn(uint64_t address);

  // Finds the sequence that contains `address`. Returns false if there is none. A sequence whose descriptor
  // has changed is not found any more.
  bool find(uint64_t address, RestartableSequence& out) const;
  [[nodiscard]] bool begins_at(uint64_t address) const;
  [[nodiscard]] const RestartableSequence& newest() const { return known_[known_.size() - 1]; }

 private:
  [[nodiscard]] bool read(uint64_t address, RestartableSequence& out) const;
  [[nodiscard]] bool is_current(const RestartableSequence& known) const;

  bool used_ = false;
  uint32_t signature_ = 0;
  uint64_t lowest_ = ~uint64_t{0}, end_ = 0;  // of all known sequences
  StableArray<RestartableSequence, 256> known_;
};

}  // namespace hm::soft::direct
