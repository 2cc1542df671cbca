/**
 * The shell: which page belongs to an address, links that change pages without loading anew, and what is shown when
 * a page cannot be. A page module is loaded when first needed; it exports `async function show(root, route)`.
 */
import { takeToken } from "./api.js";
import { aborted, element, message, replace } from "./dom.js";
import { onNavigate, revisit } from "./router.js";

/** @typedef {import("./types.js").Page} Page */

/** @type {[RegExp, string, () => Promise<{show: Page}>][]} */
const PAGES = [
  [/^\/$/, "Games", () => import("./gallery.js")],
  [/^\/games\/(?<id>[^/]+)$/, "Game", () => import("./game.js")],
  [/^\/games\/(?<id>[^/]+)\/rules$/, "Rules", () => import("./rules.js")],
  [/^\/tables\/(?<id>[^/]+)$/, "Table", () => import("./table.js")],
  [/^\/video(?:\/(?<id>[^/]+))?$/, "Video games", () => import("./video.js")],
  [/^\/write$/, "Write", () => import("./write.js")],
  [/^\/puzzles$/, "Puzzles", () => import("./puzzles.js")],
  [/^\/share$/, "Share", () => import("./share.js")],
  [/^\/live(?:\/(?<id>[^/]+))?$/, "Real time", () => import("./live.js")],
  [/^\/matches(?:\/(?<id>[^/]+))?$/, "Matches", () => import("./matches.js")],
  [/^\/tournaments(?:\/(?<id>[^/]+))?$/, "Tournaments", () => import("./tournaments.js")],
];

let leaving = new AbortController();
let first = true;

async function visit() {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  const main = /** @type {HTMLElement} */ (document.getElementById("main"));
  const root = element("div", { class: "page" });
  replace(main, root);
  markCurrent();
  if (!first) main.focus({ preventScroll: true });
  first = false;
  try {
    await open(root, signal);
  } catch (problem) {
    if (!aborted(problem) && !signal.aborted) showProblem(root, problem);
  }
}

/**
 * @param {HTMLElement} root
 * @param {AbortSignal} signal
 */
async function open(root, signal) {
  for (const [pattern, title, load] of PAGES) {
    const found = pattern.exec(location.pathname);
    if (!found) continue;
    document.title = `${title} · Paidia`;
    const page = await load();
    if (signal.aborted) return;
    const params = Object.fromEntries(
      Object.entries(found.groups ?? {}).flatMap(([name, value]) => (value ? [[name, decodeURIComponent(value)]] : [])),
    );
    await page.show(root, { params, query: new URLSearchParams(location.search), signal });
    return;
  }
  showProblem(root, new Error(`There is no page at ${location.pathname}.`));
}

/**
 * @param {HTMLElement} root
 * @param {unknown} problem
 */
function showProblem(root, problem) {
  replace(
    root,
    element("section", { class: "problem panel" },
      element("h1", {}, "That did not work"),
      element("p", {}, message(problem)),
      element("p", {}, element("button", { class: "button", type: "button", onclick: revisit }, "Try again"), " ",
        element("a", { class: "button", href: "/" }, "All games"))),
  );
}

function markCurrent() {
  const section = location.pathname.split("/")[1];
  const here = section === "games" || section === "tables" ? "" : section;
  for (const link of document.querySelectorAll("header nav a")) {
    const current = link.getAttribute("href") === `/${here}`;
    if (current) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

takeToken();
onNavigate(() => void visit());
revisit();
