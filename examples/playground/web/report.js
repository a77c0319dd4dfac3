// Shows the HTML of answers in a shadow tree, and changes only what differs from the answer before: what is open stays
// open, and the page does not jump.
import {parsed} from "./dom.js";

export class Report {
	#root;
	#ask;
	#of = null; // what the answer before was of
	#views = {}; // the body of the last answer of each extent, and the texts of its workloads

	// ask is called with the number of a workload that is opened and of which only the summary is there.
	constructor(host, ask) {
		this.#root = host.attachShadow({mode: "open"});
		this.#ask = ask;
		this.#root.addEventListener("toggle", event => { if (event.target.open && event.target.dataset.workload) ask(Number(event.target.dataset.workload)); }, true);
		this.#root.addEventListener("click", event => {
			const link = event.target.closest?.("a[href^='#']");
			if (!link) return;
			event.preventDefault(); // the fragment of the page is that of links that hold a text
			this.#go(link.getAttribute("href").slice(1));
		});
	}

	style(text) {
		const sheet = new CSSStyleSheet();
		sheet.replaceSync(text + within);
		this.#root.adoptedStyleSheets = [sheet];
	}

	// show shows the content of a body, which is of something: of another thing it shows nothing open. Answers of another
	// extent are kept aside, with what is open in them, because to remove and add thousands of elements takes long.
	show(html, of, extent) {
		if (of !== this.#of) this.#views = {};
		const {shown, accounts: before} = this.#views[extent] ?? {shown: document.createElement("body"), accounts: new Set()};
		const accounts = new Set(html.match(account));
		if (this.#root.firstChild !== shown) this.#root.replaceChildren(shown);
		this.#of = of;
		this.#views[extent] = {shown, accounts};
		// The accounts of workloads are most of the text, and few change at a time: the others are not parsed again.
		const changed = html.replace(account, text => before.has(text) ? text.match(opening)[0] + "</details>" : text);
		const body = parsed(changed);
		// The answer comes first: one or two workloads, or the nodes, after what is rejected.
		const main = body.querySelector("main"), rejected = main?.querySelector("#rejected");
		const answer = main?.querySelector({pod: "#workloads:not(:has(> details ~ details ~ details))", node: "#nodes"}[of] ?? "none");
		if (answer) rejected ? rejected.after(answer) : main.prepend(answer);
		const same = new Map();
		for (const empty of body.querySelectorAll("details:empty")) same.set(empty, this.#root.getElementById(empty.id));
		morph(shown, body, {same, kept: new Set(same.values()), open: accounts.size === 1 || accounts.size === 2});
		for (const open of this.#root.querySelectorAll("[data-workload][open]")) this.#ask(Number(open.dataset.workload)); // it may have changed
	}

	// account shows a workload that was asked for.
	account(number, html) {
		const to = this.#root.querySelector(`[data-workload="${number}"]`);
		const from = parsed(html).querySelector("details");
		if (to && from) to.replaceChildren(...from.childNodes);
	}

	#go(id) {
		const target = this.#root.getElementById(id);
		if (!target) return;
		for (let e = target; e; e = e.parentElement) if (e.localName === "details") e.open = true;
		target.tabIndex = -1;
		target.focus({preventScroll: true});
		target.scrollIntoView();
	}
}

// The text of a workload, and how it begins, with its id.
const account = /<details class="account[^]*?\n<\/details>\n/g;
const opening = /^<details[^>]*>/;

// What the style sheet says of a page of its own, and does not hold here.
const within = `
:host { display: block; }
body { margin: 0; max-width: none; padding: 0; background: none; }
.skip { display: none; }
pre { margin: 0; overflow-x: auto; font: .85em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
details.account > pre { padding-bottom: .8rem; }
table.texts th, table.texts td { text-align: left; white-space: normal; overflow-wrap: normal; padding-inline: .3rem; }
table.texts td { min-width: 2rem; } table.texts th[scope=row] { min-width: 4rem; padding-left: 0; }
section > article { margin-bottom: .6rem; }
article .nodes { margin-top: .6rem; }
.nodes h4 { margin-top: 0; }
`;

// morph makes an element equal to another one of its name, but for what is open. Of how, same has the elements that
// stand for those that are empty in the other one, and kept has them alone; open says whether to open what is new: an
// answer about one or two workloads shows them.
function morph(from, to, how) {
	if (from.isEqualNode(to)) return;
	for (const {name} of [...from.attributes]) if (!to.hasAttribute(name) && name !== "open") from.removeAttribute(name);
	for (const {name, value} of to.attributes) if (from.getAttribute(name) !== value) from.setAttribute(name, value);
	const keyed = new Map();
	for (const child of from.children) if (!how.kept.has(child) && key(child) !== null) keyed.set(key(child), child);
	let at = from.firstChild;
	for (const wanted of [...to.childNodes]) {
		const match = how.same.get(wanted) ?? matchOf(wanted, at, keyed);
		if (match && match === at) at = at.nextSibling;
		else from.insertBefore(match ?? added(wanted, how), at);
		if (match && !how.kept.has(match)) {
			if (match.nodeType === Node.ELEMENT_NODE) morph(match, wanted, how);
			else if (match.data !== wanted.data) match.data = wanted.data;
		}
	}
	while (at) {
		const gone = at;
		at = at.nextSibling;
		gone.remove();
	}
}

// key tells elements apart that may move: workloads by their names.
function key(node) {
	if (node.nodeType !== Node.ELEMENT_NODE) return null;
	return node.localName === "details" ? node.querySelector(".title")?.textContent ?? null : node.id || null;
}

// matchOf returns the element that is to become the wanted one: that of its key, or, without one, the next.
function matchOf(wanted, at, keyed) {
	const k = key(wanted), match = k === null ? at : keyed.get(k);
	if (!match || match.nodeName !== wanted.nodeName || key(match) !== k) return null;
	keyed.delete(k);
	return match;
}

function added(node, how) {
	if (how.open && node.nodeType === Node.ELEMENT_NODE) {
		for (const details of [node, ...node.querySelectorAll("details.account")]) if (details.matches("details.account")) details.open = true;
	}
	return node;
}
