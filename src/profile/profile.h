// SPDX-License-Identifier: MIT
// A recording as columns and dictionaries, built once by load() (profile/loader.h): a value, which analyses
// read. What files say of its places beyond that, a resolver tells (profile/lookup.h).
#pragma once

#include <linux/perf_event.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profile/data_rows.h"
#include "profile/heap_sites.h"
#include "profile/occupancy_series.h"
#include "profile/samples.h"
#include "record/features.h"
#include "symbol/code/waiting.h"

namespace hm::profile {

// What became of one clock event's samples.
struct ClockAttribution {
  uint64_t samples = 0;
  uint64_t attributed = 0;                              // to the instruction before
  uint64_t accesses = 0;                                // of those: to an instruction that accesses memory
  uint64_t addresses = 0;                               // of those: the registers told which
  std::array<uint64_t, symbol::kUntoldCount> stayed{};  // where they fell, by symbol::Untold

  bool operator==(const ClockAttribution&) const = default;
};

struct Event {
  std::string name;
  perf_event_attr attr{};
  // Of the clock event; nullopt for the others, and where its samples were left where they fell.
  std::optional<ClockAttribution> clock = std::nullopt;
};

// A thread under one name: a thread that takes another (exec, prctl(2)) is another row from then on.
struct Thread {
  uint32_t pid = 0;
  uint32_t tid = 0;
  std::string comm;
};

struct DsoRow {
  std::string path;             // as recorded; "[unknown]" for what lies in no mapping
  std::string build_id;         // hex; empty where the recording does not say
  bool is_foreign = false;      // it does not, and what is called so here is another machine's (file_trust.h)
  bool is_unnamed_jit = false;  // a just-in-time compiler's code, of which there is neither map nor dump
  // What a person calls it: "libc.so.6", "[kernel.kallsyms]", "[JIT]", "[unknown]".
  [[nodiscard]] std::string_view name() const;
};

struct FunctionRow {
  uint32_t dso = 0;
  std::string name;
  uint64_t start = 0;  // address in the object (symbol/files/dso.h)
  uint64_t size = 0;   // 0: neither a symbol nor the unwind tables tell; start is the place itself
};

// A distinct place in the code.
struct Location {
  uint32_t dso = 0;
  uint64_t offset =
      0;  // in the object, as symbol/files/dso.h defines it; the address itself where there is no mapping
  uint32_t function = 0;
  uint64_t address = 0;  // in the object: as FunctionRow::start
};

// What the kernel or the software PMU counted exactly (PERF_RECORD_READ), for one thread.
struct ThreadTotal {
  uint32_t event = 0;
  uint32_t pid = 0;
  uint32_t tid = 0;
  uint64_t value = 0;
  uint64_t time_enabled_ns = 0;  // both 0 where not recorded
  uint64_t time_running_ns = 0;
};

struct Lost {
  uint64_t records = 0;      // PERF_RECORD_LOST: the ring was full
  uint64_t samples = 0;      // PERF_RECORD_LOST_SAMPLES: the hardware's buffer was full
  uint64_t throttlings = 0;  // PERF_RECORD_THROTTLE: the kernel stopped sampling for a while
};

// When samples may be missing.
struct Gap {
  // Of records lost: both when the kernel said so, which it does with the next record that finds room.
  uint64_t begin_ns = 0, end_ns = 0;
  std::optional<uint32_t> cpu;    // whose ring was full, where recorded
  std::optional<uint32_t> event;  // that was throttled; nullopt: records of any event were lost
};

// The pages that a core's TLBs for data held at a sample (record/extension.h, TlbExtension).
struct TlbState {
  size_t sample = 0;  // its row
  uint64_t page_bytes = 0;
  bool complete = true;         // else there were more, or frames that are not known
  bool physical = false;        // the numbers are of frames
  std::vector<uint64_t> pages;  // their numbers, some of them twice
};

// What the private JSON (record/extension.h) tells of the run; of perf's recordings, what else shows it.
struct Origin {
  std::string pmu;                   // "software", "hardware", "kernel", or "unknown"; or what the JSON says
  std::string engine;                // of the software PMU; empty where not told
  std::string machine;               // the modelled one; likewise
  std::vector<std::string> command;  // the program that was run; likewise
  std::string collected;             // what part of the run; likewise
  std::string processor_features;    // of the recorder's machine (host/cpu_features.h); likewise
  std::string processor_caches;
  std::map<std::string, uint64_t> totals;  // exact, by event; also of events that were not sampled
  bool in_bursts = false;                  // then `totals` are estimates
  // Half of the 95 % intervals of such estimates, as parts of them; without those that are not known.
  std::map<std::string, double> relative_errors;
  uint64_t bursts = 0;                      // how many there were
  bool mostly_exact = false;                // half of all was counted before the first burst, at least
  std::vector<uint64_t> episode_begins_ns;  // in order; empty where it was not measured in episodes
  bool interrupted = false;

  // So few bursts tell no share of anything: how many are missing is told instead.
  static constexpr uint64_t kFewestBursts = 30;
  [[nodiscard]] bool has_few_bursts() const { return in_bursts && !mostly_exact && bursts < kFewestBursts; }
};

// "too few bursts yet: 3 of 30, so no shares are shown"; empty where there are enough.
[[nodiscard]] std::string few_bursts_text(const Origin& origin);

class Profile {
 public:
  std::vector<Event> events;
  std::vector<Thread> threads;
  std::vector<DsoRow> dsos;  // [0] is "[unknown]"
  std::vector<FunctionRow> functions;
  std::vector<Location> locations;
  std::vector<ObjectRow> objects;  // [0] is unknown; these three are empty where not loaded (Needs::objects)
  std::vector<TypeRow> types;      // [0] is unknown
  std::vector<FieldRow> fields;    // [0] is unknown
  Samples samples;
  std::vector<HeapSite> heap_sites;
  std::vector<OccupancySeries> occupancy;  // empty where not recorded (record --llc)
  std::map<uint32_t, uint32_t> parents;    // of processes that were started while it was recorded
  std::vector<TlbState> tlb_states;        // in the samples' order; empty where not recorded (record --tlb)
  std::vector<ThreadTotal> totals;
  Lost lost;
  std::vector<Gap> gaps;              // in order of their begin
  record::Features features;          // features.raw points into the recording, so it is left empty here
  std::vector<std::string> problems;  // a sentence each
  std::vector<std::string> notes;     // what was left out though nothing is wrong, likewise

  // Who made the recording: "hardware" or what the private JSON says (record/extension.h); nullopt where
  // unknown.
  [[nodiscard]] std::optional<std::string> pmu() const;

  [[nodiscard]] Origin origin() const;

  // How each event was delivered, and what fell short of what was asked for, as the private JSON says: a line
  // each.
  [[nodiscard]] std::vector<std::string> delivery() const;

  // What a person reads: "global table (program)", "stack of main", "file /path"; "[unknown]".
  [[nodiscard]] std::string object_text(uint32_t object) const;

 private:
  [[nodiscard]] std::string pmu_of_others() const;
};

}  // namespace hm::profile
