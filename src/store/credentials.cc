// SPDX-License-Identifier: MIT
#include "store/credentials.h"

#include <sys/stat.h>

#include <cerrno>
#include <string_view>

#include "base/take_until.h"
#include "base/text_file.h"

namespace hm::store {
namespace {

constexpr size_t kMaxBytesOfCredentials = 4096;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace

Result<Credentials> read_credentials(const std::string& path) {
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0)
    return make_error(ErrorCode::kNotFound, "cannot read the credentials in {}: {}", path, errno_text(errno));
  if ((about.st_mode & S_IROTH) != 0)
    return make_error(ErrorCode::kPermission, "every user can read the credentials in {}: run chmod o= {}",
                      path, path);
  std::optional<std::string> text = read_text(path, kMaxBytesOfCredentials);
  if (!text)
    return make_error(ErrorCode::kPermission, "cannot read the credentials in {}: {}", path,
                      errno_text(errno));
  Credentials credentials;
  std::string_view rest = *text;
  for (size_t number = 1; !rest.empty(); ++number) {
    std::string_view line = trimmed(take_until(rest, '\n'));
    if (line.empty() || line.front() == '#') continue;
    std::string_view name = trimmed(take_until(line, '='));
    std::string value(trimmed(line));
    if (name == "user")
      credentials.user = value;
    else if (name == "password")
      credentials.password = value;
    else if (name == "authority")
      credentials.authority = value;
    else
      return make_error(ErrorCode::kInvalidArgument,
                        "{}, line {}: a line is user = NAME, password = WORDS or authority = FILE", path,
                        number);
  }
  return credentials;
}

}  // namespace hm::store
