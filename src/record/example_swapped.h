// SPDX-License-Identifier: MIT
// For tests: converts a recording of this machine into the form that a big-endian machine writes. Implements
// the layouts independently of the decoders.
#pragma once

#include <linux/perf_event.h>

#include <bit>
#include <map>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "record/features.h"
#include "record/perf_record.h"

namespace hm::record::example {

// Swaps values in place, from start to end; each function returns the value before swapping.
class Swapper {
 public:
  explicit Swapper(std::span<std::byte> bytes) : bytes_(bytes) {}

  template <typename T>
  T swap() {
    T value = 0;
    EXPECT_LE(sizeof value, remaining());
    if (sizeof value > remaining()) return value;
    std::memcpy(&value, bytes_.data(), sizeof value);
    put(byte_swap(value));
    return value;
  }

  // Mirrors a word of bit-fields, which the other byte order lays out from the other end. `wide` holds
  // {shift, width} of the fields wider than one bit.
  void swap_bit_fields(const std::map<int, int>& wide) {
    uint64_t word = 0;
    std::memcpy(&word, bytes_.data(), sizeof word);
    uint64_t mirrored = 0;
    for (int shift = 0; shift < 64;) {
      auto found = wide.find(shift);
      int width = found == wide.end() ? 1 : found->second;
      mirrored |= (word >> shift & ((uint64_t{1} << width) - 1)) << (64 - shift - width);
      shift += width;
    }
    put(byte_swap(mirrored));
  }

  // In `layout`, '1', '2', '4' and '8' are integers of that many bytes; '*' means 8-byte integers to the end.
  void swap_all(std::string_view layout) {
    for (char size : layout) {
      if (size == '1') skip(1);
      if (size == '2') swap<uint16_t>();
      if (size == '4') swap<uint32_t>();
      if (size == '8') swap<uint64_t>();
      while (size == '*' && remaining() >= 8) swap<uint64_t>();
    }
  }

  void swap_words(uint64_t count) {
    for (uint64_t i = 0; i < count && remaining() > 0; ++i) swap<uint64_t>();
  }

  void skip(size_t size) { bytes_ = bytes_.subspan(std::min(size, remaining())); }
  std::span<std::byte> take(size_t size) {
    std::span<std::byte> taken = bytes_.first(std::min(size, remaining()));
    skip(size);
    return taken;
  }
  [[nodiscard]] size_t remaining() const { return bytes_.size(); }

 private:
  template <typename T>
  void put(T value) {
    std::memcpy(bytes_.data(), &value, sizeof value);
    skip(sizeof value);
  }

  std::span<std::byte> bytes_;
};

inline void swap_attr(Swapper& at, size_t size) {
  Swapper attr(at.take(size));
  attr.swap_all("448888");
  attr.swap_bit_fields({{15, 2}});  // precise_ip
  attr.swap_all("448888448422448*");
}

inline void swap_read_values(Swapper& at, uint64_t format) {
  uint64_t first = at.swap<uint64_t>();
  uint64_t times = std::popcount(format & (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING));
  uint64_t words = std::popcount(format & (PERF_FORMAT_ID | PERF_FORMAT_LOST));
  bool group = (format & PERF_FORMAT_GROUP) != 0;
  at.swap_words(times + (group ? first * (1 + words) : words));
}

inline void swap_branches(Swapper& at, uint64_t branch_sample_type) {
  uint64_t count = at.swap<uint64_t>();
  if ((branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX) != 0) at.swap<uint64_t>();
  for (uint64_t i = 0; i < count; ++i) {
    at.swap_words(2);
    at.swap_bit_fields({{4, 16}, {20, 4}, {24, 2}, {26, 4}, {30, 3}});  // struct perf_branch_entry
  }
  if ((branch_sample_type & (1U << 19)) != 0) at.swap_words(count);  // PERF_SAMPLE_BRANCH_COUNTERS
}

inline void swap_registers(Swapper& at, uint64_t mask) {
  if (at.swap<uint64_t>() != PERF_SAMPLE_REGS_ABI_NONE) at.swap_words(std::popcount(mask));
}

inline void swap_user_stack(Swapper& at) {
  uint64_t size = at.swap<uint64_t>();
  at.skip(size);
  if (size > 0) at.swap<uint64_t>();
}

// Fields in the order of perf_event_open(2), "PERF_RECORD_SAMPLE".
inline void swap_sample(Swapper& at, const perf_event_attr& attr) {
  auto if_has = [&](uint64_t field, std::string_view layout) {
    if ((attr.sample_type & field) != 0) at.swap_all(layout);
  };
  auto has = [&](uint64_t field) { return (attr.sample_type & field) != 0; };
  if_has(PERF_SAMPLE_IDENTIFIER, "8");
  if_has(PERF_SAMPLE_IP, "8");
  if_has(PERF_SAMPLE_TID, "44");
  if_has(PERF_SAMPLE_TIME, "8");
  if_has(PERF_SAMPLE_ADDR, "8");
  if_has(PERF_SAMPLE_ID, "8");
  if_has(PERF_SAMPLE_STREAM_ID, "8");
  if_has(PERF_SAMPLE_CPU, "44");
  if_has(PERF_SAMPLE_PERIOD, "8");
  if (has(PERF_SAMPLE_READ)) swap_read_values(at, attr.read_format);
  if (has(PERF_SAMPLE_CALLCHAIN)) at.swap_words(at.swap<uint64_t>());
  if (has(PERF_SAMPLE_RAW)) at.skip(at.swap<uint32_t>());
  if (has(PERF_SAMPLE_BRANCH_STACK)) swap_branches(at, attr.branch_sample_type);
  if (has(PERF_SAMPLE_REGS_USER)) swap_registers(at, attr.sample_regs_user);
  if (has(PERF_SAMPLE_STACK_USER)) swap_user_stack(at);
  if_has(PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT, "8");
  if_has(PERF_SAMPLE_DATA_SRC, "8");
  if_has(PERF_SAMPLE_TRANSACTION, "8");
  if (has(PERF_SAMPLE_REGS_INTR)) swap_registers(at, attr.sample_regs_intr);
  if_has(PERF_SAMPLE_PHYS_ADDR, "8");
  if_has(PERF_SAMPLE_CGROUP, "8");
  if_has(PERF_SAMPLE_DATA_PAGE_SIZE, "8");
  if_has(PERF_SAMPLE_CODE_PAGE_SIZE, "8");
  if (has(PERF_SAMPLE_AUX)) at.skip(at.swap<uint64_t>());
}

// Swaps struct sample_id, the trailer of the kernel's records.
inline std::string sample_id_layout(const perf_event_attr& attr) {
  std::string layout;
  for (uint64_t field : {PERF_SAMPLE_TID, PERF_SAMPLE_TIME, PERF_SAMPLE_ID, PERF_SAMPLE_STREAM_ID,
                         PERF_SAMPLE_CPU, PERF_SAMPLE_IDENTIFIER}) {
    bool is_pair = field == PERF_SAMPLE_TID || field == PERF_SAMPLE_CPU;
    if ((attr.sample_type & field) != 0) layout += is_pair ? "44" : "8";
  }
  return layout;
}

// Swaps the integers at the start of a payload; text after them stays unchanged.
inline std::string_view payload_layout(uint32_t type) {
  static const std::map<uint32_t, std::string_view> layouts{{PERF_RECORD_MMAP, "44888"},
                                                            {PERF_RECORD_MMAP2, "44888448844"},
                                                            {PERF_RECORD_COMM, "44"},
                                                            {PERF_RECORD_FORK, "44448"},
                                                            {PERF_RECORD_EXIT, "44448"},
                                                            {PERF_RECORD_LOST, "88"},
                                                            {PERF_RECORD_LOST_SAMPLES, "8"},
                                                            {PERF_RECORD_THROTTLE, "888"},
                                                            {PERF_RECORD_READ, "44*"},
                                                            {PERF_RECORD_SWITCH_CPU_WIDE, "44"},
                                                            {PERF_RECORD_KSYMBOL, "8422"},
                                                            {PERF_RECORD_AUX, "888"},
                                                            {PERF_RECORD_ITRACE_START, "44"},
                                                            {kCallchainDeferred, "*"},
                                                            {kHeaderEventType, "8"},
                                                            {kHeaderBuildId, "4"},
                                                            {kIdIndex, "*"},
                                                            {kAuxtraceInfo, "44*"},
                                                            {kCpuMap, "2222"},
                                                            {kEventUpdate, "88"},
                                                            {kTimeConv, "888*"}};
  auto found = layouts.find(type);
  return found == layouts.end() ? std::string_view() : found->second;
}

inline void swap_text(Swapper& at) { at.skip(at.swap<uint32_t>()); }

inline void swap_build_ids(Swapper& at) {
  while (at.remaining() >= kRecordHeaderBytes) {
    at.swap<uint32_t>();
    at.swap<uint16_t>();
    size_t size = at.swap<uint16_t>();
    Swapper(at.take(size - kRecordHeaderBytes)).swap_all("4");
  }
}

inline void swap_event_descriptions(Swapper& at) {
  uint32_t count = at.swap<uint32_t>();
  uint32_t attr_bytes = at.swap<uint32_t>();
  for (uint32_t i = 0; i < count; ++i) {
    swap_attr(at, attr_bytes);
    uint32_t ids = at.swap<uint32_t>();
    swap_text(at);
    at.swap_words(ids);
  }
}

// Swaps the features that hardmeter writes: tools/perf/Documentation/perf.data-file-format.txt in the Linux
// source.
inline void swap_feature(unsigned bit, Swapper at) {
  auto list = [&](auto&& swap_one) {
    uint32_t count = at.swap<uint32_t>();
    for (uint32_t i = 0; i < count; ++i) swap_one();
  };
  if (bit >= kFeatureHostname && bit <= kFeatureCpuId && bit != kFeatureNrCpus) return swap_text(at);
  if (bit == kFeatureBuildId) return swap_build_ids(at);
  if (bit == kFeatureEventDesc) return swap_event_descriptions(at);
  if (bit == kFeatureNrCpus) return at.swap_all("44");
  if (bit == kFeatureTotalMem || bit == kFeatureClockId || bit == kFeatureSampleTime) return at.swap_all("*");
  if (bit == kFeatureCmdline) return list([&] { swap_text(at); });
  if (bit == kFeaturePmuMappings) return list([&] { at.swap<uint32_t>(), swap_text(at); });
  if (bit == kFeatureNumaTopology) return list([&] { at.swap_all("488"), swap_text(at); });
  if (bit != kFeatureCache) return;
  at.swap<uint32_t>();
  list([&] {
    at.swap_all("4444");
    for (int text = 0; text < 3; ++text) swap_text(at);
  });
}

inline void swap_payload(uint32_t type, uint16_t misc, Swapper at, const perf_event_attr& attr) {
  if (type == PERF_RECORD_SAMPLE) return swap_sample(at, attr);
  if (type == kHeaderAttr) return swap_attr(at, sizeof attr), at.swap_all("*");
  if (type == kHeaderFeature) {
    auto bit = static_cast<unsigned>(at.swap<uint64_t>());
    return swap_feature(bit, at);
  }
  if (type == kThreadMap) {
    for (uint64_t count = at.swap<uint64_t>(); count > 0; --count) at.swap<uint64_t>(), at.skip(16);
    return;
  }
  std::string id = type < kHeaderAttr && attr.sample_id_all != 0 ? sample_id_layout(attr) : "";
  size_t id_bytes = 0;
  for (char size : id) id_bytes += static_cast<size_t>(size - '0');
  Swapper body(at.take(at.remaining() - id_bytes));
  at.swap_all(id);
  if (type == PERF_RECORD_MMAP2 && (misc & PERF_RECORD_MISC_MMAP_BUILD_ID) != 0) {
    body.swap_all("44888");
    body.skip(24);
    return body.swap_all("44");
  }
  body.swap_all(payload_layout(type));
}

// Requires that all events have the fields of `attr`.
inline void swap_records(Swapper at, const perf_event_attr& attr) {
  while (at.remaining() >= kRecordHeaderBytes) {
    uint32_t type = at.swap<uint32_t>();
    uint16_t misc = at.swap<uint16_t>();
    size_t size = at.swap<uint16_t>();
    swap_payload(type, misc, Swapper(at.take(size - kRecordHeaderBytes)), attr);
  }
}

struct Section {
  uint64_t offset = 0;
  uint64_t bytes = 0;
};

inline Section swap_section(Swapper& at) {
  uint64_t offset = at.swap<uint64_t>();
  return {offset, at.swap<uint64_t>()};
}

// Swaps the whole recording. `attr` is that of its events, which must all have the same fields.
inline std::vector<std::byte> of_the_other_byte_order(std::vector<std::byte> recording,
                                                      const perf_event_attr& attr) {
  std::span<std::byte> all(recording);
  auto part = [&](const Section& section) { return Swapper(all.subspan(section.offset, section.bytes)); };
  Swapper at(all);
  at.swap<uint64_t>();
  if (uint64_t header_bytes = at.swap<uint64_t>(); header_bytes == 16) {
    swap_records(Swapper(all.subspan(header_bytes)), attr);
    return recording;
  }
  uint64_t attr_bytes = at.swap<uint64_t>();
  Section attrs = swap_section(at);
  Section data = swap_section(at);
  swap_section(at);
  std::vector<unsigned> features;
  for (unsigned word = 0; word < kFeatureBits / 64; ++word) {
    uint64_t bits = at.swap<uint64_t>();
    for (unsigned bit = 0; bit < 64; ++bit)
      if ((bits >> bit & 1) != 0) features.push_back(word * 64 + bit);
  }
  Swapper events = part(attrs);
  while (events.remaining() >= attr_bytes) {
    swap_attr(events, attr_bytes - sizeof(Section));
    part(swap_section(events)).swap_all("*");
  }
  swap_records(part(data), attr);
  Swapper table(all.subspan(data.offset + data.bytes));
  for (unsigned bit : features) swap_feature(bit, part(swap_section(table)));
  return recording;
}

}  // namespace hm::record::example
