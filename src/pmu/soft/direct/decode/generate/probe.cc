// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/decode/generate/probe.h"

namespace hm::soft::direct {
namespace {

constexpr uint8_t kLongest = 15;

class Writer {
 public:
  void put(unsigned byte) { bytes_[used_++] = static_cast<uint8_t>(byte); }
  [[nodiscard]] ProbeBytes take() const { return bytes_; }

 private:
  ProbeBytes bytes_{};
  size_t used_ = 0;
};

void put_legacy(const Probe& probe, Writer& out) {
  unsigned repeat = probe.variant >> 2;
  if ((probe.variant & 2) != 0) out.put(0x66);
  if (repeat != 0) out.put(repeat == 1 ? 0xf3 : 0xf2);
  unsigned rex = (probe.variant & 1u) << 3 | probe.r << 2 | probe.x << 1 | probe.b;
  if (rex != 0) out.put(0x40 | rex);
  if (probe.map >= 1) out.put(0x0f);
  if (probe.map >= 2) out.put(probe.map == 2 ? 0x38 : 0x3a);
}

void put_vex(const Probe& probe, Writer& out) {
  unsigned w = probe.variant >> 1 & 1u;
  unsigned length = probe.variant & 1u;
  out.put(0xc4);
  out.put((probe.r ^ 1u) << 7 | (probe.x ^ 1u) << 6 | (probe.b ^ 1u) << 5 | probe.map);
  out.put(w << 7 | (~probe.vvvv & 15u) << 3 | length << 2 | probe.variant >> 2);
}

void put_evex(const Probe& probe, Writer& out) {
  unsigned w = probe.variant >> 3;
  unsigned length = probe.variant >> 1 & 3u;
  unsigned broadcast = probe.variant & 1u;
  out.put(0x62);
  out.put((probe.r ^ 1u) << 7 | (probe.x ^ 1u) << 6 | (probe.b ^ 1u) << 5 | (probe.r2 ^ 1u) << 4 | probe.map);
  out.put(w << 7 | (~probe.vvvv & 15u) << 3 | 4u | probe.pp);
  out.put((probe.mask_form >> 1u) << 7 | length << 5 | broadcast << 4 | (~probe.vvvv >> 4 & 1u) << 3 |
          (probe.mask_form & 1u));
}

}  // namespace

ProbeBytes bytes_of(const Probe& probe) {
  Writer out;
  if (probe.lock) out.put(0xf0);
  if (probe.segment) out.put(0x64);
  if (probe.encoding == Encoding::kLegacy) put_legacy(probe, out);
  if (probe.encoding == Encoding::kVex) put_vex(probe, out);
  if (probe.encoding == Encoding::kEvex) put_evex(probe, out);
  out.put(probe.opcode);
  out.put(probe.modrm);
  if (probe.has_sib) out.put(probe.sib);
  out.put(probe.tail);
  return out.take();
}

Probe with_sib(Probe probe) {
  unsigned reg = probe.modrm >> 3 & 7;
  unsigned index = reg == 5 ? 7 : 5;  // make_row() gives this number to no vvvv
  probe.modrm = static_cast<uint8_t>((probe.modrm & 0xf8) | 4);
  probe.has_sib = true;
  probe.sib = static_cast<uint8_t>(index << 3 | 1);
  return probe;
}

std::optional<ZydisDecodedInstruction> Prober::plain(const Probe& probe) const {
  ProbeBytes bytes = bytes_of(probe);
  ZydisDecodedInstruction instruction;
  if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder_, nullptr, bytes.data(), kLongest, &instruction)))
    return std::nullopt;
  return instruction;
}

bool Prober::is_opcode(const Probe& probe) const {
  ProbeBytes bytes = bytes_of(probe);
  ZydisDecodedInstruction instruction;
  return ZydisDecoderDecodeInstruction(&decoder_, nullptr, bytes.data(), kLongest, &instruction) !=
         ZYDIS_STATUS_DECODING_ERROR;
}

bool Prober::is_valid(const Probe& probe) const {
  auto instruction = plain(probe);
  return instruction && is_supported(*instruction);
}

std::optional<Described> Prober::ask(const Probe& probe) const {
  ProbeBytes bytes = bytes_of(probe);
  return describe(decoder_, {bytes.data(), kLongest}, 0);
}

}  // namespace hm::soft::direct
