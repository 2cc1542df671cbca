/**
 * A match in real time that was written down, seen again at any speed.
 */
import { Boards } from "./board.js";
import { element, readable, replace } from "./dom.js";
import { facts } from "./facts.js";
import { LiveReplay } from "./live-replay.js";
import { dateOf, result } from "./matches.js";

/** @typedef {import("./live.js").Moment} Moment */
/**
 * @typedef {object} RecordedLive
 * @property {string} id
 * @property {string} title
 * @property {string[]} roles
 * @property {string} rules
 * @property {number} end
 * @property {number} pace
 * @property {import("./types.js").Scene} scene
 * @property {Moment[]} moments
 * @property {string | null} differs
 */

/**
 * @param {HTMLElement} root
 * @param {{match: import("./matches.js").MatchLine, live: RecordedLive}} record
 * @param {AbortSignal} signal
 */
export function showLiveMatch(root, { match, live }, signal) {
  const last = live.moments.at(-1);
  const boards = new Boards(live.scene, last?.cells ? { cells: last.cells } : null, { onCell: () => {} });
  const beside = element("div", {});
  const show = (/** @type {Moment} */ moment) => {
    if (moment.cells) boards.show({ cells: moment.cells });
    if (moment.beside) replace(beside, facts({ beside: moment.beside }, { large: !boards.any }));
  };
  const happened = live.moments.flatMap((moment) => {
    const made = Object.entries(moment.moves).map(([role, move]) => `${readable(role)}: ${readable(move)}`);
    return made.length > 0 ? [element("li", {}, `${moment.time.toFixed(2)}  ${made.join(", ")}`)] : [];
  });
  const again = new LiveReplay(live, live.pace, show, signal);
  if (last) show(last);
  document.title = `${match.title || live.title} · Paidia`;
  replace(root,
    element("p", { class: "crumbs" }, element("a", { href: "/matches" }, "All matches"), " › ", element("a", { href: `/live?game=${encodeURIComponent(live.id)}` }, live.title)),
    element("h1", {}, match.title || live.title),
    element("p", { class: "match-heading" }, ...result(match.players, match.goals), " ",
      element("span", { class: "hint" }, `in real time, ${live.end.toFixed(1)} units, ${dateOf(match.date)}${match.completed ? "" : "; it was broken off"}`)),
    live.differs ? element("p", { class: "failure" }, `The record and the rules do not agree: ${live.differs}`) : null,
    element("div", { class: "live-table" },
      element("div", { class: "live-main" }, boards.any ? boards.element : null, again.element),
      element("div", { class: "live-side" }, beside, element("ol", { class: "live-log", "aria-label": "What happened" }, ...happened),
        element("details", {}, element("summary", {}, "Rules"), element("p", {}, live.rules)))));
}
