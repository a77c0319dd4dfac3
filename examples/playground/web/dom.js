// Elements of the page. All texts become text nodes, never markup, except the HTML of answers.
export const byId = id => document.getElementById(id);

// element returns an element with attributes and children, which are elements or texts.
export function element(name, attributes = {}, ...children) {
	const e = document.createElement(name);
	for (const [key, value] of Object.entries(attributes)) if (value !== "") e.setAttribute(key, value);
	e.append(...children);
	return e;
}

export function button(attributes, click, ...children) {
	const b = element("button", {type: "button", ...attributes}, ...children);
	b.addEventListener("click", click);
	return b;
}

// parsed returns the body of an answer. Scripts and handlers in it, of which there are none, would not run: the policy of
// the page forbids them.
export const parsed = html => new DOMParser().parseFromString(html, "text/html").body;
