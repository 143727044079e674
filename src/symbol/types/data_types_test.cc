// SPDX-License-Identifier: MIT
#include "symbol/types/data_types.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <memory>

#include "symbol/files/dso.h"
#include "symbol/files/elf_symbols.h"
#include "symbol/files/test_subjects.h"
#include "symbol/testdata/data.h"

namespace hm::symbol {
namespace {

using ::testing::ElementsAre;

// An object with the data types from its debug information.
class TypedDso : public Dso {
 public:
  explicit TypedDso(const std::string& path) : Dso(path, "") {}
  DataTypes* types() {
    if (types_ == nullptr && elf() != nullptr) types_ = std::make_unique<DataTypes>(*elf(), symbols());
    return types_.get();
  }

 private:
  std::unique_ptr<DataTypes> types_;
};

// Returns the address of a variable in the object.
uint64_t address_of(TypedDso& dso, const std::string& name) {
  SymbolTable symbols = read_elf_data_symbols(*dso.elf());
  for (size_t i = 0; i < symbols.size(); ++i) {
    std::optional<DataObject> object = dso.data_at(symbols.at(i).start);
    if (object && object->name == name) return object->start;
  }
  ADD_FAILURE() << "no variable " << name;
  return 0;
}

// Returns "[].lines[].price double 8" for a byte of a variable.
std::string field_of(TypedDso& dso, const std::string& variable, uint64_t byte, bool indices = false) {
  std::optional<DataTypes::TypedLocation> place = dso.types()->of_variable(address_of(dso, variable) + byte);
  if (!place) return "unknown";
  TypeField field = place->type.field_at(place->offset, indices);
  return field.indices + field.path + " " + field.type + " " + std::to_string(field.size);
}

// Returns "struct data_order.next" for the only access in a function, or the last one.
std::string access_of(TypedDso& dso, const std::string& function) {
  std::string last = "unknown";
  for (size_t i = 0; i < dso.symbols().size(); ++i) {
    Symbol symbol = dso.symbols().at(i);
    if (dso.frames_of_address(symbol.start).back().function.substr(0, function.size()) != function) continue;
    for (uint64_t byte = 0; byte < symbol.size; ++byte) {
      std::optional<DataTypes::TypedLocation> place = dso.types()->of_access(symbol.start + byte);
      if (!place) continue;
      TypeField field = place->type.field_at(place->offset);
      last = (place->variable.empty() ? place->type.element().name() : place->variable + field.indices) +
             field.path;
    }
  }
  return last;
}

constexpr uint64_t kOrder = sizeof(data_order);

TEST(DataTypes, FieldsOfAVariable) {
  for (std::string name : {"data", "data4", "data_types", "data_slow", "data.split"}) {
    SCOPED_TRACE(name);
    TypedDso dso(subject(name));
    ASSERT_NE(dso.types(), nullptr);
    uint64_t price = 7 * kOrder + offsetof(data_order, lines) + 2 * sizeof(data_line);
    price += offsetof(data_line, price);
    EXPECT_EQ(field_of(dso, "orders", price), "[].lines[].price double 8");
    EXPECT_EQ(field_of(dso, "orders", price, true), "[7].lines[2].price double 8");
    EXPECT_EQ(field_of(dso, "orders", offsetof(data_order, next)), "[].next struct data_order* 8");
    EXPECT_EQ(field_of(dso, "orders", 4), "[].[padding]  0");
    EXPECT_EQ(field_of(dso, "orders", offsetof(data_order, grid) + 8, true), "[0].grid[1][1] short int 2");
    EXPECT_EQ(field_of(dso, "matrix", 8 * 7, true), "[1][2] long int 8");
    EXPECT_EQ(field_of(dso, "pairs", sizeof(data_pair) + 8), "[].value long int 8");
    EXPECT_EQ(field_of(dso, "bytes", 63, true), "[63] char 1");
    EXPECT_EQ(field_of(dso, "constant", 0), " int 4");
  }
}

TEST(DataTypes, BitFieldsAndUnionsAreAllThatMayBeThere) {
  TypedDso dso(subject("data"));
  uint64_t bits = offsetof(data_order, lines) + 3 * sizeof(data_line);
  EXPECT_EQ(field_of(dso, "orders", bits), "[].low|high unsigned int 1");
  EXPECT_EQ(field_of(dso, "orders", bits + 1), "[].wide unsigned int 3");
  EXPECT_EQ(field_of(dso, "orders", offsetof(data_order, number)), "[].number|ratio int 4");
}

TEST(DataTypes, LayoutIsTheCompilers) {
  TypedDso dso(subject("data"));
  std::optional<DataTypes::TypedLocation> place = dso.types()->of_variable(address_of(dso, "orders"));
  ASSERT_TRUE(place.has_value());
  TypeLayout layout = place->type.element().layout();
  EXPECT_EQ(layout.name, "struct data_order");
  EXPECT_EQ(layout.size, sizeof(data_order));
  std::vector<std::string> members;
  for (const TypeMember& member : layout.members) {
    members.push_back(member.name + " " + member.type + " " + std::to_string(member.offset) + "+" +
                      std::to_string(member.size) + " " + std::to_string(member.bit_offset) + ":" +
                      std::to_string(member.bits));
  }
  EXPECT_THAT(members, ElementsAre("state int 0+4 0:0", "lines struct data_line[3] 8+96 0:0",
                                   "low unsigned int 104+1 0:3", "high unsigned int 104+1 3:5",
                                   "wide unsigned int 105+3 0:20", " (anonymous union) 108+4 0:0",
                                   "next struct data_order* 112+8 0:0", "grid short int[2][3] 120+12 0:0"));
  EXPECT_EQ(offsetof(data_order, next), 112u);
  place = dso.types()->of_variable(address_of(dso, "pairs"));
  EXPECT_EQ(place->type.element().layout().name, "data_pair") << "unnamed but for its typedef";
}

TEST(DataTypes, WhatAnInstructionAccesses) {
  for (std::string name : {"data", "data4", "data_types", "data_slow", "data.split"}) {
    SCOPED_TRACE(name);
    TypedDso dso(subject(name));
    EXPECT_EQ(access_of(dso, "price_of"), "struct data_order.lines[].price");
    EXPECT_EQ(access_of(dso, "value_behind"), "struct data_order.lines[].id");
    EXPECT_EQ(access_of(dso, "state_at"), "struct data_order.state");
    // Unoptimized code computes an element's address from the frame in steps that the analysis does not
    // follow.
    if (name != "data_slow") {
      EXPECT_EQ(access_of(dso, "on_stack"), "local[].value");
    }
    EXPECT_EQ(access_of(dso, "byte_of"), "char");
  }
  TypedDso dso(subject("data"));
  EXPECT_EQ(access_of(dso, "next_of"), "struct data_order.next");
  EXPECT_EQ(access_of(dso, "global_value"), "data_pair.value");
}

TEST(DataTypes, LocalsByTheirDistanceFromTheStackPointer) {
  TypedDso dso(subject("data"));
  std::optional<Symbol> function = dso.symbols().find_name("on_stack");
  ASSERT_TRUE(function.has_value());
  std::map<std::string, int> words;
  for (int64_t above = -256; above < 512; above += 8) {
    std::optional<DataTypes::TypedLocation> place =
        dso.types()->in_frame(function->start + function->size / 2, above);
    if (place) ++words[place->variable + place->type.field_at(place->offset).path];
  }
  EXPECT_EQ(words["local.tag"], 8);
  EXPECT_EQ(words["local.value"], 8);
}

TEST(DataTypes, Classes) {
  TypedDso dso(subject("classes"));
  EXPECT_EQ(field_of(dso, "ns::cells", 8), "[].id long int 8") << "of a base class";
  EXPECT_EQ(field_of(dso, "ns::cells", 16), "[].other int 4");
  EXPECT_EQ(field_of(dso, "ns::cells", 24), "[].value double 8");
  EXPECT_EQ(field_of(dso, "ns::cells", 32), "[].inner.deep double 8");
  EXPECT_EQ(field_of(dso, "ns::Cell<double>::count", 0), " long int 8");
  EXPECT_EQ(field_of(dso, "ns::(anonymous namespace)::unnamed", 4, true), "[1] int 4");
  EXPECT_EQ(access_of(dso, "ns::base_of"), "ns::Cell<double>.id");
  EXPECT_EQ(access_of(dso, "ns::deep_of"), "ns::Cell<double>.inner.deep");
  EXPECT_EQ(access_of(dso, "ns::sum_of"), "ns::Cell<double>.value");
  std::optional<DataTypes::TypedLocation> place = dso.types()->of_variable(address_of(dso, "ns::cells"));
  TypeLayout layout = place->type.element().layout();
  EXPECT_EQ(layout.name, "ns::Cell<double>");
  ASSERT_FALSE(layout.members.empty());
  EXPECT_TRUE(layout.members[0].is_base);
  EXPECT_EQ(layout.members[0].name, "ns::Base");
}

TEST(DataTypes, WithoutDebugInformationNothing) {
  TypedDso dso(subject("data_plain"));
  EXPECT_EQ(field_of(dso, "orders", 0), "unknown");
  EXPECT_EQ(access_of(dso, "price_of"), "unknown");
}

TEST(Dso, NamesDataByAddress) {
  for (std::string name : {"data", "data_plain", "data.split"}) {
    SCOPED_TRACE(name);
    TypedDso dso(subject(name));
    uint64_t orders = address_of(dso, "orders");
    std::optional<DataObject> object = dso.data_at(orders + 100 * kOrder - 1);
    ASSERT_TRUE(object.has_value());
    EXPECT_EQ(object->name, "orders");
    EXPECT_EQ(object->start, orders);
    EXPECT_EQ(object->size, 100 * kOrder);
    EXPECT_EQ(dso.elf()->section_at(orders), ".bss");
    EXPECT_FALSE(dso.data_at(uint64_t{1} << 40).has_value());
  }
  TypedDso dso(subject("data"));
  // The first section follows the program headers, whose number differs between linkers.
  std::string first_section;
  uint64_t address = 0;
  for (uint64_t offset = 0; first_section.empty() && offset < 4096; offset += 8) {
    address = dso.elf()->address_of_offset(offset).value_or(0);
    first_section = dso.elf()->section_at(address);
  }
  std::optional<DataObject> in_section = dso.data_at(address);
  ASSERT_TRUE(in_section.has_value());
  EXPECT_FALSE(in_section->known());
  EXPECT_EQ(in_section->name.substr(0, 1), ".");
}

TEST(ElfModule, TellsWhereAMappingOfItWasLoaded) {
  TypedDso dso(subject("data"));
  const ElfModule& elf = *dso.elf();
  constexpr uint64_t kAt = 0x555555554000;
  EXPECT_EQ(elf.load_bias(kAt, 0, false), kAt);
  const ElfModule::Code code = elf.code_segments().at(0);
  uint64_t offset = elf.offset_of_address(code.address).value_or(0) & ~uint64_t{4095};
  EXPECT_EQ(elf.load_bias(kAt + (code.address & ~uint64_t{4095}), offset, true), kAt);
  EXPECT_EQ(elf.load_bias(kAt, uint64_t{1} << 40, true), std::nullopt);
}

}  // namespace
}  // namespace hm::symbol
