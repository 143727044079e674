// SPDX-License-Identifier: MIT
#include "view/exports/perfetto.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/hex.h"
#include "view/exports/protobuf.h"
#include "view/exports/stack_tree.h"
#include "view/exports/stacks.h"
#include "view/exports/text.h"
#include "view/exports/times.h"

namespace hm::exports {
namespace {

// Field numbers of the messages in protos/perfetto/.
namespace trace {
constexpr uint32_t kPacket = 1;
}
namespace packet {
constexpr uint32_t kProcessTree = 2, kTimestamp = 8, kSequence = 10, kTrackEvent = 11, kInterned = 12,
                   kSequenceFlags = 13, kDefaults = 59, kTrackDescriptor = 60, kPerfSample = 66;
constexpr uint64_t kStateCleared = 1, kNeedsState = 2;  // SequenceFlags
}  // namespace packet
namespace process_tree {
constexpr uint32_t kProcesses = 1, kThreads = 2;
constexpr uint32_t kPid = 1, kCommandLine = 3;           // Process
constexpr uint32_t kTid = 1, kName = 2, kProcessId = 3;  // Thread
}  // namespace process_tree
namespace defaults {
constexpr uint32_t kPerfSample = 12;    // TracePacketDefaults
constexpr uint32_t kTimebase = 1;       // PerfSampleDefaults
constexpr uint32_t kTimebaseName = 10;  // PerfEvents.Timebase
}  // namespace defaults
namespace track_descriptor {
constexpr uint32_t kUuid = 1, kName = 2;
}
namespace track_event {
constexpr uint32_t kType = 9, kTrackUuid = 11, kName = 23;
constexpr uint64_t kInstant = 3;  // TrackEvent.Type
}  // namespace track_event
namespace interned {
constexpr uint32_t kFunctionNames = 5, kFrames = 6, kCallstacks = 7, kBuildIds = 16, kMappingPaths = 17,
                   kSourcePaths = 18, kMappings = 19;
constexpr uint32_t kId = 1, kText = 2;  // InternedString; kId also of the messages below
}  // namespace interned
namespace mapping {
constexpr uint32_t kBuildId = 2, kEnd = 5, kPath = 7;
}
namespace frame {
constexpr uint32_t kFunctionName = 2, kMapping = 3, kAddress = 4, kSourcePath = 5, kLine = 6;
}
namespace callstack {
constexpr uint32_t kFrames = 2;
}
namespace perf_sample {
constexpr uint32_t kCpu = 1, kPid = 2, kTid = 3, kCallstack = 4, kTimebaseCount = 6;
}

// The tables of one packet sequence. IDs begin at 1. New entries are collected until the next packet.
class Interned {
 public:
  Interned(const profile::Profile& profile, Stacks& stacks) : profile_(profile), stacks_(stacks) {}

  uint64_t callstack(size_t sample) {
    std::optional<uint32_t> node;
    std::vector<uint64_t> frames;
    for (const Frame* each : stacks_.of(sample)) {
      frames.push_back(frame(*each));
      node = tree_.child(node, static_cast<uint32_t>(frames.back()));
    }
    uint64_t id = uint64_t{*node} + 1;
    if (written_.insert(id).second) {
      Message stack;
      stack.number(interned::kId, id);
      for (uint64_t each : frames) stack.number(callstack::kFrames, each);
      new_.bytes(interned::kCallstacks, stack.text());
    }
    return id;
  }

  // Returns the entries since the last call as an InternedData message; empty if there are none.
  std::string take_new() { return std::exchange(new_, Message()).text(); }

 private:
  using Strings = std::map<std::string, uint64_t>;

  uint64_t text(uint32_t field, Strings& known, const std::string& value) {
    auto [found, is_new] = known.try_emplace(value, known.size() + 1);
    if (is_new) {
      Message message;
      message.number(interned::kId, found->second).bytes(interned::kText, value);
      new_.bytes(field, message.text());
    }
    return found->second;
  }

  // Returns 0 for unknown code, which is in no mapping.
  uint64_t mapping(uint32_t dso) {
    if (dso == 0) return 0;
    auto [found, is_new] = mappings_.try_emplace(dso, mappings_.size() + 1);
    if (!is_new) return found->second;
    const profile::DsoRow& row = profile_.dsos[dso];
    constexpr uint64_t kAnyAddress = uint64_t{1} << 62;
    Message message;
    message.number(interned::kId, found->second).number(mapping::kEnd, kAnyAddress);
    if (auto id = bytes_of_hex(row.build_id); id && !id->empty())
      message.number(mapping::kBuildId,
                     text(interned::kBuildIds, build_ids_,
                          std::string(reinterpret_cast<const char*>(id->data()), id->size())));
    message.number(mapping::kPath, text(interned::kMappingPaths, paths_, one_line(row.path)));
    new_.bytes(interned::kMappings, message.text());
    return found->second;
  }

  uint64_t frame(const Frame& each) {
    auto [found, is_new] =
        frames_.try_emplace({each.function, each.location, each.depth}, frames_.size() + 1);
    if (!is_new) return found->second;
    const Function& function = stacks_.function(each.function);
    uint64_t name = text(interned::kFunctionNames, functions_, one_line(function.name));
    Message message;
    message.number(interned::kId, found->second).number(frame::kFunctionName, name);
    if (uint64_t map = mapping(function.dso); map != 0)
      message.number(frame::kMapping, map)
          .present(frame::kAddress, profile_.locations[each.location].address);
    if (!each.file.empty())
      message.number(frame::kSourcePath, text(interned::kSourcePaths, sources_, one_line(each.file)))
          .number(frame::kLine, each.line);
    new_.bytes(interned::kFrames, message.text());
    return found->second;
  }

  const profile::Profile& profile_;
  Stacks& stacks_;
  StackTree tree_;
  std::set<uint64_t> written_;
  Strings functions_, paths_, sources_, build_ids_;
  std::map<uint32_t, uint64_t> mappings_;                                // by dso
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint64_t> frames_;  // by function, location, depth
  Message new_;
};

class PerfettoFile {
 public:
  PerfettoFile(const Selection& selection, const Write& write)
      : selection_(selection),
        profile_(selection.profile),
        times_(selection),
        stacks_(selection),
        weights_(selection),
        pieces_(write) {}

  Status write_all() {
    add_names();
    if (times_.are_cycles()) add_note(kCyclesNote);
    for (uint32_t event : events_of(selection_)) add_event(event);
    return pieces_.finish();
  }

 private:
  static constexpr uint64_t kNames = 1;  // the sequence of the names; those of events follow

  void add_packet(const Message& message) {
    pieces_ << Message().bytes(trace::kPacket, message.text()).text();
  }

  // Begins a packet of a sequence. Its data are valid from the packet that clears the state on.
  static Message packet_of(uint64_t sequence, uint64_t flags) {
    Message message;
    message.number(packet::kSequence, sequence).number(packet::kSequenceFlags, flags);
    return message;
  }

  void add_names() {
    Message tree;
    std::set<uint32_t> used, named;
    for (size_t sample : selection_.samples) used.insert(profile_.samples.thread[sample]);
    for (uint32_t row : used) {
      const profile::Thread& thread = profile_.threads[row];
      std::string name = one_line(thread.name());
      if (named.insert(thread.pid).second)
        tree.bytes(process_tree::kProcesses,
                   Message()
                       .number(process_tree::kPid, thread.pid)
                       .bytes(process_tree::kCommandLine, one_line(thread.program_or_comm()))
                       .text());
      tree.bytes(process_tree::kThreads, Message()
                                             .number(process_tree::kTid, thread.tid)
                                             .bytes(process_tree::kName, name)
                                             .number(process_tree::kProcessId, thread.pid)
                                             .text());
    }
    Message names = packet_of(kNames, packet::kStateCleared);
    add_packet(names.bytes(packet::kProcessTree, tree.text()));
  }

  // Adds a track that is named by the note, with an instant at the begin of the trace.
  void add_note(std::string_view note) {
    constexpr uint64_t kTrack = 1;
    Message track;
    track.number(track_descriptor::kUuid, kTrack).bytes(track_descriptor::kName, note);
    add_packet(packet_of(kNames, packet::kNeedsState).bytes(packet::kTrackDescriptor, track.text()));
    Message instant;
    instant.number(track_event::kType, track_event::kInstant)
        .number(track_event::kTrackUuid, kTrack)
        .bytes(track_event::kName, note);
    add_packet(packet_of(kNames, packet::kNeedsState)
                   .present(packet::kTimestamp, 0)
                   .bytes(packet::kTrackEvent, instant.text()));
  }

  void add_event(uint32_t event) {
    constexpr uint64_t kFirstSequence = 2;
    uint64_t sequence = kFirstSequence + event;
    std::string timebase =
        Message().bytes(defaults::kTimebaseName, one_line(profile_.events[event].name)).text();
    std::string of_samples = Message().bytes(defaults::kTimebase, timebase).text();
    Message first = packet_of(sequence, packet::kStateCleared);
    add_packet(first.bytes(packet::kDefaults, Message().bytes(defaults::kPerfSample, of_samples).text()));
    Interned interned(profile_, stacks_);
    uint64_t count = 0;
    for (size_t sample : selection_.samples) {
      if (profile_.samples.event[sample] == event)
        add_sample(sample, sequence, count += weights_.of(sample), interned);
    }
  }

  void add_sample(size_t sample, uint64_t sequence, uint64_t count, Interned& interned) {
    const profile::Thread& thread = profile_.threads[profile_.samples.thread[sample]];
    Message perf;
    if (std::optional<uint64_t> cpu = profile_.samples.cpu.at(sample)) perf.present(perf_sample::kCpu, *cpu);
    perf.number(perf_sample::kPid, thread.pid)
        .number(perf_sample::kTid, thread.tid)
        .number(perf_sample::kCallstack, interned.callstack(sample))
        .number(perf_sample::kTimebaseCount, count);
    Message message = packet_of(sequence, packet::kNeedsState);
    message.present(packet::kTimestamp, times_.ns_of(sample));
    if (std::string data = interned.take_new(); !data.empty()) message.bytes(packet::kInterned, data);
    add_packet(message.bytes(packet::kPerfSample, perf.text()));
  }

  Selection selection_;
  const profile::Profile& profile_;
  Times times_;
  Stacks stacks_;
  Weights weights_;
  Pieces pieces_;
};

}  // namespace

Status write_perfetto(const Selection& selection, const Write& write) {
  return PerfettoFile(selection, write).write_all();
}

}  // namespace hm::exports
