// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/measure/call_chain.h"

#include "pmu/soft/direct/process/process.h"
#include "pmu/soft/direct/runtime/memory.h"
#include "pmu/soft/ring/stack_record.h"
#include "pmu/soft/ring/system_call.h"
#include "pmu/soft/sampling/read_memory.h"

namespace hm::soft::direct {
namespace {

// Stack contents of a function with a frame pointer (System V ABI, section 3.2.2).
struct Frame {
  uint64_t outer;
  uint64_t return_address;
};

bool read_frame(uint64_t address, Frame& frame) {
  return read_memory(address, &frame, sizeof(frame)) == sizeof(frame);
}

bool is_code(uint64_t address) {
  Guard guard(g_process.copies.lock());
  return g_process.space.executable_end(address) != 0;
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

void send_stack(const Thread& thread, uint64_t stack_pointer) {
  constexpr uint64_t kWord = 8;
  uint64_t start = stack_pointer & ~(kWord - 1);
  uint64_t end = start + session()->stack_bytes;
  StackRecord part{.pid = thread.pid, .tid = thread.tid, .stack_pointer = start, .address = start};
  uint64_t read = 0, wanted = 0;
  do {
    uint8_t bytes[kPageBytes];
    uint64_t in_page = kPageBytes - part.address % kPageBytes;
    wanted = end - part.address < in_page ? end - part.address : in_page;
    read = read_memory(part.address, bytes, wanted);
    RecordBuilder record(kStackRecord, 0);
    record.put_bytes(&part.pid, sizeof(part) - sizeof(part.header));
    record.put_bytes(bytes, static_cast<uint32_t>(read));
    g_process.recording.write(static_cast<RecordBuilder&&>(record));
    part.address += read;
  } while (read == wanted && part.address < end);
}

}  // namespace hm::soft::direct
