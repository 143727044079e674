// SPDX-License-Identifier: MIT
// Uses DWARF 5, sections 3.3.8.2 (concrete inlined instances) and 6.2 (line numbers), through libdw.
#include "symbol/files/dwarf_frames.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include <cstring>
#include <optional>

#include "symbol/files/dwarf_entries.h"
#include "symbol/files/split_units.h"
#include "symbol/files/unit_ranges.h"

namespace hm::symbol {
namespace {

std::optional<UnitAddress> unit_of(const ElfModule& module, uint64_t address) {
  return module.unit_ranges().at(address + module.bias());
}

// Returns the entry that describes the function whose instance this is.
Dwarf_Off function_of(Dwarf_Die* instance) {
  Dwarf_Attribute attribute;
  Dwarf_Die function;
  if (dwarf_formref_die(dwarf_attr(instance, DW_AT_abstract_origin, &attribute), &function) == nullptr)
    return dwarf_dieoffset(instance);
  return dwarf_dieoffset(&function);
}

// Returns the path that the compiler was given, in the folder in which it ran. `unit` is the one in the
// program: a split unit does not contain the folder. libdw itself may have added a relative folder.
std::string whole_path(Dwarf_Die* unit, const char* file) {
  Dwarf_Attribute attribute;
  const char* folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
  if (*file == '/' || folder == nullptr || *folder != '/') return file;
  return std::string(folder) + '/' + file;
}

SourceLine line_of(Dwarf_Die* unit, Dwarf_Addr address) {
  SourceLine place;
  Dwarf_Line* line = dwarf_getsrc_die(unit, address);
  if (line == nullptr) return place;
  int number = 0;
  if (dwarf_lineno(line, &number) == 0 && number > 0) place.line = static_cast<uint32_t>(number);
  if (const char* file = dwarf_linesrc(line, nullptr, nullptr); file != nullptr)
    place.file = whole_path(unit, file);
  return place;
}

Dwarf_Word number_of(Dwarf_Die* die, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (dwarf_formudata(dwarf_attr(die, name, &attribute), &value) != 0) return 0;
  return value;
}

// Returns the location from which an inlined function was called. `whole` is the whole unit, which describes
// the function.
SourceLine call_site(Dwarf_Die* unit, Dwarf_Die* whole, Dwarf_Die* die) {
  SourceLine place;
  place.line = static_cast<uint32_t>(number_of(die, DW_AT_call_line));
  Dwarf_Files* files = nullptr;
  size_t count = 0;
  Dwarf_Word index = number_of(die, DW_AT_call_file);
  if (dwarf_getsrcfiles(whole, &files, &count) == 0 && index < count) {
    const char* file = dwarf_filesrc(files, index, nullptr, nullptr);
    if (file != nullptr) place.file = whole_path(unit, file);
  }
  return place;
}

// An abstract instance (DWARF 5, section 3.3.8.1) is a child of its unit or of a namespace in it.
void visit_inlined(Dwarf_Die parent, int depth, FunctionNames& names,
                   const std::function<void(const std::string&)>& visit) {
  constexpr int kMaxNamespaces = 64;
  if (depth == kMaxNamespaces) return;
  for_each_child(parent, [&](Dwarf_Die child) {
    int tag = dwarf_tag(&child);
    if (tag == DW_TAG_namespace || tag == DW_TAG_module) visit_inlined(child, depth + 1, names, visit);
    if (tag != DW_TAG_subprogram) return;
    Dwarf_Word inlined = number_of(&child, DW_AT_inline);
    if (inlined == DW_INL_inlined || inlined == DW_INL_declared_inlined) visit(names.of(&child));
  });
}

// Returns the function's name if it is one of Rust and has type arguments.
std::string rust_instance(Dwarf_Die* unit, Dwarf_Die* function) {
  Dwarf_Attribute attribute;
  const char* name = dwarf_formstring(dwarf_attr_integrate(function, DW_AT_name, &attribute));
  bool is_instance =
      dwarf_srclang(unit) == DW_LANG_Rust && name != nullptr && std::strchr(name, '<') != nullptr;
  return is_instance ? name : "";
}

}  // namespace

void visit_inlined_functions(const ElfModule& module, const std::function<void(const std::string&)>& visit) {
  Dwarf_Addr bias = 0;
  for (Dwarf_Die* unit = nullptr; (unit = dwfl_module_nextcu(module.module(), unit, &bias)) != nullptr;) {
    FunctionNames names;
    visit_inlined(module.split_units().whole(*unit), 0, names, visit);
  }
}

SourceLine dwarf_line(const ElfModule& module, uint64_t address) {
  std::optional<UnitAddress> place = unit_of(module, address);
  return place ? line_of(place->unit, place->address) : SourceLine();
}

std::string dwarf_unit_file(const ElfModule& module, uint64_t address) {
  std::optional<UnitAddress> place = unit_of(module, address);
  if (!place) return {};
  const char* name = dwarf_diename(place->unit);
  if (name == nullptr) return {};
  std::string file = whole_path(place->unit, name);
  return file.substr(0, file.find("/@/"));  // rustc appends the name of a part of the crate
}

const DwarfFunctions& DwarfFrames::functions_of(Dwarf_Die* unit, Dwarf_Die whole) {
  return units_.try_emplace(unit->addr, *unit, whole).first->second;
}

std::string DwarfFrames::instance_name(const ElfModule& module, uint64_t address) {
  std::optional<UnitAddress> found = unit_of(module, address);
  if (!found) return {};
  Dwarf_Die whole = module.split_units().whole(*found->unit);
  std::vector<Dwarf_Die> functions = functions_of(found->unit, whole).at(found->address);
  return functions.empty() ? std::string() : rust_instance(&whole, &functions.back());
}

std::vector<Frame> DwarfFrames::at(const ElfModule& module, uint64_t address) {
  std::optional<UnitAddress> found = unit_of(module, address);
  if (!found) return {};
  auto [unit, dwarf_address] = *found;
  SourceLine place = line_of(unit, dwarf_address);
  Dwarf_Die whole = module.split_units().whole(*unit);
  std::vector<Frame> frames;
  Dwarf_Off inner = 0;
  for (Dwarf_Die& die : functions_of(unit, whole).at(dwarf_address)) {
    bool inlined = dwarf_tag(&die) == DW_TAG_inlined_subroutine;
    Dwarf_Off function = function_of(&die);
    // A compiler may split a function and inline the part into the rest: that is not a call.
    if (!frames.empty() && function == inner)
      frames.back().inlined = inlined;
    else
      frames.push_back({names_.of(&die), std::move(place.file), place.line, inlined});
    inner = function;
    if (inlined) place = call_site(unit, &whole, &die);
  }
  if (frames.empty() && place.line != 0) frames.push_back({{}, std::move(place.file), place.line, false});
  return frames;
}

}  // namespace hm::symbol
