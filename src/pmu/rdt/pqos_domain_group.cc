// SPDX-License-Identifier: MIT
#include "pmu/rdt/pqos_domain_group.h"

#include <algorithm>
#include <set>
#include <string>

namespace hm::rdt {
namespace {

// Marker for a counter that libpqos has not read; no real difference has this value.
constexpr uint64_t kPqosNotRead = UINT64_MAX;

pqos_mon_event pqos_events_of(const PqosSession& session) {
  int events = PQOS_MON_EVENT_L3_OCCUP;
  if (session.total().bits != 0) events |= PQOS_MON_EVENT_TMEM_BW;
  if (session.local().bits != 0) events |= PQOS_MON_EVENT_LMEM_BW;
  return static_cast<pqos_mon_event>(events);
}

// Ignores the value of `difference`, because libpqos computes it from the previous count, which may have been
// an error (is_pqos_read_error).
std::optional<uint64_t> pqos_traffic_bytes(uint64_t count, uint64_t difference, uint32_t id,
                                           const PqosEvent& event, PqosTotal& total) {
  if (event.bits == 0 || difference == kPqosNotRead || is_pqos_read_error(count, id, event))
    return std::nullopt;
  total.add(count, event);
  return total.counts() * event.bytes;
}

std::optional<uint64_t> pqos_occupancy_bytes(uint64_t bytes, uint32_t id, const PqosEvent& event) {
  if (bytes == kPqosNotRead || event.bytes == 0) return std::nullopt;
  if (is_pqos_read_error(bytes / event.bytes, id, event)) return std::nullopt;
  return bytes;
}

}  // namespace

Result<std::unique_ptr<PqosDomainGroup>> PqosDomainGroup::start(std::shared_ptr<PqosSession> session,
                                                                uint32_t domain, std::vector<uint32_t> cpus) {
  std::unique_ptr<PqosDomainGroup> group(new PqosDomainGroup(std::move(session), domain, std::move(cpus)));
  // The destructor also locks the mutex, but runs after begin() has released it.
  Status status = group->begin();
  if (!status.ok()) return status.error();
  return group;
}

Status PqosDomainGroup::begin() {
  MutexLock lock(session_->mutex());
  std::vector<unsigned> cores(cpus_.begin(), cpus_.end());
  int code = session_->library().mon_start(static_cast<unsigned>(cores.size()), cores.data(),
                                           pqos_events_of(*session_), nullptr, &data_);
  if (code != PQOS_RETVAL_OK) return why_not_started(code);
  started_ = true;
  code = session_->library().mon_assoc_get(cpus_.front(), &id_);
  if (code != PQOS_RETVAL_OK || id_ == 0) {
    return make_error(ErrorCode::kIo, "CPU {} does not keep the monitoring ID that libpqos assigned",
                      cpus_.front());
  }
  if (Status status = check_old_lines(poll()); !status.ok()) return status;
  session_->remember_cpus(domain_, id_, cpus_);
  return {};
}

Error PqosDomainGroup::why_not_started(int code) const {
  std::set<pqos_rmid_t> used;
  for (uint32_t cpu : session_->cpus_of(domain_)) {
    pqos_rmid_t id = 0;
    if (session_->library().mon_assoc_get(cpu, &id) != PQOS_RETVAL_OK) {
      return make_error(
          ErrorCode::kIo,
          "the register IA32_PQR_ASSOC of CPU {} cannot be read through /dev/cpu/{}/msr: that CPU may have gone offline",
          cpu, cpu);
    }
    if (id == 0) continue;
    used.insert(id);
    if (std::find(cpus_.begin(), cpus_.end(), cpu) == cpus_.end()) continue;
    return make_error(
        ErrorCode::kUnsupported,
        "CPU {} is already monitored (by ID {}), by another group or program; if that program ended without releasing it, `pqos --iface=msr -r -t 0` releases all CPUs",
        cpu, id);
  }
  if (used.size() >= session_->capabilities().groups) {
    return make_error(ErrorCode::kUnsupported,
                      "all {} monitoring IDs of the cache {} are in use; monitor fewer groups", used.size(),
                      domain_);
  }
  return make_error(
      ErrorCode::kPermission,
      "libpqos cannot assign a monitoring ID to CPU {} (error code {}): the kernel may forbid writing registers (locked down by Secure Boot, or msr.allow_writes=off)",
      cpus_.front(), code);
}

// Fails if the id still has many lines of other CPUs. Allowed are one id's share of the cache, the kernel's
// own threshold in resctrl, plus the lines that these CPUs may have brought in since they got the id.
Status PqosDomainGroup::check_old_lines(const Reading& first) const {
  constexpr uint64_t kBroughtInBytes = 256 << 10;  // by each CPU: 10 GB/s for 25 us
  const std::vector<uint32_t>* last = session_->last_cpus(domain_, id_);
  if (last == nullptr || *last == cpus_ || !first.occupancy_bytes) return {};
  uint64_t cache_bytes = session_->capabilities().domains.front().bytes;
  uint64_t few_bytes = cache_bytes / (session_->capabilities().groups + 1) + kBroughtInBytes * cpus_.size();
  if (*first.occupancy_bytes <= few_bytes) return {};
  return make_error(
      ErrorCode::kIo,
      "the free monitoring ID {} of the cache {} still has {} bytes of CPUs that were monitored before: try again in a moment",
      id_, domain_, *first.occupancy_bytes);
}

std::optional<Reading> PqosDomainGroup::read() {
  MutexLock lock(session_->mutex());
  for (uint32_t cpu : cpus_) {
    pqos_rmid_t id = 0;
    // The id of an offline CPU cannot be read; when it comes back online, its id is 0.
    if (session_->library().mon_assoc_get(cpu, &id) == PQOS_RETVAL_OK && id != id_) return std::nullopt;
  }
  return poll();
}

// Identifies unread counters by their unchanged values, because the return code does not identify them.
// libpqos reads occupancy, local traffic and total traffic in this order. It stops at the first failure.
Reading PqosDomainGroup::poll() {
  pqos_event_values& values = data_.values;
  values.llc = kPqosNotRead;
  values.mbm_total_delta = kPqosNotRead;
  values.mbm_local_delta = kPqosNotRead;
  pqos_mon_data* group = &data_;
  static_cast<void>(session_->library().mon_poll(&group, 1));
  Reading reading;
  reading.domain = domain_;
  reading.occupancy_bytes = pqos_occupancy_bytes(values.llc, id_, session_->occupancy());
  reading.total_bytes =
      pqos_traffic_bytes(values.mbm_total, values.mbm_total_delta, id_, session_->total(), total_);
  reading.local_bytes =
      pqos_traffic_bytes(values.mbm_local, values.mbm_local_delta, id_, session_->local(), local_);
  return reading;
}

PqosDomainGroup::~PqosDomainGroup() {
  if (!started_) return;
  MutexLock lock(session_->mutex());
  leave_others_cpus();
  if (data_.num_cores > 0) static_cast<void>(session_->library().mon_stop(&data_));
}

// Removes CPUs that now have another program's id: pqos_mon_stop would reset the id of every CPU of the group
// to 0.
void PqosDomainGroup::leave_others_cpus() {
  unsigned* end = std::remove_if(data_.cores, data_.cores + data_.num_cores, [this](unsigned cpu) {
    pqos_rmid_t id = 0;
    return session_->library().mon_assoc_get(cpu, &id) == PQOS_RETVAL_OK && id != id_;
  });
  data_.num_cores = static_cast<unsigned>(end - data_.cores);
}

}  // namespace hm::rdt
