// SPDX-License-Identifier: MIT
#include "base/btf.h"

#include <algorithm>

namespace hm {
namespace {

constexpr uint16_t kMagic = 0xeb9f;
constexpr uint32_t kHeaderBytes = 24, kTypeBytes = 12, kMemberBytes = 12;

enum OtherKind : uint32_t {
  kInt = 1,
  kArray = 3,
  kEnum = 6,
  kVolatile = 9,
  kConst = 10,
  kRestrict = 11,
  kFuncProto = 13,
  kVar = 14,
  kDataSection = 15,
  kDeclTag = 17,
  kTypeTag = 18,
  kEnum64 = 19,
};

// Returns how many bytes follow a type with this `info`: one element of a fixed size, or one for each of its
// `count` members.
size_t bytes_after(uint32_t kind, uint32_t count) {
  switch (kind) {
    case kInt:
    case kVar:
    case kDeclTag:
      return 4;
    case kArray:
      return 12;
    case kEnum:
    case kFuncProto:
      return size_t{8} * count;
    case 4:  // structures and unions
    case 5:
    case kDataSection:
    case kEnum64:
      return size_t{12} * count;
    default:
      return 0;
  }
}

bool is_qualifier(uint32_t kind) {
  constexpr uint32_t kFirst = 8;  // typedefs
  return (kind >= kFirst && kind <= kRestrict) || kind == kTypeTag;
}

}  // namespace

std::optional<Btf> Btf::parse(Bytes bytes) {
  ByteReader header(bytes);
  bool is_btf = header.u16() == kMagic;
  header.skip(2);  // version and flags
  uint32_t header_bytes = header.u32();
  uint32_t type_offset = header.u32(), type_bytes = header.u32();
  uint32_t string_offset = header.u32(), string_bytes = header.u32();
  if (!is_btf || !header.ok() || header_bytes < kHeaderBytes) return std::nullopt;
  ByteReader types(bytes), strings(bytes);
  types.skip(size_t{header_bytes} + type_offset);
  strings.skip(size_t{header_bytes} + string_offset);
  ByteReader each(types.take(type_bytes));
  Btf btf;
  btf.strings_ = strings.take(string_bytes);
  if (!types.ok() || !strings.ok()) return std::nullopt;
  while (each.remaining() >= kTypeBytes) {
    Type type{each.u32(), each.u32(), each.u32(), {}};
    type.members = each.take(bytes_after(type.kind(), type.info & 0xffff));
    if (!each.ok()) break;
    btf.types_.push_back(type);
  }
  return btf;
}

std::string_view Btf::name_at(uint32_t offset) const {
  if (offset >= strings_.size()) return {};
  return ByteReader(strings_.subspan(offset)).text(strings_.size() - offset);
}

const Btf::Type* Btf::composite(std::string_view name) const {
  auto found = std::ranges::find_if(types_, [&](const Type& type) {
    return (type.is_composite() || type.kind() == kTypedef) && name_at(type.name) == name;
  });
  if (found == types_.end()) return nullptr;
  return found->is_composite() ? &*found : plain_type(found->size_or_type);
}

const Btf::Type* Btf::plain_type(uint32_t number) const {
  for (unsigned steps = 0; steps < kMaxDepth && number != 0 && number <= types_.size(); ++steps) {
    const Type& type = types_[number - 1];
    if (!is_qualifier(type.kind())) return &type;
    number = type.size_or_type;
  }
  return nullptr;
}

std::optional<uint32_t> Btf::offset_in(const Type& type, std::string_view member, unsigned depth,
                                       unsigned& left) const {
  if (!type.is_composite() || depth > kMaxDepth) return std::nullopt;
  bool has_bit_fields = type.info >> 31 != 0;
  for (ByteReader members(type.members); members.remaining() >= kMemberBytes && left > 0;) {
    --left;
    std::string_view name = name_at(members.u32());
    uint32_t of_type = members.u32(), where = members.u32();
    uint32_t bits = has_bit_fields ? where & 0xff'ffff : where;
    bool is_bit_field = has_bit_fields && where >> 24 != 0;
    if (is_bit_field || bits % 8 != 0) continue;
    if (name == member) return bits / 8;
    const Type* nameless = name.empty() ? plain_type(of_type) : nullptr;
    if (nameless == nullptr) continue;
    if (std::optional<uint32_t> inside = offset_in(*nameless, member, depth + 1, left))
      return bits / 8 + *inside;
  }
  return std::nullopt;
}

std::optional<uint32_t> Btf::offset_of(std::string_view structure, std::string_view member) const {
  const Type* type = composite(structure);
  unsigned left = kMaxMembers;
  return type == nullptr ? std::nullopt : offset_in(*type, member, 0, left);
}

std::optional<uint32_t> Btf::size_of(std::string_view structure) const {
  const Type* type = composite(structure);
  return type == nullptr ? std::nullopt : std::optional(type->size_or_type);
}

}  // namespace hm
