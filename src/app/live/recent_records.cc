// SPDX-License-Identifier: MIT
#include "app/live/recent_records.h"

#include "record/whole_records.h"
#include "record/writer.h"

namespace hm::live {
namespace {

void append_to(std::vector<std::byte>& all, Bytes more) { all.insert(all.end(), more.begin(), more.end()); }

size_t sample_bytes_in(Bytes records) {
  size_t bytes = 0;
  record::for_each_record(records, [&](const perf_event_header& header, Bytes record) {
    if (header.type == PERF_RECORD_SAMPLE) bytes += record.size();
  });
  return bytes;
}

std::vector<std::byte> without_samples(Bytes records) {
  std::vector<std::byte> others;
  record::for_each_record(records, [&](const perf_event_header& header, Bytes record) {
    if (header.type != PERF_RECORD_SAMPLE) append_to(others, record);
  });
  return others;
}

}  // namespace

Status RecentRecords::begin(const record::RecordingStart& start) {
  MutexLock lock(mutex_);
  start_ = start;
  begun_ = true;
  return {};
}

void RecentRecords::describe(const std::string& hardmeter) {
  MutexLock lock(mutex_);
  start_.features.hardmeter = hardmeter;
}

Status RecentRecords::append(Bytes whole_records) {
  constexpr size_t kChunkParts = 64;
  MutexLock lock(mutex_);
  appended_ += whole_records.size();
  append_to(open_.records, whole_records);
  open_.sample_bytes += sample_bytes_in(whole_records);
  if (open_.records.size() >= max_bytes_ / kChunkParts) close_chunk();
  return {};
}

void RecentRecords::close_chunk() {
  sample_bytes_ += open_.sample_bytes;
  other_bytes_ += open_.records.size() - open_.sample_bytes;
  chunks_.push_back(std::make_shared<const Chunk>(std::move(open_)));
  open_ = {};
  forget();
}

void RecentRecords::forget() {
  for (; sample_bytes_ > max_bytes_; ++without_samples_) {
    std::shared_ptr<const Chunk>& oldest = chunks_[without_samples_];
    sample_bytes_ -= oldest->sample_bytes;
    oldest = std::make_shared<const Chunk>(Chunk{without_samples(oldest->records), 0});
  }
  for (; other_bytes_ > max_bytes_ && without_samples_ > 0; --without_samples_) {
    other_bytes_ -= chunks_.front()->records.size();
    chunks_.pop_front();
  }
}

Status RecentRecords::finish(const record::Features& features) {
  MutexLock lock(mutex_);
  start_.features = features;
  return {};
}

uint64_t RecentRecords::bytes() const {
  MutexLock lock(mutex_);
  return appended_;
}

Status RecentRecords::save(const std::string& path) const {
  record::RecordingStart start;
  std::deque<std::shared_ptr<const Chunk>> chunks;
  {
    MutexLock lock(mutex_);
    if (!begun_) return make_error(ErrorCode::kNotFound, "nothing has been recorded yet");
    start = start_;
    chunks = chunks_;
    chunks.push_back(std::make_shared<const Chunk>(open_));
  }
  Result<record::Writer> writer = record::Writer::create(path, start.events, start.features);
  if (!writer) return writer.error();
  for (const auto& chunk : chunks) {
    if (Status written = writer->append(chunk->records); !written) return written;
  }
  return writer->finish(start.features);
}

}  // namespace hm::live
