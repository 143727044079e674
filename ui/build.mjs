// SPDX-License-Identifier: MIT
// Builds the page into dist/: page.js, page.css, index.html, and the hash of page.js that a single file's
// Content-Security-Policy names.
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "dist");
const mostCompressedBytes = 250_000;

mkdirSync(dist, { recursive: true });
await build({
  absWorkingDir: here,
  entryPoints: { page: "src/main.tsx" },
  outdir: "dist",
  bundle: true,
  minify: true,
  format: "iife",
  target: ["es2022"],
  jsx: "automatic",
  jsxImportSource: "preact",
  charset: "utf8",
  legalComments: "none",
  banner: { js: "/* SPDX-License-Identifier: MIT */", css: "/* SPDX-License-Identifier: MIT */" },
  logLevel: "warning",
});
copyFileSync(join(here, "src/index.html"), join(dist, "index.html"));

const script = readFileSync(join(dist, "page.js"));
const style = readFileSync(join(dist, "page.css"));
// The same texts stand inside <script> and <style> of the single file.
if (/<\/script|<!--/i.test(script.toString())) throw new Error("page.js cannot be inlined");
if (/<\/style/i.test(style.toString())) throw new Error("page.css cannot be inlined");
writeFileSync(join(dist, "page.js.sha256"), createHash("sha256").update(script).digest("base64") + "\n");

const compressed = gzipSync(script).length + gzipSync(style).length;
console.log(`page.js and page.css: ${script.length + style.length} bytes, ${compressed} compressed`);
if (compressed > mostCompressedBytes) throw new Error(`more than ${mostCompressedBytes} bytes compressed`);
