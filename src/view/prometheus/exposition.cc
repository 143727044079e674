// SPDX-License-Identifier: MIT
#include "view/prometheus/exposition.h"

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <set>
#include <utility>
#include <vector>

#include "view/prometheus/label_value.h"
#include "view/prometheus/sums.h"

namespace hm::prometheus {
namespace {

using Families = std::vector<::prometheus::MetricFamily>;
using Label = ::prometheus::ClientMetric::Label;
using Labels = std::vector<Label>;

std::string_view by_word(occupancy::By by) {
  switch (by) {
    case occupancy::By::kCpu:
      return "cpu";
    case occupancy::By::kThread:
      return "thread";
    case occupancy::By::kProcess:
      return "process";
    case occupancy::By::kTree:
      return "tree";
    case occupancy::By::kCgroup:
      return "cgroup";
    case occupancy::By::kVm:
      return "vm";
    case occupancy::By::kProgram:
      return "program";
  }
  return "";
}

// Collects all metrics with one name.
class Gauge {
 public:
  Gauge(std::string name, std::string help)
      : family_{"hardmeter_llc_" + std::move(name), std::move(help), ::prometheus::MetricType::Gauge, {}} {}

  void add(Labels labels, double value) {
    ::prometheus::ClientMetric metric;
    metric.label = std::move(labels);
    metric.gauge.value = value;
    family_.metric.push_back(std::move(metric));
  }
  template <typename Number>
  void add(const Labels& labels, const std::optional<Number>& value) {
    if (value) add(labels, static_cast<double>(*value));
  }
  // Omits a family without metrics.
  void move_to(Families& families) && {
    if (!family_.metric.empty()) families.push_back(std::move(family_));
  }

 private:
  ::prometheus::MetricFamily family_;
};

// Each metric has a label that marks modelled values. A separate metric for them would not prevent sums over
// machines from mixing measured and modelled values.
Label modelled_label(const occupancy::Snapshot& snapshot) {
  return {"modelled", snapshot.is_modelled ? "true" : "false"};
}

Labels labels_of(const NameSum& sum, const Label& modelled) { return {{"name", sum.name}, modelled}; }

void add_occupancy(Families& families, const Sums& sums, const Label& modelled) {
  Gauge held("occupancy_bytes",
             "Bytes of all last-level caches held, summed over the rows with the same name.");
  Gauge low("occupancy_low_bytes",
            "Lower end of the 95 % confidence interval of the bytes held, summed over the rows of a name.");
  Gauge high("occupancy_high_bytes",
             "Upper end of the 95 % confidence interval of the bytes held, summed over the rows of a name.");
  Gauge age("reading_age_seconds", "Age of the oldest reading in the sum of the bytes held.");
  for (const NameSum& sum : sums.names) {
    if (!sum.occupancy_bytes) continue;
    Labels labels = labels_of(sum, modelled);
    held.add(labels, sum.occupancy_bytes);
    low.add(labels, static_cast<double>(sum.low_bytes));
    high.add(labels, static_cast<double>(sum.high_bytes));
    age.add(labels, static_cast<double>(sum.age_ns) * 1e-9);
  }
  for (Gauge* each : {&held, &low, &high, &age}) std::move(*each).move_to(families);
}

// Per-domain values have their own metric: if the sums were in the same metric, its sum would count all bytes
// twice.
void add_domains(Families& families, const occupancy::Snapshot& snapshot, const Sums& sums,
                 const Label& modelled) {
  std::set<uint32_t> domains;
  for (const occupancy::Row& row : snapshot.rows)
    for (const occupancy::InDomain& each : row.domains) domains.insert(each.domain);
  if (domains.size() < 2) return;
  Gauge held("domain_occupancy_bytes", "Bytes of one last-level cache held by the rows of a name.");
  for (const NameSum& sum : sums.names) {
    for (const auto& [domain, bytes] : sum.domains)
      held.add({{"name", sum.name}, {"domain", std::to_string(domain)}, modelled},
               static_cast<double>(bytes));
  }
  std::move(held).move_to(families);
}

// Bandwidths are gauges of rates. Byte counters would need the traffic of rows while they are not being
// measured, which is unknown.
void add_bandwidth(Families& families, const Sums& sums, const Label& modelled) {
  Gauge total("memory_bytes_per_second", "Bytes per second between the last-level caches and all memory.");
  Gauge local("memory_local_bytes_per_second",
              "Bytes per second between the last-level caches and the memory of their own NUMA node.");
  for (const NameSum& sum : sums.names) {
    total.add(labels_of(sum, modelled), sum.total_bytes_per_s);
    local.add(labels_of(sum, modelled), sum.local_bytes_per_s);
  }
  std::move(total).move_to(families);
  std::move(local).move_to(families);
}

void add_trust(Families& families, const Sums& sums, const Label& modelled) {
  Gauge measured("measured_ratio",
                 "Share of the time in which a row was measured; minimum over the rows of a name.");
  Gauge rows("rows", "Rows (processes, CPUs, ...) summed under a name.");
  Gauge without("rows_not_measured",
                "Rows of a name that have no reading of the bytes held and are not in the sum.");
  for (const NameSum& sum : sums.names) {
    Labels labels = labels_of(sum, modelled);
    measured.add(labels, sum.measured_share);
    rows.add(labels, static_cast<double>(sum.rows));
    without.add(labels, static_cast<double>(sum.rows_not_measured));
  }
  for (Gauge* each : {&measured, &rows, &without}) std::move(*each).move_to(families);
}

void add_machine(Families& families, const occupancy::Snapshot& snapshot, const Sums& sums,
                 const Label& modelled) {
  Gauge info("info",
             "Labels: measuring source, meaning of a row, and whether the cache is modelled; always 1.");
  info.add({{"measured_by", label_value(snapshot.measured_by)},
            {"by", std::string(by_word(snapshot.by))},
            modelled},
           1);
  std::move(info).move_to(families);
  Gauge size("cache_size_bytes", "Size of all last-level caches together.");
  if (snapshot.cache_bytes != 0) size.add({modelled}, static_cast<double>(snapshot.cache_bytes));
  std::move(size).move_to(families);
  Gauge in_other("rows_in_other", "Rows summed as \"other\" because there are too many names.");
  in_other.add({modelled}, static_cast<double>(sums.rows_in_other));
  std::move(in_other).move_to(families);
}

::prometheus::MetricFamily refreshes_family(uint64_t refreshes) {
  ::prometheus::ClientMetric metric;
  metric.counter.value = static_cast<double>(refreshes);
  return {"hardmeter_llc_refreshes_total",
          "Number of readings of the rows; if it does not grow, no figure changes.",
          ::prometheus::MetricType::Counter,
          {metric}};
}

}  // namespace

std::string exposition(const occupancy::Snapshot& snapshot, uint64_t refreshes) {
  Sums sums = sums_of(snapshot.rows);
  Label modelled = modelled_label(snapshot);
  Families families{refreshes_family(refreshes)};
  add_machine(families, snapshot, sums, modelled);
  add_occupancy(families, sums, modelled);
  add_domains(families, snapshot, sums, modelled);
  add_bandwidth(families, sums, modelled);
  add_trust(families, sums, modelled);
  return ::prometheus::TextSerializer().Serialize(families);
}

std::string exposition_of_nothing() {
  return ::prometheus::TextSerializer().Serialize({refreshes_family(0)});
}

}  // namespace hm::prometheus
