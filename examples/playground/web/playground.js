// The page: tabs, samples, files and links give a text, and the answer to each change of it is shown.
import {Editor} from "./editor.js";
import {Engine} from "./engine.js";
import {Report} from "./report.js";
import {defaults, readLink, writeLink} from "./link.js";

const byId = id => document.getElementById(id);

// What is behind each tab: the program that answers, and what it reads.
const tabs = {
	pod: {program: "podreport", about: "A Pod, or what creates pods: a Deployment, StatefulSet, DaemonSet, Job or CronJob."},
	namespace: {program: "podreport", about: "What is created in a namespace, with its LimitRanges and ResourceQuotas."},
	node: {program: "podreport", about: "Pods and the Nodes that they run on. Instead of a Node, its size can be set here."},
	pipelinerun: {program: "coschedule", about: "A PipelineRun of Tekton with its Pipeline and Tasks, and the Nodes and Pods of the cluster."},
	resourcepool: {program: "resourcepool", about: "ResourcePools of Capsule, the ResourcePoolClaims on them, and the Namespaces of both."},
};
const names = Object.keys(tabs);

// The text and the options behind each tab; absent until the tab is opened.
let states = {};
let current = names[0];
let samples = {};

const editor = new Editor(byId("editor"), changed);
const report = new Report(byId("shown"));
const options = byId("options");
const engine = new Engine({
	ready(style) {
		report.style(style);
		byId("loading").hidden = true;
		ask();
	},
	answered: show,
	failed(why) {
		report.show("", current); // the text may have changed since
		byId("took").textContent = "";
		byId("loading").hidden = false;
		byId("loading").textContent = `The program does not run: ${why}. Reload the page to start it again.`;
	},
});

function ask() {
	const s = states[current];
	if (s) engine.ask({tab: current, Program: tabs[current].program, Text: s.text, CPU: s.cpu, Memory: s.memory, Coschedule: s.coschedule});
}

// show shows an answer, unless the reader has gone to another tab since.
function show(question, answer, took) {
	if (question.tab !== current) return;
	let problems = answer.problems;
	if (answer.error) problems = [{level: "error", line: 0, object: "", field: "", text: answer.error}, ...problems];
	report.show(answer.error || question.Text.trim() === "" ? "" : answer.html, question.tab); // no report on another text
	editor.mark(question.Text.trim() === "" ? [] : problems);
	list(question.Text.trim() === "" ? [] : problems);
	byId("took").textContent = answer.error ? "" : `Computed in ${Math.max(1, Math.round(took))} ms.`;
	performance.clearMarks("report");
	performance.mark("report");
}

const levels = {error: ["error", "errors"], rejected: ["rejection", "rejections"], warning: ["warning", "warnings"]};
const listed = 200; // problems; a text has seldom more, and nobody reads them

// list shows the problems below the text.
function list(problems) {
	const counts = Object.entries(levels).map(([level, [one, many]]) => {
		const n = problems.filter(p => p.level === level).length;
		return n && `${n} ${n === 1 ? one : many}`;
	}).filter(Boolean);
	const summary = counts.join(", ");
	if (byId("status").textContent !== summary) byId("status").textContent = summary;
	byId("problems").replaceChildren(...problems.slice(0, listed).map(p => {
		const item = document.createElement("li"), button = document.createElement("button");
		const place = p.line ? `line ${p.line}` : "";
		for (const [name, text] of [["level", levels[p.level][0]], ["line", place], ["object", p.object], ["what", [p.field, p.text].filter(Boolean).join(": ")]]) {
			const part = document.createElement("span");
			part.className = name;
			part.textContent = text;
			if (text) button.append(part, " ");
		}
		button.type = "button";
		button.className = p.level;
		button.disabled = !p.line;
		button.addEventListener("click", () => editor.go(p.line));
		item.append(button);
		return item;
	}));
}

function changed(text) {
	states[current].text = text;
	say("");
	ask();
}

// open shows a tab, with the text that it had, or its first sample.
function open(name) {
	current = name;
	say("");
	for (const other of names) {
		const tab = byId(`tab-${other}`);
		tab.setAttribute("aria-selected", other === name);
		tab.tabIndex = other === name ? 0 : -1;
	}
	byId(`tab-${name}`).scrollIntoView({block: "nearest", inline: "nearest"});
	byId("panel").setAttribute("aria-labelledby", `tab-${name}`);
	byId("about").textContent = tabs[name].about;
	options.hidden = true;
	for (const label of options.querySelectorAll("label")) {
		label.hidden = label.dataset.tab !== name;
		if (!label.hidden) options.hidden = false;
	}
	byId("samples").replaceChildren(...(samples[name] ?? []).map(sample => {
		const button = document.createElement("button");
		button.type = "button";
		button.textContent = sample.name;
		button.addEventListener("click", () => editor.replace(sample.text));
		return button;
	}));
	states[name] ??= {text: samples[name]?.[0]?.text ?? "", ...defaults};
	for (const option in defaults) options.elements[option].value = states[name][option];
	editor.set(states[name].text);
	list([]);
	ask();
}

for (const name of names) byId(`tab-${name}`).addEventListener("click", () => open(name));

document.querySelector("[role=tablist]").addEventListener("keydown", event => {
	const to = {ArrowLeft: names.indexOf(current) - 1, ArrowRight: names.indexOf(current) + 1, Home: 0, End: -1}[event.key];
	if (to === undefined) return;
	event.preventDefault();
	open(names.at(to % names.length));
	byId(`tab-${current}`).focus();
});

document.querySelector(".skip").addEventListener("click", event => {
	event.preventDefault(); // which would make the fragment another one
	byId("report").focus();
});

options.addEventListener("input", event => {
	states[current][event.target.name] = event.target.value.trim();
	ask();
});
options.addEventListener("submit", event => event.preventDefault());

// Files.

// read replaces the text by that of files, as documents one after the other.
async function read(files) {
	const texts = await Promise.all([...files].map(file => file.text()));
	if (texts.length) editor.replace(texts.map(text => text.endsWith("\n") ? text : text + "\n").join("---\n"));
}

byId("files").addEventListener("change", async event => {
	await read(event.target.files);
	event.target.value = ""; // so that the same file can be chosen again
});
for (const type of ["dragenter", "dragover"]) {
	addEventListener(type, event => {
		if (!event.dataTransfer?.types.includes("Files")) return;
		event.preventDefault();
		byId("drop").hidden = false;
	});
}
addEventListener("dragleave", event => { if (!event.relatedTarget) byId("drop").hidden = true; });
addEventListener("drop", event => {
	byId("drop").hidden = true;
	if (!event.dataTransfer?.files.length) return;
	event.preventDefault();
	read(event.dataTransfer.files);
});

// Links.

byId("copy").addEventListener("click", async () => {
	const link = new URL(location.href);
	link.hash = await writeLink(current, states[current]);
	history.replaceState(null, "", link);
	try {
		await navigator.clipboard.writeText(link.href);
		say("The link is copied. It holds the text.");
	} catch {
		say("The link is in the address bar. It holds the text.");
	}
});

// say shows a message until the text changes.
function say(message) { byId("notice").textContent = message; }

// follow opens what the address links to: a text, or else, at first, the first tab.
async function follow() {
	let link = null, damaged = false;
	try {
		link = await readLink(location.hash, names);
	} catch {
		damaged = true;
	}
	if (link) states[link.tab] = link.state;
	if (link || !states[current]) open(link?.tab ?? current);
	if (damaged) say("The link is damaged: it holds no text that can be read. Was all of it copied?");
}
addEventListener("hashchange", follow);

// Texts survive that the page is loaded again.
const storage = "kubemath playground";
addEventListener("pagehide", () => {
	try {
		sessionStorage.setItem(storage, JSON.stringify({states, current}));
	} catch { /* they are too long, or nothing may be stored */ }
});

function restore() {
	try {
		const stored = JSON.parse(sessionStorage.getItem(storage));
		if (performance.getEntriesByType("navigation")[0].type === "reload" && stored) ({states, current} = stored);
	} catch { /* nothing may be stored */ }
	if (states[current]) open(current);
}

try {
	samples = await (await fetch("samples.json")).json();
} catch { /* there are no samples, and all else works */ }
restore();
if (!states[current]) await follow();
