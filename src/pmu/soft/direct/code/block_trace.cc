// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/code/block_trace.h"

#include "pmu/soft/ring/block_record.h"

namespace hm::soft::direct {
namespace {

static_assert(kNoSpill == kNoReg);

BlockEnd end_of(const Superblock& source) {
  if (source.undecodable) return BlockEnd::kUndecodable;
  switch (source.steps[source.count - 1].instruction.flow) {
    case Flow::kCall:
      return BlockEnd::kCall;
    case Flow::kIndirectCall:
      return BlockEnd::kIndirectCall;
    case Flow::kIndirectJump:
      return BlockEnd::kIndirectJump;
    case Flow::kReturn:
      return BlockEnd::kReturn;
    case Flow::kSystemCall:
      return BlockEnd::kSystemCall;
    case Flow::kTrap:
      return BlockEnd::kTrap;
    default:
      break;
  }
  if (contains(source, source.next)) return BlockEnd::kOwnStep;
  return source.count == Superblock::kMaxSteps ? BlockEnd::kFull : BlockEnd::kOtherBlock;
}

BlockRecord describe(uint32_t pid, const Superblock& source, const Block& copy) {
  BlockRecord block;
  block.pid = pid;
  block.end = static_cast<uint32_t>(end_of(source));
  block.source = copy.source;
  block.next = source.next;
  block.hot = reinterpret_cast<uint64_t>(copy.code);
  block.cold = reinterpret_cast<uint64_t>(copy.cold);
  block.hot_bytes = copy.hot_bytes;
  block.cold_bytes = copy.cold_bytes;
  for (unsigned i = 0; i < source.count; ++i) block.source_bytes += source.steps[i].instruction.length;
  block.steps = source.count;
  return block;
}

// Describes step `i`. The entry behind the last step is the code that leaves the block.
BlockStep describe_step(const Superblock& source, const Block& copy, unsigned i) {
  const StepMap& map = copy.steps[i];
  bool last = i == source.count;
  uint32_t hot_end = last ? copy.hot_bytes : copy.steps[i + 1].hot;
  uint32_t cold_end = last ? copy.cold_bytes : copy.steps[i + 1].cold;
  BlockStep step;
  step.source = map.source;
  step.hot = map.hot;
  step.cold = map.cold;
  step.hot_bytes = static_cast<uint16_t>(hot_end - map.hot);
  step.cold_bytes = static_cast<uint16_t>(cold_end - map.cold);
  step.source_bytes = last ? uint8_t{0} : source.steps[i].instruction.length;
  step.flags_live = map.flags_saved ? 1 : 0;
  step.stand_in = map.spills.stand_in;
  step.base = map.spills.base;
  return step;
}

uint32_t bytes_of(const BlockStep& step) {
  return static_cast<uint32_t>(sizeof(step)) + step.source_bytes + shown_step_code(step.hot_bytes) +
         shown_step_code(step.cold_bytes);
}

void put_step(RecordBuilder& record, const Block& copy, const BlockStep& step) {
  record.put(step);
  record.put_bytes(reinterpret_cast<const void*>(step.source), step.source_bytes);
  record.put_bytes(copy.code + step.hot, shown_step_code(step.hot_bytes));
  record.put_bytes(copy.cold + step.cold, shown_step_code(step.cold_bytes));
}

}  // namespace

void trace_block(Recording& recording, const Superblock& source, const Block& copy) {
  constexpr uint32_t kMaxPadding = 7;
  if (recording.ring() == nullptr) return;
  BlockRecord block = describe(recording.ring()->status().pid, source, copy);
  for (unsigned i = 0; i <= source.count;) {
    block.first_step = i;
    RecordBuilder record(kBlockRecord, 0);
    record.put_bytes(&block.pid, sizeof(block) - sizeof(block.header));
    for (; i <= source.count; ++i) {
      BlockStep step = describe_step(source, copy, i);
      if (record.size() + bytes_of(step) + kMaxPadding > kMaxRecordBytes) break;
      put_step(record, copy, step);
    }
    record.pad();
    recording.write(static_cast<RecordBuilder&&>(record));
  }
}

}  // namespace hm::soft::direct
