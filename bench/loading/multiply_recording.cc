// SPDX-License-Identifier: MIT
// Makes a large recording from a small one. Writes the mappings, threads and names once, and repeats the
// samples, each time shifted in time and in another order, ring by ring as perf writes them. Omits registers
// and cuts branch stacks to BRANCHES entries (8 by default), so a sample takes about 370 bytes. Usage:
// multiply_recording FROM TO SAMPLES [BRANCHES]
#include <linux/perf_event.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <optional>
#include <string_view>
#include <vector>

#include "record/reader.h"
#include "record/sample.h"
#include "record/sample_id.h"
#include "record/writer.h"

namespace hm::bench {
namespace {

constexpr size_t kRings = 8;
constexpr size_t kSamplesPerRound = size_t{1} << 14;
constexpr uint64_t kStepNs = 1000;        // between samples
constexpr uint64_t kStride = 2654435761;  // prime: another order of the samples in each repetition

using Buffer = std::vector<std::byte>;

struct SmallRecording {
  size_t branches = 8;  // maximum per sample
  std::vector<record::EventDescription> events;
  ByteWriter others;  // records that perf needs to locate the samples
  uint64_t last_time_ns = 0;
  std::vector<Buffer> samples;  // whole records
  std::vector<uint32_t> rings;  // ring of each sample; all samples of a thread share one
  size_t time_offset = 0;       // in a sample record
};

// Omits the end of a thread, because perf forgets ended threads, and totals, which are no longer true.
bool is_kept(uint32_t type) {
  return type == PERF_RECORD_MMAP || type == PERF_RECORD_MMAP2 || type == PERF_RECORD_COMM ||
         type == PERF_RECORD_FORK;
}

void shorten(perf_event_attr& attr) {
  attr.sample_type &= ~uint64_t{PERF_SAMPLE_REGS_INTR};
  attr.sample_regs_intr = 0;
}

Status take_sample(const record::Record& record, const perf_event_attr& attr, SmallRecording& small) {
  Result<record::Sample> sample = record::decode_sample(attr, record.payload, record.swap);
  if (!sample.ok()) return sample.error();
  ByteWriter branches;
  for (size_t i = 0; i < std::min(small.branches, sample->branches.size()); ++i)
    record::encode_branch(sample->branches[i], branches);
  sample->branches = record::BranchStack(record::U64View(branches.bytes(), false));
  perf_event_attr shorter = attr;
  shorten(shorter);
  ByteWriter payload;
  record::encode_sample(shorter, *sample, payload);
  ByteWriter whole;
  Status appended = record::append_record(whole, PERF_RECORD_SAMPLE, record.misc, payload.bytes());
  if (!appended.ok()) return appended;
  small.samples.push_back(std::move(whole).take());
  small.rings.push_back(sample->tid % kRings);
  return {};
}

Status take_other(const record::Record& record, const perf_event_attr& attr, SmallRecording& small) {
  record::SampleId id = record::decode_sample_id(attr, record);
  small.last_time_ns = std::max(small.last_time_ns, id.time_ns);
  return record::append_record(small.others, record.type, record.misc, record.payload);
}

// Returns the offset of the time, which stands behind the preceding fields of every sample:
// perf_event_open(2).
size_t time_offset(uint64_t sample_type) {
  uint64_t before = sample_type & (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID);
  return record::kRecordHeaderBytes + sizeof(uint64_t) * static_cast<size_t>(std::popcount(before));
}

Result<SmallRecording> read_small(record::Reader& reader, size_t branches) {
  SmallRecording small;
  small.branches = branches;
  small.events = reader.events();
  small.time_offset = time_offset(small.events.front().attr.sample_type);
  while (auto record = reader.next()) {
    std::optional<size_t> event = reader.event_of(*record);
    if (!event) continue;
    const perf_event_attr& attr = reader.events()[*event].attr;
    Status taken;
    if (record->type == PERF_RECORD_SAMPLE) taken = take_sample(*record, attr, small);
    if (is_kept(record->type)) taken = take_other(*record, attr, small);
    if (!taken.ok()) return taken.error();
  }
  if (small.samples.empty())
    return make_error(ErrorCode::kInvalidArgument, "the recording has no samples to multiply");
  for (record::EventDescription& event : small.events) shorten(event.attr);
  return small;
}

// Appends samples `first` to `last` of the large recording, ring by ring, and the FINISHED_ROUND record.
void append_round(SmallRecording& small, uint64_t first, uint64_t last, ByteWriter& out) {
  for (uint32_t ring = 0; ring < kRings; ++ring) {
    for (uint64_t i = first; i < last; ++i) {
      size_t pick = static_cast<size_t>((i + i / small.samples.size()) * kStride % small.samples.size());
      if (small.rings[pick] != ring) continue;
      uint64_t time_ns = small.last_time_ns + (i + 1) * kStepNs;
      std::memcpy(small.samples[pick].data() + small.time_offset, &time_ns, sizeof time_ns);
      out.append(small.samples[pick]);
    }
  }
  (void)record::append_record(out, record::kFinishedRound, 0, {});
}

record::Features features_of(const record::Reader& reader) {
  record::Features features = reader.features();
  features.raw.clear();
  features.sample_time.reset();
  features.hardmeter.reset();  // its totals are no longer true
  return features;
}

Status multiply(const std::string& from, const std::string& to, uint64_t samples, size_t branches) {
  Result<record::Reader> reader = record::Reader::open(from);
  if (!reader.ok()) return reader.error();
  Result<SmallRecording> small = read_small(*reader, branches);
  if (!small.ok()) return small.error();
  Result<record::Writer> writer = record::Writer::create(to, small->events);
  if (!writer.ok()) return writer.error();
  Status written = writer->append(small->others.bytes());
  for (uint64_t first = 0; first < samples && written.ok(); first += kSamplesPerRound) {
    ByteWriter round;
    append_round(*small, first, std::min(samples, first + kSamplesPerRound), round);
    written = writer->append(round.bytes());
  }
  if (!written.ok()) return written;
  return writer->finish(features_of(*reader));
}

std::optional<uint64_t> parse_count(std::string_view word) {
  uint64_t count = 0;
  auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
  return error == std::errc() && end == word.data() + word.size() ? std::optional(count) : std::nullopt;
}

int run(int argc, char** argv) {
  std::optional<uint64_t> samples = parse_count(argc >= 4 ? argv[3] : ""),
                          branches = parse_count(argc == 5 ? argv[4] : "8");
  if (argc > 5 || samples.value_or(0) == 0 || !branches) {
    std::fprintf(stderr, "usage: multiply_recording FROM TO SAMPLES [BRANCHES]\n");
    return 2;
  }
  Status done = multiply(argv[1], argv[2], *samples, *branches);
  if (done.ok()) return 0;
  std::fprintf(stderr, "multiply_recording: %s\n", done.error().message.c_str());
  return 1;
}

}  // namespace
}  // namespace hm::bench

int main(int argc, char** argv) { return hm::bench::run(argc, argv); }
