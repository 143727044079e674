// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "symbol/files/frame.h"
#include "symbol/files/go_tables.h"

namespace hm::symbol {

class ElfModule;

// Lines and inlined functions of a Go program without debug information (go build -ldflags="-s -w"), from the
// tables that the program itself uses for its stack traces.
class GoLines {
 public:
  // Returns no lines for a program that Go did not build.
  explicit GoLines(const ElfModule& module);
  // `trees` are the bytes from the symbol go:func.* on, which lie outside of .gopclntab: the trees of inlined
  // functions. Without bytes, no function is inlined. The bytes of both must outlive this object.
  GoLines(const GoTables& tables, Bytes trees) : tables_(tables), trees_(trees) {}

  // Returns the frames at an address, innermost first; empty if no function covers it.
  [[nodiscard]] std::vector<Frame> at(uint64_t address) const;

 private:
  struct Function {
    uint64_t start = 0;
    uint64_t end = 0;
    std::string_view name;
    uint32_t files = 0, lines = 0, inlined = 0;  // offsets of tables of values; 0: none
    uint32_t unit = 0;
    std::optional<uint32_t> tree;  // offset in trees_
  };
  struct Call {
    std::string_view name;
    uint64_t caller = 0;  // address of the call
  };

  [[nodiscard]] uint64_t start_of(uint64_t index) const;
  [[nodiscard]] std::optional<uint64_t> index_of(uint64_t address) const;
  [[nodiscard]] std::optional<Function> function_at(uint64_t address) const;
  void read_tables(ByteReader& in, Function& function) const;
  [[nodiscard]] std::string_view name_at(uint32_t offset) const;
  [[nodiscard]] std::optional<int32_t> value_at(const Function& function, uint32_t table,
                                                uint64_t address) const;
  [[nodiscard]] Frame frame_at(const Function& function, uint64_t address) const;
  [[nodiscard]] std::optional<Call> inlined_at(const Function& function, uint64_t address) const;

  GoTables tables_;
  Bytes trees_;  // of inlined functions
};

// Returns the bytes of go:func.*, found through the runtime's description of the module in the data at
// `data_address`: it begins with the address of .gopclntab. `bytes_at` returns the program's bytes from an
// address on. Empty if there is no such description, as in position-independent programs, which set it when
// they start.
template <typename BytesAt>
[[nodiscard]] Bytes find_go_inline_trees(Bytes data, uint64_t table_address, GoTables::Version version,
                                         BytesAt&& bytes_at) {
  // Number of the word that holds the address of go:func.* (runtime.moduledata).
  const size_t word = version == GoTables::Version::k1_18 ? 38 : 40;
  constexpr size_t kWord = sizeof(uint64_t);
  for (size_t at = 0; at + (word + 1) * kWord <= data.size(); at += kWord) {
    ByteReader first(data.subspan(at));
    if (first.u64() != table_address) continue;
    ByteReader in(data.subspan(at + word * kWord));
    Bytes trees = bytes_at(in.u64());
    if (!trees.empty()) return trees;
  }
  return {};
}

}  // namespace hm::symbol
