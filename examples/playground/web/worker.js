// Runs the program: it unpacks and compiles it while it is loaded, and then answers each message, which is a question.
// A change is computed in slices, so that the next question need not wait for the end of it.
importScripts("wasm_exec.js");

let program, asked, text, kubernetes, more, overview = "", error = "";

self.kubemathReady = functions => {
	program = functions;
	onmessage = ({data}) => {
		if ("account" in data) return postMessage({account: data.account, html: program.account(data.account)});
		program.abandon();
		asked = data;
		if (data.fix) postMessage({id: data.id, fix: program.fix(data.fix)});
		else if ("step" in data) change();
		else report();
		setTimeout(program.collect);
	};
	postMessage({ready: true, style: program.style});
};

function report() {
	const question = asked;
	const tell = (html, problems, error, more) => {
		postMessage({id: question.id, html, problems: JSON.parse(problems) ?? [], error, more});
		if (more) setTimeout(() => { if (asked === question) program.finish(question, tell); });
	};
	tell(...program.ask(question));
}

function change() {
	if (asked.text !== text || asked.kubernetes !== kubernetes || asked.cluster !== undefined) {
		({text, kubernetes} = asked);
		[overview, more, error] = program.change(text, asked.cluster, kubernetes);
	}
	tell(asked);
}

// tell posts what is known, and computes more as long as nothing else is asked.
function tell(question) {
	if (asked !== question) return;
	const known = JSON.parse(overview || "null");
	// Without a step, it is the one to look at first: that of the first refusal, or the whole change.
	const step = question.step ?? (known?.refused || (more ? -1 : known?.steps + 1));
	const [shown, unknown] = error || !known || step < 0 || Math.min(step, known.steps) > known.played ? ["", ""] : program.step(Math.min(step, known.steps + 1));
	postMessage({id: question.id, overview: known, step: Math.min(step, (known?.steps ?? 0) + 1), shown: JSON.parse(shown || "null"), more, error: error || unknown});
	if (!more) return;
	setTimeout(() => {
		if (asked !== question) return;
		program.collect();
		[overview, more, error] = program.proceed();
		tell(question);
	});
}

async function run() {
	const packed = await fetch("playground.wasm.gz");
	if (!packed.ok) throw new Error(`playground.wasm.gz: ${packed.status}`);
	const total = Number(packed.headers.get("Content-Length"));
	let loaded = 0;
	const counted = new TransformStream({
		transform(part, to) {
			loaded += part.length;
			postMessage({loaded, total});
			to.enqueue(part);
		},
	});
	const unpacked = new Response(packed.body.pipeThrough(counted).pipeThrough(new DecompressionStream("gzip")), {headers: {"Content-Type": "application/wasm"}});
	const go = new Go();
	const {instance} = await WebAssembly.instantiateStreaming(unpacked, go.importObject);
	await go.run(instance);
	throw new Error("it has ended");
}

run().catch(error => postMessage({failed: error.message}));
