// SPDX-License-Identifier: MIT
#pragma once

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "symbol/files/debug_files.h"
#include "symbol/files/dwarf_package.h"

namespace hm::symbol {

// The units of split debug information (-gsplit-dwarf). The program contains a skeleton of each unit; the
// whole unit is in a .dwo file or in a package of them (.dwp). Not thread-safe.
class SplitUnits {
 public:
  // Searches packages next to the program and next to its debug file, and then archives. `archives` must
  // outlive this object.
  SplitUnits(Dwfl_Module* module, const DebugFiles& archives) : module_(module), archives_(archives) {}

  // Returns the whole unit for a skeleton unit in the program; the unit itself if it is already whole, or if
  // the rest cannot be found.
  [[nodiscard]] Dwarf_Die whole(Dwarf_Die unit);
  // Calls `visit` with the number of each skeleton's whole unit, and the unit as a file, which an archive
  // keeps.
  void visit_images(const std::function<void(const std::string& number, Bytes image)>& visit);

 private:
  struct EndDwarf {
    void operator()(Dwarf* dwarf) const { dwarf_end(dwarf); }
  };
  // One unit of a package; its members are declared in the order of their dependencies.
  struct Unit {
    std::string image;
    std::unique_ptr<Elf, EndElf> elf;
    std::unique_ptr<Dwarf, EndDwarf> dwarf;
    Dwarf_Die entry{};
  };

  void open_packages();
  [[nodiscard]] std::optional<Dwarf_Die> from_package(Dwarf_Die skeleton, uint64_t id);
  // Returns nullptr if the unit is nowhere to be found.
  [[nodiscard]] std::unique_ptr<Unit> find(Dwarf_Die skeleton, uint64_t id);
  [[nodiscard]] std::string archived_image(uint64_t id) const;
  // Returns nullptr if the image is not that of the unit with the number.
  static std::unique_ptr<Unit> read(std::string image, uint64_t id);

  Dwfl_Module* module_;
  const DebugFiles& archives_;
  bool is_open_ = false;
  std::vector<DwarfPackage> open_;
  std::map<uint64_t, std::unique_ptr<Unit>> units_;  // keyed by id; nullptr if no package has it
  std::map<uint64_t, Dwarf_Die> skeletons_;          // that whole() was called for
};

}  // namespace hm::symbol
