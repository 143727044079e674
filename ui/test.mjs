// SPDX-License-Identifier: MIT
// Compiles the unit tests beside the sources, and runs them with node's own test runner.
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "build", "tests");

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((each) =>
    each.isDirectory() ? filesBelow(join(folder, each.name)) : [join(folder, each.name)],
  );
}

rmSync(out, { recursive: true, force: true });
const tests = filesBelow(join(here, "src")).filter((file) => /\.test\.tsx?$/.test(file)).sort();
await build({
  absWorkingDir: here,
  entryPoints: tests,
  outbase: "src",
  outdir: out,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  target: ["node18"],
  jsx: "automatic",
  jsxImportSource: "preact",
  loader: { ".css": "empty" },
  logLevel: "warning",
});
const run = spawnSync(process.execPath, ["--test", ...filesBelow(out)], { stdio: "inherit" });
process.exit(run.status ?? 1);
