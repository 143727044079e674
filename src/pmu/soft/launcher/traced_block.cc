// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/traced_block.h"

#include <cstring>

namespace hm::soft {
namespace {

template <typename T>
bool take(ByteReader& in, T& value) {
  Bytes raw = in.take(sizeof(T));
  if (raw.size() == sizeof(T)) std::memcpy(&value, raw.data(), sizeof(T));
  return in.ok();
}

}  // namespace

std::optional<TracedBlock> read_traced_block(Bytes record) {
  ByteReader in(record);
  TracedBlock block{};
  if (!take(in, block.what)) return std::nullopt;
  while (in.remaining() >= sizeof(BlockStep)) {
    TracedStep step{};
    (void)take(in, step.what);
    step.source = in.take(step.what.source_bytes);
    step.hot = in.take(shown_step_code(step.what.hot_bytes));
    step.cold = in.take(shown_step_code(step.what.cold_bytes));
    if (!in.ok()) return std::nullopt;
    block.steps.push_back(step);
  }
  return block;
}

}  // namespace hm::soft
