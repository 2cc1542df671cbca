/** A game that hides things, played by two people in two browsers. */
import assert from "node:assert/strict";
import { check, eventually, newTable, openWindow, PATIENCE, see } from "../harness.mjs";

/** @typedef {import("playwright-core").Page} Page */

/** @param {Page} page @param {string} role */
const look = (page, role) => page.getByRole("button", { name: new RegExp(`^Look as ${role}$`, "iu") });

/** Takes a role. @param {Page} page @param {string} role */
async function take(page, role) {
  await look(page, role).click();
  await look(page, role).waitFor({ state: "hidden" });
}

check("a role that hides things is seen where it was taken, and nowhere else", async (page) => {
  const seats = ["human", "human", null];
  const set = await page.request.post("/api/tables", { data: { game: "kuhn-poker", seats } });
  await page.goto(`/tables/${(await set.json()).id}`);
  await take(page, "alice");
  const other = await openWindow();
  try {
    await other.page.goto(page.url());
    await look(other.page, "alice").click();
    await see(other.page, "another person has this role");
    await take(other.page, "bert");
    await page.reload();
    await look(page, "bert").click();
    await see(page, "another person has this role");
    await take(page, "alice");
  } finally {
    await other.close();
  }
});

check("who watches sees what each player believes, and who plays does not", async (page) => {
  const panel = page.locator("details.beliefs");
  await newTable(page, "kuhn-poker", {});
  await page.getByRole("button", { name: "Hint" }).waitFor();
  assert.equal(await panel.isVisible(), false, "a player is not shown what the other believes");
  await newTable(page, "kuhn-poker", { alice: "random", bert: "random" }, "0.1", "Watch");
  await page.getByLabel("Pace").selectOption("0");
  await page.getByRole("region", { name: "Result" }).waitFor({ timeout: 2 * PATIENCE });
  await panel.getByText("What each player knows").click();
  const views = panel.locator(".belief-view");
  await eventually(() => views.count(), 2, "a view for each player");
  await see(views.nth(0), /alice/iu);
  await see(views.nth(1), /bert/iu);
  // After the deal each player has seen one card, and holds both others possible.
  await page.getByRole("list", { name: "Moves" }).getByRole("listitem").nth(1).getByRole("button").click();
  for (const place of [0, 1]) {
    const view = views.nth(place);
    await see(view, /2 states are possible/u);
    await eventually(() => view.locator("li").filter({ hasText: /50 %/u }).count(), 2, "two cards, equally likely");
  }
});
