/** Video games: one is played by keys to its end, and one is watched. */
import assert from "node:assert/strict";
import { check, eventually, see } from "../harness.mjs";

/** @typedef {import("playwright-core").Page} Page */

const data = (/** @type {Page} */ page, /** @type {string} */ name) => page.locator(".video-status").getAttribute(`data-${name}`);
const tick = async (/** @type {Page} */ page) => Number(await data(page, "tick"));

/**
 * Opens a bundled game from the list.
 * @param {Page} page
 * @param {string} name
 */
async function open(page, name) {
  await page.goto("/video");
  await page.getByRole("link", { name, exact: true }).click();
  await eventually(() => data(page, "tick"), "0", "the game is open");
}

check("a video game is changed and played by keys to its end", async (page) => {
  await open(page, "Cellar");
  await page.getByText("Change the rules and paint the level").click();
  const rules = page.getByLabel("Rules");
  await rules.fill(`${await rules.inputValue()}        Nonsense\n`);
  await see(page, /Line \d+: there is no termination `Nonsense`/u);
  const text = (await rules.inputValue()).replace("        Nonsense\n", "");
  await rules.fill(text.replace("limit=1000 win=False", "limit=30 win=True"));
  await page.locator(".video-problems li").first().waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Step", exact: true }).click();
  await eventually(() => tick(page), 1, "a single step");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  for (const key of ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"]) await page.keyboard.press(key);
  await eventually(() => data(page, "over"), "true", "the game is over");
  assert.equal(await data(page, "win"), "1");
  await page.getByLabel("Back to a tick").fill("3");
  await eventually(() => tick(page), 3, "back at the third tick");
});

check("a controller is watched while it thinks", async (page) => {
  await open(page, "Nets");
  await page.getByLabel("Player").selectOption("iw");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await eventually(() => tick(page), (at) => at >= 20, "twenty ticks");
  await see(page, /thought \d+ ms, \d+ calls/u);
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  const paused = await tick(page);
  await page.getByRole("button", { name: "Step", exact: true }).click();
  await eventually(() => tick(page), (at) => at > paused, "a step");
});
