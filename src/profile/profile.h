// SPDX-License-Identifier: MIT
// A recording as columns and dictionaries, built once by load() (profile/loader.h): a value that analyses
// read. A resolver provides further information from files, for example source lines (profile/lookup.h).
#pragma once

#include <linux/perf_event.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/process_files.h"
#include "profile/data_rows.h"
#include "profile/heap_sites.h"
#include "profile/occupancy_series.h"
#include "profile/samples.h"
#include "record/cost_source.h"
#include "record/features.h"
#include "symbol/code/waiting.h"

namespace hm::profile {

// Results of attributing the samples of one clock event.
struct ClockAttribution {
  uint64_t samples = 0;
  uint64_t attributed = 0;  // samples moved to the preceding instruction
  uint64_t accesses = 0;    // of the attributed samples: those at an instruction that accesses memory
  uint64_t addresses = 0;   // of the accesses: those with an address computed from the registers
  std::array<uint64_t, symbol::kUndeterminedCount> stayed{};  // samples not moved, by symbol::Undetermined

  bool operator==(const ClockAttribution&) const = default;
};

struct Event {
  std::string name;
  perf_event_attr attr{};
  // Set for a clock event; nullopt for other events and if its samples were not attributed.
  std::optional<ClockAttribution> clock = std::nullopt;
};

// Returns true if the kernel calls a process of this executable `comm`: the file name's first 15 characters.
[[nodiscard]] inline bool is_comm_of(std::string_view comm, std::string_view file_name) {
  constexpr size_t kMaxComm = 15;
  return file_name.substr(0, kMaxComm) == comm;
}

// A thread under one name: a thread that changes its name (exec, prctl(2)) gets another row from then on.
struct Thread {
  uint32_t pid = 0;
  uint32_t tid = 0;
  std::string comm;
  std::string program{};  // file name of the process's executable; empty if unknown

  // Returns the file name of the executable if `comm` is that name cut to the kernel's 15 characters, else
  // `comm`.
  [[nodiscard]] const std::string& name() const { return is_comm_of(comm, program) ? program : comm; }
  [[nodiscard]] const std::string& program_or_comm() const { return program.empty() ? comm : program; }
};

// Whether the file at a path may be the one in the recording (file_trust.h).
enum class FileState : uint8_t {
  kSame,     // it is, or its build ID decides
  kForeign,  // no build ID; it is another machine's
  kChanged,  // no build ID; it was changed after the recording
};

struct DsoRow {
  std::string path;      // as recorded; "[unknown]" for addresses outside all mappings
  std::string build_id;  // hex; empty if not recorded
  FileState file = FileState::kSame;
  bool is_unnamed_jit = false;  // code of a just-in-time compiler with neither a map nor a dump
  // A running process that maps the file, if it is not at `path` here (profile/process_files.h); or pid 0.
  ProcessMapping process{};
  // Returns true for code of a just-in-time compiler that has a map or a dump.
  [[nodiscard]] bool is_named_jit() const;
  // Returns the display name: "libc.so.6", "[kernel.kallsyms]", "[JIT]", "[unknown]".
  [[nodiscard]] std::string_view name() const;
};

struct FunctionRow {
  uint32_t dso = 0;
  std::string name;
  uint64_t start = 0;  // address in the object (symbol/files/dso.h)
  uint64_t size = 0;   // 0: neither a symbol nor the unwind tables cover the place; start is the place itself
};

// A distinct code location.
struct Location {
  uint32_t dso = 0;
  uint64_t offset =
      0;  // in the object, as symbol/files/dso.h defines it; the address itself outside all mappings
  uint32_t function = 0;
  uint64_t address = 0;  // address in the object, like FunctionRow::start
};

// Exact count by the kernel or the software PMU (PERF_RECORD_READ) for one thread.
struct ThreadTotal {
  uint32_t event = 0;
  uint32_t pid = 0;
  uint32_t tid = 0;
  uint64_t value = 0;
  uint64_t time_enabled_ns = 0;  // both 0 if not recorded
  uint64_t time_running_ns = 0;
};

struct Lost {
  uint64_t records = 0;      // PERF_RECORD_LOST: the ring was full
  uint64_t samples = 0;      // PERF_RECORD_LOST_SAMPLES: the hardware's buffer was full
  uint64_t throttlings = 0;  // PERF_RECORD_THROTTLE: the kernel stopped sampling for a while
};

// A period during which samples may be missing.
struct Gap {
  // For lost records, both are the time of the report, which the kernel writes with the next record that
  // finds room.
  uint64_t begin_ns = 0, end_ns = 0;
  std::optional<uint32_t> cpu;    // CPU of the ring that was full, if recorded
  std::optional<uint32_t> event;  // event that was throttled; nullopt: records of any event were lost
};

// The pages in a core's data TLBs at a sample (record/extension.h, TlbExtension).
struct TlbState {
  size_t sample = 0;  // row of the sample
  uint64_t page_bytes = 0;
  bool complete = true;         // false: there were more pages, or frames that are not known
  bool physical = false;        // the numbers are page frame numbers
  std::vector<uint64_t> pages;  // page numbers; a page may occur twice
};

// Metadata of the run from the private JSON (record/extension.h); for perf's recordings, inferred from other
// data.
struct Origin {
  std::string pmu;      // "software", "hardware", "kernel" or "unknown", or another value in the JSON
  std::string engine;   // of the software PMU; empty if unknown
  std::string machine;  // modelled machine; empty if unknown
  std::vector<std::string> command;  // the program that was run; empty if unknown
  std::string collected;             // the part of the run that was measured; empty if unknown
  std::string reproducible;          // the defined machine that programs saw; empty: the real one
  uint64_t layout = 0;               // number of the programs' memory layout; 0: the usual one
  uint64_t cores = 0;  // modelled cores of a process with several threads; 0: unknown, or one thread
  bool random_addresses = false;   // the programs' addresses were those of this run only
  std::string processor_features;  // of the recorder's machine (host/cpu_features.h); empty if unknown
  std::string processor_caches;
  std::map<std::string, uint64_t> totals;  // exact, by event; includes events that were not sampled
  std::optional<uint64_t> cycles;          // of the cost model; nullopt if they were not measured
  // The same during a run, or if the recorder was killed: what had been counted until then.
  std::map<std::string, uint64_t> totals_so_far;
  std::optional<uint64_t> cycles_so_far;
  record::CostSource costs = record::CostSource::kStated;
  std::string costs_text;  // of which machine, one sentence; "stated latencies"; empty if unknown
  bool in_bursts = false;  // if true, `totals` are estimates
  // Half-widths of the 95 % intervals of estimated totals, relative to the totals; unknown ones are left out.
  std::map<std::string, double> relative_errors;
  // Half-width of the 95 % interval of the share of memory_wait in the cycles; nullopt in older recordings.
  std::optional<double> wait_share_error;
  // If no burst had a wait: the largest share of the instructions that bursts may have missed.
  std::optional<double> unseen_waits;
  uint64_t bursts = 0;          // number of bursts
  bool has_burst_count = true;  // false: nothing was counted before the recorder was killed
  bool mostly_exact = false;    // at least half of the events were counted before the first burst
  bool begins_exactly = false;  // everything before the first burst was counted
  // The bursts in consecutive parts of equal numbers of slots: when each part begins. Ascending; empty in
  // older recordings, and if they were measured in episodes.
  std::vector<uint64_t> part_begins_ns;
  std::vector<uint64_t> episode_begins_ns;  // ascending; empty if not measured in episodes
  std::optional<uint64_t> measured_ns;      // total length of the episodes; nullopt without episodes
  bool interrupted = false;

  // With fewer bursts, shares are meaningless. Reports then show the number of missing bursts instead.
  static constexpr uint64_t kFewestBursts = 30;
  [[nodiscard]] bool has_few_bursts() const { return in_bursts && !mostly_exact && bursts < kFewestBursts; }
};

// Returns "too few bursts yet: 3 of 30, so no shares are shown", or that their number is unknown; empty if
// there are enough bursts.
[[nodiscard]] std::string few_bursts_text(const Origin& origin);

class Profile {
 public:
  std::vector<Event> events;
  std::vector<Thread> threads;
  std::vector<DsoRow> dsos;  // [0] is "[unknown]"
  std::vector<FunctionRow> functions;
  std::vector<Location> locations;
  std::vector<ObjectRow> objects;  // [0] is unknown; these three are empty if not loaded (Needs::objects)
  std::vector<TypeRow> types;      // [0] is unknown
  std::vector<FieldRow> fields;    // [0] is unknown
  Samples samples;
  std::vector<HeapSite> heap_sites;
  std::vector<OccupancySeries> occupancy;  // empty if not recorded (record --llc)
  std::map<uint32_t, uint32_t> parents;    // of processes that started during the recording
  std::vector<TlbState> tlb_states;        // in the samples' order; empty if not recorded (record --tlb)
  std::vector<ThreadTotal> totals;
  Lost lost;
  std::vector<Gap> gaps;              // in order of their begin
  record::Features features;          // features.raw points into the recording, so it is left empty here
  std::vector<std::string> problems;  // one sentence each
  std::vector<std::string> notes;     // one sentence each: data left out although nothing is wrong

  // Returns the PMU that made the recording: "hardware" or the value in the private JSON
  // (record/extension.h); nullopt if unknown.
  [[nodiscard]] std::optional<std::string> pmu() const;

  [[nodiscard]] Origin origin() const;

  // Returns lines from the private JSON on how each event was delivered and which requests could not be
  // fulfilled.
  [[nodiscard]] std::vector<std::string> delivery() const;

  // Returns the display text: "global table (program)", "stack of main", "file /path"; "[unknown]".
  [[nodiscard]] std::string object_text(uint32_t object) const;

 private:
  [[nodiscard]] std::string pmu_of_others() const;
};

}  // namespace hm::profile
