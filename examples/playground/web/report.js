// Shows the HTML of answers in a shadow tree, and changes only what is different from the answer before: what is open
// stays open, and the page does not jump. Scripts and handlers in the HTML, of which there are none, would not run: the
// policy of the page forbids them.
export class Report {
	#root;
	#of = null; // what the report before was of

	constructor(host) {
		this.#root = host.attachShadow({mode: "open"});
		this.#root.append(document.createElement("body"));
		this.#root.addEventListener("click", event => {
			const link = event.target.closest?.("a[href^='#']");
			if (!link) return;
			event.preventDefault(); // the fragment of the page is that of links that hold a text
			this.#go(link.getAttribute("href").slice(1));
		});
	}

	style(text) {
		const sheet = new CSSStyleSheet(), ours = new CSSStyleSheet();
		sheet.replaceSync(text);
		ours.replaceSync(within);
		this.#root.adoptedStyleSheets = [sheet, ours];
	}

	// show shows a document, which is of something: of another thing it shows nothing open.
	show(html, of) {
		const body = new DOMParser().parseFromString(html, "text/html").body;
		if (of !== this.#of) this.#root.replaceChildren(document.createElement("body"));
		const fresh = of !== this.#of;
		this.#of = of;
		// A report of one or two workloads is about them.
		const accounts = body.querySelectorAll("details.account");
		if (accounts.length <= 2) for (const account of accounts) account.dataset.few = "";
		morph(this.#root.querySelector("body"), body);
		if (fresh) this.#root.host.scrollTop = 0;
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

// What the style sheet of the report says of a page of its own, and does not hold here.
const within = `
:host { display: block; }
body { margin: 0; max-width: none; padding: 0; background: none; }
.skip { display: none; }
pre { margin: 0; overflow-x: auto; font: .85em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
table.texts th, table.texts td { text-align: left; }
section > article, article > .nodes { margin-bottom: .6rem; }
`;

// key tells elements apart that may move: workloads by their names.
function key(node) {
	if (node.nodeType !== Node.ELEMENT_NODE) return null;
	return node.localName === "details" ? node.querySelector(".title")?.textContent ?? null : node.id || null;
}

// morph makes a node equal to another one of its name, but for what readers have opened.
function morph(from, to) {
	if (from.nodeType !== Node.ELEMENT_NODE) {
		if (from.data !== to.data) from.data = to.data;
		return;
	}
	if (from.isEqualNode(to)) return;
	for (const {name} of [...from.attributes]) if (!to.hasAttribute(name) && name !== "open") from.removeAttribute(name);
	for (const {name, value} of to.attributes) if (from.getAttribute(name) !== value) from.setAttribute(name, value);
	const keyed = new Map();
	for (const child of from.children) if (key(child) !== null) keyed.set(key(child), child);
	let at = from.firstChild;
	for (const wanted of [...to.childNodes]) {
		const k = key(wanted);
		let match = k === null ? at : keyed.get(k);
		if (match && (match.nodeName !== wanted.nodeName || key(match) !== k)) match = null;
		if (!match) {
			from.insertBefore(added(wanted), at);
			continue;
		}
		if (match === at) at = at.nextSibling;
		else from.insertBefore(match, at);
		keyed.delete(k);
		morph(match, wanted);
	}
	while (at) {
		const next = at.nextSibling;
		at.remove();
		at = next;
	}
}

// added opens what is new, where there is little.
function added(node) {
	if (node.nodeType === Node.ELEMENT_NODE) {
		for (const account of [node, ...node.querySelectorAll("details")]) if (account.dataset.few !== undefined) account.open = true;
	}
	return node;
}
