// SPDX-License-Identifier: MIT
// The fields are in the kernel's order: perf_output_sample() in kernel/events/core.c.
#include "record/sample.h"

#include <bit>

namespace hm::record {
namespace {

void decode_identity(ByteReader& in, Sample& sample) {
  if (sample.has(PERF_SAMPLE_IDENTIFIER)) sample.id = in.u64();
  if (sample.has(PERF_SAMPLE_IP)) sample.ip = in.u64();
  if (sample.has(PERF_SAMPLE_TID)) {
    sample.pid = in.u32();
    sample.tid = in.u32();
  }
  if (sample.has(PERF_SAMPLE_TIME)) sample.time_ns = in.u64();
  if (sample.has(PERF_SAMPLE_ADDR)) sample.addr = in.u64();
  if (sample.has(PERF_SAMPLE_ID)) sample.id = in.u64();
  if (sample.has(PERF_SAMPLE_STREAM_ID)) sample.stream_id = in.u64();
  if (sample.has(PERF_SAMPLE_CPU)) {
    sample.cpu = in.u32();
    in.skip(sizeof(uint32_t));
  }
  if (sample.has(PERF_SAMPLE_PERIOD)) sample.period = in.u64();
}

void encode_identity(const Sample& sample, uint64_t type, ByteWriter& out) {
  if ((type & PERF_SAMPLE_IDENTIFIER) != 0) out.u64(sample.id);
  if ((type & PERF_SAMPLE_IP) != 0) out.u64(sample.ip);
  if ((type & PERF_SAMPLE_TID) != 0) {
    out.u32(sample.pid);
    out.u32(sample.tid);
  }
  if ((type & PERF_SAMPLE_TIME) != 0) out.u64(sample.time_ns);
  if ((type & PERF_SAMPLE_ADDR) != 0) out.u64(sample.addr);
  if ((type & PERF_SAMPLE_ID) != 0) out.u64(sample.id);
  if ((type & PERF_SAMPLE_STREAM_ID) != 0) out.u64(sample.stream_id);
  if ((type & PERF_SAMPLE_CPU) != 0) {
    out.u32(sample.cpu);
    out.u32(0);
  }
  if ((type & PERF_SAMPLE_PERIOD) != 0) out.u64(sample.period);
}

// PERF_SAMPLE_REGS_ABI_SIMD, a flag in the ABI word: vector and predicate registers follow the others
// (proposed for Linux after 7.0; include/uapi/linux/perf_event.h there).
constexpr uint64_t kAbiWithVectors = 4;

void skip_vector_registers(ByteReader& in) {
  uint64_t vectors = in.u16();
  uint64_t words_of_vector = in.u16();
  uint64_t predicates = in.u16();
  uint64_t words_of_predicate = in.u16();
  (void)take_words(in, vectors * words_of_vector + predicates * words_of_predicate);
}

Registers decode_registers(ByteReader& in, uint64_t mask) {
  uint64_t abi = in.u64();
  Registers registers{.abi = abi & ~kAbiWithVectors, .mask = mask, .values = {}};
  if (registers.abi != PERF_SAMPLE_REGS_ABI_NONE) registers.values = take_words(in, std::popcount(mask));
  if ((abi & kAbiWithVectors) != 0) skip_vector_registers(in);
  return registers;
}

void encode_registers(const Registers& registers, uint64_t mask, ByteWriter& out) {
  out.u64(registers.abi);
  if (registers.abi == PERF_SAMPLE_REGS_ABI_NONE) return;
  size_t count = static_cast<size_t>(std::popcount(mask));
  for (size_t i = 0; i < count; ++i) out.u64(i < registers.values.size() ? registers.values[i] : 0);
}

UserStack decode_user_stack(ByteReader& in) {
  UserStack stack{.bytes = in.take(in.u64())};
  if (!stack.bytes.empty()) stack.used_bytes = in.u64();
  return stack;
}

void encode_user_stack(const UserStack& stack, ByteWriter& out) {
  out.u64((stack.bytes.size() + 7) / 8 * 8);
  if (stack.bytes.empty()) return;
  out.append(stack.bytes);
  out.pad_to(8);
  out.u64(stack.used_bytes);
}

// The size includes the zeros that pad the data to a multiple of 8.
void encode_raw(Bytes raw, ByteWriter& out) {
  size_t padded = (sizeof(uint32_t) + raw.size() + 7) / 8 * 8 - sizeof(uint32_t);
  out.u32(static_cast<uint32_t>(padded));
  out.append(raw);
  out.pad_to(8);
}

void encode_aux(Bytes aux, ByteWriter& out) {
  out.u64((aux.size() + 7) / 8 * 8);
  out.append(aux);
  out.pad_to(8);
}

void decode_context(ByteReader& in, const perf_event_attr& attr, Sample& sample) {
  if (sample.has(PERF_SAMPLE_READ)) sample.read = decode_read_values(in, attr.read_format);
  if (sample.has(PERF_SAMPLE_CALLCHAIN)) sample.callchain = take_words(in, in.u64());
  if (sample.has(PERF_SAMPLE_RAW)) sample.raw = in.take(in.u32());
  if (sample.has(PERF_SAMPLE_BRANCH_STACK)) sample.branches = decode_branches(in, attr.branch_sample_type);
  if (sample.has(PERF_SAMPLE_REGS_USER)) sample.user_regs = decode_registers(in, attr.sample_regs_user);
  if (sample.has(PERF_SAMPLE_STACK_USER)) sample.user_stack = decode_user_stack(in);
}

void encode_context(const Sample& sample, const perf_event_attr& attr, ByteWriter& out) {
  uint64_t type = attr.sample_type;
  if ((type & PERF_SAMPLE_READ) != 0) encode_read_values(sample.read, attr.read_format, out);
  if ((type & PERF_SAMPLE_CALLCHAIN) != 0) {
    out.u64(sample.callchain.size());
    for (uint64_t ip : sample.callchain) out.u64(ip);
  }
  if ((type & PERF_SAMPLE_RAW) != 0) encode_raw(sample.raw, out);
  if ((type & PERF_SAMPLE_BRANCH_STACK) != 0) encode_branches(sample.branches, attr.branch_sample_type, out);
  if ((type & PERF_SAMPLE_REGS_USER) != 0) encode_registers(sample.user_regs, attr.sample_regs_user, out);
  if ((type & PERF_SAMPLE_STACK_USER) != 0) encode_user_stack(sample.user_stack, out);
}

void decode_memory(ByteReader& in, const perf_event_attr& attr, Sample& sample) {
  if (sample.has(PERF_SAMPLE_WEIGHT_TYPE)) sample.weight = in.u64();
  if (sample.has(PERF_SAMPLE_DATA_SRC)) sample.data_source = in.u64();
  if (sample.has(PERF_SAMPLE_TRANSACTION)) sample.transaction = in.u64();
  if (sample.has(PERF_SAMPLE_REGS_INTR)) sample.intr_regs = decode_registers(in, attr.sample_regs_intr);
  if (sample.has(PERF_SAMPLE_PHYS_ADDR)) sample.phys_addr = in.u64();
  if (sample.has(PERF_SAMPLE_CGROUP)) sample.cgroup = in.u64();
  if (sample.has(PERF_SAMPLE_DATA_PAGE_SIZE)) sample.data_page_bytes = in.u64();
  if (sample.has(PERF_SAMPLE_CODE_PAGE_SIZE)) sample.code_page_bytes = in.u64();
  if (sample.has(PERF_SAMPLE_AUX)) sample.aux = in.take(in.u64());
}

void encode_memory(const Sample& sample, const perf_event_attr& attr, ByteWriter& out) {
  uint64_t type = attr.sample_type;
  if ((type & PERF_SAMPLE_WEIGHT_TYPE) != 0) out.u64(sample.weight);
  if ((type & PERF_SAMPLE_DATA_SRC) != 0) out.u64(sample.data_source);
  if ((type & PERF_SAMPLE_TRANSACTION) != 0) out.u64(sample.transaction);
  if ((type & PERF_SAMPLE_REGS_INTR) != 0) encode_registers(sample.intr_regs, attr.sample_regs_intr, out);
  if ((type & PERF_SAMPLE_PHYS_ADDR) != 0) out.u64(sample.phys_addr);
  if ((type & PERF_SAMPLE_CGROUP) != 0) out.u64(sample.cgroup);
  if ((type & PERF_SAMPLE_DATA_PAGE_SIZE) != 0) out.u64(sample.data_page_bytes);
  if ((type & PERF_SAMPLE_CODE_PAGE_SIZE) != 0) out.u64(sample.code_page_bytes);
  if ((type & PERF_SAMPLE_AUX) != 0) encode_aux(sample.aux, out);
}

}  // namespace

Result<Sample> decode_sample(const perf_event_attr& attr, Bytes payload, bool swap) {
  ByteReader in(payload, swap);
  Sample sample;
  sample.type = attr.sample_type;
  decode_identity(in, sample);
  decode_context(in, attr, sample);
  decode_memory(in, attr, sample);
  if (!in.ok()) {
    return make_error(ErrorCode::kDamaged,
                      "a sample of {} bytes is shorter than the fields its event says it has",
                      payload.size());
  }
  return sample;
}

void encode_sample(const perf_event_attr& attr, const Sample& sample, ByteWriter& out) {
  encode_identity(sample, attr.sample_type, out);
  encode_context(sample, attr, out);
  encode_memory(sample, attr, out);
}

}  // namespace hm::record
