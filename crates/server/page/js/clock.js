/**
 * Clocks at a table: what each role has left for all its moves. The server keeps the time; here it is shown running.
 *
 *     const clocks = new Clocks(page);
 *     clocks.set(snapshot.clock);            // or clocks.at(frame) when a position comes about
 *     role.append(clocks.face(0));           // a face that runs by itself; null where there are no clocks
 */
import { announce, choice, element, readable } from "./dom.js";

/** @typedef {{left: number[], running: number[], increment: number, start: number}} ClockState */

/** What the page of a game offers: seconds for all moves, and seconds back for each. @type {[string, string][]} */
const OFFERED = [
  ["", "no clock"], ["60+0", "1 minute"], ["180+2", "3 minutes + 2 seconds a move"], ["300+3", "5 minutes + 3 seconds a move"],
  ["600+5", "10 minutes + 5 seconds a move"], ["1800+20", "30 minutes + 20 seconds a move"],
];
/** Less than this is little, in milliseconds. */
const LITTLE = 20_000;
/** How often faces are drawn anew, in milliseconds. */
const PAUSE = 100;

export class Clocks {
  /** @param {import("./table.js").TableView} page */
  constructor(page) {
    this.page = page;
    /** @type {ClockState | null} */
    this.state = null;
    this.since = 0;
    /** @type {HTMLElement[]} */
    this.faces = [];
    /** Roles that were told to have little time. @type {Set<number>} */
    this.warned = new Set();
    const timer = setInterval(() => this.#run(), PAUSE);
    page.signal.addEventListener("abort", () => clearInterval(timer));
  }

  /** @param {ClockState | null | undefined} state */
  set(state) {
    this.state = state ?? null;
    this.since = performance.now();
    this.#run();
  }

  /** A position came about, with what each role had left. @param {import("./types.js").Frame} frame */
  at(frame) {
    if (!this.state || !frame.clock) return;
    this.set({ ...this.state, left: frame.clock, running: frame.ended || frame.ply === 0 ? [] : frame.turn });
  }

  /** A role has chosen. @param {number[]} roles */
  stop(roles) {
    if (!this.state) return;
    const left = this.state.left.map((_, role) => this.left(role));
    this.set({ ...this.state, left, running: this.state.running.filter((role) => !roles.includes(role)) });
  }

  /** What a role has left now, in milliseconds. @param {number} role */
  left(role) {
    const { state } = this;
    if (!state) return 0;
    const passed = state.running.includes(role) ? performance.now() - this.since : 0;
    return Math.max(0, (state.left[role] ?? 0) - passed);
  }

  /** @param {number} role */
  face(role) {
    if (!this.state || role === this.page.game.random) return null;
    const face = element("time", { class: "clock", role: "timer" });
    this.faces[role] = face;
    this.#draw(role, face);
    return face;
  }

  #run() {
    this.faces.forEach((face, role) => this.#draw(role, face));
  }

  /**
   * @param {number} role
   * @param {HTMLElement} face
   */
  #draw(role, face) {
    const left = this.left(role);
    const text = clockText(left);
    if (face.textContent !== text) face.textContent = text;
    const runs = this.state?.running.includes(role) ?? false;
    face.classList.toggle("runs", runs);
    face.classList.toggle("low", left < LITTLE);
    if (runs && left < LITTLE && left > 0 && !this.warned.has(role)) {
      this.warned.add(role);
      announce(`${readable(this.page.game.roles[role] ?? "")} has ${Math.ceil(left / 1000)} seconds left`);
    }
  }
}

/** Minutes and seconds; tenths where little is left. @param {number} left In milliseconds. */
export function clockText(left) {
  const seconds = Math.floor(left / 1000);
  if (left > 0 && left < 10_000) return `0:0${(Math.floor(left / 100) / 10).toFixed(1)}`;
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (/** @type {number} */ value) => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** A choice of clocks for a new table; `read` gives what the server is asked for. @param {string} value */
export function clockPicker(value) {
  const control = choice(OFFERED, OFFERED.some(([offered]) => offered === value) ? value : "");
  const read = () => {
    const [seconds, increment] = control.value.split("+").map(Number);
    return control.value === "" ? null : { seconds, increment };
  };
  return { control, read };
}
