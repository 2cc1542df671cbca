/**
 * What the tests share: the real program on a free port with an empty folder for its records, one browser, and ways to look at a
 * page. All tests of a process use one program and one browser; each has a window of its own, with nothing remembered.
 *
 * `PAIDIA` says which program; else it is the newest one that cargo has built. `PAIDIA_PAGE` serves the page from a folder, so that
 * changes of it need no build. `PAIDIA_BROWSER` says which browser: Chromium, or Firefox of the system.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium, firefox } from "playwright-core";

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("playwright-core").Locator} Locator */
/** @typedef {import("playwright-core").BrowserContextOptions} WindowOptions */

/** How long anything may take on a machine that is busy. */
export const PATIENCE = 30_000;
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** @param {string} name */
function inPath(name) {
  const places = (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, name));
  return places.find((place) => existsSync(place));
}

/** The browser of the system; playwright-core brings none. */
export function browserPath() {
  const found = process.env["PAIDIA_BROWSER"] ?? ["chromium", "chromium-browser", "google-chrome"].map(inPath).find((place) => place !== undefined);
  if (!found) throw new Error("no Chromium in the path; `apt-get install chromium`, or say where one is in PAIDIA_BROWSER");
  return found;
}

function programPath() {
  if (process.env["PAIDIA"]) return process.env["PAIDIA"];
  const built = ["debug", "release"].map((kind) => join(ROOT, "target", kind, "paidia")).filter((path) => existsSync(path));
  built.sort((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs);
  if (!built[0]) throw new Error("there is no program to test; `cargo build` makes it, or say where one is in PAIDIA");
  return built[0];
}

/**
 * Starts the program and waits until it says where it listens.
 * @param {string[]} [more] More arguments.
 * @param {{folder?: string, listen?: string}} [where] The folder of an earlier one, and its address.
 */
export async function startProgram(more = [], { folder = mkdtempSync(join(tmpdir(), "paidia-browser-")), listen = "127.0.0.1:0" } = {}) {
  const page = process.env["PAIDIA_PAGE"] ? ["--page", resolve(process.env["PAIDIA_PAGE"])] : [];
  const program = spawn(programPath(), ["web", "--listen", listen, ...page, ...more], {
    cwd: folder,
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: join(folder, "data") },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  const address = await new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the program does not say where it listens: ${said}`)), PATIENCE);
    const hear = (/** @type {Buffer} */ part) => {
      said += part;
      const found = /http:\/\/[\w.:[\]]+/u.exec(said);
      if (!found) return;
      clearTimeout(timer);
      resolve(found[0].replace(/\/$/u, ""));
    };
    program.stdout.on("data", hear);
    program.stderr.on("data", hear);
    program.once("exit", (code) => reject(new Error(`the program ended with ${code}: ${said}`)));
  });
  const stop = async () => {
    if (program.exitCode === null) {
      const ended = new Promise((resolve) => program.once("exit", resolve));
      program.kill();
      await ended;
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  /** Ends it at once, and leaves its folder. @param {NodeJS.Signals} signal */
  const kill = async (signal) => {
    const ended = new Promise((resolve) => program.once("exit", resolve));
    program.kill(signal);
    await ended;
  };
  return { address: /** @type {string} */ (address), stop, kill, folder };
}

/** @returns {Promise<import("playwright-core").Browser>} */
export function startBrowser() {
  const executablePath = browserPath();
  if (/firefox/iu.test(executablePath)) return firefox.launch({ channel: "moz-firefox", executablePath, timeout: 4 * PATIENCE });
  const args = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"];
  return chromium.launch({ executablePath, args, timeout: PATIENCE });
}

/** @type {Promise<{program: Awaited<ReturnType<typeof startProgram>>, browser: import("playwright-core").Browser}> | undefined} */
let shared;

/** The program and the browser of this process. */
export function running() {
  shared ??= Promise.all([startProgram(), startBrowser()]).then(([program, browser]) => ({ program, browser }));
  return shared;
}

after(async () => {
  const both = await shared?.catch(() => undefined);
  await both?.browser.close();
  await both?.program.stop();
});

/**
 * A new window that remembers nothing. What goes wrong in it is written down in `faults`.
 * @param {WindowOptions} [options]
 */
export async function openWindow(options = {}) {
  const { program, browser } = await running();
  const context = await browser.newContext({ baseURL: program.address, viewport: { width: 1200, height: 900 }, reducedMotion: "reduce", ...options });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  /** @type {string[]} */
  const faults = [];
  page.on("pageerror", (error) => faults.push(`error in the page: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" && !/status of 4\d\d/u.test(message.text())) faults.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(program.address) && !/^(data|blob):/u.test(request.url())) faults.push(`asked elsewhere: ${request.url()}`);
  });
  return { page, faults, close: () => context.close() };
}

/**
 * A test with a window of its own; it fails, too, if the page reports an error or asks another machine for anything.
 * @param {string} name
 * @param {(page: Page, faults: string[]) => Promise<void>} body
 * @param {WindowOptions} [options]
 */
export function check(name, body, options) {
  test(name, { timeout: 4 * PATIENCE }, async () => {
    const { page, faults, close } = await openWindow(options);
    try {
      await body(page, faults);
      assert.deepEqual(faults, []);
    } catch (problem) {
      const shown = await page.locator("body").innerText({ timeout: 1000 }).catch(() => "nothing");
      console.error(`${name}: at ${page.url()} with ${faults.join("; ") || "no fault"}, the page shows:\n${shown.slice(0, 3000)}`);
      throw problem;
    } finally {
      await close();
    }
  });
}

/**
 * Asks until the answer is as expected, and fails with the last answer if it never is.
 * @template T
 * @param {() => Promise<T>} ask
 * @param {T | ((answer: T) => boolean)} expected
 * @param {string} what
 */
export async function eventually(ask, expected, what) {
  const until = Date.now() + PATIENCE;
  const fits = (/** @type {T} */ answer) =>
    typeof expected === "function" ? /** @type {(answer: T) => boolean} */ (expected)(answer) : JSON.stringify(answer) === JSON.stringify(expected);
  let answer = await ask();
  while (!fits(answer) && Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 60));
    answer = await ask();
  }
  if (typeof expected === "function") assert.ok(fits(answer), `${what}: ${JSON.stringify(answer)}`);
  else assert.deepEqual(answer, expected, what);
  return answer;
}

/**
 * Waits until a text is to be seen.
 * @param {Page | Locator} where
 * @param {string | RegExp} text
 */
export async function see(where, text) {
  await where.getByText(text).first().waitFor({ state: "visible" });
}

/** Squares of a board that can be chosen or looked at; pictures of games have none. */
export const SQUARES = '.boards:not(.small) [role="button"]';

/**
 * The square of a board by column and row, such as "b2". Games whose columns have numbers call it "column 2, row 2".
 * @param {Page} page
 * @param {string} name
 */
export function square(page, name) {
  const column = name.charCodeAt(0) - "a".charCodeAt(0) + 1;
  const labels = [`${name}:`, `column ${column}, row ${name.slice(1)}:`];
  return page.locator(labels.map((label) => `${SQUARES}[aria-label^="${label}"]`).join(", ")).first();
}

/**
 * Which square a label is about, such as "b2".
 * @param {string} label
 */
export function squareName(label) {
  const numbers = /^column (\d+), row (\d+)/u.exec(label);
  return numbers ? String.fromCharCode("a".charCodeAt(0) + Number(numbers[1]) - 1) + numbers[2] : (label.split(":")[0] ?? "");
}

/**
 * What is on a square, as those hear who do not see it: "b2: x, last move" gives "x".
 * @param {Page} page
 * @param {string} name
 */
export async function on(page, name) {
  const label = (await square(page, name).getAttribute("aria-label")) ?? "";
  return /^[^:]*: ([^,]*)/u.exec(label)?.[1] ?? label;
}

/**
 * How many squares have this on them.
 * @param {Page} page
 * @param {string} what
 */
export function countOf(page, what) {
  return page.locator(`${SQUARES}[aria-label*=": ${what}"]`).count();
}

/**
 * Opens the page of a game, says who plays, and begins. Roles that are not named keep who is proposed for them.
 * @param {Page} page
 * @param {string} game
 * @param {Record<string, string>} seats
 * @param {string} [seconds] How long players think.
 * @param {"Play" | "Watch"} [how]
 */
export async function newTable(page, game, seats, seconds = "0.1", how = "Play") {
  await page.goto(`/games/${game}`);
  for (const [role, seat] of Object.entries(seats)) await page.getByLabel(role, { exact: true }).selectOption(seat);
  await page.getByLabel("Thinking time a move").selectOption(seconds);
  await page.getByRole("button", { name: how, exact: true }).click();
  await page.waitForURL(/\/tables\//u);
  await page.locator(".move-list").waitFor();
}

/**
 * Gives the program a rule sheet, and tells the game's name there.
 * @param {Page} page
 * @param {string} name
 * @param {string} text
 * @returns {Promise<string>}
 */
export async function pasted(page, name, text) {
  const answer = await page.request.post("/api/games", { data: { name, text } });
  const body = await answer.json();
  assert.equal(answer.status(), 200, JSON.stringify(body));
  return body.id;
}
