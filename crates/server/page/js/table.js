/**
 * A live table: a match with people at this screen, players of the catalogue, or both. The server's events tell what
 * happens; clicks, keys and buttons become requests.
 */
import { ApiError, events, get, players, post } from "./api.js";
import { Analysis, hint } from "./analysis.js";
import { Banner } from "./banner.js";
import { Beliefs } from "./beliefs.js";
import { Clocks } from "./clock.js";
import { Controls } from "./controls.js";
import { announce, element, message, notice, number, readable, replace } from "./dom.js";
import { moveText } from "./naming.js";
import { joinParts } from "./parts.js";
import { noteOwn, ownRoles } from "./people.js";
import { MovePicker } from "./picker.js";
import { standsAbove } from "./roles.js";
import { isEmpty } from "./pieces.js";
import { go } from "./router.js";
import { play } from "./sound.js";
import { Thought } from "./thought.js";
import { Viewer } from "./viewer.js";

/** @typedef {import("./types.js").Table} Table */
/** @typedef {import("./types.js").Frame} Frame */

/** @type {import("./types.js").Page} */
export async function show(root, { params, signal }) {
  replace(root, element("p", { class: "loading" }, "Opening the table…"));
  const catalogue = await players();
  const path = `/api/tables/${encodeURIComponent(params["id"] ?? "")}`;
  /** @type {TablePage | null} */
  let page = null;
  await new Promise((done, fail) => {
    /** @type {EventSource | null} */
    let source = null;
    /** Asks again until the table is there, or is known not to be. @param {number | null} role */
    const askAgain = async (role) => {
      for (let pause = 500; !signal.aborted; pause = Math.min(5000, pause * 1.5)) {
        try {
          await get(role === null ? path : `${path}?role=${role}`, signal);
          return listen(role);
        } catch (problem) {
          // The role is another person's now; what those who watch may see is left.
          if (problem instanceof ApiError && problem.status === 403) return listen(null);
          if (problem instanceof ApiError && problem.status >= 400 && problem.status < 500) {
            const gone = "There is no such table any more. Finished games are among the matches.";
            if (page) page.end(gone);
            else fail(new Error(gone));
            return;
          }
        }
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    };
    /** Listens for one role, or for those who watch. @param {number | null} role */
    const listen = (role) => {
      source?.close();
      const opened = events(role === null ? `${path}/events` : `${path}/events?role=${role}`, {
        snapshot: (table) => {
          if (page) page.restore(table);
          else page = new TablePage(root, table, catalogue, path, signal, listen);
          page.lookAlone();
          done(undefined);
        },
        frame: (frame) => page?.push(frame),
        thinking: (data) => page?.think(data),
        thought: (found) => page?.showThought(found),
        unkept: ({ error }) => notice(`This match is lost when Paidia ends: ${error}.`, "error"),
        seats: ({ seats, seconds, taken }) => {
          if (page) page.table.taken = taken ?? page.table.taken;
          page?.reseat(seats, seconds);
        },
        taken: ({ taken }) => {
          if (page) page.table.taken = taken;
          page?.refresh();
        },
        pending: ({ pending }) => page?.wait(pending),
        clock: ({ clock }) => page?.clocks.set(clock),
        paused: ({ paused, pace }) => page?.pause(paused, pace),
        recorded: (data) => page?.record(data.match),
        closed: () => {
          page?.close();
          opened.close();
        },
      }, signal, {
        lost: () => {
          page?.connection(false);
          // The browser tries again by itself as long as the server refuses nothing.
          if (opened.readyState === EventSource.CLOSED || !page) {
            opened.close();
            void askAgain(role);
          }
        },
        found: () => page?.connection(true),
      });
      source = opened;
    };
    listen(null);
    signal.addEventListener("abort", () => done(undefined));
  });
}

class TablePage {
  /**
   * @param {HTMLElement} root
   * @param {Table} table
   * @param {import("./types.js").Player[]} catalogue
   * @param {string} path
   * @param {AbortSignal} signal
   * @param {(role: number | null) => void} listen
   */
  constructor(root, table, catalogue, path, signal, listen) {
    this.listen = listen;
    this.table = table;
    this.path = path;
    this.signal = signal;
    this.game = table.game;
    /** Roles that have chosen in this step already. @type {Set<number>} */
    this.chosen = new Set(table.pending ?? []);
    /** Who thinks. @type {Set<number>} */
    this.thinking = new Set(table.thinking ?? []);
    this.viewer = new Viewer(table.game, {
      onCell: (cell) => this.picker.cell(cell),
      onDrop: (from, to) => this.picker.drop(from, to),
      onShow: () => this.refresh(),
      onMark: () => this.picker.mark(),
      veiled: () => this.veiled,
    });
    this.picker = new MovePicker(this.viewer.boards, (move) => void this.move(move));
    this.clocks = new Clocks(this);
    this.clocks.set(table.clock);
    this.banner = new Banner(this);
    this.controls = new Controls(this, catalogue);
    this.analysis = new Analysis(this.viewer, catalogue, signal);
    this.beliefs = new Beliefs(this.viewer, signal);
    this.thought = new Thought(this);
    this.viewer.above.append(this.banner.element, this.thought.element);
    this.viewer.area.append(this.picker.chooser, this.banner.end);
    this.viewer.below.append(this.picker.beside, this.controls.element);
    this.viewer.side.append(this.picker.list);
    this.viewer.element.querySelector(".side")?.append(this.beliefs.element, this.analysis.element, this.controls.seating);
    replace(root,
      element("p", { class: "crumbs" }, element("a", { href: "/" }, "All games"), " › ",
        element("a", { href: `/games/${encodeURIComponent(this.game.id)}` }, this.game.title)),
      element("h1", { class: "unseen" }, `${this.game.title}: table`), this.viewer.element);
    root.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.picker.clear();
      const typing = /^(INPUT|SELECT|TEXTAREA)$/u.test(/** @type {Element} */ (event.target).tagName);
      if (event.key === "f" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) this.viewer.turn();
    });
    // Where all moves steer, the arrow keys make them, wherever on the page the focus is.
    const steer = (/** @type {KeyboardEvent} */ event) => {
      const at = /** @type {Element} */ (event.target);
      if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/u.test(at.tagName) || at.closest(".move-list")) return;
      if (!event.key.startsWith("Arrow") || !this.picker.steer(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    document.addEventListener("keydown", steer, { capture: true, signal });
    if (table.unkept) notice(`This match is lost when Paidia ends: ${table.unkept}.`, "error");
    this.viewer.boards.turn(standsAbove(this.game, table.seats.indexOf("human")));
    /** What this kind of game has beside the usual. @type {import("./parts.js").Part[]} */
    this.parts = [];
    this.viewer.setFrames(table.frames);
    void joinParts(this, root);
  }

  /** The newest frame. @returns {Frame} */
  get newest() {
    return this.viewer.frames[this.viewer.frames.length - 1] ?? this.game.start;
  }

  /** The role that a person here is asked for, or null. @returns {number | null} */
  get asked() {
    const frame = this.newest;
    if (frame.ended || !this.viewer.last || this.outside) return null;
    const own = ownRoles(this.table.id);
    const others = (this.table.taken ?? []).filter((role) => !own.includes(role));
    return frame.turn.find((role) => this.table.seats[role] === "human" && !this.chosen.has(role) && !others.includes(role)) ?? null;
  }

  /** Whether people play here at all. */
  get people() {
    return this.table.seats.includes("human");
  }

  /** Whether people play here from whom some things are hidden now. */
  get secret() {
    return this.table.secret;
  }

  /** Whether nothing may be taken back or taken over, because people have seen what is hidden from others. */
  get guarded() {
    return this.people && this.game.hidden;
  }

  /** Whether no role is looked for where things are secret: the screen is passed from one person to the next. */
  get outside() {
    return this.secret && this.table.role === null;
  }

  /** The role whose view is shown where things are hidden; null when all is shown. @returns {number | null} */
  get veiled() {
    return this.secret ? (this.table.role ?? this.table.seats.indexOf("human")) : null;
  }

  /**
   * Shows what a role may know, which is this browser's from now on; null hides it from the next person.
   * @param {number | null} role
   */
  async look(role) {
    try {
      if (role !== null) {
        await this.send("sit", { role });
        noteOwn(this.table.id, role);
      }
      this.listen(role);
    } catch (problem) {
      notice(message(problem), "error");
    }
  }

  /** A person alone at this screen looks for its role without being asked. */
  lookAlone() {
    const people = this.table.seats.flatMap((seat, role) => (seat === "human" ? [role] : []));
    if (this.outside && people.length === 1) void this.look(people[0] ?? null);
  }

  /** @param {Table} table */
  restore(table) {
    Object.assign(this.table, table);
    this.chosen = new Set(table.pending ?? []);
    this.thinking = new Set(table.thinking ?? []);
    this.clocks.set(table.clock);
    // Who looks back goes on looking back.
    this.viewer.setFrames(table.frames, this.viewer.last ? undefined : this.viewer.at);
  }

  /** @param {Frame} frame */
  push(frame) {
    this.chosen.clear();
    this.thinking.clear();
    this.table.match = null;
    const before = this.newest;
    this.clocks.at(frame);
    this.viewer.push(frame);
    this.#sound(before, frame);
    if (frame.ended) announce(this.banner.text);
  }

  /**
   * Lets a move be heard.
   * @param {Frame} before
   * @param {Frame} frame
   */
  #sound(before, frame) {
    if (frame.ended) return play("end");
    const { looks } = this.game.scene;
    const full = (/** @type {Frame} */ one) => one.cells.filter((content) => !isEmpty(content, looks)).length;
    play(this.people && this.asked !== null ? "turn" : full(frame) < full(before) ? "take" : "move");
  }

  /** @param {{role: number, player?: string, seconds?: number}} data */
  think(data) {
    this.thinking.add(data.role);
    this.thought.begin(data.seconds ?? this.table.seconds);
    this.banner.show();
  }

  /** What a search that is going on has found. @param {import("./types.js").Decision} found */
  showThought(found) {
    this.thought.show(found);
    this.viewer.showThought(found);
  }

  /**
   * @param {(string | null)[]} seats
   * @param {number} seconds
   */
  reseat(seats, seconds) {
    this.table.seats = seats;
    this.table.seconds = seconds;
    this.chosen.clear();
    this.thinking.clear();
    this.viewer.redraw();
  }

  /** @param {number[]} pending */
  wait(pending) {
    this.chosen = new Set(pending);
    this.clocks.stop(pending);
    for (const role of pending) this.thinking.delete(role);
    this.viewer.redraw();
  }

  /**
   * @param {boolean} paused
   * @param {number} pace
   */
  pause(paused, pace) {
    this.table.paused = paused;
    if (paused) this.thinking.clear();
    this.table.pace = pace;
    this.refresh();
  }

  /** The match was written down, by this name. @param {string | null} id */
  record(id) {
    this.table.match = id;
    this.banner.show();
  }

  close() {
    if (!this.newest.ended) notice("This table was closed.");
  }

  /** The table is not there any more. @param {string} why */
  end(why) {
    this.banner.offline = false;
    this.banner.gone = why;
    this.banner.show();
  }

  /** @param {boolean} there */
  connection(there) {
    if (there && this.banner.offline) notice("Connected again. The match goes on where it was.");
    this.banner.offline = !there;
    this.banner.show();
  }

  /** Brings everything about the position shown up to date. */
  refresh() {
    const role = this.asked;
    const { frame } = this.viewer;
    const last = frame.made?.cells ?? [];
    const legal = role === null ? null : (frame.legal?.[role] ?? []);
    this.picker.offer(legal, role === null ? "" : readable(this.game.roles[role] ?? ""), last);
    this.analysis.stale();
    this.analysis.element.hidden = this.secret;
    this.beliefs.veil(this.secret);
    this.banner.hint = "";
    this.thought.update();
    this.banner.show();
    this.controls.show();
    for (const part of this.parts) part.show();
  }

  /** @param {string} move */
  async move(move) {
    const role = this.asked;
    if (role === null) return;
    const { ply } = this.newest;
    this.chosen.add(role);
    this.viewer.redraw();
    try {
      await this.send("move", { ply, role, move });
      if (this.secret && this.table.seats.filter((seat) => seat === "human").length > 1) await this.look(null);
    } catch (problem) {
      if (this.newest.ply === ply) this.chosen.delete(role);
      this.viewer.redraw();
      notice(message(problem), "error");
    }
  }

  /**
   * @param {string} action
   * @param {object} [body]
   */
  send(action, body = {}) {
    return post(`${this.path}/${action}`, body, this.signal);
  }

  /** Shows the move that `paidia` would make for the person asked. */
  async hint() {
    const role = this.asked;
    const { at } = this.viewer;
    const position = this.secret && role !== null ? { told: this.told(role) } : { moves: this.viewer.path };
    const found = await hint(this.game.id, position, role, Math.min(2, Math.max(0.5, this.table.seconds)), this.signal);
    if (!found || this.viewer.at !== at) return;
    const steps = this.newest.legal?.[found.role]?.find((one) => one.move === found.move)?.steps ?? [];
    this.picker.hint(steps.flat());
    const { certain, value } = found;
    const worth = typeof certain === "number" ? ` (sure of ${number(certain)})` : typeof value === "number" ? ` (value ${number(value)})` : "";
    this.banner.hint = `Hint: ${moveText(found.move, steps.flat(), this.game.scene, this.newest.cells)}${worth}`;
    this.banner.show();
    announce(this.banner.hint);
  }

  /** What a role was told of each joint move up to the position shown. @param {number} role */
  told(role) {
    return this.viewer.frames.slice(1, this.viewer.at + 1).map((frame) => ({ made: frame.made?.joint[role] ?? "", percepts: frame.percepts?.[role] ?? [] }));
  }

  /**
   * Opens another table with the same players, from the start or from the position shown.
   * @param {string[][]} [from]
   * @param {(string | null)[]} [seats]
   */
  async again(from, seats = this.table.seats) {
    const { seconds, pace, clock } = this.table;
    const clocks = clock ? { clock: { seconds: clock.start, increment: clock.increment } } : {};
    const { id } = await post("/api/tables", { game: this.game.id, seats, seconds, pace, ...clocks, ...(from ? { from } : {}) }, this.signal);
    go(`/tables/${encodeURIComponent(id)}`);
  }
}

/** @typedef {TablePage} TableView */
