// SPDX-License-Identifier: MIT
// The BPF Type Format, in which a kernel describes its own structures (/sys/kernel/btf/vmlinux):
// Documentation/bpf/btf.rst in the Linux source.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/bytes.h"

namespace hm {

// Only sizes and members are read. The bytes have to outlive the object, and may be damaged.
class Btf {
 public:
  // Returns nullopt if the bytes are not BTF in this machine's byte order.
  static std::optional<Btf> parse(Bytes bytes);

  // Returns the offset in bytes of a member of the structure or union; also of one inside a nameless member.
  // Returns nullopt if there is none, or if it is a bit field.
  [[nodiscard]] std::optional<uint32_t> offset_of(std::string_view structure, std::string_view member) const;
  // Returns the size of the structure or union in bytes.
  [[nodiscard]] std::optional<uint32_t> size_of(std::string_view structure) const;

 private:
  struct Type {
    uint32_t name, info, size_or_type;
    Bytes members;  // of structures and unions

    [[nodiscard]] uint32_t kind() const { return info >> 24 & 0x1f; }
    [[nodiscard]] bool is_composite() const { return kind() == kStruct || kind() == kUnion; }
  };
  enum Kind : uint32_t { kStruct = 4, kUnion = 5, kTypedef = 8 };
  static constexpr unsigned kMaxDepth = 8;          // of nameless members in nameless members
  static constexpr unsigned kMaxMembers = 1 << 16;  // that one search looks at

  [[nodiscard]] std::string_view name_at(uint32_t offset) const;
  // Returns the structure or union with this name, or with a typedef of this name.
  [[nodiscard]] const Type* composite(std::string_view name) const;
  // Returns the type with this number, without its qualifiers and typedefs; null if it is damaged.
  [[nodiscard]] const Type* plain_type(uint32_t number) const;
  // `left`: how many members may still be looked at. Damaged types may contain each other many times.
  std::optional<uint32_t> offset_in(const Type& type, std::string_view member, unsigned depth,
                                    unsigned& left) const;

  std::vector<Type> types_;  // type n is at n - 1; type 0 is void
  Bytes strings_;
};

}  // namespace hm
