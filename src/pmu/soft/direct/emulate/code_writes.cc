// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/emulate/code_writes.h"

#include <initializer_list>

#include "pmu/soft/direct/process/process.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"
#include "pmu/soft/sampling/read_memory.h"

namespace hm::soft::direct {
namespace {

// Structures of readv(2) and recvmsg(2).
struct Piece {
  uint64_t start, bytes;
};
struct MessageHead {
  uint64_t name, name_bytes, pieces, piece_count;
};

template <typename T>
bool read(uint64_t address, T& value) {
  return read_memory(address, &value, sizeof(value)) == sizeof(value);
}

void expect_pieces(uint64_t address, uint64_t count) {
  constexpr uint64_t kMostPieces = 1024;  // UIO_MAXIOV
  Piece piece{};
  for (uint64_t i = 0; i < count && i < kMostPieces && read(address + i * sizeof(piece), piece); ++i)
    g_process.copies.expect_write(piece.start, piece.bytes);
}

}  // namespace

void expect_writes_to_code(const Context& context, uint64_t number) {
  constexpr uint64_t kMostBytes = 1u << 20;  // bytes behind the address; a call that writes more is repeated
  const uint64_t* r = context.registers;
  for (Reg each : {kDi, kSi, kDx, kR10, kR8, kR9}) g_process.copies.expect_write(r[each], kMostBytes);
  MessageHead message{};
  if (number == kReadv || number == kPreadv || number == kPreadv2) expect_pieces(r[kSi], r[kDx]);
  if (number == kRecvmsg && read(r[kSi], message)) expect_pieces(message.pieces, message.piece_count);
}

}  // namespace hm::soft::direct
