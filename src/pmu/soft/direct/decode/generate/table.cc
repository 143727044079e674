// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/decode/generate/table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <span>
#include <stdexcept>

namespace hm::soft::direct {
namespace {

std::string text_of(const AccessRow& row) {
  return fmt::format("{{{},{},{},AccessKind{{{}}},{},{},{},{:d},{:d},{:d},{:d},{:d},{:d},{:d},{:d}}}",
                     row.bytes, row.below, row.count, static_cast<unsigned>(row.kind), row.base,
                     row.index_bytes, row.element_bytes, row.loads, row.stores, row.locked, row.masked,
                     row.broadcast, row.by_modrm, row.segmented, row.on_stack);
}

std::string text_of(const FieldRow& row) {
  return fmt::format("{{{:d},{:d},{:d},{:d}}}", row.general, row.read, row.written, row.byte);
}

std::string text_of(const Row& row) {
  std::string fields;
  for (const FieldRow& field : row.fields) fields += text_of(field) + ",";
  std::string text = fmt::format(
      "{{{{{},{}}},{},{},{},{},{{{}}},{},Flow{{{}}},StringOperation{{{}}},Repeat{{{}}},",
      text_of(row.accesses[0]), text_of(row.accesses[1]), row.fixed_read, row.fixed_written, row.flags_read,
      row.flags_written, fields, row.access_count, static_cast<unsigned>(row.flow),
      static_cast<unsigned>(row.string_operation), static_cast<unsigned>(row.repeat));
  text += fmt::format("{},{},{},{},{},{},{},", row.immediate_bytes, row.displacement_shift, row.count_mask,
                      row.vvvv_end, static_cast<unsigned>(row.reg_extensions),
                      static_cast<unsigned>(row.rm_extensions), static_cast<unsigned>(row.mask_forms));
  return text + fmt::format("{:d},{:d},{:d},{:d},{:d},{:d},{:d},{:d},{:d},{:d},{},{},{},{:d},{},{},{:d}}}",
                            row.sign_extends, row.relative, row.vector_state, row.always_register,
                            row.takes_lock, row.takes_rip, row.needs_sib, row.vector_index, row.rare_fields,
                            row.byte_fields, row.operation, static_cast<unsigned>(row.vectors_read),
                            static_cast<unsigned>(row.vectors_written), row.cancels, row.differences,
                            static_cast<unsigned>(row.simd), row.only_moves);
}

bool all_same(std::span<const uint16_t> words) {
  return std::ranges::all_of(words, [&](uint16_t word) { return word == words[0]; });
}

// Returns every `step`-th word if the words between repeat it; otherwise nothing.
std::vector<uint16_t> every(std::span<const uint16_t> words, size_t step) {
  std::vector<uint16_t> kept;
  for (size_t i = 0; i < words.size(); i += step) {
    if (!all_same(words.subspan(i, step))) return {};
    kept.push_back(words[i]);
  }
  return kept;
}

// Returns the shortest list that distinguishes the rows.
std::vector<uint16_t> list_of(const Choices& choices) {
  Choice choice{};
  choice.has_modrm = choices.has_modrm;
  std::vector<uint16_t> rows(choices.memory.begin(), choices.memory.end());
  if (all_same(rows)) rows.resize(1);
  choice.memory_mask = rows.size() == 1 ? 0 : 7;
  std::span<const uint16_t> registers = choices.registers;
  std::vector<uint16_t> by_reg = every(registers, 8);
  bool one = all_same(registers);
  bool mod_counts = !one || rows.size() != 1 || rows[0] != registers[0];
  choice.register_start = mod_counts ? rows.size() & 0xf : 0;
  choice.register_mask = one ? 0 : by_reg.empty() ? 0x3f : 0x38;
  choice.shift = !one && !by_reg.empty() ? 3 : 0;
  if (one && mod_counts) rows.push_back(registers[0]);
  if (!one && by_reg.empty()) rows.insert(rows.end(), registers.begin(), registers.end());
  if (!one) rows.insert(rows.end(), by_reg.begin(), by_reg.end());
  rows.insert(rows.begin(), std::bit_cast<uint16_t>(choice));
  return rows;
}

uint16_t number(size_t value) {
  if (value > 0xffff)
    throw std::length_error("the decoder's table has outgrown its 16-bit numbers: widen row.h's");
  return static_cast<uint16_t>(value);
}

template <class Words>
std::string array_text(std::string_view name, const Words& words) {
  return fmt::format("const uint16_t {}[] = {{{}}};\n", name, fmt::join(words, ","));
}

}  // namespace

Table::Table() : slots_(kSlots) {
  rows_.push_back(text_of(Row{}));
  row_numbers_[rows_[0]] = 0;
  uint16_t nothing = add_list(Choices{});
  for (auto& variants : slots_) variants.fill(nothing);
}

uint16_t Table::add_row(const std::optional<Row>& row) {
  if (!row) return 0;
  std::string text = text_of(*row);
  auto [found, is_new] = row_numbers_.try_emplace(text, number(rows_.size()));
  if (is_new) rows_.push_back(text);
  return found->second;
}

uint16_t Table::add_list(const Choices& choices) {
  std::vector<uint16_t> list = list_of(choices);
  auto [found, is_new] = list_offsets_.try_emplace(list, number(entries_.size()));
  if (is_new) entries_.insert(entries_.end(), list.begin(), list.end());
  return found->second;
}

void Table::set(unsigned slot, unsigned variant, const Choices& choices) {
  slots_[slot][variant] = add_list(choices);
}

std::string Table::source() {
  std::map<std::array<uint16_t, kVariants>, uint16_t> numbers;
  std::vector<uint16_t> directory;
  std::vector<uint16_t> blocks;
  for (const auto& variants : slots_) {
    auto [found, is_new] = numbers.try_emplace(variants, number(numbers.size()));
    if (is_new) blocks.insert(blocks.end(), variants.begin(), variants.end());
    directory.push_back(found->second);
  }
  return "// Written by decode_tables; see row.h.\n#include \"pmu/soft/direct/decode/row.h\"\n\n"
         "namespace hm::soft::direct {\n" +
         array_text("kDirectory", directory) + array_text("kBlocks", blocks) +
         array_text("kEntries", entries_) +
         fmt::format("const Row kRows[] = {{\n{}}};\n", fmt::join(rows_, ",\n")) + "}\n";
}

}  // namespace hm::soft::direct
