/** A game that hides things, played by two people in two browsers. */
import { check, openWindow, see } from "../harness.mjs";

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
