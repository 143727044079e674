// SPDX-License-Identifier: MIT
// The function that a limit names.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "analysis/diff/diff_recording.h"
#include "analysis/diff/side.h"
#include "symbol/name_in_file.h"

namespace hm::diff {

// Matches the functions that a limit applies to: those of a name, with or without parameters; if no function
// has this name, those that it is short for (symbol/short_name.h), or "FILE:NAME" or "NAME (FILE)". The sides
// have matched functions (functions.h).
class WantedFunction {
 public:
  WantedFunction(const std::string& wanted, size_t column, const Side& before, const Side& after);

  // `function`: a name in the rows.
  [[nodiscard]] bool is(const std::string& function) const;
  [[nodiscard]] bool has(const Names& names) const { return is(names[column_]); }
  // Returns true if the inlined parts of `function` belong to the wanted one.
  [[nodiscard]] bool inlined(const std::string& function) const { return inlines_ && is(function); }
  // Returns true if a side has a sample of any event in the function or its program defines it: the name is
  // no typing error.
  [[nodiscard]] bool is_found() const { return is_found_; }
  // Returns true if the side's program has the function as far as is known.
  [[nodiscard]] bool is_known(const Side& side) const;
  // Returns true if the function has inlined parts but no row.
  [[nodiscard]] bool is_only_inlined(const Side& side) const;

  // Returns the files in the names of the functions that match; empty for one whose name is unique.
  [[nodiscard]] const std::set<std::string>& files() const { return files_; }
  // Returns these functions as the user writes them: "one.c:walk, two.c:walk".
  [[nodiscard]] std::string choices() const { return listed(files_); }
  // Returns the names, without parameters, of the functions that the name is short for.
  [[nodiscard]] const std::set<std::string>& names() const { return names_; }
  // Returns the name in the rows that is most similar to the one that was not found; empty if none is.
  [[nodiscard]] const std::string& nearest() const { return nearest_; }
  // Returns such a list of the functions that have the name in other files than the wanted one; empty if
  // there are none, or if no file was given.
  [[nodiscard]] std::string others() const;

 private:
  // Searches the functions of a name. Returns true if there are some.
  bool search(const symbol::NameInFile& wanted, bool by_short_name, const Side& before, const Side& after);
  [[nodiscard]] bool exists(const Side& before, const Side& after) const;
  void find_nearest(const Side& before, const Side& after);
  void read(const Side& side);
  void find_files(const Side& side);
  [[nodiscard]] bool has_name(const std::string& function) const;
  [[nodiscard]] bool has_rows(const Side& side) const;
  [[nodiscard]] bool is_defined(const Side& side) const;
  [[nodiscard]] std::string file_of(const std::string& function) const;
  [[nodiscard]] std::string listed(const std::set<std::string>& files) const;

  std::string name_;  // source name
  bool by_short_name_ = false;
  std::optional<std::string> file_;  // set if the name is that of a function in a file
  size_t column_;
  bool inlines_;
  bool is_found_ = false;
  std::map<std::string, std::string> known_files_;  // by the rows' names
  std::set<std::string> renamed_;
  std::set<std::string> files_;
  std::set<std::string> all_files_;  // of the functions of the name
  std::set<std::string> names_;
  std::string nearest_;
};

}  // namespace hm::diff
