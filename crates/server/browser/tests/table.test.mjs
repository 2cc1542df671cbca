/** Tables: clocks, two people in two browsers, sounds. */
import assert from "node:assert/strict";
import { check, eventually, on, openWindow, see, square } from "../harness.mjs";

/** @typedef {import("playwright-core").Page} Page */

const clock = (/** @type {Page} */ page, /** @type {number} */ role) => page.locator(".role").nth(role).locator(".clock");

/**
 * A table in tic-tac-toe.
 * @param {Page} page
 * @param {object} more
 */
async function table(page, more) {
  const answer = await page.request.post("/api/tables", { data: { game: "tic-tac-toe", seats: ["human", "human"], ...more } });
  assert.equal(answer.status(), 200, await answer.text());
  return `/tables/${(await answer.json()).id}`;
}

check("two people play from two browsers, each its own role, with clocks", async (page) => {
  await page.goto("/games/tic-tac-toe");
  await page.getByLabel("x", { exact: true }).selectOption("human");
  await page.getByLabel("o", { exact: true }).selectOption("human");
  await page.getByLabel("Clock").selectOption("300+3");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForURL(/\/tables\//u);
  await eventually(() => clock(page, 0).innerText(), "5:00", "the first clock");
  const address = page.url();
  await page.goto(`${address}?sit=0`);
  const other = await openWindow();
  const third = await openWindow();
  try {
    await other.page.goto(`${address}?sit=1`);
    await third.page.goto(address);
    for (const one of [page, other.page]) {
      await one.getByText("Play from two places").click();
      await see(one.locator(".people"), "is yours");
      await eventually(() => one.locator(".people li", { hasText: "is taken" }).count(), 1, "the other role is taken");
    }
    await square(page, "a1").click();
    for (const one of [page, other.page, third.page]) await eventually(() => on(one, "a1"), "x", "the first move");
    await other.page.locator("p.status.yours").waitFor();
    assert.equal(await page.locator("p.status.yours").count(), 0, "the first must wait");
    assert.equal(await third.page.locator("p.status.yours").count(), 0, "who has no role only looks on");
    for (const one of [page, other.page, third.page]) {
      assert.deepEqual(await Promise.all([0, 1].map((role) => clock(one, role).evaluate((face) => face.classList.contains("runs")))), [false, true]);
    }
    await square(page, "b2").click();
    await square(third.page, "b2").click();
    await square(other.page, "c3").click();
    for (const one of [page, other.page, third.page]) await eventually(() => on(one, "c3"), "o", "the second move");
    assert.equal(await on(page, "b2"), "empty", "no one moves for another");
    await eventually(() => clock(page, 1).innerText(), (text) => /^5:0[0-3]$/u.test(text), "three seconds came back");
    assert.deepEqual([...other.faults, ...third.faults], []);
  } finally {
    await other.close();
    await third.close();
  }
});

check("who has no time left has lost, and the next match has clocks again", async (page) => {
  await page.goto(await table(page, { clock: { seconds: 1, increment: 0 } }));
  await square(page, "b2").click();
  const result = page.getByRole("region", { name: "Result" });
  await see(result, "x wins on time");
  await see(result, /The time of o is up/u);
  await result.getByRole("button", { name: "Play again" }).click();
  await page.waitForURL((address) => address.pathname.startsWith("/tables/"));
  await eventually(() => clock(page, 1).innerText(), "0:01.0", "a new clock");
});

check("sounds can be switched off, and stay off", async (page) => {
  await page.goto(await table(page, {}));
  const heard = () => page.evaluate(() => document.documentElement.dataset["sound"] ?? "");
  await square(page, "a1").click();
  await eventually(heard, "turn", "a sound");
  await page.getByRole("button", { name: "Sound: on" }).click();
  await page.reload();
  await page.getByRole("button", { name: "Sound: off" }).waitFor();
  await square(page, "b1").click();
  await eventually(() => on(page, "b1"), "o", "a move");
  assert.equal(await heard(), "");
});
