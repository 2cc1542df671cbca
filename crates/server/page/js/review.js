/**
 * Finds the moves of a match where the value fell: each position is searched for the role that moved, and what was played
 * is compared with the best. `new Review(replay)` has a panel as `element`; `start()` begins, and can be stopped.
 */
import { post } from "./api.js";
import { aborted, busy, button, element, message, notice, number, readable, replace } from "./dom.js";
import { moveText } from "./naming.js";

/** @typedef {import("./types.js").Decision} Decision */
/** @typedef {{at: number, role: number, played: string, better: string, loss: number}} Fall */

/** A move that loses less than this, of 100, is not worth a word. */
const WORTH_A_WORD = 10;
/** How long each position is searched, in seconds. */
const SECONDS = 0.3;

export class Review {
  /**
   * @param {import("./viewer.js").Viewer} viewer
   * @param {AbortSignal} signal
   * @param {(at: number, role: number) => Promise<void>} tryAgain Plays on from a position.
   */
  constructor(viewer, signal, tryAgain) {
    this.viewer = viewer;
    this.signal = signal;
    this.tryAgain = tryAgain;
    this.stopping = new AbortController();
    this.isRunning = false;
    this.status = element("p", { class: "hint", role: "status" });
    this.list = element("ol", { class: "falls" });
    this.button = button("Find the mistakes", () => (this.isRunning ? this.stopping.abort() : void this.start()), { class: "button" });
    this.element = element("section", { class: "panel review", "aria-label": "Review" },
      element("div", { class: "panel-head" }, element("h3", {}, "Review"), this.button), this.status, this.list);
  }

  async start() {
    if (this.isRunning) return;
    this.isRunning = true;
    this.stopping = new AbortController();
    this.button.textContent = "Stop";
    replace(this.list);
    try {
      await this.#look(AbortSignal.any([this.signal, this.stopping.signal]));
    } catch (problem) {
      if (!aborted(problem)) notice(message(problem), "error");
      else this.status.textContent = "Stopped.";
    }
    this.isRunning = false;
    this.button.textContent = "Find the mistakes";
  }

  /** @param {AbortSignal} signal */
  async #look(signal) {
    const { frames, game } = this.viewer;
    /** @type {Map<number, number[]>} */
    const losses = new Map();
    for (let at = 1; at < frames.length; at += 1) {
      const joint = frames[at]?.made?.joint ?? [];
      const movers = frames[at - 1]?.turn.filter((role) => role !== game.random && (frames[at - 1]?.legal?.[role]?.length ?? 0) > 1) ?? [];
      for (const role of movers) {
        this.status.textContent = `Looking at move ${at} of ${frames.length - 1}…`;
        const moves = frames.slice(1, at).flatMap((frame) => (frame.made ? [frame.made.joint] : []));
        const { decisions } = await post("/api/analyse", { game: game.id, moves, role, players: ["paidia"], seconds: SECONDS }, signal);
        const fall = compare(decisions[0], joint[role] ?? "", at, role);
        losses.set(role, [...(losses.get(role) ?? []), fall?.loss ?? 0]);
        if (fall && fall.loss >= WORTH_A_WORD) this.list.append(this.#item(fall));
      }
    }
    const told = [...losses].map(([role, all]) => `${readable(game.roles[role] ?? "")} ${number(100 - all.reduce((sum, loss) => sum + loss, 0) / all.length)} %`);
    this.status.textContent = told.length === 0 ? "There was no choice in this match." : `Accuracy: ${told.join(", ")}.`;
    if (this.list.childElementCount === 0) this.list.append(element("li", {}, "No move lost much."));
  }

  /** @param {Fall} fall */
  #item({ at, role, played, better, loss }) {
    const { frames, game } = this.viewer;
    const before = frames[at - 1];
    const text = (/** @type {string} */ move) => moveText(move, before?.legal?.[role]?.find((one) => one.move === move)?.steps.flat() ?? [], game.scene, before?.cells);
    const again = button("Try again from here", () => busy(again, () => this.tryAgain(at - 1, role)), { class: "button quiet" });
    return element("li", {},
      button(`${at}. ${readable(game.roles[role] ?? "")}: ${text(played)}${loss >= 40 ? "??" : loss >= 20 ? "?" : "?!"}`, () => this.viewer.goTo(at), { class: "plain link" }),
      ` lost ${number(loss)}; better was ${text(better)}. `, again);
  }
}

/**
 * @param {Decision | undefined} decision
 * @param {string} played
 * @param {number} at
 * @param {number} role
 * @returns {Fall | null}
 */
function compare(decision, played, at, role) {
  if (!decision || decision.move === played) return null;
  const worth = (/** @type {import("./types.js").RankedMove} */ one) => (typeof one.certain === "number" ? one.certain : one.value);
  const best = decision.moves.find((one) => one.move === decision.move);
  const own = decision.moves.find((one) => one.move === played);
  if (!best || decision.moves.length === 0) return null;
  const value = own ? worth(own) : Math.min(...decision.moves.map(worth));
  return { at, role, played, better: decision.move, loss: Math.max(0, Math.min(100, worth(best) - value)) };
}
