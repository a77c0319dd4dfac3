// Shows a change as steps, and the cluster in each of them.
import {button, byId, element, parsed} from "./dom.js";

const marks = {stored: "✓", waits: "…", refused: "✕", "": ""};
const words = {stored: "stored", waits: "stored, and pods wait", refused: "refused", "": "not computed yet"};
const cluster = ["quotas", "pending", "nodes"];
const pause = 1200; // milliseconds between steps that are played

export class Change {
	#overview = null;
	#step = 0;
	#go;
	#fix;
	#playing = 0;

	// go is called with the step that the reader wants to see, and fix with the step whose object is to be admitted.
	constructor(go, fix) {
		this.#go = go;
		this.#fix = fix;
		byId("back").addEventListener("click", () => this.#move(this.#step - 1));
		byId("forward").addEventListener("click", () => this.#move(this.#step + 1));
		byId("play").addEventListener("click", () => this.#playing ? this.stop() : this.#play());
		byId("change").addEventListener("keydown", event => {
			const by = {ArrowLeft: -1, ArrowRight: 1}[event.key];
			if (!by || event.target.matches("textarea, pre, input, select") || event.altKey || event.ctrlKey || event.metaKey) return;
			event.preventDefault();
			this.#move(this.#step + by);
		});
	}

	// show shows an answer: the overview, and the cluster in a step unless that is not known yet.
	show({overview, step, shown, error}) {
		this.#overview = overview;
		byId("objects").textContent = overview ? `${overview.objects.toLocaleString("en")} ${overview.objects === 1 ? "object" : "objects"}` : "";
		if (error || !overview) for (const id of cluster) byId(id).replaceChildren();
		if (!overview) return byId("verdict").replaceChildren();
		if (shown) this.#step = step;
		this.#steps();
		this.#verdict(shown);
		if (!shown) return;
		for (const id of cluster) byId(id).replaceChildren(...parsed(shown[id]).childNodes);
	}

	stop() {
		clearTimeout(this.#playing);
		this.#playing = 0;
		byId("play").textContent = "Play";
	}

	get #last() { return this.#overview.steps ? this.#overview.steps + 1 : 0; }

	#move(step, playing) {
		if (!this.#overview) return;
		if (!playing) this.stop();
		step = Math.max(0, Math.min(step, this.#last));
		if (step !== this.#step) this.#go(step);
	}

	// The first refusal stops what is played.
	#play() {
		const {refused} = this.#overview, from = this.#step < this.#last && this.#step !== refused ? this.#step : 0;
		const end = refused > from ? refused : this.#last;
		const next = () => {
			this.#playing = setTimeout(next, pause);
			this.#move(this.#step + 1, true);
			if (this.#step + 1 >= end) this.stop();
		};
		byId("play").textContent = "Stop";
		if (from) return next();
		this.#playing = setTimeout(next, pause);
		this.#move(0, true);
	}

	#steps() {
		const {titles, steps, played, outcomes} = this.#overview;
		const at = byId("steps").contains(document.activeElement);
		const step = (n, mark, text, outcome, label) => element("li", {}, button(
			{class: outcome, "aria-current": n === this.#step ? "step" : "", "aria-label": label}, () => this.#move(n), `${mark} ${text}`.trim()));
		const items = [step(0, "", "before", "", "Before: the cluster as it is")];
		for (const t of titles) {
			items.push(step(t.step, `${t.step} ${marks[t.outcome]}`, t.object, t.outcome, `Step ${t.step}: ${t.object}, ${words[t.outcome]}`));
		}
		if (steps > titles.length) items.splice(1, 0, element("li", {class: "others"}, `${(outcomes.stored ?? 0).toLocaleString("en")} of ${steps.toLocaleString("en")} are stored`));
		if (steps) items.push(step(steps + 1, "", "all together", "", "All together: the whole change"));
		byId("steps").replaceChildren(...items);
		byId("back").disabled = this.#step === 0;
		byId("forward").disabled = this.#step >= this.#last || this.#step >= played && played < steps;
		byId("play").disabled = !steps;
		const now = byId("steps").querySelector("[aria-current]");
		if (at) now?.focus();
		// The method scrollIntoView would scroll the page, too, and have the key Tab go on from there.
		if (now) byId("steps").scrollTop = now.offsetTop - byId("steps").offsetTop - byId("steps").clientHeight / 2;
	}

	// The verdict on a step, as text that a screen reader is told.
	#verdict(shown) {
		const o = this.#overview, parts = [];
		const title = this.#step === 0 ? "Before: the cluster as it is" : this.#step > o.steps ? "All together" : `Step ${this.#step} of ${o.steps}`;
		parts.push(element("h2", {}, title));
		if (this.#step > o.steps && o.summary) parts.push(element("p", {}, o.summary));
		if (!shown) parts.push(element("p", {}, `${o.played.toLocaleString("en")} of ${o.steps.toLocaleString("en")} objects are computed.`));
		if (shown && this.#step === 0) parts.push(element("p", {}, o.steps ? "Forward applies the change, one object after the other." : "Write what you want to apply, or take a sample."));
		for (const told of shown?.objects ?? []) parts.push(this.#told(told));
		if (shown?.otherObjects) parts.push(element("p", {class: "hint"}, `and ${shown.otherObjects.toLocaleString("en")} others`));
		if (o.ignored) parts.push(element("p", {class: "hint"}, `${o.ignored} of the change ${o.ignored === 1 ? "is" : "are"} not considered, because of a kind without requests.`));
		byId("verdict").replaceChildren(...parts);
	}

	#told({head, notes, outcome, step, fixed}) {
		const e = element("div", {class: `told ${outcome}`}, element("p", {class: "head"}, `${marks[outcome]} ${head}`));
		if (notes?.length) e.append(element("ul", {}, ...notes.map(note => element("li", {}, note))));
		if (fixed) e.append(button({class: "fix"}, () => this.#fix(step), "Set what admits all"));
		return e;
	}
}
