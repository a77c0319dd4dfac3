// Links hold the text, compressed, in the fragment of the address, which browsers send to no server.

// The options, and what they are unless a link says otherwise.
export const defaults = {cpu: "", memory: "", kubernetes: "", coschedule: "pipelineruns"};

export async function writeLink(tab, state) {
	const link = new URLSearchParams({tab});
	for (const name in defaults) if (state[name] !== defaults[name]) link.set(name, state[name]);
	for (const name of texts) if (state[name] !== undefined) link.set(name, toBase64url(await through(new CompressionStream("deflate"), new TextEncoder().encode(state[name]))));
	return link.toString();
}

// The texts of a tab: the manifests, and those of a cluster.
const texts = ["text", "cluster"];

// readLink returns the tab and the state that a fragment holds, null if it is none of a link, and throws if it is damaged:
// the compressed text has a checksum.
export async function readLink(hash, tabs) {
	const link = new URLSearchParams(hash.slice(1));
	if (!link.has("tab") && !link.has("text")) return null;
	if (!tabs.includes(link.get("tab"))) throw new Error("no such tab");
	const state = {};
	for (const name of texts) {
		if (name !== "text" && !link.has(name)) continue;
		const bytes = await through(new DecompressionStream("deflate"), fromBase64url(link.get(name) ?? ""));
		state[name] = new TextDecoder("utf-8", {fatal: true, ignoreBOM: true}).decode(bytes);
	}
	for (const name in defaults) state[name] = link.get(name) ?? defaults[name];
	return {tab: link.get("tab"), state};
}

async function through(transform, bytes) {
	return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(transform)).arrayBuffer());
}

function toBase64url(bytes) {
	let binary = "";
	for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
	return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromBase64url(text) {
	return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), c => c.charCodeAt(0));
}
