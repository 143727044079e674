// SPDX-License-Identifier: MIT
#include "agent/occupancy_readings.h"

#include <map>

#include "agent/services.h"
#include "app/llc/task_table.h"
#include "pmu/rdt/resctrl_provider.h"
#include "record/occupancy_record.h"

namespace hm::agent {
namespace {

constexpr const char* kReadings = "readings";  // the unit of the load

std::vector<llc::WantedRow> services_now(llc::TaskTable& tasks) {
  tasks.refresh();
  Services services;
  std::map<std::string, llc::WantedRow> rows;
  for (const auto& [pid, process] : tasks.processes()) {
    std::string service = services.of_cgroup(process.cgroup, process.name);
    llc::WantedRow& row = rows[service];
    row.key = row.name = service;
    row.processes.push_back(pid);
  }
  std::vector<llc::WantedRow> list;
  list.reserve(rows.size());
  for (auto& [service, row] : rows) list.push_back(std::move(row));
  return list;
}

llc::WantedRows rows_by_service() {
  auto tasks = std::make_shared<llc::TaskTable>();
  return [tasks] { return services_now(*tasks); };
}

}  // namespace

Result<Occupancy> Occupancy::open() {
  Result<std::unique_ptr<rdt::Provider>> provider = rdt::open_resctrl({});
  if (!provider) return provider.error();
  return Occupancy(*std::move(provider));
}

Occupancy::Occupancy(std::unique_ptr<rdt::Provider> provider)
    : provider_(std::move(provider)), monitor_(*provider_, occupancy::By::kCgroup, rows_by_service()) {}

std::vector<store::Row> Occupancy::read(uint64_t now_ns) {
  std::vector<store::Row> rows;
  std::set<std::string> before = std::exchange(measured_, {});
  for (const occupancy::Row& each : monitor_.refresh(now_ns).rows) {
    if (!each.occupancy_bytes || each.age_ns != 0) continue;
    measured_.insert(each.key);
    if (!before.contains(each.key)) continue;
    store::Series series{each.name, "", record::kOccupancyEvent, "hardware", kReadings};
    rows.push_back({std::move(series), true, {}, 0, static_cast<double>(*each.occupancy_bytes), 1});
  }
  return rows;
}

}  // namespace hm::agent
