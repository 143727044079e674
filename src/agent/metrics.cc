// SPDX-License-Identifier: MIT
#include "agent/metrics.h"

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <utility>
#include <vector>

namespace hm::agent {
namespace {

using Type = ::prometheus::MetricType;

class Families {
 public:
  void add_counter(std::string name, std::string help, double value) {
    ::prometheus::ClientMetric metric;
    metric.counter.value = value;
    add(std::move(name), std::move(help), Type::Counter, std::move(metric));
  }
  void add_gauge(std::string name, std::string help, double value,
                 std::vector<::prometheus::ClientMetric::Label> labels = {}) {
    ::prometheus::ClientMetric metric;
    metric.label = std::move(labels);
    metric.gauge.value = value;
    add(std::move(name), std::move(help), Type::Gauge, std::move(metric));
  }
  [[nodiscard]] std::string text() const { return ::prometheus::TextSerializer().Serialize(families_); }

 private:
  void add(std::string name, std::string help, Type type, ::prometheus::ClientMetric metric) {
    families_.push_back({"hardmeter_agent_" + std::move(name), std::move(help), type, {std::move(metric)}});
  }

  std::vector<::prometheus::MetricFamily> families_;
};

void add_windows(Families& families, const Metrics& metrics) {
  families.add_counter("measurements_total", "Measurements made, including failed ones.",
                       static_cast<double>(metrics.windows));
  families.add_counter("measurement_failures_total", "Measurements that failed.",
                       static_cast<double>(metrics.failed_windows));
  if (metrics.last_window_s)
    families.add_gauge("last_measurement_timestamp_seconds",
                       "End of the last successful measurement, in seconds since 1970.",
                       *metrics.last_window_s);
}

void add_store(Families& families, const Metrics& metrics) {
  families.add_counter("batches_sent_total",
                       "Batches (one for each measurement) that the store has accepted.",
                       static_cast<double>(metrics.batches_sent));
  families.add_counter("rows_sent_total", "Rows in the batches that the store has accepted.",
                       static_cast<double>(metrics.rows_sent));
  families.add_counter("send_failures_total",
                       "Number of times that the store was unreachable or rejected a batch.",
                       static_cast<double>(metrics.failed_sends));
  if (metrics.last_send_s)
    families.add_gauge("last_send_timestamp_seconds",
                       "Time of the last batch that the store accepted, in seconds since 1970.",
                       *metrics.last_send_s);
  if (!metrics.waiting) return;
  families.add_gauge("spool_batches", "Batches waiting for the store.",
                     static_cast<double>(metrics.waiting->batches));
  families.add_gauge("spool_bytes", "Size of the files of the batches waiting for the store.",
                     static_cast<double>(metrics.waiting->bytes));
}

void add_exports(Families& families, const Metrics& metrics) {
  if (!metrics.profiles) return;
  families.add_counter("otlp_exports_total", "Measurements that the OTLP endpoint has accepted as profiles.",
                       static_cast<double>(metrics.profiles->done));
  families.add_counter("otlp_export_failures_total", "Measurements that the OTLP endpoint has rejected.",
                       static_cast<double>(metrics.profiles->failed));
}

void add_costs(Families& families, const Metrics& metrics) {
  families.add_counter("cpu_seconds_total", "CPU time of the agent and of its measuring processes.",
                       metrics.cpu_s);
  families.add_gauge("cpu_budget_ratio", "Average CPU use allowed for the agent, as a fraction of one CPU.",
                     metrics.budget);
}

}  // namespace

std::string exposition(const Metrics& metrics) {
  Families families;
  families.add_gauge("build_info", "The agent's version; always 1.", 1, {{"version", metrics.version}});
  families.add_gauge("start_timestamp_seconds", "Start of the agent, in seconds since 1970.",
                     metrics.started_s);
  add_windows(families, metrics);
  add_store(families, metrics);
  add_exports(families, metrics);
  add_costs(families, metrics);
  return families.text();
}

}  // namespace hm::agent
