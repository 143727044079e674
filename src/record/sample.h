// SPDX-License-Identifier: MIT
// PERF_RECORD_SAMPLE: perf_event_open(2), "PERF_RECORD_SAMPLE".
#pragma once

#include <linux/perf_event.h>

#include <cstdint>

#include "base/bytes.h"
#include "base/result.h"
#include "record/branch.h"
#include "record/read_values.h"
#include "record/u64_view.h"

namespace hm::record {

struct Registers {
  uint64_t abi = PERF_SAMPLE_REGS_ABI_NONE;
  uint64_t mask = 0;  // bits of the recorded registers, in the architecture's numbering (asm/perf_regs.h)
  U64View values;     // one for each bit of the mask, lowest first; empty if abi is NONE
};

struct UserStack {
  Bytes bytes;              // as recorded, upwards from the stack pointer
  uint64_t used_bytes = 0;  // size of the part that the kernel could copy
};

// Only the fields whose bits are set in `type` were recorded; the others are not measured zeros. The views
// point into the recording and are valid as long as it is.
struct Sample {
  uint64_t type = 0;  // PERF_SAMPLE_* bits of the recorded fields
  uint64_t id = 0;    // PERF_SAMPLE_IDENTIFIER or PERF_SAMPLE_ID
  uint64_t ip = 0;
  uint32_t pid = 0;
  uint32_t tid = 0;
  uint64_t time_ns = 0;
  uint64_t addr = 0;
  uint64_t stream_id = 0;
  uint32_t cpu = 0;
  uint64_t period = 0;
  ReadValues read;
  U64View callchain;  // innermost first, with PERF_CONTEXT_* markers
  Bytes raw;
  BranchStack branches;
  Registers user_regs;
  UserStack user_stack;
  uint64_t weight = 0;       // PERF_SAMPLE_WEIGHT, or the three parts of PERF_SAMPLE_WEIGHT_STRUCT below
  uint64_t data_source = 0;  // union perf_mem_data_src
  uint64_t transaction = 0;  // PERF_TXN_*
  Registers intr_regs;
  uint64_t phys_addr = 0;
  uint64_t cgroup = 0;
  uint64_t data_page_bytes = 0;
  uint64_t code_page_bytes = 0;
  Bytes aux;

  // Returns true if any of `fields` (PERF_SAMPLE_* bits) was recorded.
  [[nodiscard]] bool has(uint64_t fields) const { return (type & fields) != 0; }
  // Returns the latency of the access in core cycles, from whichever of the two weights was recorded.
  [[nodiscard]] uint64_t latency_cycles() const {
    return has(PERF_SAMPLE_WEIGHT_STRUCT) ? static_cast<uint32_t>(weight) : weight;
  }
};

// Decodes the payload of a PERF_RECORD_SAMPLE of the event opened with `attr`. A pure function over a view:
// it allocates nothing. Fails with kDamaged if the payload is shorter than its fields.
Result<Sample> decode_sample(const perf_event_attr& attr, Bytes payload, bool swap);

// Appends the payload that decode_sample() reads, in this machine's byte order. `attr` selects the fields;
// raw and aux data are padded with zeros to the size that the kernel would give them.
void encode_sample(const perf_event_attr& attr, const Sample& sample, ByteWriter& out);

}  // namespace hm::record
