// SPDX-License-Identifier: MIT
// Opens the page in Chromium for the tests. One of these says where it is:
//   HARDMETER_UI_URL   the complete first link to a server
//   HARDMETER_UI_FILE  a single HTML file
// HARDMETER_UI_STORE_URL is the link to a server of a store, besides. HARDMETER_UI_LONG_URL and HARDMETER_UI_LONG_STORE_URL
// are links to servers of two recordings, and of a store, whose names are 300 letters long.
// HARDMETER_UI_SHOTS is a folder for screenshots; HARDMETER_UI_CHROMIUM another Chromium.
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(new URL("../../ui/package.json", import.meta.url));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

export const isFile = Boolean(process.env.HARDMETER_UI_FILE);
export const firstLink = isFile
  ? pathToFileURL(resolve(process.env.HARDMETER_UI_FILE)).href
  : process.env.HARDMETER_UI_URL;
if (!firstLink) throw new Error("set HARDMETER_UI_URL or HARDMETER_UI_FILE");

// The link to `ui --store`, with the store of tests/store/fill_example_fleet.
export const storeLink = process.env.HARDMETER_UI_STORE_URL;
export const storeViews = ["fleet", "service", "place", "trend", "releases"];

export const views = ["summary", "hotspots", "source", "why", "data", "map", "timeline", "compare"];
export const themes = ["light", "dark"];

export function launch() {
  return chromium.launch({
    executablePath: process.env.HARDMETER_UI_CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
}

// The browser itself reports responses with status 404. These responses mean that data was not recorded, or not
// measured in the selected time.
function isExpected(message) {
  return /Failed to load resource/.test(message.text()) && /api\/(fleet_rows|fleet_over_time|sizes|occupancy|annotate|live|record$)/.test(message.location().url);
}

// Opens a page and collects its errors in `problems`.
export async function openPage(browser, { theme = "light", width = 1400, height = 900, link = firstLink, prepare } = {}) {
  const context = await browser.newContext({ colorScheme: theme, viewport: { width, height }, reducedMotion: "reduce", timezoneId: "UTC" });
  const page = await context.newPage();
  page.setDefaultTimeout(180_000); // a host may stand still
  const problems = [];
  page.on("pageerror", (error) => problems.push(`exception: ${error.message}`));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !isExpected(message)) problems.push(message.text());
  });
  await page.exposeFunction("tellViolation", (text) => problems.push(`content security policy: ${text}`));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      window.tellViolation(`${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  if (prepare) await prepare(page);
  await page.goto(link);
  await settled(page);
  return { page, problems, close: () => context.close() };
}

// Waits for all responses that the view requested.
export async function settled(page) {
  await page.locator("main").waitFor();
  await page.waitForFunction(
    () => document.querySelector("main")?.childElementCount > 0 && !document.querySelector("[aria-busy='true']"),
  );
}

export async function open(page, hash) {
  await page.evaluate((text) => {
    location.hash = text;
  }, hash);
  const view = hash.replace(/^#\//, "").split("?")[0];
  await page.locator(`nav a[aria-current='page'][href^='#/${view}']`).waitFor();
  await settled(page);
}

// Returns by how many pixels the page, or a chart in it, is wider than its window.
export function pixelsTooWide(page) {
  return page.evaluate(() =>
    Math.max(...[document.documentElement, ...document.querySelectorAll(".plot")].map((each) => each.scrollWidth - each.clientWidth)),
  );
}

// Returns axe's violations, in short form.
export async function violations(page) {
  await page.evaluate(axe);
  const result = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return result.violations.map((each) => `${each.id}: ${each.nodes.map((node) => node.target.join(" ")).slice(0, 4).join("; ")}`);
}

export async function shoot(page, name) {
  const folder = process.env.HARDMETER_UI_SHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

export async function hasRecordings(page, count) {
  return (await page.locator(".recording-choice option").count()) >= count;
}
