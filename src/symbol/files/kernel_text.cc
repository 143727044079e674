// SPDX-License-Identifier: MIT
#include "symbol/files/kernel_text.h"

#include <chrono>
#include <map>
#include <optional>
#include <utility>

#include "base/mutex.h"
#include "base/text_file.h"

namespace hm::symbol {

std::shared_ptr<const std::string> kernel_text(const std::string& path) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds kMaxAge(10);
  struct Reading {
    std::shared_ptr<const std::string> text{};
    Clock::time_point time{};
  };
  static Mutex mutex;  // held while a file is read, so that threads do not read it twice
  static std::map<std::string, Reading> readings;
  MutexLock lock(mutex);
  Reading& reading = readings[path];
  if (reading.text != nullptr && Clock::now() - reading.time < kMaxAge) return reading.text;
  std::optional<std::string> text = read_text(path);
  reading = {text ? std::make_shared<const std::string>(*std::move(text)) : nullptr, Clock::now()};
  return reading.text;
}

}  // namespace hm::symbol
