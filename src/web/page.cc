// SPDX-License-Identifier: MIT
#include "web/page.h"

// Symbols defined in page_files.S.
extern "C" {
extern const char hm_page_html[], hm_page_html_end[];
extern const char hm_page_js[], hm_page_js_end[];
extern const char hm_page_css[], hm_page_css_end[];
extern const char hm_page_js_sha256[], hm_page_js_sha256_end[];
extern const char hm_page_css_sha256[], hm_page_css_sha256_end[];
}

namespace hm::web {
namespace {

std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<size_t>(end - begin)};
}
std::string_view line_between(const char* begin, const char* end) {
  std::string_view text = between(begin, end);
  return text.substr(0, text.find('\n'));
}

}  // namespace

std::string_view page_html() { return between(hm_page_html, hm_page_html_end); }
std::string_view page_script() { return between(hm_page_js, hm_page_js_end); }
std::string_view page_style() { return between(hm_page_css, hm_page_css_end); }
std::string_view page_script_hash() { return line_between(hm_page_js_sha256, hm_page_js_sha256_end); }
std::string_view page_style_hash() { return line_between(hm_page_css_sha256, hm_page_css_sha256_end); }

}  // namespace hm::web
