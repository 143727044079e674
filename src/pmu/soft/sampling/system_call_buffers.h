// SPDX-License-Identifier: MIT
// The memory of the program that the kernel reads and writes in a system call. Freestanding.
#pragma once

#include <stdint.h>

namespace hm::soft {

// A system call that has returned.
struct CompletedCall {
  uint64_t number;
  uint64_t arguments[6];
  int64_t result;
};

struct CallBuffer {
  uint64_t address;
  uint64_t bytes;  // not 0
  bool written;    // by the kernel; false: it was read
};

// Reads the program's memory. Returns false if a part of it is not readable.
using ReadProgram = bool (*)(uint64_t from, void* to, uint64_t bytes);

// A reference to a function that takes a CallBuffer; it must not outlive the function.
class BufferVisitor {
 public:
  template <typename Visit>
  explicit BufferVisitor(const Visit& visit)
      : object_(&visit), call_([](const void* object, const CallBuffer& buffer) {
          (*static_cast<const Visit*>(object))(buffer);
        }) {}
  void operator()(const CallBuffer& buffer) const { call_(object_, buffer); }

 private:
  const void* object_;
  void (*call_)(const void* object, const CallBuffer& buffer);
};

// Calls `visit` for each buffer of the call, in the order in which the kernel uses them. Only memory that the
// kernel has used is in a buffer: ten bytes for a read(2) of 4096 bytes that returned 10. A call that failed
// has none. Arrays of buffers and strings, which determine what the kernel has used, are read with `read`;
// the buffers themselves are not, because they may be unmapped by now.
void visit_call_buffers(const CompletedCall& call, ReadProgram read, BufferVisitor visit);

// Calls visit(address, bytes) for the part of each line that the buffer covers.
template <typename Visit>
void for_each_line(const CallBuffer& buffer, uint64_t line_bytes, Visit&& visit) {
  uint64_t end = buffer.address + buffer.bytes;
  for (uint64_t at = buffer.address; at < end;) {
    uint64_t next = (at | (line_bytes - 1)) + 1, until = next < end ? next : end;
    visit(at, static_cast<uint32_t>(until - at));
    at = until;
  }
}

}  // namespace hm::soft
