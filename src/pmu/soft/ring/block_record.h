// SPDX-License-Identifier: MIT
// Describes a block that the copying engine has just copied (Session::trace_blocks). Only the recorder sees
// this record. Freestanding.
//
// A record holds as many of the block's steps as fit: header, BlockRecord, then for each step a BlockStep
// with its instruction's bytes, its hot code and its cold code. Zero bytes pad it to a multiple of 8. The
// last step of a block has no instruction: it is the code that leaves the block.
#pragma once

#include <linux/perf_event.h>
#include <stdint.h>

namespace hm::soft {

inline constexpr uint32_t kBlockRecord = 0x484e;

// The reason why a block ends.
enum class BlockEnd : uint32_t {
  kCall = 1,
  kIndirectCall,
  kIndirectJump,
  kReturn,
  kSystemCall,
  kTrap,
  kUndecodable,  // the next instruction cannot be copied
  kOwnStep,      // the next instruction is already in this block
  kOtherBlock,   // the next instruction begins another block
  kFull,         // the block has the maximum number of steps
};

struct BlockRecord {
  perf_event_header header{};
  uint32_t pid = 0;
  uint32_t end = 0;     // BlockEnd
  uint64_t source = 0;  // address of the original code
  uint64_t next = 0;    // address after its last step, or that step's jump target
  uint64_t hot = 0;     // address of the copy
  uint64_t cold = 0;
  uint32_t hot_bytes = 0;
  uint32_t cold_bytes = 0;
  uint32_t source_bytes = 0;
  uint32_t steps = 0;       // with an instruction
  uint32_t first_step = 0;  // index of this record's first step
  uint32_t reserved = 0;
};

inline constexpr uint8_t kNoSpill = 0xff;

struct BlockStep {
  uint64_t source = 0;
  uint32_t hot = 0;  // offsets from the block's hot and cold code
  uint32_t cold = 0;
  uint16_t hot_bytes = 0;  // size; at most kMaxStepCode bytes follow
  uint16_t cold_bytes = 0;
  uint8_t source_bytes = 0;     // 0: no instruction
  uint8_t flags_live = 0;       // not 0: status flags from before it may be read
  uint8_t stand_in = kNoSpill;  // this and `base`: Spills of code_cache.h, or kNoSpill
  uint8_t base = kNoSpill;
};

inline constexpr uint32_t kMaxStepCode = 3072;  // limit that lets any step fit a record

constexpr uint32_t shown_step_code(uint16_t bytes) { return bytes < kMaxStepCode ? bytes : kMaxStepCode; }

}  // namespace hm::soft
