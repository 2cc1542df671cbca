/**
 * Who plays a role: a person at this screen or a player of the catalogue, with its settings.
 *
 *     const picker = seatPicker("red", await players(), "human", { human: true });
 *     root.append(picker.element);  picker.value()   // "human", "paidia", "uct(c=0.7)"
 *
 * `seatName("human")` is what people read; `timePicker(1)` chooses the seconds a move.
 */
import { levels } from "./api.js";
import { choice, element, field } from "./dom.js";

/** @typedef {import("./types.js").Player} Player */
/** @typedef {import("./types.js").PlayerOption} PlayerOption */
/** @typedef {{element: HTMLElement, value: () => string, set: (seat: string) => void}} SeatPicker */

/** @param {string | null} seat */
export function seatName(seat) {
  const level = levels.findIndex((one) => one.name === seat);
  if (level >= 0) return `${levels[level]?.title} (level ${level + 1})`;
  // The titles of levels are known where players were asked for.
  const number = /^level-(\d)$/u.exec(seat ?? "")?.[1];
  if (number) return `level ${number}`;
  return seat === null ? "chance" : seat === "human" ? "person" : seat;
}

/**
 * @param {string} label
 * @param {Player[]} catalogue
 * @param {string} value
 * @param {{human?: boolean}} [options]
 * @returns {SeatPicker}
 */
export function seatPicker(label, catalogue, value, { human = false } = {}) {
  const settings = element("details", { class: "settings" });
  /** @type {[string, HTMLInputElement | HTMLSelectElement][]} */
  let keys = [];
  const fill = (/** @type {Map<string, string>} */ given) => {
    const player = catalogue.find((one) => one.name === select.value);
    keys = (player?.keys ?? []).map((option) => [option.name, control(option, given.get(option.name) ?? "")]);
    settings.hidden = keys.length === 0;
    settings.replaceChildren(element("summary", {}, `Settings of ${select.value}`), element("p", { class: "hint" }, player?.about ?? ""),
      ...keys.map(([name, input], index) => field(name, input, hint(player?.keys[index]))));
  };
  const names = catalogue.map((one) => one.name);
  const select = choice(human ? [["human", "A person here"]] : [], value, () => fill(new Map()));
  if (human) select.append(group("Levels", levels.map(({ name, title }, place) => [name, `${place + 1}: ${title}`])));
  const experts = /** @type {[string, string][]} */ (names.map((name) => [name, name]));
  select.append(...(human ? [group("For experts", experts)] : group("", experts).children));
  const set = (/** @type {string} */ seat) => {
    const { name, given } = takeApart(seat);
    if (name !== "human" && !names.includes(name) && !levels.some((level) => level.name === name)) select.append(element("option", { value: name }, name));
    select.value = name;
    fill(given);
  };
  set(value);
  return {
    element: element("div", { class: "seat" }, field(label, select), settings),
    value: () => {
      const set = keys.flatMap(([name, input]) => (input.value.trim() === "" ? [] : [`${name}=${input.value.trim()}`]));
      return set.length > 0 ? `${select.value}(${set.join(",")})` : select.value;
    },
    set,
  };
}

/**
 * @param {string} label
 * @param {[string, string][]} options
 */
function group(label, options) {
  return element("optgroup", { label }, ...options.map(([value, text]) => element("option", { value }, text)));
}

/**
 * The control for an option: a list of words, a number, or a text; empty where the default is meant.
 * @param {PlayerOption} option
 * @param {string} value
 */
function control({ name, takes, default: usual }, value) {
  const { words = [], number, text } = takes;
  const other = number !== undefined || text !== undefined;
  if (!other) return choice([["", usual ? `default (${usual})` : "default"], ...words.map((word) => /** @type {[string, string]} */ ([word, word]))], value);
  const properties = { value, placeholder: usual, spellcheck: false };
  if (words.length > 0 || !number) return element("input", { ...properties, list: wordList(name, words) });
  return element("input", { ...properties, type: "number", min: number.least, max: number.most, step: number.whole ? 1 : "any" });
}

/**
 * The words that a text may be, to choose from; the id of that list.
 * @param {string} name
 * @param {string[]} words
 */
function wordList(name, words) {
  const id = `words-${name}`;
  if (!document.getElementById(id)) document.body.append(element("datalist", { id }, ...words.map((word) => element("option", { value: word }))));
  return id;
}

/** @param {PlayerOption | undefined} option */
function hint(option) {
  return option && `${option.about} (${option.wanted})`;
}

/** @param {string} seat */
function takeApart(seat) {
  const found = /^([^(]+)\((.*)\)$/s.exec(seat);
  const pairs = (found?.[2] ?? "").split(",").flatMap((part) => {
    const [name, ...rest] = part.split("=");
    return name && rest.length > 0 ? [/** @type {[string, string]} */ ([name.trim(), rest.join("=").trim()])] : [];
  });
  return { name: found?.[1]?.trim() ?? seat, given: new Map(pairs) };
}

const TIMES = ["0.1", "0.2", "0.5", "1", "2", "5", "10"];

/** @param {number} seconds */
export function timePicker(seconds) {
  const value = String(seconds);
  const times = TIMES.includes(value) ? TIMES : [...TIMES, value];
  return choice(times.map((time) => [time, time === "1" ? "1 second" : `${time} seconds`]), value);
}

/**
 * Every seat goes to the next role, past `random`.
 * @param {(string | null)[]} seats
 * @param {number | null} random
 */
export function swapped(seats, random) {
  const roles = seats.map((_, role) => role).filter((role) => role !== random);
  const next = [...seats];
  roles.forEach((role, index) => {
    next[role] = seats[roles[(index + 1) % roles.length] ?? role] ?? null;
  });
  return next;
}
