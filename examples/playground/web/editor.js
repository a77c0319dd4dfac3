// A text area with numbers of lines, and marks beside the lines that have problems.
const longest = 200_000; // characters that are written so that it can be undone

export class Editor {
	#text;
	#gutter;
	#numbers;
	#marks;
	#lines = 0;
	#changed;

	// changed is called with each new text, unless it was set.
	constructor(element, changed) {
		this.#text = element.querySelector("textarea");
		this.#gutter = element.querySelector(".gutter");
		this.#numbers = element.querySelector("pre");
		this.#marks = element.querySelector(".marks");
		this.#changed = changed;
		this.#text.addEventListener("input", () => {
			this.#number();
			changed(this.#text.value);
		});
		this.#text.addEventListener("scroll", () => this.#follow(), {passive: true});
	}

	// set shows another text.
	set(text) {
		this.#text.value = text;
		this.#text.setSelectionRange(0, 0);
		this.#text.scrollTo(0, 0);
		this.mark([]);
		this.#number();
	}

	// replace replaces the text as if the reader had written it, so that it can be undone. What both texts begin and
	// end with stays.
	replace(text) {
		text = text.replaceAll("\r\n", "\n");
		const old = this.#text.value;
		if (old === text) return this.#changed(text);
		const least = Math.min(old.length, text.length);
		let from = 0, same = 0;
		while (from < least && old[from] === text[from]) from++;
		while (same < least - from && old.at(-1 - same) === text.at(-1 - same)) same++;
		this.#text.focus();
		this.#text.setSelectionRange(from, old.length - same);
		// The one way to keep what can be undone, in all browsers. It takes minutes for a long text.
		const written = text.slice(from, text.length - same);
		if (written.length > longest || !document.execCommand(written ? "insertText" : "delete", false, written) || this.#text.value !== text) {
			this.#text.value = text;
			this.#number();
			this.#changed(text);
		}
	}

	// top shows the beginning.
	top() {
		this.#text.setSelectionRange(0, 0);
		this.#text.scrollTo(0, 0);
	}

	// mark marks the lines of problems, the worst of each line.
	mark(problems) {
		const worst = new Map();
		for (const p of [...problems].reverse()) if (p.line) worst.set(p.line, p.level);
		this.#marks.replaceChildren(...[...worst].slice(0, 1000).map(([line, level]) => {
			const mark = document.createElement("span");
			mark.className = level;
			mark.style.setProperty("--line", line - 1);
			return mark;
		}));
	}

	// line returns the line of the caret.
	line() { return this.#text.value.slice(0, this.#text.selectionStart).split("\n").length; }

	// go selects a line, and shows it.
	go(line) {
		let from = 0;
		for (let n = 1; n < line; n++) {
			const end = this.#text.value.indexOf("\n", from);
			if (end < 0) break;
			from = end + 1;
		}
		const end = this.#text.value.indexOf("\n", from);
		this.#text.focus();
		this.#text.setSelectionRange(from, end < 0 ? this.#text.value.length : end);
		const height = parseFloat(getComputedStyle(this.#text).lineHeight);
		this.#text.scrollTo({top: (line - 1) * height - this.#text.clientHeight / 3, left: 0});
	}

	#number() {
		let lines = 1;
		for (let i = this.#text.value.indexOf("\n"); i >= 0; i = this.#text.value.indexOf("\n", i + 1)) lines++;
		if (lines === this.#lines) return;
		this.#lines = lines;
		let numbers = "";
		for (let n = 1; n <= lines; n++) numbers += n + "\n";
		this.#numbers.textContent = numbers;
		this.#follow();
	}

	#follow() { this.#gutter.style.setProperty("--top", `${-this.#text.scrollTop}px`); }
}
