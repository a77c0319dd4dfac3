// Runs the program: it unpacks and compiles it while it is loaded, and then answers each message, which is a question
// as JSON.
importScripts("wasm_exec.js");

self.kubemathReady = (style, ask, collect) => {
	onmessage = ({data}) => {
		const [html, problems, error] = ask(data);
		postMessage({html, problems: JSON.parse(problems) ?? [], error});
		setTimeout(collect);
	};
	postMessage({ready: true, style});
};

async function run() {
	const packed = await fetch("playground.wasm.gz");
	if (!packed.ok) throw new Error(`playground.wasm.gz: ${packed.status}`);
	const unpacked = new Response(packed.body.pipeThrough(new DecompressionStream("gzip")), {headers: {"Content-Type": "application/wasm"}});
	const go = new Go();
	const {instance} = await WebAssembly.instantiateStreaming(unpacked, go.importObject);
	await go.run(instance);
	throw new Error("it has ended");
}

run().catch(error => postMessage({failed: error.message}));
