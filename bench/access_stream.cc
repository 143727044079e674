// SPDX-License-Identifier: MIT
#include "access_stream.h"

#include <cstring>
#include <map>

#include "app/measure/record_run.h"
#include "event/selection.h"
#include "record/sample.h"

namespace hm::bench {
namespace {

using Take = std::function<bool(uint64_t address, bool is_fetch)>;

// Receives every instruction and access as a sample.
class Stream final : public record::RecordingSink {
 public:
  explicit Stream(Take take) : take_(std::move(take)) {}

  Status begin(const record::RecordingStart& start) override {
    for (const record::EventDescription& event : start.events) {
      for (uint64_t id : event.ids) events_[id] = {event.attr, event.name == "instr_retired"};
    }
    return {};
  }

  Status append(Bytes records) override {
    while (records.size() >= sizeof(perf_event_header) && !over_) {
      perf_event_header header;
      std::memcpy(&header, records.data(), sizeof(header));
      if (header.size < sizeof(header) || header.size > records.size()) break;
      if (header.type == PERF_RECORD_SAMPLE)
        take_sample(records.subspan(sizeof(header), header.size - sizeof(header)));
      records = records.subspan(header.size);
    }
    return {};
  }

  Status finish(const record::Features& /*features*/) override { return {}; }
  [[nodiscard]] uint64_t bytes() const override { return 0; }
  [[nodiscard]] bool over() const { return over_; }

 private:
  struct Event {
    perf_event_attr attr;
    bool of_instructions;
  };

  void take_sample(Bytes payload) {
    uint64_t id = 0;  // PERF_SAMPLE_IDENTIFIER
    if (payload.size() < sizeof(id)) return;
    std::memcpy(&id, payload.data(), sizeof(id));
    auto event = events_.find(id);
    if (event == events_.end()) return;
    Result<record::Sample> sample = record::decode_sample(event->second.attr, payload, false);
    if (!sample) return;
    bool is_fetch = event->second.of_instructions;
    over_ = !take_(is_fetch ? sample->ip : sample->addr, is_fetch);
  }

  Take take_;
  bool over_ = false;
  std::map<uint64_t, Event> events_;  // by id
};

}  // namespace

Status stream_accesses(const std::vector<std::string>& command, bool fetches, Take take) {
  Stream stream(std::move(take));
  measure::RecordOptions options;
  options.sink = &stream;
  options.what.source = measure::SourceKind::kSoftware;
  constexpr std::string_view kAccesses = "memory_loads,memory_stores",
                             kAll = "instr_retired,memory_loads,memory_stores";
  auto events = event::parse_selections(fetches ? kAll : kAccesses);
  if (!events) return events.error();
  options.what.events = *std::move(events);
  options.what.target.command = command;
  options.what.software.classes = false;
  options.sampling.period = "1";
  options.sampling.no_jitter = options.sampling.no_heap_blocks = true;
  measure::Observer observer;
  observer.interrupts = [&] { return stream.over() ? 1 : 0; };  // the program gets a SIGTERM
  Result<measure::Recorded> recorded = measure::make_recording(options, observer);
  if (!recorded) return recorded.error();
  if (recorded->refusal) return make_error(ErrorCode::kNotFound, "{}", recorded->refusal->reason);
  return {};
}

}  // namespace hm::bench
