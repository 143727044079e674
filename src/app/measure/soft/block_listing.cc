// SPDX-License-Identifier: MIT
#include "app/measure/soft/block_listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "app/measure/soft/code_place.h"
#include "app/measure/soft/core_field.h"
#include "symbol/code/disassembly.h"
#include "view/text/table.h"

namespace hm::measure {
namespace {

using Cells = std::vector<std::string>;

std::string end_text(const soft::BlockRecord& block) {
  switch (static_cast<soft::BlockEnd>(block.end)) {
    case soft::BlockEnd::kCall:
      return "ends with a call";
    case soft::BlockEnd::kIndirectCall:
      return "ends with an indirect call";
    case soft::BlockEnd::kIndirectJump:
      return "ends with an indirect jump";
    case soft::BlockEnd::kReturn:
      return "ends with a return";
    case soft::BlockEnd::kSystemCall:
      return "ends with a system call";
    case soft::BlockEnd::kTrap:
      return "ends with an instruction that traps";
    case soft::BlockEnd::kUndecodable:
      return fmt::format("ends before what cannot be copied, at {:#x}", block.next);
    case soft::BlockEnd::kOwnStep:
      return fmt::format("ends where it comes to itself, at {:#x}", block.next);
    case soft::BlockEnd::kOtherBlock:
      return fmt::format("ends where another begins, at {:#x}", block.next);
    case soft::BlockEnd::kFull:
      return fmt::format("is full; {:#x} follows", block.next);
  }
  return "ends for an unknown reason";
}

// Returns the instruction and remarks on its copy.
std::vector<Cells> source_cells(const soft::TracedStep& step, const std::string& instruction) {
  std::vector<Cells> cells{{fmt::format("{:#x}", step.what.source), instruction}};
  const auto remark = [&](const std::string& text) { cells.push_back({"", text}); };
  if (step.what.flags_live != 0) remark("# status flags are live");
  std::string_view stand_in = register_name(step.what.stand_in), base = register_name(step.what.base);
  if (!stand_in.empty()) remark(fmt::format("# {} stands in", stand_in));
  if (!base.empty()) remark(fmt::format("# {} is the far operand's base", base));
  return cells;
}

// Returns "hot+0x10" for an address in the block's own copy.
std::string own_label(const soft::BlockRecord& block, uint64_t address) {
  if (address - block.hot < block.hot_bytes) return fmt::format("hot+{:#x}", address - block.hot);
  if (address - block.cold < block.cold_bytes) return fmt::format("cold+{:#x}", address - block.cold);
  return {};
}

std::string copied_text(const soft::BlockRecord& block, const symbol::Instruction& instruction) {
  std::string text = instruction.text;
  std::string label = instruction.target ? own_label(block, *instruction.target) : std::string();
  return label.empty() ? text : text.substr(0, text.rfind(' ') + 1) + label;
}

// Returns the core's field that the instruction addresses directly: "%gs:0xf0", or "%gs:*0xf0" for an
// indirect jump or call. Returns nothing for register-relative addresses: "%gs:0x8(%r11)".
std::string_view field_of(const std::string& text) {
  constexpr std::string_view kGs = "%gs:", kNumber = "0x";
  size_t gs = text.find(kGs);
  size_t number = gs == std::string::npos ? gs : text.find(kNumber, gs);
  if (number == std::string::npos || number > gs + kGs.size() + 1) return {};
  uint64_t offset = 0;
  auto [end, error] =
      std::from_chars(text.data() + number + kNumber.size(), text.data() + text.size(), offset, 16);
  bool by_register = std::string_view(text).substr(static_cast<size_t>(end - text.data())).starts_with("(%");
  return by_register ? std::string_view() : core_field(offset);
}

void add_code(const soft::BlockRecord& block, Bytes code, uint64_t address, uint16_t whole_bytes,
              std::vector<Cells>& cells) {
  for (const symbol::Instruction& each : symbol::disassemble(code, address))
    cells.push_back(
        {own_label(block, each.address), copied_text(block, each), std::string(field_of(each.text))});
  if (code.size() < whole_bytes)
    cells.push_back({"", fmt::format("({} bytes more)", whole_bytes - code.size()), ""});
}

std::vector<Cells> copy_cells(const soft::BlockRecord& block, const soft::TracedStep& step) {
  std::vector<Cells> cells;
  add_code(block, step.hot, block.hot + step.what.hot, step.what.hot_bytes, cells);
  add_code(block, step.cold, block.cold + step.what.cold, step.what.cold_bytes, cells);
  return cells;
}

void add_side_by_side(std::vector<Cells> left, std::vector<Cells> right, text::Table& table) {
  size_t rows = std::max(left.size(), right.size());
  left.resize(rows, Cells(2));
  right.resize(rows, Cells(3));
  for (size_t i = 0; i < rows; ++i) {
    Cells row = std::move(left[i]);
    row.insert(row.end(), right[i].begin(), right[i].end());
    table.add(std::move(row));
  }
}

}  // namespace

std::string BlockListing::function_at(uint32_t pid, uint64_t address) {
  return function_name(places_.find(pid, address), resolver_);
}

bool BlockListing::wanted(const soft::TracedBlock& block) {
  if (function_.empty()) return true;
  return std::ranges::any_of(block.steps, [&](const soft::TracedStep& step) {
    return function_at(block.what.pid, step.what.source) == function_;
  });
}

std::string BlockListing::heading(const soft::TracedBlock& block) {
  const soft::BlockRecord& what = block.what;
  std::string place = place_text(places_.find(what.pid, what.source), resolver_);
  std::string name =
      fmt::format("block {:#x}{}{}, process {}", what.source, place.empty() ? "" : " ", place, what.pid);
  if (what.first_step != 0) return fmt::format("{}, from step {} on\n", name, what.first_step + 1);
  return fmt::format(
      "{}: {} bytes in {} steps; {}\ncopied into {} bytes, hot at {:#x}, and {}, cold at {:#x}\n", name,
      what.source_bytes, what.steps, end_text(what), what.hot_bytes, what.hot, what.cold_bytes, what.cold);
}

std::string BlockListing::text(const soft::TracedBlock& block) {
  if (!wanted(block)) return {};
  text::Table table({{"source", text::Align::kLeft},
                     {"instruction", text::Align::kLeft},
                     {"copy", text::Align::kLeft},
                     {"instruction", text::Align::kLeft},
                     {"of the core", text::Align::kLeft}});
  for (const soft::TracedStep& step : block.steps) {
    if (step.source.empty() && step.hot.empty() && step.cold.empty()) continue;
    std::string instruction = "(elsewhere)";
    if (!step.source.empty()) {
      symbol::Instruction decoded = symbol::disassemble(step.source, step.what.source).front();
      std::string name = decoded.target ? function_at(block.what.pid, *decoded.target) : std::string();
      instruction = name.empty() ? decoded.text : fmt::format("{} <{}>", decoded.text, name);
    }
    add_side_by_side(source_cells(step, instruction), copy_cells(block.what, step), table);
  }
  return heading(block) + table.render({}) + '\n';
}

}  // namespace hm::measure
