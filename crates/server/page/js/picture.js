/**
 * A game as a small picture, asked from the server when it comes into view: its starting position, or one after a few moves
 * where that shows nothing yet.
 *
 *     root.append(picture("connect-four"));
 *
 * It is for the eye only: what stands beside it must tell which game it is.
 */
import { get } from "./api.js";
import { Boards } from "./board.js";
import { element, replace } from "./dom.js";
import { facts } from "./facts.js";

/** @typedef {{scene: import("./types.js").Scene, start: import("./types.js").Frame, roles: string[]}} Picture */

/** @type {Map<string, Promise<Picture>>} */
const asked = new Map();

const seen = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    seen.unobserve(entry.target);
    void fill(/** @type {HTMLElement} */ (entry.target));
  }
}, { rootMargin: "300px" });

/** @param {string} game */
export function picture(game) {
  const place = element("div", { class: "picture", data: { game }, "aria-hidden": "true" });
  seen.observe(place);
  return place;
}

/** @param {HTMLElement} place */
async function fill(place) {
  const game = place.dataset["game"] ?? "";
  try {
    const { scene, start } = await ask(game);
    const boards = new Boards(scene, start, { small: true });
    replace(place, boards.any ? boards.element : sketch(start));
  } catch {
    replace(place, element("span", { class: "picture-missing" }, "?"));
  }
}

/** @param {string} game */
function ask(game) {
  const known = asked.get(game);
  if (known) return known;
  const answer = get(`/api/games/${encodeURIComponent(game)}/picture`);
  asked.set(game, answer);
  answer.catch(() => asked.delete(game));
  return answer;
}

/** A game with no board: its first few facts. @param {import("./types.js").Frame} start */
function sketch(start) {
  const few = (start.beside ?? []).slice(0, 6).map((fact) => ({ label: fact.label, values: fact.values.slice(0, 3) }));
  const list = facts({ beside: few });
  list.classList.add("sketch");
  return list;
}
