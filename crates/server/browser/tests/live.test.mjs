/** Matches in real time: two people in two browsers, one who watches, keys, and the match seen again. */
import assert from "node:assert/strict";
import { check, eventually, openWindow, see, square } from "../harness.mjs";

/** @typedef {import("playwright-core").Page} Page */

/**
 * Opens a table from the list.
 * @param {Page} page
 * @param {string} game
 * @param {string} others
 * @param {string} pace
 */
async function openTable(page, game, others, pace) {
  await page.goto("/live");
  const section = page.locator(`.live-game[data-game="${game}"]`);
  await section.getByLabel("Others").selectOption(others);
  await section.getByLabel("Seconds a unit").fill(pace);
  await section.getByRole("button", { name: "Start" }).click();
  await page.waitForURL(/\/live\/live-\d+$/u);
}

const status = (/** @type {Page} */ page) => page.locator(".live-status").innerText();

/**
 * Waits until there is something on a square, as another page must see it, too.
 * @param {Page} page
 * @param {string} name
 * @param {string} content
 */
const holds = (page, name, content) =>
  eventually(async () => (await square(page, name).getAttribute("aria-label")) ?? "", (label) => label.includes(content), `${content} on ${name}`);

check("two people in two browsers play a match in real time to its end, and a third watches", async (page) => {
  await openTable(page, "tic-tac-toe-clock", "open", "60");
  await see(page, /Waiting until all seats are taken/u);
  const other = await openWindow();
  const third = await openWindow();
  await other.page.goto(page.url());
  await third.page.goto(page.url());
  await other.page.getByRole("button", { name: "Sit down" }).click();
  await see(other.page, /You are o/u);
  await see(page, /You are x\.$/u);
  /** @type {[Page, string, string][]} */
  const moves = [[page, "a1", "x"], [other.page, "b1", "o"], [page, "a2", "x"], [other.page, "b2", "o"], [page, "a3", "x"]];
  for (const [mover, name, content] of moves) {
    await eventually(() => mover.locator(".live-moves button").count(), (count) => count > 0, "a move can be made");
    await square(mover, name).click();
    for (const seen of [page, other.page, third.page]) await holds(seen, name, content);
  }
  for (const seen of [page, other.page, third.page]) await eventually(() => status(seen), "Over: x 100, o 0.", "the result");
  assert.match(await page.locator(".live-latency").innerText(), /ms to the server and back/u);
  await page.getByLabel("Speed").selectOption("20");
  await page.getByRole("slider", { name: "Time" }).fill("0");
  await eventually(() => square(page, "a1").getAttribute("aria-label"), (label) => !String(label).includes("x"), "the empty board");
  await page.getByRole("button", { name: "Play" }).click();
  await holds(page, "a3", "x");
  await page.getByRole("link", { name: "Among all matches" }).click();
  await page.waitForURL(/\/matches\/[^/]+$/u);
  await see(page.locator(".match-heading"), /person 100/u);
  await page.getByRole("slider", { name: "Time" }).fill("0");
  await eventually(() => square(page, "a1").getAttribute("aria-label"), (label) => !String(label).includes("x"), "the empty board of the record");
  assert.deepEqual([...other.faults, ...third.faults], []);
  await other.close();
  await third.close();
});

check("a move in real time is made by a key, and what ends is counted down", async (page) => {
  await openTable(page, "real-time-chicken", "random", "0.8");
  await see(page.getByRole("list", { name: "What is going to end" }), "road");
  await page.keyboard.press("1");
  await see(page.getByRole("list", { name: "What happened" }), /red: swerve/u);
  await eventually(() => status(page), (text) => /^Over: red (80|90), blue (90|100)\.$/u.test(text), "the result");
});

check("the first page leads to games in real time", async (page) => {
  await page.goto("/");
  await page.getByRole("region", { name: "In real time" }).getByRole("link", { name: "Tron in Real Time" }).click();
  await page.waitForURL(/\/live\?game=real-time-tron$/u);
  await eventually(() => page.locator(".live-game").first().getAttribute("data-game"), (game) => game === "real-time-tron", "the game that was asked for comes first");
});
