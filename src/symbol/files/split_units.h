// SPDX-License-Identifier: MIT
#pragma once

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "symbol/files/dwarf_package.h"

namespace hm::symbol {

// The units of split debug information (-gsplit-dwarf): a program has a skeleton of each; the whole unit is
// in a .dwo file, or in a package of them (.dwp). Not safe to use from several threads.
class SplitUnits {
 public:
  // Packages are looked for beside the program and beside its debug file.
  explicit SplitUnits(Dwfl_Module* module) : module_(module) {}

  // The whole unit of one in the program; the unit itself if it is whole, or the rest is not to be found.
  [[nodiscard]] Dwarf_Die whole(Dwarf_Die unit);

 private:
  struct EndDwarf {
    void operator()(Dwarf* dwarf) const { dwarf_end(dwarf); }
  };
  struct EndElf {
    void operator()(Elf* elf) const { elf_end(elf); }
  };
  // One unit of a package; in the order in which they need each other.
  struct Unit {
    std::string image;
    std::unique_ptr<Elf, EndElf> elf;
    std::unique_ptr<Dwarf, EndDwarf> dwarf;
    Dwarf_Die entry{};
  };

  void open_packages();
  [[nodiscard]] std::optional<Dwarf_Die> from_package(Dwarf_Die skeleton, uint64_t id);
  static bool read(Unit& unit);

  Dwfl_Module* module_;
  bool is_open_ = false;
  std::vector<DwarfPackage> open_;
  std::map<uint64_t, std::unique_ptr<Unit>> units_;  // by id; nullptr if no package has it
};

}  // namespace hm::symbol
