// SPDX-License-Identifier: MIT
// One row of bench/page.sh's table: page.mjs FOLDER WHAT, where FOLDER has playwright-core and WHAT is
//   frames HARDMETER RECORDING | usable HARDMETER RECORDING | file PATH
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [folder, what, ...words] = process.argv.slice(2);
const { chromium } = createRequire(`${folder}/package.json`)("playwright-core");
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--enable-precise-memory-info"] });
const row = (name, asked, measured) => console.log(`| ${name} | ${asked} | ${measured} |`);
const quantile = (values, part) => [...values].sort((a, b) => a - b)[Math.floor(part * (values.length - 1))];
const megabytes = (count) => `${(count / 1e6).toFixed(0)} MB`;

async function newPage() {
  return (await browser.newContext({ viewport: { width: 1400, height: 900 } })).newPage();
}

async function serve(hardmeter, recording) {
  const server = spawn(hardmeter, ["ui", "--no-browser", recording], { stdio: ["ignore", "pipe", "ignore"] });
  process.on("exit", () => server.kill());
  const [line] = await once(server.stdout, "data");
  return { server, link: line.toString().trim() };
}

// Measures the duration of each frame while the wheel zooms in and out, and a drag pans.
async function frames(hardmeter, recording) {
  const { link } = await serve(hardmeter, recording);
  const page = await newPage();
  await page.goto(link);
  await page.evaluate(() => { location.hash = "#/timeline"; });
  const canvas = page.locator("main canvas").first();
  await canvas.waitFor({ timeout: 120_000 });
  const box = await canvas.boundingBox();
  await page.evaluate(() => {
    window.frameTimes = [];
    let before = performance.now();
    const frame = (now) => {
      window.frameTimes.push(now - before);
      before = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  const [x, y] = [box.x + box.width * 0.6, box.y + 15];
  await page.mouse.move(x, y);
  for (let i = 0; i < 120; ++i) await page.mouse.wheel(0, i % 40 < 20 ? -120 : 100);
  await page.mouse.down();
  for (let i = 0; i < 120; ++i) await page.mouse.move(x + 3 * (i % 60) - 90, y);
  await page.mouse.up();
  const times = (await page.evaluate(() => window.frameTimes)).slice(2);
  const told = await page.locator("main").getByText(/samples, one every/).first().innerText();
  row(`zooming and panning the time line: ${told.match(/[\d,]+ samples/)[0]}, ${times.length} frames`, "95 % of frames under 33 ms",
    `median ${quantile(times, 0.5).toFixed(1)} ms, 95 % under ${quantile(times, 0.95).toFixed(1)} ms, longest ${Math.max(...times).toFixed(0)} ms`);
}

// Tracks the server's maximum memory in bytes: its own, and with the mapped pages of the file.
function watchMemory(server) {
  const most = { own: 0, mapped: 0 };
  const look = () => {
    const status = readFileSync(`/proc/${server}/status`, "utf8");
    const kib = (name) => Number(status.match(new RegExp(`${name}:\\s+(\\d+)`))[1]) * 1024;
    most.own = Math.max(most.own, kib("RssAnon"));
    most.mapped = Math.max(most.mapped, kib("VmHWM"));
  };
  const timer = setInterval(look, 20);
  return () => {
    clearInterval(timer);
    look();
    return most;
  };
}

// Measures from the server's start; the browser already runs.
async function usable(hardmeter, recording) {
  const page = await newPage();
  const bytes = statSync(recording).size;
  const begin = Date.now();
  const { server, link } = await serve(hardmeter, recording);
  const memory = watchMemory(server.pid);
  await page.goto(link);
  await page.evaluate(() => { location.hash = "#/hotspots"; });
  await page.locator("main table tbody tr").first().waitFor({ timeout: 120_000 });
  const hot = (Date.now() - begin) / 1000;
  const told = await page.locator("main").getByText(/samples, about/).first().innerText();
  const samples = [...told.matchAll(/([\d,]+)\s+samples/g)].reduce((sum, each) => sum + Number(each[1].replaceAll(",", "")), 0);
  await page.evaluate(() => { location.hash = "#/summary"; });
  await page.locator("main ol li").first().waitFor({ timeout: 300_000 });
  const causes = (Date.now() - begin) / 1000;
  for (const view of ["data", "map", "timeline"]) {
    await page.evaluate((name) => { location.hash = `#/${name}`; }, view);
    await page.waitForFunction(() => !document.querySelector("[aria-busy='true']"), null, { timeout: 300_000 });
  }
  const most = memory();
  const heap = await page.evaluate(() => performance.memory.usedJSHeapSize);
  row(`${samples.toLocaleString("en")} samples, ${megabytes(bytes)}: hot spots are there`, "3 s", `${hot.toFixed(1)} s`);
  row("the same: causes are there", "", `${causes.toFixed(1)} s`);
  row("the same: the server's memory, at most, with all views", "1.5 times the file",
    `${(most.own / bytes).toFixed(2)} times; ${(most.mapped / bytes).toFixed(2)} with the file's pages, which it maps to read them`);
  row("the same: the page's heap", "400 MB", megabytes(heap));
}

async function file(path) {
  const times = [];
  for (let i = 0; i < 5; ++i) {
    const page = await newPage();
    const begin = Date.now();
    await page.goto(pathToFileURL(path).href);
    await page.locator("main ol li, main table tbody tr").first().waitFor();
    times.push(Date.now() - begin);
    await page.close();
  }
  row("PostgreSQL's recording as one file: first draw", "2 s", `${(quantile(times, 0.5) / 1000).toFixed(2)} s`);
  row("the same: its size", "10 MB", `${(statSync(path).size / 1e6).toFixed(1)} MB`);
}

await { frames, usable, file }[what](...words);
await browser.close();
process.exit();
