// SPDX-License-Identifier: MIT
// Answers GET /N with the sum of i * i for i below N, through traps of WebAssembly that are caught: node
// recovering.js PORT. V8 finds accesses outside of a module's memory by SIGSEGV.
"use strict";
const http = require("http");

// (module (memory 1) (func (export "f") (param i32) (result i32) local.get 0 i32.load))
const module_ = new WebAssembly.Module(new Uint8Array([
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 6, 1, 0x60, 1, 0x7f, 1, 0x7f, 3, 2, 1, 0, 5, 3, 1, 0, 1, 7, 5, 1, 1, 0x66, 0, 0, 10, 9, 1, 7,
  0, 0x20, 0, 0x28, 2, 0, 0x0b,
]));
const load = new WebAssembly.Instance(module_).exports.f;

http.createServer((request, answer) => {
  const count = Number(request.url.slice(1));
  let sum = 0;
  for (let i = 0; i < count; ++i) {
    sum += i * i;
    if (i % 100 !== 0) continue;
    try {
      sum += load(0x7ffffff0) + 1;
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    }
  }
  answer.end(String(sum));
}).listen(Number(process.argv[2]), "127.0.0.1");
