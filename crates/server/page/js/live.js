/**
 * Matches in real time: `/live` lists games and tables, `/live/ID` is one.
 *
 * A table waits until all its seats are taken. From then on the server tells every update; in between the page counts
 * down what is going to end, by its own clock and what it has measured of the way to the server. Moves go out at once:
 * by clicks on the board, by buttons, by the arrow keys for moves that steer, and by the keys 1 to 9.
 */
import { events, get, post } from "./api.js";
import { Boards } from "./board.js";
import { announce, button, choice, element, field, message, notice, number, readable, replace } from "./dom.js";
import { facts } from "./facts.js";
import { LiveReplay } from "./live-replay.js";
import { go } from "./router.js";

/** @typedef {{id: string, title: string, players: number, roles: string[], rules: string, pace: number}} LiveGame */
/** @typedef {{role: string, who: string}} LiveSeat */
/** @typedef {{id: string, game: string, title: string, seats: LiveSeat[], begun: boolean, over: boolean}} LiveLine */
/** @typedef {{fact: string, ends: number, lasts: number}} Countdown */
/**
 * @typedef {object} Moment
 * @property {number} number
 * @property {number} time
 * @property {(string | null)[]} [cells]
 * @property {import("./types.js").Fact[]} [beside]
 * @property {Countdown[]} countdowns
 * @property {Record<string, string>} moves
 * @property {string[]} expired
 * @property {import("./types.js").LegalMove[][]} legal
 * @property {string[] | null} [percepts]
 * @property {boolean} over
 * @property {(number | null)[] | null} [goals]
 */
/**
 * @typedef {object} LiveTable
 * @property {string} id
 * @property {string} game
 * @property {string} title
 * @property {string} rules
 * @property {string[]} roles
 * @property {LiveSeat[]} seats
 * @property {number | null} seat
 * @property {number} pace
 * @property {boolean} hidden
 * @property {boolean} begun
 * @property {boolean} over
 * @property {number | null} now
 * @property {import("./types.js").Scene} scene
 * @property {Moment | null} moment
 */

/** How often the way to the server is measured, in milliseconds. */
const PING_EVERY = 2500;
/** Lines of what happened that are shown. */
const MOST_LINES = 60;

/** Words that steer, by the arrow key for them. @type {Record<string, RegExp>} */
const STEERING = {
  ArrowUp: /\b(up|north)\b/u, ArrowDown: /\b(down|south)\b/u, ArrowLeft: /\b(left|west)\b/u, ArrowRight: /\b(right|east)\b/u,
};

/** @type {import("./types.js").Page} */
export async function show(root, { params, query: asked, signal }) {
  const id = params["id"];
  if (!id) return showList(root, asked.get("game"), signal);
  const token = sessionStorage.getItem(`live:${id}`) ?? "";
  const table = /** @type {LiveTable} */ (await get(`/api/live/${encodeURIComponent(id)}${query(token)}`, signal));
  if (signal.aborted) return;
  document.title = `${table.title} · Paidia`;
  new LivePage(root, table, token, signal);
}

/** @param {string} token */
const query = (token) => (token ? `?token=${encodeURIComponent(token)}` : "");

/**
 * @param {HTMLElement} root
 * @param {string | null} first The game that comes first.
 * @param {AbortSignal} signal
 */
async function showList(root, first, signal) {
  const { games, tables } = /** @type {{games: LiveGame[], tables: LiveLine[]}} */ (await get("/api/live", signal));
  if (signal.aborted) return;
  document.title = "Real time · Paidia";
  games.sort((one, other) => Number(other.id === first) - Number(one.id === first));
  const lines = tables.map((table) => element("li", {},
    element("a", { href: `/live/${encodeURIComponent(table.id)}` }, table.title), " ",
    element("span", { class: "muted" }, `${table.seats.map((seat) => `${seat.role}: ${seat.who}`).join(", ")}; ${table.over ? "over" : table.begun ? "being played" : "waits for players"}`)));
  replace(root,
    element("h1", {}, "Games in real time"),
    element("p", { class: "lead" }, "Here players move whenever they like. Take a seat; the others are taken by players or by people in other browsers."),
    tables.length > 0 ? element("section", { class: "panel" }, element("h2", {}, "Tables"), element("ul", { class: "lines" }, ...lines)) : null,
    element("div", { class: "live-games" }, ...games.map(opener)));
}

/** @param {LiveGame} game */
function opener(game) {
  const pace = element("input", { type: "number", min: "0.02", max: "60", step: "any", value: String(game.pace) });
  const others = choice([["search", "our player"], ["random", "a random player"], ["open", "people"]], "search", () => {});
  const seat = choice(/** @type {[string, string][]} */ ([...game.roles.map((role, place) => [String(place), readable(role)]), ["", "nobody, I watch"]]), "0", () => {});
  const start = async () => {
    const own = seat.value === "" ? -1 : Number(seat.value);
    const rest = own < 0 && others.value === "open" ? "search" : others.value;
    const seats = game.roles.map((_, place) => (place === own ? "open" : rest));
    try {
      const { id } = await post("/api/live", { game: game.id, seats, pace: Number(pace.value) });
      if (own >= 0) await join(id, own);
      go(`/live/${id}`);
    } catch (problem) {
      notice(message(problem), "error");
    }
  };
  return element("section", { class: "panel live-game", data: { game: game.id } },
    element("h2", {}, game.title), element("p", {}, game.rules),
    element("div", { class: "filters" }, field("You are", seat), field("Others", others), field("Seconds a unit", pace)),
    button("Start", () => void start()));
}

/**
 * @param {string} id
 * @param {number} role
 */
async function join(id, role) {
  const { token } = await post(`/api/live/${encodeURIComponent(id)}/join`, { role });
  sessionStorage.setItem(`live:${id}`, token);
}

class LivePage {
  /**
   * @param {HTMLElement} root
   * @param {LiveTable} table
   * @param {string} token
   * @param {AbortSignal} signal
   */
  constructor(root, table, token, signal) {
    this.table = table;
    this.token = token;
    this.signal = signal;
    this.path = `/api/live/${encodeURIComponent(table.id)}`;
    /** The game time at the page's clock 0, as far as it was measured. @type {number | null} */
    this.zero = null;
    /** The shortest way to the server and back, in milliseconds. */
    this.shortest = Infinity;
    /** @type {Moment | null} */
    this.moment = null;
    /** What was clicked of a move. @type {number[]} */
    this.chosen = [];
    this.boards = new Boards(table.scene, table.moment?.cells ? { cells: table.moment.cells } : null, { onCell: (cell) => this.#click(cell) });
    this.clock = element("span", { class: "live-clock" }, "–");
    this.latency = element("span", { class: "live-latency muted" }, "");
    this.status = element("p", { class: "live-status", role: "status" });
    this.countdowns = element("ul", { class: "live-countdowns", "aria-label": "What is going to end" });
    this.buttons = element("div", { class: "live-moves", role: "group", "aria-label": "Your moves" });
    this.facts = element("div", {});
    this.log = element("ol", { class: "live-log", "aria-label": "What happened" });
    this.seats = element("ul", { class: "lines live-seats" });
    this.below = element("div", { class: "live-below" });
    replace(root,
      element("h1", {}, table.title),
      element("div", { class: "live-head" }, this.clock, this.latency, this.status),
      element("div", { class: "live-table" },
        element("div", { class: "live-main" }, this.boards.any ? this.boards.element : null, this.buttons, this.below),
        element("div", { class: "live-side" }, this.countdowns, this.facts, this.seats, this.log,
          element("details", {}, element("summary", {}, "Rules"), element("p", {}, table.rules)))));
    this.#listen();
    addEventListener("keydown", (event) => this.#key(event), { signal });
    const measure = () => void this.#ping();
    const timer = setInterval(measure, PING_EVERY);
    signal.addEventListener("abort", () => clearInterval(timer));
    measure();
    const tick = () => {
      if (signal.aborted) return;
      this.#tick();
      requestAnimationFrame(tick);
    };
    tick();
  }

  #listen() {
    events(`${this.path}/events${query(this.token)}`, {
      table: (/** @type {LiveTable} */ table) => {
        this.table = { ...this.table, ...table };
        this.#seats(table.seats);
        if (table.moment) this.#show(table.moment);
        else this.#say();
      },
      seats: (/** @type {LiveSeat[]} */ seats) => this.#seats(seats),
      moment: (/** @type {Moment} */ moment) => {
        if (!this.table.begun) {
          this.table.begun = true;
          void this.#ping();
        }
        this.#show(moment);
      },
      refused: (/** @type {string} */ move) => this.#line(`${readable(move)} was not legal`),
    }, this.signal, { lost: () => (this.status.textContent = "The connection is lost; trying again.") });
  }

  /** The way to the server, and what time it is in the game. */
  async #ping() {
    const sent = performance.now();
    try {
      const { now } = await post(`${this.path}/ping`, {}, this.signal);
      this.#measured(sent, now);
    } catch {
      // The next one may get through.
    }
  }

  /**
   * @param {number} sent
   * @param {number | null} now
   */
  #measured(sent, now) {
    const took = performance.now() - sent;
    this.latency.textContent = `${number(took)} ms to the server and back`;
    if (now === null || took > this.shortest * 1.5) return;
    this.shortest = Math.min(this.shortest, took);
    this.zero = now - (sent + took / 2) / 1000 / this.table.pace;
  }

  /** The game time now. */
  #now() {
    if (this.moment?.over) return this.moment.time;
    return this.zero === null ? null : this.zero + performance.now() / 1000 / this.table.pace;
  }

  /** @param {Moment} moment */
  #show(moment) {
    this.moment = moment;
    if (moment.over) this.table.over = true;
    this.chosen = [];
    if (moment.cells) this.boards.show({ cells: moment.cells });
    if (moment.beside) replace(this.facts, facts({ beside: moment.beside }, { large: !this.boards.any }));
    const made = Object.entries(moment.moves ?? {}).map(([role, move]) => `${readable(role)}: ${readable(move)}`);
    if (made.length > 0) this.#line(`${number(moment.time)}  ${made.join(", ")}`);
    if (moment.percepts) this.#line(`${number(moment.time)}  you see ${moment.percepts.map(readable).join(", ") || "nothing"}`);
    this.#moves();
    this.#bars();
    this.#say();
    if (moment.over && !this.below.firstChild) void this.#over();
  }

  /** @param {string} text */
  #line(text) {
    this.log.prepend(element("li", {}, text));
    while (this.log.childElementCount > MOST_LINES) this.log.lastChild?.remove();
  }

  #say() {
    const { table, moment } = this;
    const own = table.seat === null ? "You watch." : `You are ${readable(table.seats[table.seat]?.role ?? "")}.`;
    if (moment?.over) {
      const players = table.roles.filter((role) => role !== "random");
      const goals = table.roles.flatMap((role, place) => (players.includes(role) ? [`${readable(role)} ${moment.goals?.[place] ?? "–"}`] : []));
      this.status.textContent = moment.goals ? `Over: ${goals.join(", ")}.` : "The match was stopped.";
      announce(this.status.textContent);
    } else if (!table.begun && !moment) this.status.textContent = `${own} Waiting until all seats are taken.`;
    else this.status.textContent = own;
    this.status.dataset["over"] = String(Boolean(moment?.over));
  }

  /** @param {LiveSeat[]} seats */
  #seats(seats) {
    this.table.seats = seats;
    replace(this.seats, ...seats.map((seat, place) => element("li", {}, `${readable(seat.role)}: ${readable(seat.who)} `,
      seat.who === "open" && this.table.seat === null ? button("Sit down", () => void this.#sit(place)) : null)));
  }

  /** @param {number} place */
  async #sit(place) {
    try {
      await join(this.table.id, place);
      go(`/live/${this.table.id}`, { instead: true });
    } catch (problem) {
      notice(message(problem), "error");
    }
  }

  /** What the person here may do now. */
  #legal() {
    const { seat } = this.table;
    return seat === null || this.moment?.over ? [] : (this.moment?.legal?.[seat] ?? []);
  }

  #moves() {
    const legal = this.#legal();
    const shown = legal.length > 24 ? legal.filter((one) => one.steps.length === 0) : legal;
    replace(this.buttons, ...shown.map((one, place) =>
      button(place < 9 ? `${place + 1}  ${readable(one.move)}` : readable(one.move), () => void this.#make(one.move), { data: { move: one.move } })));
    this.boards.mark({ starts: legal.flatMap((one) => one.steps[0] ?? []) });
  }

  /** @param {number} cell */
  #click(cell) {
    const chosen = [...this.chosen, cell];
    const fits = this.#legal().filter((one) => chosen.every((own, step) => one.steps[step]?.includes(own)));
    if (fits.length === 0) {
      this.chosen = [];
      this.#moves();
      return;
    }
    const whole = fits.filter((one) => one.steps.length === chosen.length);
    if (whole.length === 1 && whole[0]) {
      this.chosen = [];
      void this.#make(whole[0].move);
      return;
    }
    this.chosen = chosen;
    this.boards.mark({ selected: chosen, targets: fits.flatMap((one) => one.steps[chosen.length] ?? []) });
    if (whole.length > 1) replace(this.buttons, ...whole.map((one) => button(readable(one.move), () => void this.#make(one.move))));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const target = /** @type {Element | null} */ (event.target);
    if (event.altKey || event.ctrlKey || event.metaKey || target?.closest("input, select, textarea")) return;
    const legal = this.#legal();
    const word = STEERING[event.key];
    const steered = word ? legal.find((one) => word.test(one.move)) : undefined;
    const numbered = /^[1-9]$/u.test(event.key) ? legal[Number(event.key) - 1] : undefined;
    const only = event.key === " " && target === document.body && legal.length === 1 ? legal[0] : undefined;
    const made = steered ?? numbered ?? only;
    if (!made) return;
    event.preventDefault();
    void this.#make(made.move);
  }

  /** @param {string} move */
  async #make(move) {
    const sent = performance.now();
    try {
      const { now } = await post(`${this.path}/move`, { token: this.token, move }, this.signal);
      this.#measured(sent, now);
    } catch (problem) {
      if (!this.signal.aborted) this.#line(message(problem));
    }
  }

  #bars() {
    const shown = [...(this.moment?.countdowns ?? [])].sort((one, other) => one.ends - other.ends).slice(0, 24);
    replace(this.countdowns, ...shown.map((one) => element("li", { data: { ends: String(one.ends), lasts: String(one.lasts) } },
      element("span", {}, readable(one.fact)), element("progress", { max: 1, value: 1, "aria-label": readable(one.fact) }), element("span", { class: "left" }, ""))));
  }

  /** Lets the clock and the countdowns go on. */
  #tick() {
    const now = this.#now();
    if (now === null || (!this.table.begun && !this.moment)) return;
    this.clock.textContent = now.toFixed(1);
    for (const line of this.countdowns.children) {
      if (!(line instanceof HTMLElement)) continue;
      const left = Math.max(0, Number(line.dataset["ends"]) - now);
      const [, bar, text] = line.children;
      if (bar instanceof HTMLProgressElement) bar.value = Math.min(1, left / Math.max(1e-6, Number(line.dataset["lasts"])));
      if (text) text.textContent = left.toFixed(1);
    }
  }

  /** The match can be seen again. */
  async #over() {
    try {
      const replay = await get(`${this.path}/replay`, this.signal);
      const again = new LiveReplay(replay, this.table.pace, (moment) => {
        if (moment.cells) this.boards.show({ cells: moment.cells });
        if (moment.beside) replace(this.facts, facts({ beside: moment.beside }, { large: !this.boards.any }));
        this.boards.mark({});
      }, this.signal);
      replace(this.below, again.element,
        replay.unkept ? element("p", { class: "failure" }, `The match could not be written down: ${replay.unkept}`) : null,
        element("p", {}, replay.match ? element("a", { class: "button", href: `/matches/${encodeURIComponent(replay.match)}` }, "Among all matches") : null, " ",
          element("a", { class: "button", href: `${this.path}/record`, download: `${this.table.id}.json` }, "Record"), " ",
          element("a", { class: "button", href: "/live" }, "All games in real time")));
    } catch (problem) {
      if (!this.signal.aborted) notice(message(problem), "error");
    }
  }
}
