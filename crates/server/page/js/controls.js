/**
 * Below the board: take back, hint, resign, swap sides, and play on from an earlier position; for players among
 * themselves pause, step and pace. `seating` is a panel to change who plays which role.
 */
import { ApiError } from "./api.js";
import { busy, button, choice, element, field, readable, replace } from "./dom.js";
import { seatPicker, swapped, timePicker } from "./seats.js";
import { shareButton } from "./share.js";
import { soundButton } from "./sound.js";

const PACES = /** @type {[string, string][]} */ ([["0", "as fast as possible"], ["0.3", "fast"], ["0.8", "calm"], ["2", "slow"], ["5", "very slow"]]);

export class Controls {
  /**
   * @param {import("./table.js").TableView} page
   * @param {import("./types.js").Player[]} catalogue
   */
  constructor(page, catalogue) {
    this.page = page;
    this.element = element("div", { class: "controls", role: "group", "aria-label": "Table" });
    this.buttons = this.#make();
    this.pace = choice(PACES.some(([value]) => Number(value) === page.table.pace) ? PACES : [...PACES, [String(page.table.pace), `${page.table.pace} s`]],
      String(page.table.pace), (value) => void page.send("pace", { pace: Number(value) }));
    this.pace.setAttribute("aria-label", "Pace");
    this.pickers = page.game.roles.map((role, index) =>
      index === page.game.random ? null : seatPicker(readable(role), catalogue, page.table.seats[index] ?? "human", { human: true }));
    const time = timePicker(page.table.seconds);
    const apply = button("Change players", () => busy(apply, () =>
      page.send("seats", { seats: this.pickers.map((picker) => picker?.value() ?? null), seconds: Number(time.value) })));
    this.seating = element("details", { class: "panel" }, element("summary", {}, "Who plays"),
      element("div", { class: "seats" }, ...this.pickers.flatMap((picker) => picker?.element ?? []), field("Thinking time a move", time)), apply);
    /** At one screen with several people, a button for each role to look for it. @type {[number, HTMLButtonElement][]} */
    this.looks = page.game.roles.map((role, index) => [index, button(`Look as ${readable(role)}`, () => void page.look(index))]);
    this.share = shareButton(page.game, () => page.viewer.path);
    replace(this.element, ...Object.values(this.buttons), ...this.looks.map(([, look]) => look), this.pace, this.share, soundButton());
    /** @type {string} */
    this.seated = JSON.stringify(page.table.seats);
  }

  /**
   * @param {string} label
   * @param {() => Promise<unknown>} task
   */
  #button(label, task) {
    const made = button(label, () => busy(made, task));
    return made;
  }

  #make() {
    const { page } = this;
    return {
      now: this.#button("Back to the game", async () => page.viewer.goTo(page.viewer.frames.length - 1)),
      on: this.#button("Play on from here", () => this.#playOn()),
      hint: this.#button("Hint", () => page.hint()),
      back: this.#button("Take back", () => page.send("take-back", { to: this.#before() ?? 0 })),
      swap: this.#button("Swap sides", () => page.send("seats", { seats: swapped(page.table.seats, page.game.random) })),
      turn: this.#button("Turn the board", async () => page.viewer.turn()),
      resign: this.#button("Resign", () => page.send("resign", { role: this.#resigning() })),
      pause: this.#button("Pause", () => page.send(page.table.paused ? "resume" : "pause")),
      step: this.#button("Step", () => page.send("step")),
    };
  }

  /** Drops what came after the position shown; at a closed table that goes by opening another. */
  async #playOn() {
    const { page } = this;
    try {
      await page.send("take-back", { to: page.viewer.frame.ply });
    } catch (problem) {
      if (!(problem instanceof ApiError) || (problem.status !== 404 && problem.status !== 409)) throw problem;
      await page.again(page.viewer.path);
    }
  }

  show() {
    const { page, buttons } = this;
    const { newest, people, viewer } = page;
    const over = Boolean(newest.ended);
    const looking = !viewer.last;
    buttons.now.hidden = !looking;
    buttons.on.hidden = !looking || page.guarded;
    buttons.hint.hidden = page.asked === null;
    buttons.back.hidden = !people || looking || page.guarded;
    buttons.back.disabled = this.#before() === null;
    buttons.swap.hidden = over || looking || (page.guarded && newest.ply > 0) || page.game.roles.length < 2 || new Set(page.table.seats).size < 2;
    buttons.resign.hidden = !people || over || looking || page.game.roles.length < 2;
    buttons.turn.hidden = !viewer.boards.any || viewer.boards.element.hidden;
    this.share.hidden = page.secret || viewer.path.length === 0;
    for (const [role, look] of this.looks) look.hidden = !page.outside || page.table.seats[role] !== "human";
    buttons.pause.hidden = people || over;
    buttons.pause.textContent = page.table.paused ? "Go on" : "Pause";
    buttons.step.hidden = people || over || !page.table.paused;
    this.pace.hidden = people || over;
    const seated = JSON.stringify(page.table.seats);
    if (seated !== this.seated) this.pickers.forEach((picker, role) => picker?.set(page.table.seats[role] ?? "human"));
    this.seated = seated;
  }

  /** The ply of the last position before the newest in which a person had a choice; null when there is none. */
  #before() {
    const { frames } = this.page.viewer;
    for (let index = frames.length - 2; index >= 0; index -= 1) {
      const frame = frames[index];
      if (frame?.turn.some((role) => this.page.table.seats[role] === "human")) return frame.ply;
    }
    return null;
  }

  /** The person who resigns: the one asked, else the first. */
  #resigning() {
    return this.page.asked ?? this.page.table.seats.indexOf("human");
  }
}
