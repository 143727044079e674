// SPDX-License-Identifier: MIT
#include "record/newest_description.h"

namespace hm::record {
namespace {

constexpr uint64_t kSlotsMagic = 0x54534557454e4d48;    // "HMNEWEST" in file order
constexpr size_t kTrailerBytes = 2 * sizeof(uint64_t);  // size of a slot, magic
constexpr size_t kHeadBytes = 3 * sizeof(uint64_t);  // number of the text (0: none), its size, its checksum
constexpr size_t kPage = 4096;
// The descriptions become longer than the first one by the counts, and by when the bursts or episodes began.
constexpr size_t kGrowth = 6 * kPage;

struct Slot {
  uint64_t number = 0;
  Bytes text;
};

// FNV-1a, 64 bits: G. Fowler, L. C. Noll and K.-P. Vo. A crash of the machine may leave a head without its
// text.
uint64_t checksum(Bytes text) {
  uint64_t sum = 0xcbf29ce484222325;
  for (std::byte each : text) sum = (sum ^ std::to_integer<uint64_t>(each)) * 0x100000001b3;
  return sum;
}

// Returns a slot without a text if its head does not fit the text.
Slot decode_slot(Bytes bytes, bool swap) {
  ByteReader in(bytes, swap);
  uint64_t number = in.u64(), size = in.u64(), sum = in.u64();
  Bytes text = in.take(size);
  return in.ok() && checksum(text) == sum ? Slot{number, text} : Slot{};
}

}  // namespace

NewestDescription::NewestDescription(std::string_view first)
    : slot_bytes_((kHeadBytes + first.size() + kGrowth + kPage - 1) / kPage * kPage) {}

std::vector<std::byte> NewestDescription::empty() const {
  ByteWriter out;
  out.append(std::vector<std::byte>(2 * slot_bytes_));
  out.u64(slot_bytes_);
  out.u64(kSlotsMagic);
  return std::move(out).take();
}

std::optional<std::array<NewestDescription::Piece, 2>> NewestDescription::update(std::string_view text) {
  if (text.size() > slot_bytes_ - kHeadBytes) return std::nullopt;
  ++number_;
  uint64_t offset = number_ % 2 * slot_bytes_;
  Bytes bytes = std::as_bytes(std::span(text));
  ByteWriter head;
  head.u64(number_);
  head.u64(text.size());
  head.u64(checksum(bytes));
  return std::array{Piece{offset + kHeadBytes, {bytes.begin(), bytes.end()}},
                    Piece{offset, std::move(head).take()}};
}

std::optional<std::string_view> decode_newest_description(Bytes before_data, bool swap) {
  if (before_data.size() < kTrailerBytes) return std::nullopt;
  Bytes slots = before_data.first(before_data.size() - kTrailerBytes);
  ByteReader trailer(before_data.subspan(slots.size()), swap);
  uint64_t slot_bytes = trailer.u64();
  if (trailer.u64() != kSlotsMagic || slot_bytes > slots.size() / 2) return std::nullopt;
  Bytes second = slots.last(slot_bytes), first = slots.last(2 * slot_bytes).first(slot_bytes);
  Slot newest = decode_slot(first, swap);
  if (Slot other = decode_slot(second, swap); other.number > newest.number) newest = other;
  if (newest.number == 0) return std::nullopt;
  return std::string_view(reinterpret_cast<const char*>(newest.text.data()), newest.text.size());
}

}  // namespace hm::record
