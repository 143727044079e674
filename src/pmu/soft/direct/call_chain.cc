// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/call_chain.h"

#include "pmu/soft/direct/address_space.h"
#include "pmu/soft/direct/engine.h"
#include "pmu/soft/direct/memory.h"
#include "pmu/soft/ring/system_call.h"

namespace hm::soft::direct {
namespace {

// What a function with a frame pushes: System V ABI, section 3.2.2.
struct Frame {
  uint64_t outer;
  uint64_t return_address;
};

struct Piece {
  uint64_t address;
  uint64_t bytes;
};

// The kernel looks whether there is memory at all.
bool read_frame(uint64_t address, Frame& frame) {
  constexpr int64_t kSysProcessVmReadv = 310;
  Piece to{reinterpret_cast<uint64_t>(&frame), sizeof(frame)}, from{address, sizeof(frame)};
  int64_t own = system_call(kSysGetpid);
  return system_call(kSysProcessVmReadv, own, pointer_argument(&to), 1, pointer_argument(&from), 1, 0) ==
         sizeof(frame);
}

bool is_code(uint64_t address) {
  Guard guard(g_translation);
  return executable_end(address) != 0;
}

}  // namespace

uint32_t walk_frames(const Context& context, uint64_t ip, uint32_t depth, uint64_t* chain) {
  uint32_t most = depth < kMaxCallChain ? depth : kMaxCallChain;
  chain[0] = ip;
  uint32_t length = 1;
  uint64_t lowest = context.registers[kSp];
  Frame frame{context.registers[kBp], 0};
  while (length < most && frame.outer >= lowest) {
    lowest = frame.outer + sizeof(Frame);
    if (!read_frame(frame.outer, frame) || !is_code(frame.return_address)) break;
    chain[length++] = frame.return_address;
  }
  return length;
}

}  // namespace hm::soft::direct
