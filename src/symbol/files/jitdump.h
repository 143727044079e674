// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/mapped_file.h"
#include "base/result.h"
#include "symbol/files/frame.h"
#include "symbol/files/names.h"
#include "symbol/files/symbol_table.h"

namespace hm::symbol {

// What a just-in-time compiler wrote of its code: names, bytes and lines
// (tools/perf/Documentation/jitdump-specification.txt in the Linux source). The last code at an address has
// that address; code that other code took the place of has addresses from kReplaced on, which no process has.
// A file that is cut off is read as far as it is whole.
class JitDump {
 public:
  static constexpr uint64_t kReplaced = uint64_t{1} << 62;

  // As a compiler calls its file: "jit-PID.dump".
  [[nodiscard]] static bool is_name_of_one(std::string_view path);

  // A file that belongs to neither this user nor root is refused (kPermission); kDamaged for what is none.
  static Result<JitDump> open(const std::string& path);
  // `bytes` must live as long.
  static Result<JitDump> over(Bytes bytes);

  [[nodiscard]] SymbolTable symbols() const;
  // What lay where when; no loads if all code stayed where it was loaded.
  [[nodiscard]] CodeLoads loads() const;
  // Empty where there is no code.
  [[nodiscard]] Bytes code_at(uint64_t address, uint64_t size) const;
  [[nodiscard]] SourceLine line_at(uint64_t address) const;

 private:
  struct Line {
    uint64_t address = 0;
    uint32_t line = 0;
    std::string_view file;
  };
  struct Code {
    std::string_view name;
    Bytes bytes;
    std::vector<Line> lines;   // by address
    uint64_t file_offset = 0;  // of its bytes, which tells it from all other code
  };
  struct Load {
    uint64_t time_ns;
    uint64_t start;
    uint64_t size;
    uint64_t file_offset;  // of its Code
  };
  using ByStart = std::map<uint64_t, Code>;

  void read_records(ByteReader& in);
  void read_load(ByteReader& in, uint64_t time_ns, Bytes whole);
  void read_move(ByteReader& in, uint64_t time_ns);
  void read_lines(ByteReader& in);
  void place(uint64_t start, Code code, uint64_t time_ns);
  void set_aside(ByStart::node_type replaced);
  static void shift(Code& code, uint64_t by);
  [[nodiscard]] ByStart::const_iterator find(uint64_t address) const;

  std::optional<MappedFile> file_;
  ByStart codes_;
  std::vector<Load> loads_;
  bool is_monotonic_ = false;
  bool is_changed_ = false;                          // some code moved or was replaced
  std::map<uint64_t, std::vector<Line>> announced_;  // of code that is loaded later
};

}  // namespace hm::symbol
