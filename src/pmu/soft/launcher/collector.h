// SPDX-License-Identifier: MIT
// Reads the data of the profiled processes: finds and drains their rings, and converts their totals into
// records. The processes may be hostile: no content of a ring or of the session crashes the recorder, or
// makes it wait for a process that it did not start.
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
#include "pmu/soft/launcher/session_totals.h"
#include "pmu/soft/launcher/spare_rings.h"
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
  // Receives whole records. The records of a process arrive in the order in which the process wrote them.
  using Sink = std::function<Status(Bytes)>;
  // Receives the blocks that the copying engine reports, each before any sample from that block. May be null.
  using BlockSink = std::function<void(const TracedBlock&)>;

  Collector(const SessionFolder& folder, Sink sink, BlockSink block_sink);
  ~Collector();

  // Reads all rings once. Returns only errors of the sink.
  Status collect();

  // In a measurement in episodes, a process returns with a new ring in each episode. Its process and thread
  // ids are counted once, and each ring is one observation of the bursts.
  void expect_returning_processes() { processes_return_ = true; }

  // Stops waiting for rings of processes that are not descendants of this one.
  void expect_only_descendants() { only_descendants_ = true; }

  // Drops all later records. The sinks are not called any more and may be destroyed.
  void drop_records();

  // Ends all rings in their present state, for a recording that stops while processes still run.
  Status finish();

  // True if a process with a ring lives, or a forked child has not created its ring yet.
  [[nodiscard]] bool anybody_lives() const;
  // True if a process has created, or is about to create, a ring that has not been found yet.
  [[nodiscard]] bool awaits_ring() const;
  [[nodiscard]] size_t live_processes() const;
  // Returns the ids of the live processes.
  [[nodiscard]] std::vector<pid_t> processes() const;

  [[nodiscard]] uint64_t samples() const { return ended_.samples; }
  // Totals of all threads, including those that still run.
  [[nodiscard]] Totals totals() const;
  [[nodiscard]] ThreadSums thread_sums() const;  // those of totals()
  [[nodiscard]] const std::vector<Undecodable>& undecodable() const { return undecodable_; }

 private:
  struct Ring;

  void find_rings(bool any_renamed);
  void adopt(const std::string& name);
  [[nodiscard]] pid_t process_of(int32_t holder, const RingStatus& status) const;
  void note_unread(const std::string& name, std::string reason);
  Status drain(Ring& ring);
  Status take_lost(Ring& ring);
  Status take_record(Ring& ring, Bytes record);
  [[nodiscard]] bool is_heap_site(Bytes sample) const;
  Status harvest_exited(Ring& ring);
  Status end_ring(Ring& ring);
  void count_thread(const Ring& ring, const ThreadTotals& thread);
  Status write_totals(Ring& ring, const ThreadTotals& thread);
  Status write_exit(Ring& ring, const ThreadTotals& thread);
  void take_notice(const Ring& ring, Bytes record);
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
  std::vector<std::byte> record_;  // copy of the record that is being read
  // Process and thread ids already counted, if processes return; thread 0 stands for the process itself.
  std::set<std::pair<uint32_t, uint32_t>> seen_;
  // Totals of the threads that have ended. Its sample count includes all threads.
  Totals ended_;
  std::vector<Undecodable> undecodable_;
};

}  // namespace hm::soft
