// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/translate/restartable_sequences.h"

#include "pmu/soft/sampling/read_memory.h"

namespace hm::soft::direct {
namespace {

template <typename T>
bool read_value(uint64_t address, T& to) {
  return read_memory(address, &to, sizeof(to)) == sizeof(to);
}

}  // namespace

void RestartableSequences::begin(uint32_t signature) {
  used_ = true;
  signature_ = signature;
}

// Makes the kernel's checks (kernel/rseq.c, rseq_get_rseq_cs()). No other data lead to the signature.
bool RestartableSequences::read(uint64_t address, RestartableSequence& out) const {
  constexpr uint64_t kEndOfUser = uint64_t{1} << 47, kMostBytes = uint64_t{1} << 20;
  RestartDescriptor each;
  if (!read_value(address, each) || each.version != 0 || each.bytes == 0 || each.bytes > kMostBytes)
    return false;
  if (each.start >= kEndOfUser - each.bytes || each.abort >= kEndOfUser || each.abort < sizeof(signature_))
    return false;
  out = {address, each.start, each.start + each.bytes, each.abort};
  uint32_t before = 0;
  return !out.contains(out.abort) && read_value(each.abort - sizeof(before), before) && before == signature_;
}

bool RestartableSequences::is_current(const RestartableSequence& known) const {
  RestartableSequence now;
  return read(known.descriptor, now) && now.start == known.start && now.end == known.end &&
         now.abort == known.abort;
}

bool RestartableSequences::learn(uint64_t address) {
  constexpr uint64_t kAlignment = 8;
  RestartableSequence found;
  if (!used_ || address % kAlignment != 0 || !read(address, found)) return false;
  for (uint32_t i = 0; i < known_.size(); ++i) {
    RestartableSequence& each = known_[i];
    if (each.descriptor != address) continue;
    bool is_same = each.start == found.start && each.end == found.end && each.abort == found.abort;
    if (is_same) return false;
    each.descriptor = each.start = each.end = 0;
  }
  if (known_.add(found) == StableArray<RestartableSequence, 256>::kFull) return false;
  if (found.start < lowest_) lowest_ = found.start;
  if (found.end > end_) end_ = found.end;
  return true;
}

bool RestartableSequences::find(uint64_t address, RestartableSequence& out) const {
  if (address < lowest_ || address >= end_) return false;
  for (uint32_t i = known_.size(); i-- > 0;) {
    if (!known_[i].contains(address) || !is_current(known_[i])) continue;
    out = known_[i];
    return true;
  }
  return false;
}

bool RestartableSequences::begins_at(uint64_t address) const {
  if (address < lowest_ || address >= end_) return false;
  for (uint32_t i = 0; i < known_.size(); ++i) {
    if (known_[i].start == address) return true;
  }
  return false;
}

}  // namespace hm::soft::direct
