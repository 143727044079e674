// SPDX-License-Identifier: MIT
#include "pmu/soft/sampling/system_call_buffers.h"

#include <stddef.h>

#include "pmu/soft/ring/system_call.h"
#include "pmu/soft/sampling/system_call_table.h"

namespace hm::soft {
namespace {

// struct iovec.
struct Piece {
  uint64_t address, bytes;
};

// struct msghdr of the kernel.
struct MessageHead {
  uint64_t name;
  uint32_t name_bytes, unused;
  uint64_t pieces, piece_count;
  uint64_t control, control_bytes;
  uint64_t flags;
};
static_assert(sizeof(MessageHead) == 56);

// struct mmsghdr.
struct CountedMessage {
  MessageHead head;
  uint32_t bytes, unused;
};
static_assert(sizeof(CountedMessage) == 64);

uint64_t smaller(uint64_t one, uint64_t other) { return one < other ? one : other; }

class BufferFinder {
 public:
  BufferFinder(const CompletedCall& call, ReadProgram reader, const BufferVisitor& visitor)
      : call_(call), read_(reader), visit_(visitor) {}

  void find(const BufferRow& row) const {
    uint64_t address = call_.arguments[row.pointer];
    if (address == 0 || !applies(row.when)) return;
    switch (row.length.rule) {
      case LengthRule::kPieces:
        return find_pieces(address, argument(row), result(), row.written);
      case LengthRule::kMessage:
        return find_message(address, result(), row.written);
      case LengthRule::kMessages:
        return find_messages(address, row.written);
      default:
        return visit(address, length_of(row, address), row.written);
    }
  }

 private:
  [[nodiscard]] uint64_t result() const { return static_cast<uint64_t>(call_.result); }
  [[nodiscard]] uint64_t argument(const BufferRow& row) const { return call_.arguments[row.length.argument]; }
  [[nodiscard]] bool applies(const BufferCondition& when) const {
    return (call_.arguments[when.argument] & when.mask) == when.value;
  }

  template <typename T>
  [[nodiscard]] bool read(uint64_t from, T& value) const {
    return read_(from, &value, sizeof(value));
  }

  // An address outside the user's range is one that the kernel cannot have used.
  void visit(uint64_t address, uint64_t bytes, bool written) const {
    constexpr unsigned kUserBits = 47;
    bool is_users =
        address >> kUserBits == 0 && bytes >> kUserBits == 0 && (address + bytes) >> kUserBits == 0;
    if (address != 0 && bytes != 0 && is_users) visit_({address, bytes, written});
  }

  [[nodiscard]] uint64_t length_of(const BufferRow& row, uint64_t address) const {
    constexpr uint64_t kBitsOfWord = 64, kPage = 4096;
    uint64_t bytes = row.length.bytes;
    switch (row.length.rule) {
      case LengthRule::kFixed:
        return bytes;
      case LengthRule::kFixedIfPositive:
        return call_.result > 0 ? bytes : 0;
      case LengthRule::kArgument:
        return static_cast<uint32_t>(argument(row)) * bytes;
      case LengthRule::kResult:
        return result() * bytes;
      case LengthRule::kUpToResult:
        return smaller(argument(row), result());
      case LengthRule::kBits:
        return (static_cast<uint32_t>(argument(row)) + kBitsOfWord - 1) / kBitsOfWord * sizeof(uint64_t);
      case LengthRule::kPages:
        return argument(row) / kPage + (argument(row) % kPage != 0 ? 1 : 0);
      case LengthRule::kSizeAt:
        return size_at(argument(row));
      case LengthRule::kText:
        return text_bytes(address);
      default:
        return 0;
    }
  }

  [[nodiscard]] uint64_t size_at(uint64_t address) const {
    uint32_t size = 0;
    return address != 0 && read(address, size) ? size : 0;
  }

  // Returns the size of a text with its NUL character.
  [[nodiscard]] uint64_t text_bytes(uint64_t address) const {
    constexpr uint64_t kMaxBytes = 4096, kPart = 64;  // PATH_MAX
    char part[kPart];
    for (uint64_t bytes = 0; bytes < kMaxBytes;) {
      uint64_t here = kPart - (address + bytes) % kPart;  // a part is in one page
      if (!read_(address + bytes, part, here)) return bytes;
      for (uint64_t i = 0; i < here; ++i) {
        if (part[i] == '\0') return bytes + i + 1;
      }
      bytes += here;
    }
    return kMaxBytes;
  }

  // The kernel fills one piece after the other.
  void find_pieces(uint64_t address, uint64_t count, uint64_t left, bool written) const {
    constexpr uint64_t kMaxPieces = 1024;  // UIO_MAXIOV
    count = smaller(count, kMaxPieces);
    visit(address, count * sizeof(Piece), false);
    Piece piece{};
    for (uint64_t i = 0; i < count && left != 0 && read(address + i * sizeof(piece), piece); ++i) {
      uint64_t bytes = smaller(piece.bytes, left);
      visit(piece.address, bytes, written);
      left -= bytes;
    }
  }

  void find_message(uint64_t address, uint64_t bytes, bool written) const {
    MessageHead head{};
    if (!read(address, head)) return;
    visit(address, sizeof(head), false);
    find_pieces(head.pieces, head.piece_count, bytes, written);
    visit(head.name, head.name_bytes, written);
    visit(head.control, head.control_bytes, written);
    if (written) write_results(address);
  }

  // recvmsg(2) writes the sizes of the name and of the control data, and the flags.
  void write_results(uint64_t address) const {
    visit(address + offsetof(MessageHead, name_bytes), sizeof(uint32_t), true);
    visit(address + offsetof(MessageHead, control_bytes), 2 * sizeof(uint64_t), true);
  }

  void find_messages(uint64_t address, bool written) const {
    CountedMessage message{};
    for (uint64_t i = 0; i < result() && read(address + i * sizeof(message), message); ++i) {
      uint64_t at = address + i * sizeof(message);
      find_message(at, message.bytes, written);
      visit(at + offsetof(CountedMessage, bytes), sizeof(message.bytes), true);
    }
  }

  const CompletedCall& call_;
  ReadProgram read_;
  const BufferVisitor& visit_;
};

}  // namespace

void visit_call_buffers(const CompletedCall& call, ReadProgram read, BufferVisitor visit) {
  if (failed(call.result)) return;
  BufferRows rows = buffers_of_call(call.number);
  for (const BufferRow* row = rows.begin; row != rows.end; ++row) BufferFinder(call, read, visit).find(*row);
}

}  // namespace hm::soft
