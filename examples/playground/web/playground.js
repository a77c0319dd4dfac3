// The page: tabs, samples, files and links give a text, and the answer to each change of it is shown.
import {Change} from "./change.js";
import {button, byId, element} from "./dom.js";
import {Editor} from "./editor.js";
import {Engine} from "./engine.js";
import {Report} from "./report.js";
import {defaults, readLink, writeLink} from "./link.js";

// What is behind each tab: the program that answers, and what it reads.
const tabs = {
	change: {title: "Change", about: "What you want to apply: it is played on the cluster beside it, object by object."},
	pod: {title: "Pod", program: "podreport", about: "A Pod, or what creates pods: a Deployment, StatefulSet, DaemonSet, Job or CronJob."},
	namespace: {title: "Namespace", program: "podreport", about: "What is created in a namespace, with its LimitRanges and ResourceQuotas."},
	node: {title: "Node", program: "podreport", about: "Pods and the Nodes that they run on. Instead of a Node, its size can be set here."},
	pipelinerun: {title: "Pipeline run", program: "coschedule", about: "A PipelineRun of Tekton with its Pipeline and Tasks, and the Nodes and Pods of the cluster."},
	resourcepool: {title: "Resource pool", program: "resourcepool", about: "ResourcePools of Capsule, the ResourcePoolClaims on them, and the Namespaces of both."},
};
const names = Object.keys(tabs);

// The text and the options behind each tab; absent until the tab is opened.
let states = {};
let current = names[0];
let samples = {};

const editor = new Editor(byId("editor"), changed, () => clear({text: ""}));
const clusterEditor = new Editor(byId("cluster"), text => setCluster(text, true), () => clear({cluster: "", step: null}));
const report = new Report(byId("shown"), number => engine.account(number));
const play = new Change(step => go({step}), step => engine.ask({tab: current, fix: step}));
const options = byId("options");
const engine = new Engine({
	loaded(part) { byId("loaded").value = part; },
	busy,
	account(number, html) { report.account(number, html); },
	ready(style) {
		report.style(style);
		byId("loading").hidden = true;
		ask();
	},
	answered: show,
	failed(why) {
		report.show("", current); // the text may have changed since
		play.show({});
		byId("took").textContent = "";
		byId("loading").hidden = false;
		byId("loading").textContent = `The program does not run: ${why}. Reload the page to start it again.`;
	},
});

function ask() {
	const s = states[current];
	if (s && current === "change") engine.ask({tab: current, text: s.text, cluster: s.cluster ?? "", kubernetes: s.kubernetes, step: s.step ?? null});
	else if (s) engine.ask({tab: current, Program: tabs[current].program, Text: s.text, CPU: s.cpu, Memory: s.memory, Kubernetes: s.kubernetes, Coschedule: s.coschedule});
}

// busy says that the program works on something, if that takes a while.
let work = 0;
function busy(whether) {
	clearTimeout(work);
	work = setTimeout(() => byId("busy").textContent = whether ? "Computing …" : "", whether ? 150 : 0);
}

// show shows an answer, unless the reader has gone to another tab since.
function show(question, answer, took) {
	if (question.tab !== current) return;
	if (question.fix) {
		const [text, error] = answer.fix;
		if (error) return say(error);
		states.change.step = null; // the next one to look at
		editor.replace(text);
		return say("The amounts are set in the text. Ctrl+Z takes them back.");
	}
	if (current === "change") {
		play.show(answer);
		const inCluster = (answer.overview?.cluster ?? []).map(p => ({...p, line: 0, object: `the cluster${p.line ? `, line ${p.line}` : ""}: ${p.object}`}));
		answer = {more: answer.more, problems: [...answer.overview?.problems ?? [], ...inCluster], error: answer.error, html: ""};
		clusterEditor.mark(answer.overview?.cluster ?? []);
		question = {...question, Text: question.text};
	}
	let problems = answer.problems;
	if (answer.error) problems = [{level: "error", line: 0, object: "", field: "", text: answer.error}, ...problems];
	if (answer.more && current !== "change") answer.html = `<p class="remark">This is what has changed. The report on all workloads follows.</p>${answer.html}`;
	report.show(answer.error || question.Text.trim() === "" ? "" : answer.html, question.tab, answer.more ? "changed" : "whole"); // no report on another text
	editor.mark(question.Text.trim() === "" ? [] : problems);
	list(question.Text.trim() === "" ? [] : problems);
	byId("took").textContent = answer.error || answer.more ? "" : `Computed in ${Math.max(1, Math.round(took))} ms.`;
	performance.clearMarks();
	performance.mark("report", {detail: question.id});
	if (!answer.more) performance.mark("whole report");
}

const levels = {error: ["error", "errors"], rejected: ["rejection", "rejections"], warning: ["warning", "warnings"]};
const listed = 200; // problems; a text has seldom more, and nobody reads them

// list shows the problems below the text, and their numbers above it.
let known = [];
function list(problems) {
	const counts = [];
	known = problems;
	for (const [level, [one, many]] of Object.entries(levels)) {
		const n = problems.filter(p => p.level === level).length;
		if (!n) continue;
		counts.push(counts.length ? ", " : "", button({class: level}, () => {
			const lines = known.filter(p => p.level === level && p.line).map(p => p.line);
			if (lines.length) editor.go(lines.find(line => line > editor.line()) ?? lines[0]);
		}, `${n} ${n === 1 ? one : many}`));
	}
	if (byId("status").textContent !== counts.map(c => c.textContent ?? c).join("")) byId("status").replaceChildren(...counts);
	byId("problems").replaceChildren(...problems.slice(0, listed).map(p => {
		const told = {level: levels[p.level][0], line: p.line ? `line ${p.line}` : "", object: p.object, what: [p.field, p.text].filter(Boolean).join(": ")};
		const parts = Object.entries(told).flatMap(([name, text]) => text ? [element("span", {class: name}, text), " "] : []);
		return element("li", {}, button({class: p.level, disabled: p.line ? "" : true}, () => editor.go(p.line), ...parts));
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
	byId("panel").setAttribute("aria-labelledby", `tab-${name}`);
	byId("about").textContent = tabs[name].about;
	for (const label of options.children) label.hidden = !label.dataset.tabs.split(" ").includes(name);
	options.hidden = !options.querySelector("label:not([hidden])");
	byId("samples").replaceChildren(...(samples[name] ?? []).map(sample => button({}, () => {
		go({text: sample.text, ...(sample.cluster === undefined ? {} : {cluster: sample.cluster, step: null})});
		editor.top();
		if (name === "change") showCluster();
	}, sample.name)));
	play.stop();
	states[name] ??= {text: samples[name]?.[0]?.text ?? "", cluster: samples[name]?.[0]?.cluster, ...defaults};
	for (const option in defaults) options.elements[option].value = states[name][option];
	editor.set(states[name].text);
	byId("shown").hidden = name === "change";
	byId("change").hidden = name !== "change";
	if (name === "change") showCluster();
	list([]);
	ask();
}

// setCluster sets the manifests of the cluster.
function setCluster(text, typed) {
	states.change.cluster = text;
	if (!typed) states.change.step = null, showCluster();
	ask();
}

// showCluster shows the manifests of the cluster, which may be long, if they are open.
function showCluster() {
	const text = states.change?.cluster ?? "";
	if (byId("source").open && clusterEditor.text !== text) clusterEditor.set(text);
}
byId("source").addEventListener("toggle", showCluster);

// The history of the browser has an entry for each tab, sample and step. What was there is kept by their numbers.
const moments = new Map();
let moment = 0;

const remember = () => moments.set(moment, {current, state: {...states[current]}});

// begin begins another entry.
function begin() {
	remember();
	moment = Math.max(...moments.keys()) + 1;
}

// go makes an entry, and goes to a tab, or changes what is there.
function go({tab = current, ...changes}) {
	begin();
	history.pushState({moment}, "", location.pathname + location.search);
	const {text, ...others} = changes;
	if (tab !== current || !states[tab]) return open(tab); // which asks
	Object.assign(states[tab], others);
	if (text !== undefined) editor.replace(text); // which asks
	else ask();
}

// clear makes an entry without a text.
function clear(without) {
	go(without);
	showCluster();
	say("Back, in the browser, brings it back.");
}

addEventListener("popstate", event => {
	if (!event.state) { // another link
		begin();
		history.replaceState({moment}, "");
		return follow();
	}
	remember();
	moment = event.state.moment;
	const then = moments.get(moment);
	if (!then) return;
	play.stop();
	states[then.current] = {...then.state};
	if (then.current !== current) return open(then.current);
	if (editor.text !== then.state.text) editor.set(then.state.text);
	showCluster();
	ask();
});

const tablist = document.querySelector("[role=tablist]");
tablist.append(...names.map(name => button({role: "tab", id: `tab-${name}`, "aria-controls": "panel"}, () => name === current || go({tab: name}), tabs[name].title)));
tablist.addEventListener("keydown", event => {
	const to = {ArrowLeft: names.indexOf(current) - 1, ArrowRight: names.indexOf(current) + 1, Home: 0, End: -1}[event.key];
	if (to === undefined) return;
	event.preventDefault();
	go({tab: names.at(to % names.length)});
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

// read replaces the text, or the cluster, by that of files, as documents one after the other.
async function read(files, isCluster) {
	const texts = await Promise.all([...files].map(file => file.text()));
	const text = texts.map(text => text.endsWith("\n") ? text : text + "\n").join("---\n");
	if (texts.length && isCluster) setCluster(text);
	else if (texts.length) editor.replace(text), editor.top();
}

for (const [id, isCluster] of [["files", false], ["dump", true]]) {
	byId(id).addEventListener("change", async event => {
		await read(event.target.files, isCluster);
		event.target.value = ""; // so that the same file can be chosen again
	});
}
for (const type of ["dragenter", "dragover"]) {
	addEventListener(type, event => {
		if (!event.dataTransfer?.types.includes("Files")) return;
		event.preventDefault();
		byId("drop").hidden = false;
		byId("drop").firstElementChild.textContent = current === "change" ? "To the left: the change. To the right: the cluster." : "Drop the files to read them here.";
	});
}
addEventListener("dragleave", event => { if (!event.relatedTarget) byId("drop").hidden = true; });
addEventListener("drop", event => {
	byId("drop").hidden = true;
	if (!event.dataTransfer?.files.length) return;
	event.preventDefault();
	read(event.dataTransfer.files, current === "change" && byId("report").contains(event.target));
});

byId("copy").addEventListener("click", async () => {
	const link = new URL(location.href);
	link.hash = await writeLink(current, states[current]);
	history.replaceState(history.state, "", link);
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
	history.replaceState({moment}, "");
	if (states[current]) open(current);
}

try {
	samples = await (await fetch("samples.json")).json();
} catch { /* there are no samples, and all else works */ }
restore();
if (!states[current]) await follow();
