// SPDX-License-Identifier: MIT
#include "agent/sender.h"

#include <utility>
#include <vector>

namespace hm::agent {
namespace {

// A batch that is sent again goes where it went before: by whichever version of hardmeter. FNV-1a, 64 bits.
uint64_t hash_of(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace

Sender::Sender(store::Address address, store::Credentials credentials, const std::string& host, Tell tell)
    : address_(std::move(address)),
      credentials_(std::move(credentials)),
      shard_(hash_of(host)),
      tell_(std::move(tell)) {}

Status Sender::send(Spool& spool, size_t most) {
  Result<std::vector<std::string>> names = spool.waiting();
  if (!names) return names.error();
  for (size_t i = 0; i < names->size() && i < most; ++i) {
    if (Status sent = send_one(spool, (*names)[i]); !sent) return sent;
  }
  return {};
}

Status Sender::send_one(Spool& spool, const std::string& name) {
  Result<store::Batch> batch = spool.read(name);
  if (!batch) {
    tell_(batch.error().message);
    return {};  // it is put aside
  }
  if (Status opened = open_store(); !opened) return opened;
  if (Status stored = store_->insert(*batch); !stored) return stored;
  ++batches_;
  rows_ += batch->rows.size();
  return spool.remove(name);
}

// An embedded store is made where there is none; servers' tables are their operator's to make.
Status Sender::open_store() {
  if (store_ != nullptr) return {};
  Result<std::unique_ptr<store::Store>> opened = store::open_store(address_, credentials_, shard_);
  if (!opened) return opened.error();
  if (Status made = address_.folder.empty() ? Status() : (*opened)->init(); !made) return made;
  store_ = *std::move(opened);
  return {};
}

}  // namespace hm::agent
