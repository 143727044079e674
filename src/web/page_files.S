// SPDX-License-Identifier: MIT
// The unchanged files of ui/dist, found through the assembler's -I.
.macro file name, path
  .global hm_page_\name
  .global hm_page_\name\()_end
hm_page_\name:
  .incbin "\path"
hm_page_\name\()_end:
.endm

.section .rodata
file html, "index.html"
file js, "page.js"
file css, "page.css"
file js_sha256, "page.js.sha256"
file css_sha256, "page.css.sha256"

.section .note.GNU-stack, "", @progbits
