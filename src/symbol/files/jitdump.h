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
#include "symbol/files/machine.h"
#include "symbol/files/names.h"
#include "symbol/files/symbol_table.h"

namespace hm::symbol {

// The code that a just-in-time compiler dumped: names, bytes and lines
// (tools/perf/Documentation/jitdump-specification.txt in the Linux source). The last code at an address keeps
// that address. Code that was replaced gets addresses from kReplaced on, which no process uses. A truncated
// file is read up to its last complete record.
class JitDump {
 public:
  static constexpr uint64_t kReplaced = uint64_t{1} << 62;

  // Returns true for the name pattern of dumps: "jit-PID.dump".
  [[nodiscard]] static bool is_name_of_one(std::string_view path);

  // Fails with kPermission for a file that belongs to neither this user nor root, and with kDamaged if it is
  // not a dump.
  static Result<JitDump> open(const std::string& path);
  // `bytes` must outlive this object.
  static Result<JitDump> over(Bytes bytes);

  [[nodiscard]] const Machine& machine() const { return machine_; }
  [[nodiscard]] SymbolTable symbols() const;
  // Returns which code was at which address at what time; no loads if all code stayed at its address.
  [[nodiscard]] CodeLoads loads() const;
  // Returns an empty span if there is no code at the address.
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
    std::vector<Line> lines;   // sorted by address
    uint64_t file_offset = 0;  // offset of its bytes, which identifies the code
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
  Machine machine_;
  bool is_monotonic_ = false;
  bool is_changed_ = false;                          // true if code was moved or replaced
  std::map<uint64_t, std::vector<Line>> announced_;  // lines of code that is loaded later
};

}  // namespace hm::symbol
