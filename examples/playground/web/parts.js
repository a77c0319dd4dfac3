// A long text in parts: its documents, the items of Lists as kubectl writes them, and of what is longer than that, so many
// lines each. The parts are what the text is without the line breaks between them.
const begins = /^(?:---(?:\s|$)|- apiVersion:| {8}\{$)/;

export function partsOf(text, longest) {
	const parts = [];
	let lines = [];
	for (const line of text.split("\n")) {
		if (lines.length && (begins.test(line) || lines.length === longest)) {
			parts.push(partOf(lines.join("\n")));
			lines = [];
		}
		lines.push(line);
	}
	return [...parts, partOf(lines.join("\n"))];
}

export const partOf = text => ({text, lines: linesOf(text), title: titleOf(text)});
export const linesOf = text => text.split("\n").length;

// titleOf returns the kind, namespace and name of the first object, or else the first words.
function titleOf(text) {
	const kind = /^[\s-]*"?kind"?: *["']?(\w+)/m.exec(text)?.[1], metadata = /^[\s-]*"?metadata"?: *(\{.+)?\{?\n?( *)/m.exec(text);
	if (!kind || !metadata) return /[^\s-].*/.exec(text)?.[0].slice(0, 80) ?? "(empty)";
	const field = name => new RegExp(`${metadata[1] ? "\\b" : `^${metadata[2]}`}"?${name}"?: *(["']?)(.+?)\\1(?:[,}\\s]|$)`, "m").exec(metadata[1] ?? text.slice(metadata.index))?.[2];
	return `${kind} ${[field("namespace"), field("name")].filter(Boolean).join("/")}`;
}
