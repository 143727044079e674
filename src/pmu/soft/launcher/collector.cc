// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/collector.h"
#include "base/process_status.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>

#include "pmu/soft/launcher/burst_estimate.h"
#include "pmu/soft/launcher/process_ids.h"
#include "pmu/soft/launcher/surroundings.h"
#include "pmu/soft/ring/system_call.h"
#include "record/lost.h"
#include "record/read.h"
#include "record/task.h"

namespace hm::soft {

struct Collector::Ring {
  SharedFile file;
  record::RingReader reader;
  RingStatus* status;
  UniqueFd process;  // a pidfd: readable once the process has ended
  pid_t process_id;  // as seen in the recorder's PID namespace; 0: ended
  ProcessIds ids;
  bool over = false;
  uint64_t lost_taken = 0;  // the part of RingStatus::lost that has been reported

  [[nodiscard]] bool process_lives() const {
    if (!process.valid()) return false;
    struct pollfd poll {
      process.get(), POLLIN, 0
    };
    return ::poll(&poll, 1, 0) == 0;
  }
};

namespace {

// Writes the fields at the end of a record that is not a sample: sample_id_all of perf_event_open(2), with
// the fields of sampling/sample_record.h.
void put_sample_id(ByteWriter& out, uint32_t pid, uint32_t tid, uint64_t time_ns, uint64_t id) {
  out.u32(pid);
  out.u32(tid);
  out.u64(time_ns);
  out.u64(id);
}

std::vector<std::byte> with_header(uint32_t type, const ByteWriter& payload) {
  ByteWriter record;
  record.write(perf_event_header{type, PERF_RECORD_MISC_USER,
                                 static_cast<uint16_t>(sizeof(perf_event_header) + payload.size())});
  record.append(payload.bytes());
  return std::move(record).take();
}

// Number of thread slots in use. The process may still add to the table.
uint32_t slots_of(const RingStatus& status) {
  return std::min(__atomic_load_n(&status.thread_slots, __ATOMIC_ACQUIRE), kMaxThreads);
}

void add_thread(ThreadSums& sums, const ThreadTotals& thread) {
  sums.slots += thread.slots;
  sums.counted.add(thread.counted);
  sums.exact.add(thread.exact);
  ++sums.threads;
}

// A thread's values in a PERF_RECORD_READ, with the times for which counting was enabled and active.
struct ReadTotals {
  std::array<uint64_t, event::kEventCount> values;
  struct {
    uint64_t enabled, running;
  } times;
};

ReadTotals all_counted(const ThreadTotals& thread) {
  uint64_t alive_ns = thread.ended_ns > thread.started_ns ? thread.ended_ns - thread.started_ns : 0;
  return {std::to_array(thread.counted.events), {alive_ns, alive_ns}};
}

// Uses slots as times. Threads that wait have few slots, so the sums over threads scale the sum of the counts
// correctly.
ReadTotals counted_in_bursts(const ThreadTotals& thread) {
  return {std::to_array(thread.counted.events), {thread.slots, thread.counted.slots}};
}

// Estimates the thread's totals if the beginning was counted completely, because then sums over threads
// cannot be scaled. The estimate uses the bursts of all threads so far.
ReadTotals estimated(const ThreadTotals& thread, const ThreadSums& so_far) {
  BurstEstimate bursts(so_far);
  if (bursts.slots_in_bursts() == 0) return counted_in_bursts(thread);
  ReadTotals totals{std::to_array(thread.exact.events), {thread.slots, thread.slots}};
  for (unsigned i = 0; i < event::kEventCount; ++i)
    totals.values[i] +=
        bursts.during(thread.slots - thread.exact.slots, so_far.counted.events[i], so_far.exact.events[i]);
  return totals;
}

// Adds the counts, which the process may still change. `as_one`: all bursts of the ring form one batch, the
// next one.
void add_sizes(Totals& totals, const RingStatus& status, const Session& session, bool as_one) {
  const model::SizeRange& range = session.sizes.lines;
  const model::SizeCounts& counts = status.sizes;
  if (counts.accesses == 0 && counts.unplaced == 0) return;
  counts.add_to(totals.sizes, range);
  bool in_batches = range.sampled_shift != 0 || session.bursts.slots != 0;
  for (uint32_t i = 0; i < model::kSizeBatches && in_batches; ++i)
    status.size_batches[i].add_to(
        totals.size_batches[as_one ? totals.episodes.bursts() % model::kSizeBatches : i], range);
  for (uint32_t i = 0; i < model::SizeRanges::kMaxFurther; ++i)
    status.further_sizes[i].add_to(totals.further_sizes[i], session.sizes.further[i]);
  totals.reuses.resize(size_t{model::kReuseClasses} * range.set_counts * (range.ways + 1));
  size_t next = 0;
  for (const auto& of_class : status.reuses.of) {
    for (uint32_t i = 0; i < range.set_counts; ++i) {
      for (uint32_t depth = 0; depth <= range.ways; ++depth)
        totals.reuses[next++] += __atomic_load_n(&of_class[i][depth], __ATOMIC_RELAXED);
    }
  }
}

}  // namespace

Collector::Collector(const SessionFolder& folder, Sink sink, BlockSink block_sink)
    : folder_(folder), sink_(std::move(sink)), block_sink_(std::move(block_sink)), spares_(folder) {}
Collector::~Collector() = default;

// Returns the process's id in the recorder's PID namespace, which can differ from the process's own. Returns
// 0 if the process has ended or is not a descendant.
pid_t Collector::process_of(int32_t holder, const RingStatus& status) const {
  if (holder > 0) return !only_descendants_ || descends_from_us(holder) ? holder : 0;
  auto claimed = static_cast<pid_t>(status.pid);
  return descends_from_us(claimed) ? claimed : 0;
}

void Collector::find_rings(bool any_renamed) {
  uint32_t created = __atomic_load_n(&folder_.session().rings_created, __ATOMIC_ACQUIRE);
  if (created == rings_seen_ && !any_renamed) return;
  rings_seen_ = created;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path(), ignored)) {
    std::string name = entry.path().filename();
    if (name.starts_with(kRingFilePrefix) && !rings_.contains(name) && !unread_.contains(name)) adopt(name);
  }
}

// Counts a ring that cannot be read; its data is lost.
void Collector::note_unread(const std::string& name, std::string reason) {
  if (!unread_.insert(name).second) return;
  if (ended_.unread_rings++ == 0) ended_.unread_reason = std::move(reason);
}

void Collector::adopt(const std::string& name) {
  std::string path = folder_.path() + "/" + name;
  UniqueFd fd(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  if (!fd.valid() && errno == ENOENT) return;  // the process ended and its ring was removed
  if (!fd.valid()) return note_unread(name, errno_text(errno));
  struct stat status {};
  uint32_t data_bytes = folder_.settings().ring_data_bytes;
  uint64_t bytes = ring_file_bytes(data_bytes);
  // Rejects a file with a second hard link: the process might not be allowed to write to that file.
  bool is_ring = ::fstat(fd.get(), &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink == 1 &&
                 static_cast<uint64_t>(status.st_size) == bytes;
  if (!is_ring) return;
  auto file = SharedFile::map(fd, bytes);
  if (!file) return note_unread(name, file.error().message);
  auto* base = static_cast<std::byte*>(file->data());
  auto* ring_status = reinterpret_cast<RingStatus*>(base + kStatusOffset);
  if (__atomic_load_n(&ring_status->magic, __ATOMIC_ACQUIRE) != kRingMagic) {
    --rings_seen_;  // not ready: look again in the next round
    return;
  }
  // After exec a process may have two rings, and either may be found first. The ring of the old program has
  // lost its lock.
  int32_t holder = holder_of_lock(fd.get());
  pid_t id = process_of(holder, *ring_status);
  bool image_is_gone = false;
  for (auto& [other_name, other] : rings_) {
    if (id == 0 || other->process_id != id) continue;
    image_is_gone = image_is_gone || holder == 0;
    if (holder != 0) other->over = true;
  }
  UniqueFd process(static_cast<int>(::syscall(SYS_pidfd_open, id, 0)));
  ProcessIds ids(id, ring_status->pid, static_cast<uint32_t>(status_field(id, "PPid")));
  record::RingReader reader(reinterpret_cast<perf_event_mmap_page*>(base), base + kDataOffset, data_bytes);
  rings_.emplace(name, std::make_unique<Ring>(Ring{*std::move(file), std::move(reader), ring_status,
                                                   std::move(process), id, ids, image_is_gone}));
  bool is_new = !processes_return_ || seen_.emplace(ids.outside(), 0).second;
  if (is_new) ++ended_.processes;
}

void Collector::count_thread(const Ring& ring, const ThreadTotals& thread) {
  add_thread(ended_, thread);
  if (processes_return_ && !seen_.emplace(ring.ids.outside(), thread.tid).second) --ended_.threads;
}

Status Collector::collect() {
  __atomic_store_n(&folder_.session().stalled, 0u, __ATOMIC_RELEASE);
  find_rings(spares_.serve());
  for (auto each = rings_.begin(); each != rings_.end();) {
    Ring& ring = *each->second;
    // Check whether the process has ended before draining its ring: then no record of it is missed.
    bool finished = ring.over || __atomic_load_n(&ring.status->state, __ATOMIC_ACQUIRE) == kRingFinished ||
                    !ring.process_lives();
    if (Status status = drain(ring); !status) return status;
    if (Status status = finished ? end_ring(ring) : harvest_exited(ring); !status) return status;
    if (!finished) {
      ++each;
      continue;
    }
    ::unlink((folder_.path() + "/" + each->first).c_str());
    each = rings_.erase(each);
  }
  return {};
}

Status Collector::finish() {
  find_rings(spares_.serve());
  for (auto& [name, ring] : rings_) {
    if (Status status = drain(*ring); !status) return status;
    if (Status status = end_ring(*ring); !status) return status;
  }
  rings_.clear();
  return {};
}

// True if the sample describes an allocation site. A sample's first field is the id of its event.
bool Collector::is_heap_site(Bytes sample) const {
  uint64_t id = 0;
  if (sample.size() < sizeof(perf_event_header) + sizeof(id)) return false;
  std::memcpy(&id, sample.data() + sizeof(perf_event_header), sizeof(id));
  return id != 0 && id == folder_.settings().heap_site_id;
}

// Copies the record first and keeps the size that was read before: the process may change the shared record.
Status Collector::take_record(Ring& ring, Bytes shared) {
  record_.assign(shared.begin(), shared.end());
  perf_event_header header;
  std::memcpy(&header, record_.data(), sizeof(header));
  header.size = static_cast<uint16_t>(record_.size());
  std::memcpy(record_.data(), &header, sizeof(header));
  Bytes record(record_);
  if (header.type == kNoticeRecord) return take_notice(ring, record), Status();
  if (header.type == kBlockRecord) return take_block(record), Status();
  if (header.type == PERF_RECORD_SAMPLE && !is_heap_site(record)) ++ended_.samples;
  ring.ids.translate(record_);
  return sink_(record);
}

Status Collector::drain(Ring& ring) {
  Status result;
  uint64_t freed = ring.reader.drain([&](Bytes record) {
    if (result.ok()) result = take_record(ring, record);
  });
  if (freed != 0) {
    __atomic_fetch_add(&ring.status->consumer_futex, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&ring.status->producer_waits, __ATOMIC_SEQ_CST) != 0)
      futex_wake(&ring.status->consumer_futex);
  }
  return result.ok() ? take_lost(ring) : result;
}

// Writes a PERF_RECORD_LOST for the records that the process dropped while this recorder did not read.
Status Collector::take_lost(Ring& ring) {
  uint64_t lost = __atomic_load_n(&ring.status->lost, __ATOMIC_RELAXED);
  if (lost <= ring.lost_taken) return {};
  uint64_t more = lost - std::exchange(ring.lost_taken, lost);
  ended_.lost_records += more;
  ByteWriter payload;
  record::encode_lost({.id = 0, .count = more}, payload);
  put_sample_id(payload, ring.ids.outside(), ring.ids.outside(), monotonic_ns(), 0);
  return sink_(with_header(PERF_RECORD_LOST, payload));
}

// Frees the slots of threads that have ended, so that the total number of a process's threads is unlimited.
Status Collector::harvest_exited(Ring& ring) {
  for (uint32_t i = 0; i < slots_of(*ring.status); ++i) {
    ThreadTotals& thread = ring.status->threads[i];
    if (__atomic_load_n(&thread.exited, __ATOMIC_ACQUIRE) == 0 || thread.tid == 0) continue;
    if (Status status = write_totals(ring, thread); !status) return status;
    count_thread(ring, thread);
    thread.exited = 0;
    __atomic_store_n(&thread.tid, 0u, __ATOMIC_RELEASE);
  }
  return {};
}

Status Collector::end_ring(Ring& ring) {
  if (Status status = harvest_exited(ring); !status) return status;
  bool killed = __atomic_load_n(&ring.status->state, __ATOMIC_ACQUIRE) != kRingFinished && !ring.over;
  for (uint32_t i = 0; i < slots_of(*ring.status); ++i) {
    ThreadTotals thread = ring.status->threads[i];
    if (thread.tid == 0) continue;
    if (thread.ended_ns == 0) thread.ended_ns = monotonic_ns();
    if (Status status = write_totals(ring, thread); !status) return status;
    if (killed) {
      if (Status status = write_exit(ring, thread); !status) return status;
    }
    count_thread(ring, thread);
  }
  add_sizes(ended_, *ring.status, folder_.settings(), processes_return_);
  ended_.bursts.add(ring.status->bursts);
  // Neighbouring bursts are correlated, so the bursts of one ring form one observation.
  if (processes_return_) ended_.episodes.add_as_one(ring.status->bursts);
  ended_.waits += ring.status->waits;
  if (ring.reader.damaged() || ring.file.is_lost()) ++ended_.damaged_rings;
  __atomic_store_n(&ring.status->unread, 1u, __ATOMIC_SEQ_CST);
  futex_wake(&ring.status->consumer_futex);
  return {};
}

// Writes a PERF_RECORD_READ for each event of the recording, with the thread's exact totals at any period.
Status Collector::write_totals(Ring& ring, const ThreadTotals& thread) {
  constexpr uint64_t kFormat =
      PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID;
  const BurstPlan& plan = folder_.settings().bursts;
  const auto& [values, times] = plan.slots == 0         ? all_counted(thread)
                                : plan.exact_slots == 0 ? counted_in_bursts(thread)
                                                        : estimated(thread, thread_sums());
  uint32_t pid = ring.ids.outside(), tid = ring.ids.thread(thread.tid);
  for (unsigned i = 0; i < event::kEventCount; ++i) {
    const EventConfig& config = folder_.settings().events[i];
    if (config.id == 0) continue;
    record::Read read;
    read.pid = pid;
    read.tid = tid;
    read.values = record::ReadValues(kFormat, record::ReadValue{values[i], config.id, 0});
    read.values.time_enabled_ns = times.enabled;
    read.values.time_running_ns = times.running;
    ByteWriter payload;
    record::encode_read(read, payload);
    put_sample_id(payload, pid, tid, thread.ended_ns, config.id);
    if (Status status = sink_(with_header(PERF_RECORD_READ, payload)); !status) return status;
  }
  return {};
}

// Writes the exit record, which a killed process cannot write itself.
Status Collector::write_exit(Ring& ring, const ThreadTotals& thread) {
  ByteWriter payload;
  uint32_t pid = ring.ids.outside(), tid = ring.ids.thread(thread.tid);
  record::encode_task(record::Task{pid, pid, tid, pid, thread.ended_ns}, payload);
  put_sample_id(payload, pid, tid, thread.ended_ns, 0);
  return sink_(with_header(PERF_RECORD_EXIT, payload));
}

void Collector::take_notice(const Ring& ring, Bytes record) {
  constexpr size_t kMaxNotices = 16;  // a program may meet an instruction a million times
  NoticeRecord notice;
  if (record.size() < sizeof(notice)) return;
  std::memcpy(&notice, record.data(), sizeof(notice));
  if (notice.notice == static_cast<uint32_t>(Notice::kLeft)) {
    ++ended_.left[static_cast<LeaveReason>(notice.ip)];
    return;
  }
  if (undecodable_.size() >= kMaxNotices) return;
  Undecodable found{ring.ids.outside(), notice.ip, {}};
  std::ranges::copy(notice.bytes, found.bytes.begin());
  undecodable_.push_back(found);
}

void Collector::take_block(Bytes record) {
  if (!block_sink_) return;
  if (std::optional<TracedBlock> block = read_traced_block(record)) block_sink_(*block);
}

bool Collector::anybody_lives() const { return !rings_.empty() || awaits_ring(); }

bool Collector::awaits_ring() const {
  return __atomic_load_n(&folder_.session().forks_under_way, __ATOMIC_ACQUIRE) > 0 ||
         __atomic_load_n(&folder_.session().rings_created, __ATOMIC_ACQUIRE) != rings_seen_;
}

void Collector::drop_records() {
  sink_ = [](Bytes) { return Status(); };
  block_sink_ = nullptr;
}

size_t Collector::live_processes() const { return rings_.size(); }

std::vector<pid_t> Collector::processes() const {
  std::vector<pid_t> all;
  for (const auto& [name, ring] : rings_) all.push_back(static_cast<pid_t>(ring->ids.outside()));
  return all;
}

Totals Collector::totals() const {
  Totals totals = ended_;
  static_cast<ThreadSums&>(totals) = thread_sums();
  totals.unrecorded = folder_.session().unrecorded;
  totals.longest_burst = folder_.session().longest_burst;
  totals.without_frames = folder_.session().without_frames;
  totals.unshared = folder_.session().unshared;
  totals.lost_pages = folder_.session().lost_pages;
  totals.lost_flags = folder_.session().lost_flags;
  totals.cut_short = folder_.session().cut_short;
  totals.checking = folder_.session().checking;
  for (const auto& [name, ring] : rings_) {
    add_sizes(totals, *ring->status, folder_.settings(), processes_return_);
    totals.bursts.add(ring->status->bursts);
  }
  return totals;
}

ThreadSums Collector::thread_sums() const {
  ThreadSums sums = ended_;
  for (const auto& [name, ring] : rings_) {
    for (uint32_t i = 0; i < slots_of(*ring->status); ++i) {
      if (ring->status->threads[i].tid != 0) add_thread(sums, ring->status->threads[i]);
    }
  }
  return sums;
}

}  // namespace hm::soft
