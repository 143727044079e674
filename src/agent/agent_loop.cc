// SPDX-License-Identifier: MIT
#include "agent/agent_loop.h"

#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "agent/child.h"
#include "agent/listener.h"
#include "agent/metrics.h"
#include "agent/occupancy_readings.h"
#include "agent/otlp_export.h"
#include "agent/otlp_request.h"
#include "agent/sender.h"
#include "agent/trouble.h"
#include "agent/window_files.h"

namespace hm::agent {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = Budget::Seconds;

constexpr auto kGlance = std::chrono::milliseconds(100);    // reaction time to a request to stop
constexpr auto kLongestSending = std::chrono::seconds(10);  // between two windows

Seconds used(int who) {
  rusage usage{};
  ::getrusage(who, &usage);
  const auto seconds = [](const timeval& time) {
    return Seconds(static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// CPU time of this process and of the children that it has waited for.
Seconds spent() { return used(RUSAGE_SELF) + used(RUSAGE_CHILDREN); }

double now_s() { return Seconds(std::chrono::system_clock::now().time_since_epoch()).count(); }

class Agent {
 public:
  Agent(const AgentOptions& options, const Watcher& watcher, Spool spool)
      : options_(options),
        watcher_(watcher),
        spool_(std::move(spool)),
        sender_(options.store, options.credentials, options.host, watcher.log),
        budget_(options.budget),
        otlp_(options.otlp_url, options.folder, watcher.log) {
    metrics_.version = options.version;
    metrics_.started_s = now_s();
    metrics_.budget = options.budget;
    measuring_.emplace_back("measuring succeeds again");
    for (const ChosenService& each : options.software)
      measuring_.emplace_back(fmt::format("measuring {} succeeds again", each.name));
  }

  Result<Account> run() {
    if (Status listening = listen(); !listening) return listening.error();
    send();  // also compares the clocks
    while (!watcher_.stops()) {
      Seconds before = spent();
      Status measured = measure_next();
      if (!measured && account_.failed_windows == account_.windows && account_.windows >= measuring_.size())
        return measured.error();  // no measurement has ever worked
      otlp_.begin();
      send();
      bound();
      if (are_all_measured()) break;
      Seconds cost = spent() - before;
      Seconds lasts = std::chrono::nanoseconds(options_.window.lasts_ns);
      wait(std::max<Seconds>(budget_.pause(spent() - begun_with_, Clock::now() - begin_, lasts, cost),
                             kGlance));
    }
    send();
    while (!watcher_.stops() && otlp_.is_sending()) otlp_.has_ended(kGlance);
    publish();
    account_.elapsed_s = Seconds(Clock::now() - begin_).count();
    return account_;
  }

 private:
  [[nodiscard]] bool are_all_measured() const {
    return options_.max_windows != 0 && account_.windows >= options_.max_windows;
  }

  // Measures the machine and one of the services alternately.
  Status measure_next() {
    Window window = options_.window;
    size_t turn = turn_++, services = options_.software.size();
    bool is_machines = services == 0 || turn % 2 == 0;
    size_t service = is_machines ? 0 : turn / 2 % services;
    if (!is_machines) window.service = options_.software[service];
    Trouble& trouble = measuring_[is_machines ? 0 : 1 + service];
    return trouble.lets_try() ? measure(window, trouble) : Status();
  }

  Status measure(Window window, Trouble& trouble) {
    double began_s = now_s();
    window.clock_offset_s = sender_.clock_offset_s();
    std::vector<store::Row> beside;
    if (options_.occupancy && !window.service) beside = read_occupancy();
    Status measured = in_own_process([&] { return measure_here(window, beside, began_s); }, watcher_.stops);
    if (watcher_.stops()) return {};
    ++account_.windows;
    if (measured)
      metrics_.last_window_s = now_s();
    else
      ++account_.failed_windows;
    trouble.note(measured, watcher_.log);
    publish();
    return measured;
  }

  // Monitoring groups belong to this process and persist between measurements.
  std::vector<store::Row> read_occupancy() {
    if (!occupancy_ && reading_.lets_try()) {
      Result<Occupancy> opened = Occupancy::open();
      reading_.note(opened ? Status() : opened.error(), watcher_.log);
      if (opened) occupancy_.emplace(*std::move(opened));
    }
    auto now = std::chrono::steady_clock::now().time_since_epoch();
    return occupancy_ ? occupancy_->read(static_cast<uint64_t>(std::chrono::nanoseconds(now).count()))
                      : std::vector<store::Row>();
  }

  // Runs in a child process. A failure to write files for others than the store must not affect the batch.
  Status measure_here(const Window& window, const std::vector<store::Row>& beside, double began_s) {
    const std::string& folder = spool_.folder();
    const WindowUser keep = [&](const profile::Profile& profile, const symbol::Resolver& resolver) {
      if (options_.listen && !window.service)
        report_failure(
            write_window_pprof(folder, profile, resolver, window.privacy, began_s, window.lasts_ns));
    };
    Result<store::Batch> batch = measure_window(window, options_.host, folder + "/window.part", keep);
    if (!batch) return batch.error();
    batch->rows.insert(batch->rows.end(), beside.begin(), beside.end());
    if (batch->rows.empty()) return {};
    Status added = spool_.add(*batch);
    if (!options_.otlp_url.empty())
      report_failure(write_window_otlp(folder, otlp_request(*batch, window.lasts_ns, options_.version)));
    return added;
  }

  void report_failure(const Status& done) const {
    if (!done) watcher_.log(done.error().message);
  }

  // Sends the waiting batches, oldest first.
  void send() {
    if (!sending_.lets_try()) return;
    uint64_t before = sender_.batches();
    Status sent = sender_.send(spool_, kLongestSending);
    if (!sent) ++metrics_.failed_sends;
    if (sender_.batches() != before) metrics_.last_send_s = now_s();
    sending_.note(sent, watcher_.log);
    publish();
  }

  // Limits the size of the waiting batches, because the store may be unreachable for a long time.
  void bound() {
    std::optional<Metrics::Waiting> waiting = waiting_now();
    if (!waiting || waiting->bytes <= options_.max_waiting_bytes) return bounding_.note({}, watcher_.log);
    Status done = in_own_process([&] { return spool_.bound(options_.max_waiting_bytes); }, watcher_.stops);
    if (watcher_.stops()) return;
    bounding_.note(
        done
            ? make_error(
                  ErrorCode::kIo,
                  "measurements waiting for the store exceed {} MiB: the oldest are merged, and dropped if merging is not enough",
                  options_.max_waiting_bytes >> 20)
            : done.error(),
        watcher_.log);
    publish();
  }

  // Returns nullopt if the folder cannot be read.
  std::optional<Metrics::Waiting> waiting_now() {
    Result<std::vector<Waiting>> all = spool_.waiting();
    if (!all) return std::nullopt;
    Metrics::Waiting waiting{all->size(), 0};
    for (const Waiting& each : *all) waiting.bytes += each.bytes;
    return waiting;
  }

  Status listen() {
    remove_window_files(spool_.folder());
    if (!options_.listen) return {};
    publish();
    Result<std::unique_ptr<Listener>> listener = Listener::start(*options_.listen, spool_.folder(), metrics_);
    if (!listener) return listener.error();
    listener_ = *std::move(listener);
    watcher_.log(fmt::format("serving metrics at {}, the last measurement at {}",
                             listener_->url(prometheus::MetricsPage::kPath), listener_->url(kPprofPath)));
    return {};
  }

  // Updates the metrics and writes them to the listener.
  void publish() {
    metrics_.windows = account_.windows;
    metrics_.failed_windows = account_.failed_windows;
    metrics_.batches_sent = account_.batches_sent = sender_.batches();
    metrics_.rows_sent = account_.rows_sent = sender_.rows();
    metrics_.cpu_s = account_.cpu_s = (spent() - begun_with_).count();
    if (options_.listen) metrics_.waiting = waiting_now();
    if (!options_.otlp_url.empty()) metrics_.profiles = otlp_.counts();
    if (listener_) listener_->publish(metrics_);
  }

  void wait(Seconds pause) {
    for (Clock::time_point end = Clock::now() + std::chrono::duration_cast<Clock::duration>(pause);
         Clock::now() < end && !watcher_.stops();) {
      if (otlp_.has_ended()) publish();
      std::this_thread::sleep_for(std::min<Clock::duration>(kGlance, end - Clock::now()));
    }
  }

  const AgentOptions& options_;
  const Watcher& watcher_;
  Spool spool_;
  Sender sender_;
  Budget budget_;
  Clock::time_point begin_ = Clock::now();
  Seconds begun_with_ = spent();
  size_t turn_ = 0;
  std::vector<Trouble> measuring_;  // for the machine, and for each service
  std::optional<Occupancy> occupancy_;
  Trouble reading_{"the last-level cache can be read again"};
  Trouble sending_{"the store accepts measurements again"},
      bounding_{"the measurements waiting for the store fit their limit again"};
  Account account_;
  Metrics metrics_;
  OtlpExport otlp_;
  std::unique_ptr<Listener> listener_;
};

}  // namespace

Result<Account> run_agent(const AgentOptions& options, const Watcher& watcher) {
  // Returns large blocks to the kernel when they are freed. By default, malloc raises the threshold and takes
  // larger blocks from its heap, which keeps them (mallopt(3)). Beside PostgreSQL this needs 58 MiB instead
  // of 68.
  constexpr int kLarge = 128 << 10;
  ::mallopt(M_MMAP_THRESHOLD, kLarge);
  Result<Spool> spool = Spool::open(options.folder);
  if (!spool) return spool.error();
  return Agent(options, watcher, *std::move(spool)).run();
}

}  // namespace hm::agent
