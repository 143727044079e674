// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "pmu/rdt/pqos_counter.h"
#include "pmu/rdt/pqos_library.h"
#include "pmu/rdt/provider.h"

namespace hm::rdt {

// libpqos, initialised for registers; it has one state for the whole process, so there is one of these at a
// time.
class PqosSession {
 public:
  [[nodiscard]] static Result<std::shared_ptr<PqosSession>> open();
  PqosSession(const PqosSession&) = delete;
  PqosSession& operator=(const PqosSession&) = delete;
  ~PqosSession();

  [[nodiscard]] const PqosLibrary& library() const { return library_; }
  [[nodiscard]] const Capabilities& capabilities() const { return capabilities_; }
  [[nodiscard]] const PqosEvent& occupancy() const { return occupancy_; }
  [[nodiscard]] const PqosEvent& total() const { return total_; }
  [[nodiscard]] const PqosEvent& local() const { return local_; }

  // The last-level cache that a logical CPU is at; nullopt where there is no such CPU, or it is offline.
  [[nodiscard]] std::optional<uint32_t> domain_of(uint32_t cpu) const;
  [[nodiscard]] std::vector<uint32_t> cpus_of(uint32_t domain) const;
  [[nodiscard]] size_t cpu_count() const { return domains_.size(); }

  // Who uses the library has it.
  [[nodiscard]] std::mutex& mutex() { return mutex_; }

  // Whose lines have an id, as far as this process knows: libpqos gives the lowest free id again at once,
  // though lines that were brought in under it are still in the cache. Under the mutex.
  [[nodiscard]] const std::vector<uint32_t>* last_cpus(uint32_t domain, uint32_t id) const;
  void remember_cpus(uint32_t domain, uint32_t id, const std::vector<uint32_t>& cpus);

 private:
  explicit PqosSession(const PqosLibrary& library) : library_(library) {}
  [[nodiscard]] Status initialise();
  [[nodiscard]] Status learn_processor();
  void learn_event(const pqos_monitor& event);
  void keep_files_from_children();
  static void keep_first_message(void* session, size_t bytes, const char* message);

  PqosLibrary library_;
  bool initialised_ = false;
  Capabilities capabilities_;
  PqosEvent occupancy_, total_, local_;
  std::map<uint32_t, uint32_t> domains_;  // by CPU
  std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> last_cpus_;
  std::mutex mutex_;
  std::string message_;  // the first that libpqos logged as an error
};

}  // namespace hm::rdt
