// SPDX-License-Identifier: MIT
// Paths, commands, symbols, hosts and services of 300 letters without a blank: no view becomes wider than its window.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { isFile, launch, open, openPage, pixelsTooWide, settled, shoot } from "./browser.mjs";

const recordingsLink = process.env.HARDMETER_UI_LONG_URL;
const storeLink = process.env.HARDMETER_UI_LONG_STORE_URL;
const widths = [360, 768, 1920];
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const rowOf = (label, text = /./) => (page) => page.getByRole("region", { name: label }).locator("tbody tr").filter({ hasText: text }).first().click();

// Each view, and the panel that it shows when a row is selected.
const recordingViews = [
  ["#/summary"],
  ["#/hotspots"],
  ["#/hotspots", rowOf("Hot spots by function")],
  ...["line", "object", "type", "thread"].map((sort) => [`#/hotspots?sort=${sort}`]),
  ["#/hotspots?as=flame"],
  ["#/hotspots?as=icicle"],
  ["#/source"],
  ["#/why"],
  ["#/data"],
  ["#/data", rowOf("Hot spots by object")],
  ["#/data?by=type"],
  ["#/map"],
  ["#/timeline"],
  ["#/compare"],
  ["#/compare", rowOf(/^Changes of/, "look_up")],
  ["#/compare?sort=line"],
  ["#/record"],
];
const storeViews = [
  ["#/fleet?since=all"],
  ["#/fleet?since=all", rowOf("Services")],
  ...["line", "function", "module", "host", "release", "class", "object"].map((sort) => [`#/service?since=all&sort=${sort}`]),
  ["#/place?since=all"],
  ["#/trend?since=all"],
  ["#/releases?since=all"],
];
// These views show no names of the program.
const isWithoutNames = (hash) => /^#\/(record|hotspots\?sort=thread)/.test(hash);
// A file name has at most 255 letters.
const longName = /\S{240}/;

async function fitsEveryWindow(page, what) {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    // Charts follow the window's width in one of the next frames, which come late on a busy machine.
    const nextFrame = () => page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    let wide = 1;
    for (const end = Date.now() + 10_000; wide > 0 && Date.now() < end; wide = await pixelsTooWide(page)) await nextFrame();
    if (width === widths[0]) await shoot(page, `long-${what.replace(/[^a-z]+/g, "-")}`);
    assert.ok(wide <= 0, `${what} is ${wide} pixels too wide in a window of ${width}`);
  }
}

async function everyViewFits(link, views) {
  const { page, problems, close } = await openPage(browser, { link });
  for (const [hash, choose] of views) {
    await open(page, hash);
    if (choose) {
      await choose(page);
      await settled(page);
    }
    await page.evaluate(() => document.querySelectorAll("details").forEach((each) => (each.open = true)));
    await settled(page);
    assert.equal(await page.locator(".state-failed").count(), 0, `${hash} shows no failure`);
    const text = await page.locator("main").innerText();
    assert.ok(isWithoutNames(hash) || longName.test(text), `${hash} shows long names`);
    await fitsEveryWindow(page, choose ? `${hash}, a row chosen` : hash);
  }
  assert.deepEqual(problems, []);
  await close();
}

const skipRecordings = isFile || !recordingsLink ? "no recordings with long names are served" : false;

test("recordings", { skip: skipRecordings }, () => everyViewFits(recordingsLink, recordingViews));

test("a store", { skip: isFile || !storeLink ? "no store with long names is served" : false }, () => everyViewFits(storeLink, storeViews));

test("a command to record, and what it says", { skip: skipRecordings }, async () => {
  const { page, problems, close } = await openPage(browser, { link: recordingsLink });
  await open(page, "#/record");
  const word = "x".repeat(300);
  await page.getByLabel("Command line").fill(`${word} ${word}`);
  await page.getByRole("combobox", { name: "PMU" }).selectOption("soft");
  await page.getByRole("button", { name: "Start" }).click();
  await page.getByText(/The recording has ended, with exit status [1-9]/).waitFor();
  await page.getByRole("region", { name: "What it said" }).getByText(word).waitFor();
  await fitsEveryWindow(page, "a recording that failed");
  await page.getByRole("radio", { name: /processes/ }).check();
  await page.getByLabel("Process IDs").fill(word);
  await page.getByRole("button", { name: "Start" }).click();
  await page.getByRole("alert").getByText(word).waitFor();
  await fitsEveryWindow(page, "a refusal");
  assert.deepEqual(problems, []);
  await close();
});
