/**
 * A match or a position as a link with everything inside: the rules, unless they are bundled, and the moves. It is opened on any
 * machine with Paidia, at `/share#match=...`.
 *
 *     root.append(shareButton(game, () => viewer.path));
 */
import { get, post } from "./api.js";
import { busy, button, element, message, notice, plural, replace } from "./dom.js";
import { pack, unpack } from "./library.js";
import { go } from "./router.js";
import { Viewer } from "./viewer.js";

/**
 * @param {import("./types.js").Game} game
 * @param {() => string[][]} moves The moves that lead to what is shown.
 */
export function shareButton(game, moves) {
  const control = button("Copy a link", () => busy(control, async () => {
    const link = await linkOf(game, moves());
    await navigator.clipboard.writeText(link);
    notice("The link is copied. It holds the rules and the moves; only the machine's name must be changed for another one.");
  }), { title: "A link to this position, with everything in it" });
  return control;
}

/**
 * @param {import("./types.js").Game} game
 * @param {string[][]} moves
 */
export async function linkOf(game, moves) {
  const text = game.bundled ? null : (await get(`/api/games/${encodeURIComponent(game.id)}`)).text;
  return `${location.origin}/share#match=${await pack([game.bundled ? game.id : game.title, text, moves])}`;
}

/** @type {import("./types.js").Page} */
export async function show(root, { signal }) {
  const found = /^#match=([\w-]+)$/u.exec(location.hash)?.[1];
  const read = found ? await unpack(found).catch(() => null) : null;
  const isWhole = Array.isArray(read) && read.length === 3 && typeof read[0] === "string" && (read[1] === null || typeof read[1] === "string") && Array.isArray(read[2]);
  if (!isWhole) throw new Error("The match in this address is damaged; was the address copied whole?");
  const [name, text, moves] = /** @type {[string, string | null, string[][]]} */ (read);
  const asked = text === null ? { game: name, moves } : { text, name, moves };
  const { game, frames } = await post("/api/line", asked, signal);
  if (signal.aborted) return;
  document.title = `${game.title} · Paidia`;
  const viewer = new Viewer(game, { autoplay: true });
  const players = game.roles.filter((/** @type {string} */ _, /** @type {number} */ role) => role !== game.random).length;
  const open = (/** @type {HTMLButtonElement} */ control, /** @type {(role: number) => string} */ seat) => busy(control, async () => {
    const seats = game.roles.map((/** @type {string} */ _, /** @type {number} */ role) => (role === game.random ? null : seat(role)));
    const { id } = await post("/api/tables", { game: game.id, seats, from: viewer.path }, signal);
    go(`/tables/${encodeURIComponent(id)}`);
  });
  const turn = () => viewer.frame.turn[0] ?? 0;
  const alone = button("Play on from here", () => open(alone, (role) => (role === turn() ? "human" : "paidia")), { class: "button primary" });
  const two = button("Play on, all by hand", () => open(two, () => "human"));
  viewer.below.append(element("div", { class: "actions" }, alone, players > 1 ? two : null, shareButton(game, () => viewer.path)));
  replace(root, element("p", { class: "crumbs" }, element("a", { href: "/" }, "All games"), " › ",
    element("a", { href: `/games/${encodeURIComponent(game.id)}` }, game.title)),
    element("h1", {}, game.title), element("p", { class: "muted" }, `A match of ${plural(moves.length, "move")} that was sent as a link.`), viewer.element);
  try {
    viewer.setFrames(frames);
  } catch (problem) {
    notice(message(problem), "error");
  }
}
