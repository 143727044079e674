// SPDX-License-Identifier: MIT
#include "pmu/soft/sampling/io_rings.h"

#include <asm/unistd_64.h>
#include <linux/io_uring.h>

#include "pmu/soft/ring/system_call.h"

namespace hm::soft {
namespace {

template <typename T>
bool read_value(ReadProgram read, uint64_t from, T& value) {
  return read(from, &value, sizeof(value));
}

// Entries of other sizes, and rings in memory of the program's choice.
constexpr uint32_t kUnknownLayouts = (1u << 10) | (1u << 11) | (1u << 14);  // SQE128, CQE32, NO_MMAP
constexpr uint32_t kHasNoArray = 1u << 16;                                  // NO_SQARRAY

// struct io_uring_cqe, without the part that only CQE32 has.
struct Completion {
  uint64_t user_data;
  int32_t result;
  uint32_t flags;
};

// Returns the system call that does the same, with the completion's result; number 0 and no buffer if there
// is none.
CompletedCall call_of(uint8_t operation, uint64_t address, uint64_t bytes, uint64_t offset, int64_t result) {
  switch (operation) {
    case IORING_OP_READ:
    case IORING_OP_READ_FIXED:
      return {__NR_read, {0, address, bytes}, result};
    case IORING_OP_WRITE:
    case IORING_OP_WRITE_FIXED:
      return {__NR_write, {0, address, bytes}, result};
    case IORING_OP_READV:
      return {__NR_readv, {0, address, bytes}, result};
    case IORING_OP_WRITEV:
      return {__NR_writev, {0, address, bytes}, result};
    case IORING_OP_RECV:
      return {__NR_recvfrom, {0, address, bytes}, result};
    case IORING_OP_SEND:
      return {__NR_sendto, {0, address, bytes}, result};
    case IORING_OP_RECVMSG:
      return {__NR_recvmsg, {0, address}, result};
    case IORING_OP_SENDMSG:
      return {__NR_sendmsg, {0, address}, result};
    case IORING_OP_OPENAT:
      return {__NR_openat, {0, address}, result};
    case IORING_OP_STATX:
      return {__NR_statx, {0, address, 0, 0, offset}, result};
    default:
      return {__NR_read, {}, 0};
  }
}

}  // namespace

IoRings::Ring* IoRings::find(uint64_t descriptor) {
  for (Ring& ring : rings_) {
    if (ring.used && ring.descriptor == static_cast<int32_t>(descriptor)) return &ring;
  }
  return nullptr;
}

// The oldest ring gives way to the new one if there is no room.
void IoRings::begin(const CompletedCall& call, ReadProgram read) {
  io_uring_params parameters{};
  if (!read_value(read, call.arguments[1], parameters)) return;
  Ring* ring = find(static_cast<uint64_t>(call.result));
  if (ring == nullptr) ring = &rings_[next_ring_++ % kMaxRings];
  __builtin_memset(static_cast<void*>(ring), 0, sizeof(*ring));
  ring->used = (parameters.flags & kUnknownLayouts) == 0;
  ring->descriptor = static_cast<int32_t>(call.result);
  ring->submissions = parameters.sq_entries;
  ring->completions = parameters.cq_entries;
  ring->head = parameters.sq_off.head;
  ring->array = parameters.sq_off.array;
  ring->tail = parameters.cq_off.tail;
  ring->entries = parameters.cq_off.cqes;
  ring->has_array = (parameters.flags & kHasNoArray) == 0;
  ring->shares_mapping = (parameters.features & IORING_FEAT_SINGLE_MMAP) != 0;
}

void IoRings::map(const CompletedCall& call) {
  Ring* ring = find(call.arguments[4]);
  if (ring == nullptr) return;
  auto address = static_cast<uint64_t>(call.result);
  switch (call.arguments[5]) {
    case IORING_OFF_SQ_RING:
      ring->submission_ring = address;
      if (ring->shares_mapping) ring->completion_ring = address;
      return;
    case IORING_OFF_CQ_RING:
      ring->completion_ring = address;
      return;
    case IORING_OFF_SQES:
      ring->submission_entries = address;
      return;
    default:
      return;
  }
}

void IoRings::take_submissions(Ring& ring, ReadProgram read) {
  uint32_t head = 0;
  if (!read_value(read, ring.submission_ring + ring.head, head)) return;
  if (head - ring.seen_head > ring.submissions) ring.seen_head = head - ring.submissions;
  for (; ring.seen_head != head; ++ring.seen_head) {
    uint32_t index = ring.seen_head & (ring.submissions - 1);
    if (ring.has_array && !read_value(read, ring.submission_ring + ring.array + index * sizeof(index), index))
      return;
    io_uring_sqe entry{};
    if (!read_value(read, ring.submission_entries + index * sizeof(entry), entry)) return;
    if ((entry.flags & IOSQE_BUFFER_SELECT) != 0) continue;  // the kernel chooses the buffer
    ring.pending[ring.next++ % kMaxPending] = {entry.user_data, entry.addr,   entry.off,
                                               entry.len,       entry.opcode, true};
  }
}

// Returns the oldest pending submission with this value; null if there is none.
IoRings::Submission* IoRings::pending_of(Ring& ring, uint64_t user_data) {
  for (uint32_t i = 0; i < kMaxPending; ++i) {
    Submission& each = ring.pending[(ring.next + i) % kMaxPending];
    if (each.pending && each.user_data == user_data) return &each;
  }
  return nullptr;
}

uint32_t IoRings::take_completions(Ring& ring, ReadProgram read, CompletedCall* done) {
  uint32_t tail = 0, count = 0;
  if (!read_value(read, ring.completion_ring + ring.tail, tail)) return 0;
  if (tail - ring.seen_tail > ring.completions) ring.seen_tail = tail - ring.completions;
  for (; ring.seen_tail != tail && count != kMaxDone; ++ring.seen_tail) {
    Completion entry{};
    uint64_t index = ring.seen_tail & (ring.completions - 1);
    if (!read_value(read, ring.completion_ring + ring.entries + index * sizeof(entry), entry)) return count;
    Submission* of = pending_of(ring, entry.user_data);
    if (of == nullptr) continue;
    of->pending = false;
    done[count++] = call_of(of->operation, of->address, of->bytes, of->offset, entry.result);
  }
  return count;
}

bool IoRings::concerns(uint64_t number) {
  return number == __NR_io_uring_setup || number == __NR_mmap || number == __NR_io_uring_enter;
}

uint32_t IoRings::follow(const CompletedCall& call, ReadProgram read, CompletedCall* done) {
  if (failed(call.result)) return 0;
  if (call.number == __NR_io_uring_setup) begin(call, read);
  if (next_ring_ == 0) return 0;
  if (call.number == __NR_mmap) map(call);
  if (call.number != __NR_io_uring_enter) return 0;
  Ring* ring = find(call.arguments[0]);
  bool is_mapped = ring != nullptr && ring->submission_ring != 0 && ring->completion_ring != 0 &&
                   ring->submission_entries != 0;
  if (!is_mapped) return 0;
  take_submissions(*ring, read);
  return take_completions(*ring, read, done);
}

}  // namespace hm::soft
