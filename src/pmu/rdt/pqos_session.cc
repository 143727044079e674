// SPDX-License-Identifier: MIT
#include "pmu/rdt/pqos_session.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>

#include "pmu/rdt/pqos_checks.h"

namespace hm::rdt {
namespace {

std::atomic<bool> g_pqos_is_open{false};

const pqos_cap_mon* pqos_monitoring(const pqos_cap& capabilities) {
  for (unsigned i = 0; i < capabilities.num_cap; ++i) {
    if (capabilities.capabilities[i].type == PQOS_CAP_TYPE_MON) return capabilities.capabilities[i].u.mon;
  }
  return nullptr;
}

std::string pqos_message_text(std::string_view message) {
  while (!message.empty() && (message.back() == '\n' || message.back() == '\0')) message.remove_suffix(1);
  return std::string(message);
}

}  // namespace

Result<std::shared_ptr<PqosSession>> PqosSession::open() {
  Result<PqosLibrary> library = load_pqos_library();
  if (!library) return library.error();
  if (g_pqos_is_open.exchange(true)) {
    return make_error(
        ErrorCode::kUnsupported,
        "libpqos is already in use in this process, and has one state for the whole process: end that use first");
  }
  std::shared_ptr<PqosSession> session(new PqosSession(*library));
  if (Status status = check_before_pqos_init(); !status.ok()) return status.error();
  if (Status status = session->initialise(); !status.ok()) return status.error();
  if (Status status = session->learn_processor(); !status.ok()) return status.error();
  session->keep_files_from_children();
  return session;
}

PqosSession::~PqosSession() {
  if (initialised_) static_cast<void>(library_.fini());
  g_pqos_is_open = false;
}

Status PqosSession::initialise() {
  pqos_config configuration{};
  configuration.fd_log = -1;
  configuration.callback_log = keep_first_message;
  configuration.context_log = this;
  configuration.verbose = 0;  // warnings and errors; pqos.h documents the values only in a comment
  configuration.interface = PQOS_INTER_MSR;
  int code = library_.init(&configuration);
  initialised_ = code == PQOS_RETVAL_OK;
  if (initialised_) return {};
  return make_error(
      ErrorCode::kUnsupported,
      "cannot initialise libpqos (error code {}; \"{}\"): the output of `pqos --iface=msr -s` may show the reason",
      code, message_);
}

void PqosSession::keep_first_message(void* session, size_t bytes, const char* message) {
  std::string& kept = static_cast<PqosSession*>(session)->message_;
  std::string_view text(message, bytes);
  if (kept.empty() && text.starts_with("ERROR")) kept = pqos_message_text(text);
}

Status PqosSession::learn_processor() {
  const pqos_cap* capabilities = nullptr;
  const pqos_cpuinfo* processor = nullptr;
  int code = library_.cap_get(&capabilities, &processor);
  const pqos_cap_mon* monitoring = code == PQOS_RETVAL_OK ? pqos_monitoring(*capabilities) : nullptr;
  if (monitoring != nullptr) {
    for (unsigned i = 0; i < monitoring->num_events; ++i) learn_event(monitoring->events[i]);
  }
  if (occupancy_.bits == 0) {
    return make_error(ErrorCode::kUnsupported,
                      "libpqos finds no monitoring of the last-level cache in this processor (error code {})",
                      code);
  }
  capabilities_.name = "libpqos";
  capabilities_.cpus = true;
  std::set<uint32_t> domains;
  for (unsigned i = 0; i < processor->num_cores; ++i) {
    domains_[processor->cores[i].lcore] = processor->cores[i].l3_id;
    domains.insert(processor->cores[i].l3_id);
  }
  for (uint32_t domain : domains) capabilities_.domains.push_back({domain, processor->l3.total_size});
  return {};
}

void PqosSession::learn_event(const pqos_monitor& event) {
  constexpr unsigned kMaxBits = 62;  // width of the register
  PqosEvent known{.bits = std::min(event.counter_length, kMaxBits), .bytes = event.scale_factor};
  // Id 0 is that of all unmonitored CPUs.
  uint32_t groups = event.max_rmid > 0 ? event.max_rmid - 1 : 0;
  switch (event.type) {
    case PQOS_MON_EVENT_L3_OCCUP:
      known.number = 1;
      occupancy_ = known;
      capabilities_.occupancy = true;
      break;
    case PQOS_MON_EVENT_TMEM_BW:
      known.number = 2;
      total_ = known;
      capabilities_.total_bandwidth = true;
      break;
    case PQOS_MON_EVENT_LMEM_BW:
      known.number = 3;
      local_ = known;
      capabilities_.local_bandwidth = true;
      break;
    default:
      return;
  }
  capabilities_.groups = capabilities_.groups == 0 ? groups : std::min(capabilities_.groups, groups);
}

// Prevents child processes from inheriting the files /dev/cpu/N/msr. libpqos opens a CPU's file on first use
// without close-on-exec, and any process that has the file may write any register, root or not. So all files
// are opened now and marked close-on-exec.
void PqosSession::keep_files_from_children() {
  pqos_rmid_t id = 0;
  for (const auto& [cpu, domain] : domains_) static_cast<void>(library_.mon_assoc_get(cpu, &id));
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", error)) {
    std::string target = std::filesystem::read_symlink(entry.path(), error).string();
    bool libpqos_s =
        (target.starts_with("/dev/cpu/") && target.ends_with("/msr")) || target.ends_with("/lock/libpqos");
    if (libpqos_s) ::fcntl(std::atoi(entry.path().filename().c_str()), F_SETFD, FD_CLOEXEC);
  }
}

std::optional<uint32_t> PqosSession::domain_of(uint32_t cpu) const {
  auto found = domains_.find(cpu);
  if (found == domains_.end()) return std::nullopt;
  return found->second;
}

std::vector<uint32_t> PqosSession::cpus_of(uint32_t domain) const {
  std::vector<uint32_t> cpus;
  for (const auto& [cpu, of] : domains_) {
    if (of == domain) cpus.push_back(cpu);
  }
  return cpus;
}

const std::vector<uint32_t>* PqosSession::last_cpus(uint32_t domain, uint32_t id) const {
  auto found = last_cpus_.find({domain, id});
  return found == last_cpus_.end() ? nullptr : &found->second;
}

void PqosSession::remember_cpus(uint32_t domain, uint32_t id, const std::vector<uint32_t>& cpus) {
  last_cpus_[{domain, id}] = cpus;
}

}  // namespace hm::rdt
