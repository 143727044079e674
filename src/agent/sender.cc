// SPDX-License-Identifier: MIT
#include "agent/sender.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <utility>

namespace hm::agent {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kClocksHold = std::chrono::minutes(10);  // interval between comparisons of the clocks
constexpr int64_t kLittle = 5;  // tolerance in seconds, because replies take time as well

// FNV-1a with 64 bits, which must not change between versions of hardmeter.
uint64_t hash_of(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace

Sender::Sender(store::Address address, store::Credentials credentials, const std::string& host, Log log)
    : address_(std::move(address)), credentials_(std::move(credentials)), log_(std::move(log)) {
  for (const std::string& server : address_.servers)
    marks_.push_back(fmt::format("{:016x}", hash_of(server)));
  if (!address_.folder.empty()) marks_.emplace_back("folder");
  stores_.resize(marks_.size());
  own_server_ = hash_of(host) % marks_.size();
}

Status Sender::send(Spool& spool, std::chrono::seconds at_most) {
  if (Status compared = compare_clocks(); !compared) return compared;
  Result<std::vector<Waiting>> all = spool.waiting();
  if (!all) return all.error();
  Clock::time_point end = Clock::now() + at_most;
  for (const Waiting& each : *all) {
    if (Status sent = send_one(spool, each); !sent) return sent;
    if (Clock::now() > end) break;
  }
  return {};
}

Status Sender::send_one(Spool& spool, Waiting waiting) {
  Result<store::Batch> batch = spool.read(waiting);
  if (!batch) {
    log_(batch.error().message);
    return {};  // read() has renamed it
  }
  size_t server = server_of(waiting);
  Result<store::Store*> store = open_store(server);
  if (!store) return store.error();
  if (Status noted = spool.note_attempt(waiting, marks_[server]); !noted) return noted;
  if (Status stored = (*store)->insert(*batch); !stored) return stored;
  ++batches_;
  rows_ += batch->rows.size();
  return spool.remove(waiting);
}

// Returns the server that a batch must be sent to. A batch that a server may already have is sent to the same
// server again, even if the list of servers has changed. If that server is no longer in the list, its data is
// no longer queried.
size_t Sender::server_of(const Waiting& waiting) const {
  auto found = std::ranges::find(marks_, waiting.server);
  return found == marks_.end() ? own_server_ : static_cast<size_t>(found - marks_.begin());
}

// Creates an embedded store if there is none. The tables of servers are created by their operator.
Result<store::Store*> Sender::open_store(size_t server) {
  if (stores_[server] != nullptr) return stores_[server].get();
  Result<std::unique_ptr<store::Store>> opened = store::open_store(address_, credentials_, server);
  if (!opened) return opened.error();
  if (Status made = address_.folder.empty() ? Status() : (*opened)->init(); !made) return made.error();
  stores_[server] = *std::move(opened);
  return stores_[server].get();
}

Status Sender::compare_clocks() {
  if (clocks_compared_ && Clock::now() - *clocks_compared_ < kClocksHold) return {};
  Result<store::Store*> store = open_store(own_server_);
  if (!store) return store.error();
  Result<uint64_t> time_s = (*store)->time_s();
  if (!time_s) return time_s.error();
  clocks_compared_ = Clock::now();
  auto offset = static_cast<int64_t>(*time_s) - static_cast<int64_t>(std::time(nullptr));
  if (std::abs(offset) <= kLittle) offset = 0;
  if (std::abs(offset - clock_offset_s_) <= kLittle) return {};
  clock_offset_s_ = offset;
  log_(offset == 0
           ? "this machine's clock is correct again"
           : fmt::format(
                 "this machine's clock is {} s {} the store's: measurements are stored with the store's time",
                 std::abs(offset), offset > 0 ? "behind" : "ahead of"));
  return {};
}

}  // namespace hm::agent
