/**
 * The shelf of the writing page: the visitor's own sheets to choose from, versions to go back to, files and links.
 *
 *     const shelf = new Shelf(editor, nameField, () => page.opened());
 *     root.append(shelf.choice, shelf.element);
 *     shelf.open(sheet);   shelf.save();   shelf.add("Chess", text);   shelf.keepVersion();
 */
import { announce, button, element, message, notice, plural, replace } from "./dom.js";
import * as library from "./library.js";

/** @typedef {import("./library.js").Sheet} Sheet */

const FULL = "This browser keeps no more text. Download the sheet, or delete others.";

export class Shelf {
  /**
   * @param {import("./editor.js").Editor} editor
   * @param {HTMLInputElement} name
   * @param {() => void} onOpen Called when another text is in the editor.
   */
  constructor(editor, name, onOpen) {
    this.editor = editor;
    this.name = name;
    this.onOpen = onOpen;
    this.id = "";
    this.isFull = false;
    this.choice = element("select", { onchange: () => this.#choose() });
    this.versions = element("ul", { class: "versions" });
    this.saved = element("span", { class: "hint", role: "status" });
    this.file = element("input", { type: "file", accept: ".kif,.gdl,.infix,.txt,text/plain", class: "unseen", "aria-label": "File to open", onchange: () => void this.#import() });
    this.element = element("details", { class: "panel shelf" }, element("summary", {}, "Versions, files and links"),
      element("div", { class: "actions" },
        button("Download", () => this.#download()), button("Open a file…", () => this.file.click()), this.file,
        button("Copy a link", () => void this.#link()), button("Duplicate", () => this.add(this.name.value, this.editor.text())),
        button("Delete", () => this.#remove(), { class: "button quiet" })),
      element("h3", {}, "Earlier versions"), this.versions);
    name.addEventListener("input", () => this.save());
    // Another tab may have written a sheet.
    addEventListener("storage", () => this.#list());
  }

  /** @param {Sheet} sheet */
  open(sheet) {
    this.id = sheet.id;
    library.setCurrent(sheet.id);
    this.name.value = sheet.name;
    this.editor.open(sheet.text);
    this.#list();
    this.onOpen();
  }

  /** A new sheet beside the others, and opens it. @param {string} name @param {string} text */
  add(name, text) {
    this.save();
    const sheet = library.create(name, text);
    if (!sheet) notice(FULL, "error");
    else {
      this.open(sheet);
      announce(`${sheet.name} is in the editor. Your other sheets are in the list of sheets.`);
    }
    return sheet !== null;
  }

  /** Saves what is in the editor. */
  save() {
    if (this.id === "") return;
    const done = library.save(this.id, { name: this.name.value.trim() || "My game", text: this.editor.text() });
    if (!done && !this.isFull) notice(FULL, "error");
    this.isFull = !done;
    this.saved.textContent = done ? "Saved in this browser." : "Not saved.";
    const shown = this.choice.selectedOptions[0];
    if (shown?.value === this.id) shown.textContent = this.name.value.trim() || "My game";
  }

  /** Keeps what is there before something replaces it. */
  keepVersion() {
    library.keepVersion(this.id);
    this.#list();
  }

  #list() {
    const all = library.sheets();
    replace(this.choice, ...all.map((sheet) => element("option", { value: sheet.id, selected: sheet.id === this.id }, sheet.name)));
    const versions = library.find(this.id)?.versions ?? [];
    replace(this.versions, ...versions.map((version) => element("li", {},
      button(new Date(version.at).toLocaleString(), () => this.#back(version.text), { class: "button quiet" }), " ",
      element("span", { class: "hint" }, plural(version.text.split("\n").length, "line")))),
    versions.length === 0 ? element("li", { class: "hint" }, "A version is kept every few minutes, and before a text is replaced.") : null);
  }

  #choose() {
    this.save();
    const sheet = library.find(this.choice.value);
    if (sheet) this.open(sheet);
  }

  /** @param {string} text */
  #back(text) {
    this.keepVersion();
    this.editor.replace(text);
    this.#list();
  }

  #download() {
    const address = URL.createObjectURL(new Blob([this.editor.text()], { type: "text/plain" }));
    const name = (this.name.value.trim() || "my game").toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "-");
    element("a", { href: address, download: `${name}.kif` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }

  async #import() {
    const file = this.file.files?.[0];
    this.file.value = "";
    if (!file) return;
    if (file.size > 1_000_000) notice("A rule sheet may have a million characters.", "error");
    else this.add(file.name.replace(/\.\w+$/u, ""), await file.text());
  }

  async #link() {
    try {
      const link = location.origin + "/write" + await library.toLink({ name: this.name.value, text: this.editor.text() });
      await navigator.clipboard.writeText(link);
      notice("The link is copied. It holds the whole sheet; only the machine's name must be changed for another one.");
    } catch (problem) {
      notice(message(problem), "error");
    }
  }

  #remove() {
    const gone = library.remove(this.id);
    const next = library.sheets()[0] ?? library.create("My game", "");
    if (next) this.open(next);
    if (!gone) return;
    notice(`${gone.name} is deleted.`, "note", ["Undo", () => {
      if (library.putBack(gone)) this.open(gone);
    }]);
  }
}
