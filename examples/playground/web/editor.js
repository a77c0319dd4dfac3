// A text area with numbers of lines, and marks beside the lines that have problems. Browsers lay out all lines of a text
// area again after each key. Of a long text, it therefore holds one part at a time, which is found or chosen in a list.
import {linesOf, partOf, partsOf} from "./parts.js";

const most = 5000; // lines in the text area

export class Editor {
	#element;
	#text;
	#list; // of the parts in which what is looked for is found
	#find;
	#parts = [partOf("")];
	#at = 0; // the part in the text area
	#problems = [];
	#numbered; // the first line that has a number, and how many have one
	#changed;

	// changed is called with each new text, unless it was set, and clear when the reader wants to begin with an empty one.
	constructor(element, changed, clear) {
		element.prepend(document.querySelector("#parts").content.cloneNode(true));
		[this.#text, this.#list, this.#find] = ["textarea", "select", "[type=search]"].map(name => element.querySelector(name));
		this.#element = element;
		this.#changed = changed;
		this.#text.addEventListener("input", () => {
			this.#parts[this.#at] = partOf(this.#text.value);
			const option = this.#list.selectedOptions[0];
			if (option) option.text = this.#parts[this.#at].title;
			this.#number();
			changed(this.text);
		});
		this.#text.addEventListener("scroll", () => this.#follow(), {passive: true});
		this.#text.addEventListener("paste", event => {
			const pasted = event.clipboardData.getData("text/plain").replaceAll("\r\n", "\n"), {value, selectionStart, selectionEnd} = this.#text;
			if (linesOf(pasted) <= most) return;
			event.preventDefault(); // browsers take minutes to write it
			this.#parts[this.#at] = partOf(value.slice(0, selectionStart) + pasted + value.slice(selectionEnd));
			this.set(this.text);
			changed(this.text);
		});
		this.#find.addEventListener("input", () => this.#listParts());
		this.#find.addEventListener("keydown", event => { if (event.key === "Enter") this.#move(event.shiftKey ? -1 : 1); });
		this.#list.addEventListener("change", () => this.#show(Number(this.#list.value)));
		const download = () => Object.assign(document.createElement("a"), {href: URL.createObjectURL(new Blob([this.text])), download: "manifests.yaml"}).click();
		for (const [name, click] of Object.entries({previous: () => this.#move(-1), next: () => this.#move(1), download, clear})) {
			element.querySelector(`.${name}`).addEventListener("click", click);
		}
	}

	get text() { return this.#parts.map(part => part.text).join("\n"); }

	// set shows another text.
	set(text) {
		this.#parts = linesOf(text) > most ? partsOf(text, most) : [partOf(text)];
		this.#element.classList.toggle("large", this.#parts.length > 1);
		this.#find.value = "";
		this.#problems = [];
		this.#at = -1;
		this.#show(0);
		this.#listParts();
	}

	// replace replaces the text as if the reader had written it, so that it can be undone. What both texts begin and
	// end with stays.
	replace(text) {
		text = text.replaceAll("\r\n", "\n");
		const old = this.text;
		if (old === text) return this.#changed(text);
		const least = Math.min(old.length, text.length);
		let from = 0, same = 0, at = 0, begin = 0;
		while (from < least && old[from] === text[from]) from++;
		while (same < least - from && old.at(-1 - same) === text.at(-1 - same)) same++;
		while (begin + this.#parts[at].text.length < from) begin += this.#parts[at++].text.length + 1;
		const end = old.length - same - begin, written = text.slice(from, text.length - same);
		if (end <= this.#parts[at].text.length && linesOf(written) < most) {
			this.#show(at);
			this.#text.focus();
			this.#text.setSelectionRange(from - begin, end);
			document.execCommand(written ? "insertText" : "delete", false, written); // the one way to keep what can be undone, in all browsers
		}
		if (this.text !== text) {
			this.set(text);
			this.#changed(text);
		}
	}

	// top shows the beginning.
	top() { this.#select(0, 0, 0); }

	// mark marks the lines in which what is looked for is found, and those of problems, the worst of each line.
	mark(problems) {
		const worst = new Map(), first = this.#first(this.#at), query = this.#find.value.toLowerCase();
		this.#problems = problems;
		if (query) this.#text.value.toLowerCase().split("\n").forEach((line, n) => { if (line.includes(query)) worst.set(n, "found"); });
		for (const p of [...problems].reverse()) if (p.line >= first && p.line < first + this.#parts[this.#at].lines) worst.set(p.line - first, p.level);
		this.#element.querySelector(".marks").replaceChildren(...[...worst].slice(0, 1000).map(([line, level]) => {
			const mark = document.createElement("span");
			mark.className = level;
			mark.style.setProperty("--line", line);
			return mark;
		}));
	}

	// line returns the line of the caret.
	line() { return this.#first(this.#at) - 1 + linesOf(this.#text.value.slice(0, this.#text.selectionStart)); }

	// go selects a line, and shows it.
	go(line) {
		let at = 0;
		for (; at < this.#parts.length - 1 && line > this.#parts[at].lines; at++) line -= this.#parts[at].lines;
		this.#show(at);
		const lines = this.#text.value.split("\n"), from = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
		this.#text.focus();
		this.#select(from, from + (lines[line - 1] ?? "").length, line - 1);
	}

	#select(from, to, line) {
		this.#text.setSelectionRange(from, to);
		this.#text.scrollTo({top: line * parseFloat(getComputedStyle(this.#text).lineHeight) - this.#text.clientHeight / 3, left: 0});
	}

	// first returns the line where a part begins, from 1.
	#first(at) { return this.#parts.slice(0, at).reduce((line, part) => line + part.lines, 1); }

	// show puts a part into the text area, and selects in it what is looked for.
	#show(at) {
		if (at === this.#at) return;
		this.#at = at;
		this.#text.value = this.#parts[at].text;
		this.#list.value = at;
		const query = this.#find.value.toLowerCase(), from = Math.max(0, this.#text.value.toLowerCase().indexOf(query));
		this.#select(from, from + query.length, linesOf(this.#text.value.slice(0, from)) - 1);
		this.mark(this.#problems);
		this.#number();
	}

	// move shows the next part, or the one before, of those in the list.
	#move(by) {
		const listed = [...this.#list.options].map(option => Number(option.value));
		const to = by > 0 ? listed.find(at => at > this.#at) ?? listed[0] : listed.findLast(at => at < this.#at) ?? listed.at(-1);
		if (to !== undefined) this.#show(to);
	}

	#listParts() {
		const query = this.#find.value.toLowerCase(), n = this.#parts.length;
		this.#list.replaceChildren(...n < 2 ? [] : this.#parts.flatMap((part, at) => part.text.toLowerCase().includes(query) ? [new Option(part.title, at, false, at === this.#at)] : []));
		this.#element.querySelector("[role=status]").textContent = query ? `Found in ${this.#list.length.toLocaleString("en")} of ${n.toLocaleString("en")} documents.`
			: `${(this.#first(n) - 1).toLocaleString("en")} lines in ${n.toLocaleString("en")} documents: choose the one to edit. The answer is about all of them.`;
		this.mark(this.#problems);
	}

	#number() {
		const first = this.#first(this.#at), {lines} = this.#parts[this.#at];
		if (`${first} ${lines}` === this.#numbered) return;
		this.#numbered = `${first} ${lines}`;
		this.#element.querySelector("pre").textContent = Array.from({length: lines}, (_, n) => first + n).join("\n");
		this.#follow();
	}

	#follow() { this.#element.querySelector(".gutter").style.setProperty("--top", `${-this.#text.scrollTop}px`); }
}
