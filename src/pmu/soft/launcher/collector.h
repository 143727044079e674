// SPDX-License-Identifier: MIT
// Collects the profiled processes' output: finds their rings, drains them, and converts their totals to
// records. The processes may run hostile programs. Whatever a ring or the session contains, the recorder
// neither crashes nor waits for a process that it did not start.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "base/unique_fd.h"
#include "pmu/soft/launcher/session_folder.h"
#include "pmu/soft/launcher/spare_rings.h"
#include "pmu/soft/launcher/totals.h"
#include "pmu/soft/launcher/traced_block.h"
#include "record/ring_reader.h"

namespace hm::soft {

// An instruction that the engine could not run, and its address.
struct Undecodable {
  uint32_t pid = 0;
  uint64_t ip = 0;
  std::array<uint8_t, 16> bytes{};
};

class Collector {
 public:
  // Takes whole records. Records of one process arrive in the order in which it wrote them.
  using Sink = std::function<Status(Bytes)>;
  // Takes the blocks that the copying engine reports, before any sample from them; may be null.
  using BlockSink = std::function<void(const TracedBlock&)>;

  Collector(const SessionFolder& folder, Sink sink, BlockSink block_sink);
  ~Collector();

  // Runs one round over all rings. Returns only errors of the sink.
  Status collect();

  // For episodes, in which processes return with a new ring each time: counts each process and thread once,
  // and treats each ring as one observation.
  void expect_returning_processes() { processes_return_ = true; }

  // Ignores rings of processes that are not descendants of this process, instead of waiting for them.
  void expect_only_descendants() { only_descendants_ = true; }

  // Drops all further records, because the sinks may be destroyed.
  void drop_records();

  // Ends all rings in their current state, for a recording that is stopped while processes continue.
  Status finish();

  // True while a process with a ring lives, or a forked child has not made its ring.
  [[nodiscard]] bool anybody_lives() const;
  // True while a process has made, or is about to make, a ring that has not been found.
  [[nodiscard]] bool awaits_ring() const;
  [[nodiscard]] size_t live_processes() const;
  // Returns the ids of the live processes.
  [[nodiscard]] std::vector<pid_t> processes() const;

  [[nodiscard]] uint64_t samples() const { return ended_.samples; }
  // Totals of all threads so far, including running threads.
  [[nodiscard]] Totals totals() const;
  [[nodiscard]] const std::vector<Undecodable>& undecodable() const { return undecodable_; }

 private:
  struct Ring;

  void find_rings(bool any_renamed);
  void adopt(const std::string& name);
  [[nodiscard]] pid_t process_of(int32_t holder, const RingStatus& status) const;
  void note_unread(const std::string& name, std::string reason);
  Status drain(Ring& ring);
  Status take_lost(Ring& ring);
  Status take_record(Bytes record);
  [[nodiscard]] bool is_heap_site(Bytes sample) const;
  Status harvest_exited(Ring& ring);
  Status end_ring(Ring& ring);
  void count_thread(const Ring& ring, const ThreadTotals& thread);
  Status write_totals(const Ring& ring, const ThreadTotals& thread);
  Status write_exit(const Ring& ring, const ThreadTotals& thread);
  void take_notice(Bytes record);
  void take_block(Bytes record);

  const SessionFolder& folder_;
  Sink sink_;
  BlockSink block_sink_;
  SpareRings spares_;
  uint32_t rings_seen_ = 0;
  std::map<std::string, std::unique_ptr<Ring>> rings_;
  std::set<std::string> unread_;  // names of rings that could not be opened
  bool processes_return_ = false;
  bool only_descendants_ = false;
  std::vector<std::byte> record_;                 // a copy of the record being processed
  std::set<std::pair<uint32_t, uint32_t>> seen_;  // returning processes (thread 0) and threads
  Totals ended_;                                  // of ended threads; but the samples of all threads
  std::vector<Undecodable> undecodable_;
};

}  // namespace hm::soft
