// SPDX-License-Identifier: MIT
// Runs a file of blocks natively and under the copying engine, and compares what the blocks leave behind.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "block_state.h"
#include "running.h"

namespace hm::direct_test {

using soft_pmu_test::Words;

class BlockFile {
 public:
  // `modes`: words of the runner that precede its command (block_runner.cc).
  explicit BlockFile(Words modes = {}) : modes_(std::move(modes)) {}

  [[nodiscard]] const Words& modes() const { return modes_; }

  // Returns the address that the next block's first byte will have in the runner.
  [[nodiscard]] uint64_t next_address() const { return address_; }

  // Sets the header's size.
  void add(BlockHeader header, std::vector<uint8_t> code);

  [[nodiscard]] size_t size() const { return blocks_.size(); }
  [[nodiscard]] const BlockHeader& header(size_t block) const { return blocks_[block].header; }
  [[nodiscard]] const std::vector<uint8_t>& code(size_t block) const { return blocks_[block].code; }

  void write(const std::string& path) const;

 private:
  struct Entry {
    BlockHeader header;
    std::vector<uint8_t> code;
  };
  Words modes_;
  std::vector<Entry> blocks_;
  uint64_t address_ = kCodeBase;
};

// What a block's run left behind, as far as the runner prints it.
struct Result {
  uint64_t hash = 0;  // of all state and memory
  uint64_t fault_address = 0;
  uint64_t signal = 0;  // 0: the block ran to its end
  uint64_t rcx = 0;
};

struct Comparison {
  std::string failure;            // why there is no comparison
  std::vector<Result> natively;   // kRuns for each block
  std::vector<size_t> different;  // the blocks that did not leave the same behind
};

// Compares the blocks. In the native run, instructions that need one of `absent_features` (decode/features.h)
// raise an invalid-opcode fault, and the engine is started without these features. A fault at an address
// where an engine may have memory is not compared.
Comparison compare(const BlockFile& file, const Words& options, uint32_t absent_features = 0);

// Returns the block's bytes, and each part of the state that differs between the runs.
std::string explain(const BlockFile& file, size_t block, const Words& options, uint32_t absent_features = 0);

// Returns the first few lines that differ between two outputs of the runner.
std::string differences(const std::string& natively, const std::string& copied);

// Returns the command that runs `command` under the copying engine.
Words under_engine(const Words& options, const Words& command);

// Returns the runner's path.
const std::string& block_runner();

std::string hexadecimal(const std::vector<uint8_t>& code);

}  // namespace hm::direct_test
