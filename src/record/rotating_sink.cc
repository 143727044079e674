// SPDX-License-Identifier: MIT
#include "record/rotating_sink.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "base/local_time.h"
#include "record/run_part.h"
#include "record/whole_records.h"

namespace hm::record {
namespace {

uint64_t ns_between(std::chrono::steady_clock::time_point begin, std::chrono::steady_clock::time_point end) {
  return static_cast<uint64_t>(std::chrono::nanoseconds(end - begin).count());
}

// Returns the local time as a number, to a hundredth of a second: 2026112714305507.
uint64_t time_as_number() {
  auto now = std::chrono::system_clock::now();
  auto hundredths =
      std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() / 10;
  std::string digits = fmt::format("{:%Y%m%d%H%M%S}{:02}",
                                   local_time(std::chrono::system_clock::to_time_t(now)), hundredths % 100);
  uint64_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

bool has_sample(Bytes whole_records) {
  bool found = false;
  for_each_record(whole_records, [&](const perf_event_header& header, Bytes) {
    found = found || header.type == PERF_RECORD_SAMPLE;
  });
  return found;
}

// Moves READ records to `counts` and the rest to `others`; `whole_records` then views the rest.
void take_counts(Bytes& whole_records, ByteWriter& counts, ByteWriter& others) {
  bool has_counts = false;
  for_each_record(whole_records, [&](const perf_event_header& header, Bytes) {
    has_counts = has_counts || header.type == PERF_RECORD_READ;
  });
  if (!has_counts) return;
  for_each_record(whole_records, [&](const perf_event_header& header, Bytes record) {
    (header.type == PERF_RECORD_READ ? counts : others).append(record);
  });
  whole_records = others.bytes();
}

}  // namespace

Status RotatingSink::begin(const RecordingStart& start) {
  start_ = start;
  state_.emplace(start.events);
  run_began_ = Clock::now();
  return open_next();
}

// The next file begins with its first sample, so no file lacks samples.
Status RotatingSink::append(Bytes whole_records) {
  if (is_due_ && has_sample(whole_records)) {
    if (Status rotated = rotate(); !rotated) return rotated;
  }
  ByteWriter others;
  take_counts(whole_records, counts_, others);
  if (parts_ > 1) counts_ = {};
  state_->see(whole_records);
  if (Status written = writer_->append(whole_records); !written) return written;
  if (is_finished_round(whole_records)) is_due_ = is_due();
  return {};
}

// The file must hold enough records of its own. Otherwise repeated state as large as the limit would start a
// new file at once.
bool RotatingSink::is_due() const {
  uint64_t own_bytes = writer_->data_bytes() - repeated_bytes_;
  bool is_large =
      rotation_.bytes != 0 && writer_->file_bytes() >= rotation_.bytes && own_bytes >= rotation_.bytes / 4;
  return is_large || (rotation_.ns != 0 && ns_between(part_began_, Clock::now()) >= rotation_.ns);
}

// Names are strictly increasing, even if the clock is set back.
std::string RotatingSink::next_name() {
  last_time_ = std::max(time_as_number(), last_time_ + 1);
  return fmt::format("{}.{}", path_, last_time_);
}

Status RotatingSink::open_next() {
  while (rotation_.max_files != 0 && files_.size() >= rotation_.max_files) {
    ::unlink(files_.front().c_str());
    files_.pop_front();
  }
  std::string name = next_name();
  Result<Writer> writer = Writer::create(
      name, start_.events, start_.features,
      {.compression_level = rotation_.compression_level,
       .keeps_newest_description = start_.has_descriptions && has_room_for_description(rotation_.bytes)});
  if (!writer) return writer.error();
  writer_ = *std::move(writer);
  files_.push_back(std::move(name));
  part_began_ = Clock::now();
  ++parts_;
  return {};
}

Status RotatingSink::rotate() {
  is_due_ = false;
  Features now = start_.features_so_far ? start_.features_so_far() : start_.features;
  if (Status finished = finish_part(now); !finished) return finished;
  bursts_before_ = bursts_in(now);
  earlier_bytes_ += writer_->data_bytes();
  counts_ = {};
  if (Status opened = open_next(); !opened) return opened;
  ByteWriter state;
  state_->repeat(state);
  Status repeated = writer_->append(state.bytes());
  repeated_bytes_ = writer_->data_bytes();
  return repeated;
}

// Restricts the features of the whole run to those of this part.
void RotatingSink::restrict(Features& features) const {
  RunPart part{.number = parts_,
               .begin_ns = ns_between(run_began_, part_began_),
               .end_ns = ns_between(run_began_, Clock::now()),
               .began_ns = static_cast<uint64_t>(part_began_.time_since_epoch().count()),
               .bursts_before = bursts_before_};
  restrict_to_part(part, features);
}

void RotatingSink::describe(const std::string& hardmeter) {
  if (parts_ == 1) return writer_->describe(hardmeter);
  Features features;
  features.hardmeter = hardmeter;
  restrict(features);
  writer_->describe(*features.hardmeter);
}

Status RotatingSink::finish_part(Features features) {
  restrict(features);
  return writer_->finish(features);
}

Status RotatingSink::finish(const Features& features) {
  if (parts_ > 1) return finish_part(features);
  if (counts_.size() != 0) (void)writer_->append(counts_.bytes());  // finish() returns the error
  return writer_->finish(features);
}

}  // namespace hm::record
