// Shows a change as steps, and the cluster in each of them. All texts become text nodes, never markup.
const byId = id => document.getElementById(id);

// element returns an element with attributes and children, which are elements or texts.
function element(name, attributes = {}, ...children) {
	const e = document.createElement(name);
	for (const [key, value] of Object.entries(attributes)) if (value !== "") e.setAttribute(key, value);
	e.append(...children);
	return e;
}

const button = (text, attributes, click) => {
	const b = element("button", {type: "button", ...attributes}, text);
	b.addEventListener("click", click);
	return b;
};

const marks = {stored: "✓", waits: "…", refused: "✕", "": ""};
const words = {stored: "stored", waits: "stored, and pods wait", refused: "refused", "": "not computed yet"};
const pause = 1200; // milliseconds between steps that are played
const many = 30; // pods of a workload on a node that have a square each

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
			if (!by || event.target.matches("textarea, pre") || event.altKey || event.ctrlKey || event.metaKey) return;
			event.preventDefault();
			this.#move(this.#step + by);
		});
	}

	// show shows an answer: the overview, and the cluster in a step unless that is not known yet.
	show({overview, step, shown, error}) {
		this.#overview = overview;
		byId("objects").textContent = overview ? `${overview.objects.toLocaleString("en")} ${overview.objects === 1 ? "object" : "objects"}` : "";
		if (error || !overview) for (const id of ["quotas", "nodes", "pending"]) byId(id).replaceChildren();
		if (!overview) return byId("verdict").replaceChildren();
		if (shown) this.#step = step;
		this.#steps();
		this.#verdict(shown);
		if (!shown) return;
		byId("quotas").replaceChildren(...quotas(shown));
		byId("nodes").replaceChildren(...nodes(shown));
		byId("pending").replaceChildren(...pending(shown));
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
		const step = (n, mark, text, outcome, label) => element("li", {}, button(`${mark} ${text}`.trim(),
			{class: outcome, "aria-current": n === this.#step ? "step" : "", "aria-label": label}, () => this.#move(n)));
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
		now?.parentElement.scrollIntoView({block: "nearest", inline: "nearest"});
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
		if (fixed) e.append(button("Set what admits all", {class: "fix"}, () => this.#fix(step)));
		return e;
	}
}

const share = (amount, of) => of > 0 ? `${Math.min(100, amount / of * 100)}%` : "0%";

// bar returns a bar of a limit: what was used, what came or went, and what is above.
function bar(before, after, wanted) {
	const most = Math.max(100, after, wanted);
	const part = (name, percent) => {
		const e = element("span", {class: name});
		e.style.setProperty("--share", share(percent, most));
		return e;
	};
	const b = element("span", {class: after > 100 || wanted > 100 ? "amount full" : "amount", "aria-hidden": "true"},
		part("used", Math.min(before, after)), part("added", after - before), part("freed", before - after), part("over", Math.max(0, wanted - after)));
	b.style.setProperty("--limit", share(100, most));
	return b;
}

// change says "3500m → 4500m", or one amount if nothing has changed.
const change = (before, after) => before === after || !before ? after : `${before} → ${after}`;

function quotas({namespaces, otherNamespaces}) {
	if (!namespaces?.length) return [];
	return [element("h3", {}, "Namespaces and their quotas"), ...namespaces.map(n => element("section", {class: "box", "aria-label": `Namespace ${n.name}`},
		element("h4", {}, n.name),
		...n.quotas.map(q => {
			const changed = q.before.used !== q.after.used || q.before.hard !== q.after.hard;
			const text = [element("span", {class: "what"}, `${q.resource}`), bar(q.before.percent ?? 0, q.after.percent ?? 0, q.wantedPercent),
				element("span", {class: changed ? "numbers changed" : "numbers"}, element("b", {}, change(q.before.used, q.after.used)), ` of ${change(q.before.hard, q.after.hard)}`)];
			if (q.wanted) text.push(element("span", {class: "wanted"}, `${q.wanted} with all pods that are wanted`));
			return element("p", {class: "quota", title: `ResourceQuota ${q.name}`}, ...text);
		}))), rest(otherNamespaces, "namespace")].filter(Boolean);
}

const rest = (n, what) => n ? element("p", {class: "hint"}, `and ${n} other ${what}${n === 1 ? "" : "s"}`) : null;

function nodes({nodes, otherNodes}) {
	if (!nodes?.length) return [element("p", {class: "hint"}, "The cluster has no nodes: where pods go is not known.")];
	return [element("h3", {}, "Nodes and their pods"), element("div", {class: "boxes"}, ...nodes.map(node)), rest(otherNodes, "node")].filter(Boolean);
}

function node(n) {
	const changed = n.owners?.some(o => o.came.length + o.gone.length);
	const names = Object.keys(n.after ?? {}).filter(name => name === "cpu" || name === "memory" || n.after[name].used !== "0" && name !== "pods");
	return element("section", {class: changed ? "box changed" : "box", "aria-label": `Node ${n.name}`},
		element("h4", {}, n.name),
		...names.map(name => {
			const was = n.before?.[name] ?? {}, is = n.after[name];
			return element("p", {class: "quota"}, element("span", {class: "what"}, name), bar(was.percent ?? 0, is.percent ?? 0, 0),
				element("span", {class: was.used === is.used ? "numbers" : "numbers changed"}, element("b", {}, change(was.used, is.used)), ` of ${is.hard}`));
		}),
		element("ul", {class: "owners"}, ...(n.owners ?? []).map(owner)));
}

function owner({owner, stay, came, gone}) {
	const squares = element("span", {class: "pods", "aria-hidden": "true"});
	const all = [...stay.map(name => ["", name]), ...came.map(name => ["came", name]), ...gone.map(name => ["gone", name])];
	for (const [state, name] of all.slice(-many)) squares.append(element("span", {class: `pod ${state}`, title: name}));
	const differs = [came.length && `+${came.length}`, gone.length && `−${gone.length}`].filter(Boolean).join(" ");
	return element("li", {}, element("span", {class: "owner"}, owner), squares, element("span", {class: "count"}, `${stay.length + came.length}${differs && ` (${differs})`}`));
}

function pending({pending}) {
	if (!pending?.length) return [];
	return [element("h3", {}, "Pods that wait for a node"), element("ul", {class: "waiting"}, ...pending.map(p => element("li", {class: p.came ? "box changed" : "box"},
		element("b", {}, `${p.owner}: ${p.pods} ${p.pods === 1 ? "pod" : "pods"}`), ` ${p.reason}`)))];
}
