// SPDX-License-Identifier: MIT
// hardmeter-documentation FOLDER: writes the manual pages and completions to FOLDER, for the installation.
#include <filesystem>
#include <fstream>

#include "cli/application.h"
#include "cli/documentation/command_text.h"
#include "cli/output.h"

int main(int argc, char** argv) {
  using namespace hm::cli;
  namespace fs = std::filesystem;
  if (argc != 2) return fail("hardmeter-documentation needs an output folder", 2);
  fs::path folder = argv[1];
  for (const char* each : {"man", "bash", "zsh", "fish"}) fs::create_directories(folder / each);
  Application application = prepare();
  std::vector<CommandText> all{describe(*application.line)};
  for (const PreparedCommand& command : application.commands) all.push_back(describe(*command.line));
  const auto write = [&](const fs::path& file, const std::string& text) {
    std::ofstream out(folder / file);
    out << text;
    return out.flush().good();
  };
  bool written = write("man/ebs.1", ebs_man_page()) && write("bash/hardmeter", bash_completion(all)) &&
                 write("zsh/_hardmeter", zsh_completion(all)) &&
                 write("fish/hardmeter.fish", fish_completion(all));
  for (const CommandText& command : all) {
    std::string name = command.name == "hardmeter" ? "hardmeter.1" : "hardmeter-" + command.name + ".1";
    written = written && write("man/" + name, man_page(command, all));
  }
  return written ? 0 : fail("the documentation cannot be written", 1);
}
