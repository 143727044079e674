// SPDX-License-Identifier: MIT
// Opens PROJECT/loop.c in a VS Code with the extension, and checks what it shows: vscode.mjs SERVER PROJECT EXTENSIONS DATA
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";

const [server, project, extensions, data] = process.argv.slice(2);
const { chromium } = createRequire(join(server, "package.json"))("playwright-core");

// Resolves to the port at which the server listens.
function serve() {
  const folder = join(server, "node_modules/code-server/lib/vscode");
  const words = ["out/server-main.js", "--host", "127.0.0.1", "--port", "0", "--without-connection-token", "--accept-server-license-terms",
    "--telemetry-level", "off", "--extensions-dir", extensions, "--server-data-dir", data];
  const child = spawn(process.execPath, words, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((resolve, reject) => {
    let said = "";
    child.stdout.on("data", (text) => {
      said += text;
      const port = /available at http:\/\/localhost:(\d+)/.exec(said)?.[1];
      if (port) resolve({ child, port });
    });
    child.on("close", () => reject(new Error(`VS Code's server ended: ${said}`)));
  });
}

async function runCommand(page, name) {
  await page.keyboard.press("F1");
  await page.locator(".quick-input-widget .quick-input-box input[type=text]").first().waitFor();
  await page.keyboard.type(name);
  await page.locator(".quick-input-list .monaco-list-row", { hasText: name }).first().click();
}

async function isServed(port) {
  return fetch(`http://127.0.0.1:${port}/`).then(() => true, () => false);
}

let pagePort;
const { child, port } = await serve();
const browser = await chromium.launch({ executablePath: process.env.HARDMETER_UI_CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
try {
  const page = await (await browser.newContext({ viewport: { width: 1200, height: 800 } })).newPage();
  page.setDefaultTimeout(180_000); // a host may stand still
  const file = JSON.stringify([["openFile", `vscode-remote://127.0.0.1:${port}${join(project, "loop.c")}`]]);
  await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(project)}&payload=${encodeURIComponent(file)}`);
  await page.getByRole("button", { name: /Yes, I trust/ }).click();

  const lens = page.locator(".codelens-decoration", { hasText: "l1_cache_miss" });
  await lens.first().waitFor();
  assert.match(await lens.first().textContent(), /^l1_cache_miss \d+\.\d% ±\d/);
  await page.locator(".squiggly-info, .squiggly-hint").first().waitFor();
  await page.locator(".view-line", { hasText: "sum += array" }).locator("span").last().hover();
  await page.locator(".monaco-hover", { hasText: "what if" }).first().waitFor();

  // code-server opens addresses of this machine through its proxy, /proxy/PORT/, which its VS Code alone lacks.
  const [opened] = await Promise.all([page.context().waitForEvent("page"), runCommand(page, "hardmeter: Open the recording's page")]);
  await opened.waitForLoadState();
  pagePort = /\/proxy\/(\d+)\//.exec(opened.url())?.[1];
  assert.ok(pagePort, opened.url());
  const answer = await fetch(`http://127.0.0.1:${pagePort}/`);
  assert.equal(answer.status, 403, "hardmeter ui, without the secret of its link");

  await runCommand(page, "hardmeter: Hide the recording");
  await lens.first().waitFor({ state: "detached" });
  if (process.env.HARDMETER_UI_SHOTS) await page.screenshot({ path: join(process.env.HARDMETER_UI_SHOTS, "vscode.png") });
} catch (error) {
  const shots = process.env.HARDMETER_UI_SHOTS;
  for (const [i, each] of browser.contexts().flatMap((context) => context.pages()).entries()) {
    if (shots) await each.screenshot({ path: join(shots, `vscode-failed-${i}.png`) });
  }
  throw error;
} finally {
  await browser.close();
  child.kill();
}
for (let tries = 0; await isServed(pagePort); ++tries) {
  assert.ok(tries < 600, "the page's server outlives VS Code");
  await new Promise((resolve) => setTimeout(resolve, 100));
}
process.exit(0);
