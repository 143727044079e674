// SPDX-License-Identifier: MIT
// feeder STORE FOLDER NAME: acts as an agent NAME that makes and sends batches, until the file FOLDER/enough
// exists and the store has all batches. It may be killed at any moment and started again: FOLDER/made
// contains the number of batches made, FOLDER/said its messages. Batch n has n % 7 + 1 rows with n samples
// each, so that a lost or duplicate batch is detected.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "agent/sender.h"
#include "agent/spool.h"

namespace {

hm::store::Batch make_batch(const std::string& name, uint64_t number) {
  hm::store::Batch batch{fmt::format("{}-{}", name, number), name, 1'700'000'000 + number, {}};
  for (uint64_t i = 0; i <= number % 7; ++i) {
    hm::store::Row row;
    row.series = {"fed", "aa11", "clock", "clock", "cpu_ns"};
    row.is_total = i == 0;
    row.place.function = i == 0 ? "" : fmt::format("function {}", i);
    row.samples = number;
    batch.rows.push_back(row);
  }
  return batch;
}

uint64_t made_before(const std::string& file) {
  uint64_t made = 0;
  std::ifstream(file) >> made;
  return made;
}

// Writes the file completely or not at all, because the process may be killed meanwhile.
void note_made(const std::string& file, uint64_t made) {
  std::ofstream(file + ".new") << made;
  std::rename((file + ".new").c_str(), file.c_str());
}

}  // namespace

int main(int count, char** words) {
  if (count != 4) return 2;
  std::string folder = words[2], name = words[3], counter = folder + "/made";
  hm::Result<hm::store::Address> address = hm::store::parse_address(words[1]);
  hm::Result<hm::agent::Spool> spool = hm::agent::Spool::open(folder);
  if (!address || !spool) return 1;
  hm::agent::Sender sender(*address, {}, name, [&](const std::string& sentence) {
    std::ofstream(folder + "/said", std::ios::app) << sentence << '\n';
  });
  for (uint64_t made = made_before(counter);;) {
    bool enough = std::filesystem::exists(folder + "/enough");
    // Some batches always wait. A batch made just before a kill is made again, with the same name.
    if (!enough && spool->waiting()->size() < 10) {
      if (!spool->add(make_batch(name, made + 1))) return 1;
      note_made(counter, ++made);
    }
    hm::Status sent = sender.send(*spool, std::chrono::seconds(1));
    if (sent && enough && spool->waiting()->empty()) return 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}
