/**
 * The visitor's own rule sheets, in this browser: each by its name, saved as it is typed, with versions to go back to.
 *
 *     const sheet = library.create("My game", text);   library.save(sheet.id, { text });
 *     library.sheets()                                  // the latest first
 *     library.keepVersion(sheet.id)                     // before something replaces the text
 *     await toLink(sheet), await fromLink(hash)         // a sheet within an address
 *
 * Two tabs may write two sheets at a time: each sheet is an entry of its own.
 */

/**
 * @typedef {object} Version
 * @property {string} text
 * @property {number} at When it was kept, in milliseconds since 1970.
 *
 * @typedef {object} Sheet
 * @property {string} id
 * @property {string} name
 * @property {string} text
 * @property {number} changed
 * @property {Version[]} versions The latest first.
 */

const PREFIX = "paidia-sheet:";
const CURRENT = "paidia-sheet-current";
/** Where the only sheet was kept before there were several. */
const OLD_TEXT = "paidia-sheet";
const OLD_NAME = "paidia-sheet-name";
const MOST_VERSIONS = 20;
/** A version is kept by itself when the last one is older than this. */
const VERSION_EVERY = 5 * 60_000;
/** Sheets in addresses are no longer than this, in characters of the address. */
const LONGEST_LINK = 100_000;
/** A sheet that comes in an address is no longer than this. */
const LONGEST_SHEET = 1_000_000;

/** @param {string} key @returns {Sheet | null} */
function read(key) {
  try {
    const found = JSON.parse(localStorage.getItem(key) ?? "null");
    if (typeof found?.text !== "string" || typeof found.name !== "string") return null;
    return { id: key.slice(PREFIX.length), name: found.name, text: found.text, changed: Number(found.changed) || 0,
      versions: Array.isArray(found.versions) ? found.versions.filter((/** @type {any} */ one) => typeof one?.text === "string") : [] };
  } catch {
    return null;
  }
}

/**
 * Writes a sheet; where the browser has no more room, the oldest versions are given up first.
 * @param {Sheet} sheet
 * @returns {boolean} Whether it was saved.
 */
function write(sheet) {
  for (;;) {
    try {
      const { name, text, changed, versions } = sheet;
      localStorage.setItem(PREFIX + sheet.id, JSON.stringify({ name, text, changed, versions }));
      return true;
    } catch {
      if (sheet.versions.length === 0) return false;
      sheet.versions = sheet.versions.slice(0, Math.floor(sheet.versions.length / 2));
    }
  }
}

/** All sheets, the latest first. @returns {Sheet[]} */
export function sheets() {
  const keys = Array.from({ length: localStorage.length }, (_, place) => localStorage.key(place) ?? "").filter((key) => key.startsWith(PREFIX));
  return keys.flatMap((key) => read(key) ?? []).sort((one, other) => other.changed - one.changed);
}

/** @param {string} id */
export function find(id) {
  return read(PREFIX + id);
}

/** The sheet that was open last; the one that an earlier Paidia kept is taken over. @returns {Sheet | null} */
export function current() {
  const old = localStorage.getItem(OLD_TEXT);
  if (old !== null) {
    const sheet = create(localStorage.getItem(OLD_NAME) ?? "My game", old);
    if (!sheet) return null;
    localStorage.removeItem(OLD_TEXT);
    localStorage.removeItem(OLD_NAME);
    return sheet;
  }
  return find(localStorage.getItem(CURRENT) ?? "") ?? sheets()[0] ?? null;
}

/** @param {string} id */
export function setCurrent(id) {
  try {
    localStorage.setItem(CURRENT, id);
  } catch {
    // The latest sheet is opened instead.
  }
}

/**
 * A new sheet; its name gets a number where another has the same. Null when the browser keeps no more.
 * @param {string} name
 * @param {string} text
 * @returns {Sheet | null}
 */
export function create(name, text) {
  const taken = new Set(sheets().map((sheet) => sheet.name));
  const plain = name.trim() || "My game";
  let own = plain;
  for (let number = 2; taken.has(own); number += 1) own = `${plain} ${number}`;
  const sheet = { id: crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`, name: own, text, changed: Date.now(), versions: [] };
  if (!write(sheet)) return null;
  setCurrent(sheet.id);
  return sheet;
}

/**
 * Saves what is typed. A version of what was there is kept now and then.
 * @param {string} id
 * @param {{name?: string, text?: string}} change
 * @returns {boolean}
 */
export function save(id, { name, text }) {
  const sheet = find(id);
  if (!sheet) return false;
  const last = sheet.versions[0]?.at ?? 0;
  if (text !== undefined && text !== sheet.text && Date.now() - Math.max(last, sheet.changed) > VERSION_EVERY) addVersion(sheet);
  sheet.name = name ?? sheet.name;
  sheet.text = text ?? sheet.text;
  sheet.changed = Date.now();
  return write(sheet);
}

/** @param {Sheet} sheet */
function addVersion(sheet) {
  if (sheet.text.trim() === "" || sheet.versions[0]?.text === sheet.text) return;
  sheet.versions = [{ text: sheet.text, at: Date.now() }, ...sheet.versions].slice(0, MOST_VERSIONS);
}

/** Keeps what is there as a version, before something replaces it. @param {string} id */
export function keepVersion(id) {
  const sheet = find(id);
  if (!sheet) return;
  addVersion(sheet);
  write(sheet);
}

/** Takes a sheet away; what it was, so that it can be put back. @param {string} id */
export function remove(id) {
  const sheet = find(id);
  localStorage.removeItem(PREFIX + id);
  return sheet;
}

/** Puts back what was taken away. @param {Sheet} sheet */
export function putBack(sheet) {
  return write(sheet);
}

/**
 * @param {BlobPart} bytes
 * @param {CompressionStream | DecompressionStream} through
 */
function passed(bytes, through) {
  return new Blob([bytes]).stream().pipeThrough(through);
}

/**
 * A value as letters for an address, compressed.
 * @param {unknown} value
 */
export async function pack(value) {
  const packed = new Uint8Array(await new Response(passed(JSON.stringify(value), new CompressionStream("deflate-raw"))).arrayBuffer());
  const letters = Array.from(packed, (byte) => String.fromCharCode(byte)).join("");
  const link = btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  if (link.length > LONGEST_LINK) throw new Error("This is too long for an address; send it as a file instead.");
  return link;
}

/**
 * The value of such letters.
 * @param {string} packed
 * @returns {Promise<unknown>}
 */
export async function unpack(packed) {
  if (packed.length > LONGEST_LINK) throw new Error("The address is too long.");
  const letters = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  return JSON.parse(await limited(passed(bytes, new DecompressionStream("deflate-raw"))));
}

/**
 * The part of an address that holds a sheet, for another Paidia.
 * @param {{name: string, text: string}} sheet
 */
export async function toLink({ name, text }) {
  return `#sheet=${await pack([name, text])}`;
}

/**
 * The sheet in an address; null when there is none.
 * @param {string} hash
 * @returns {Promise<{name: string, text: string} | null>}
 */
export async function fromLink(hash) {
  const found = /^#sheet=([\w-]+)$/u.exec(hash)?.[1];
  if (!found) return null;
  try {
    const read = await unpack(found);
    return Array.isArray(read) && read.length === 2 && read.every((part) => typeof part === "string") ? { name: read[0].slice(0, 60), text: read[1] } : null;
  } catch {
    throw new Error("The sheet in this address is damaged; was the address copied whole?");
  }
}

/** A text that does not grow beyond what a sheet may be, however small it was packed. @param {ReadableStream<Uint8Array>} stream */
async function limited(stream) {
  const reader = stream.getReader();
  /** @type {Uint8Array[]} */
  const parts = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > LONGEST_SHEET) throw new Error("too long");
    parts.push(part.value);
  }
  return new Blob(/** @type {BlobPart[]} */ (parts)).text();
}
