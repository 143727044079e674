// SPDX-License-Identifier: MIT
// Builds the page into dist/: page.js, page.css, index.html, and the hashes by which a single file's
// Content-Security-Policy names the first two.
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "dist");
const mostCompressedBytes = 250_000;

function licences(...packages) {
  const texts = packages.map((name) => `${name}: ${readFileSync(join(here, "node_modules", name, "LICENSE"), "utf8").trim()}`);
  return `/* SPDX-License-Identifier: MIT\n\n${texts.join("\n\n")} */`;
}

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
  // The page is copied with these in it.
  banner: { js: licences("preact", "uplot"), css: licences("uplot") },
  logLevel: "warning",
});
copyFileSync(join(here, "src/index.html"), join(dist, "index.html"));

const script = readFileSync(join(dist, "page.js"));
const style = readFileSync(join(dist, "page.css"));
// The same texts stand inside <script> and <style> of the single file.
if (/<\/script|<!--/i.test(script.toString())) throw new Error("page.js cannot be inlined");
if (/<\/style/i.test(style.toString())) throw new Error("page.css cannot be inlined");
for (const [name, text] of [["page.js", script], ["page.css", style]])
  writeFileSync(join(dist, `${name}.sha256`), createHash("sha256").update(text).digest("base64") + "\n");

const compressed = gzipSync(script).length + gzipSync(style).length;
console.log(`page.js and page.css: ${script.length + style.length} bytes, ${compressed} compressed`);
if (compressed > mostCompressedBytes) throw new Error(`more than ${mostCompressedBytes} bytes compressed`);
