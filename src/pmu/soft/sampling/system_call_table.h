// SPDX-License-Identifier: MIT
// Table of the system calls with buffers (Linux UAPI, x86-64). Freestanding.
#pragma once

#include <stdint.h>

namespace hm::soft {

// The number of bytes of a buffer that the kernel uses.
enum class LengthRule : uint8_t {
  kFixed,            // `bytes`
  kFixedIfPositive,  // `bytes` if the result is positive
  kArgument,         // the argument times `bytes`
  kResult,           // the result times `bytes`
  kUpToResult,       // the argument, but at most the result
  kBits,             // whole 64-bit words that hold a bit for each of the argument
  kPages,            // a byte for each page of the argument
  kSizeAt,           // the 32-bit number at the address in the argument
  kText,             // up to the NUL character
  kPieces,           // an array of struct iovec, as many as the argument; their memory up to the result
  kMessage,          // a struct msghdr; its data up to the result
  kMessages,         // an array of struct mmsghdr, as many as the result
};

struct BufferLength {
  LengthRule rule;
  uint8_t argument;
  uint16_t bytes;
};

// A call has the buffer only if the argument has this value, in the bits of `mask`. 0: always.
struct BufferCondition {
  uint8_t argument;
  uint32_t mask;
  uint32_t value;
};

struct BufferRow {
  uint16_t number;  // of the system call
  uint8_t pointer;  // the argument with the buffer's address
  bool written;     // by the kernel
  BufferLength length;
  BufferCondition when;
};

struct BufferRows {
  const BufferRow* begin;
  const BufferRow* end;
};

// Returns the buffers of a system call.
BufferRows buffers_of_call(uint64_t number);

}  // namespace hm::soft
