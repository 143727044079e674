// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/emulate/code_writes.h"

#include <initializer_list>

#include "pmu/soft/direct/process/process.h"
#include "pmu/soft/direct/runtime/descriptor_path.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"
#include "pmu/soft/ring/system_call.h"
#include "pmu/soft/sampling/read_memory.h"

namespace hm::soft::direct {
namespace {

// Structures of readv(2) and recvmsg(2).
struct Piece {
  uint64_t start, bytes;
};
struct MessageHead {
  uint64_t name, name_bytes, pieces, piece_count, control, control_bytes, flags;
};

template <typename T>
bool read(uint64_t address, T& value) {
  return read_memory(address, &value, sizeof(value)) == sizeof(value);
}

void expect_pieces(uint64_t address, uint64_t count) {
  constexpr uint64_t kMaxPieces = 1024;  // UIO_MAXIOV
  Piece piece{};
  for (uint64_t i = 0; i < count && i < kMaxPieces && read(address + i * sizeof(piece), piece); ++i)
    g_process.copies.expect_write_of(piece.start, piece.bytes);
}

void expect_message(uint64_t address) {
  MessageHead message{};
  if (!read(address, message)) return;
  expect_pieces(message.pieces, message.piece_count);
  g_process.copies.expect_write_of(message.name, static_cast<uint32_t>(message.name_bytes));
  g_process.copies.expect_write_of(message.control, message.control_bytes);
}

void expect_messages(uint64_t address, uint64_t count) {
  constexpr uint64_t kMaxMessages = 1024;  // UIO_MAXIOV
  constexpr uint64_t kEachBytes = 64;      // struct mmsghdr
  for (uint64_t i = 0; i < count && i < kMaxMessages; ++i) expect_message(address + i * kEachBytes);
}

bool is_memory_file(uint64_t descriptor) {
  constexpr char kFolder[] = "/proc/", kName[] = "/mem";
  char target[64];
  int64_t bytes = read_descriptor_path(static_cast<uint32_t>(descriptor), target, sizeof(target));
  constexpr int64_t kFolderBytes = sizeof(kFolder) - 1, kNameBytes = sizeof(kName) - 1;
  return bytes > kFolderBytes + kNameBytes && __builtin_memcmp(target, kFolder, kFolderBytes) == 0 &&
         __builtin_memcmp(target + bytes - kNameBytes, kName, kNameBytes) == 0;
}

bool holds_code(uint64_t start, uint64_t bytes) {
  Guard guard(g_process.copies.lock());
  Range code = g_process.space.first_executable(start, start + bytes);
  return code.start < code.end;
}

bool has_offset(uint64_t number) { return number == kPwrite64 || number == kPwritev || number == kPwritev2; }

}  // namespace

// The offset in such a file is the address of the memory. A program that writes at the file's own position
// has set the position to the address of code before.
void follow_writes_to_memory_file(const Context& context, uint64_t number, uint64_t result) {
  static bool is_at_code;
  uint64_t file = context.registers[kDi], start = context.registers[kR10], bytes = result;
  bool was_at_code = __atomic_load_n(&is_at_code, __ATOMIC_RELAXED);
  if (number == kLseek && !was_at_code && holds_code(result, 1) && is_memory_file(file))
    __atomic_store_n(&is_at_code, true, __ATOMIC_RELAXED);
  bool at_position = (number == kWrite || number == kWritev) && was_at_code;
  if (!at_position && !has_offset(number)) return;
  constexpr int64_t kCurrent = 1;  // SEEK_CUR
  if (at_position) {
    int64_t position = system_call(kLseek, static_cast<int64_t>(file), 0, kCurrent);
    if (position < 0) return;
    start = static_cast<uint64_t>(position) - bytes;
  }
  if (!holds_code(start, bytes) || !is_memory_file(file)) return;
  Guard guard(g_process.copies.lock());
  g_process.copies.forget_code(start, start + bytes);
}

bool writes_through_pointers(uint64_t number) {
  switch (number) {
    case kIoctl:
    case kPtrace:
    case kIoSubmit:
    case kIoUringRegister:
    case kBpf:
      return true;
    default:
      return false;
  }
}

void expect_fixed_protection(const Context& context, uint64_t number) {
  constexpr uint64_t kSetMdwe = 65;  // PR_SET_MDWE
  const uint64_t* r = context.registers;
  if (number == kMseal) g_process.copies.expect_write_of(r[kDi], r[kSi]);
  if (number == kPrctl && r[kDi] == kSetMdwe) g_process.copies.fix_protection();
}

void expect_writes_to_code(const Context& context, uint64_t number) {
  constexpr uint64_t kMaxBytes = 1u << 20;  // behind an address whose number of bytes is unknown
  const uint64_t* r = context.registers;
  for (Reg each : {kDi, kSi, kDx, kR10, kR8, kR9}) g_process.copies.expect_write(r[each], kMaxBytes);
  switch (number) {
    case kRead:
    case kPread64:
    case kRecvfrom:
    case kGetdents64:
    case kReadlink:
    case kMsgrcv:
      return g_process.copies.expect_write_of(r[kSi], r[kDx]);
    case kGetrandom:
    case kGetcwd:
      return g_process.copies.expect_write_of(r[kDi], r[kSi]);
    case kReadv:
    case kPreadv:
    case kPreadv2:
    case kVmsplice:
    case kProcessVmReadv:
      return expect_pieces(r[kSi], r[kDx]);
    case kProcessVmWritev:  // possibly into this process
      return expect_pieces(r[kR10], r[kR8]);
    case kRecvmsg:
      return expect_message(r[kSi]);
    case kRecvmmsg:
      return expect_messages(r[kSi], r[kDx]);
    default:
      return;
  }
}

}  // namespace hm::soft::direct
