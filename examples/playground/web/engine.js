// Asks the program, which runs in a worker so that it never delays typing. Of the questions that come while one is
// being answered, only the last is asked. An answer about a change may be followed by more of it, until something else
// is asked.
export class Engine {
	#worker = new Worker("worker.js");
	#ready = false;
	#asked = null; // the question that is being answered
	#last = null; // the question that was answered last, of which more may come
	#next = null;
	#since = 0;
	#cluster; // the one that was sent last
	#on;

	// on has the functions loaded(part), ready(style), answered(question, answer, milliseconds), account(number, html),
	// busy(whether) and failed(why).
	constructor(on) {
		this.#on = on;
		this.#worker.addEventListener("message", ({data}) => {
			if (data.failed) {
				this.#ready = false;
				on.busy(false);
				on.failed(data.failed);
			} else if (data.loaded) {
				on.loaded(data.loaded / data.total);
			} else if (data.ready) {
				this.#ready = true;
				on.ready(data.style);
			} else if ("account" in data) {
				on.account(data.account, data.html);
			} else {
				this.#answered(data);
			}
		});
		this.#worker.addEventListener("error", event => on.failed(event.message || "its worker cannot be loaded"));
	}

	ask(question) {
		this.#next = question;
		if (this.#ready && !this.#asked) this.#send();
	}

	// account asks for the HTML of a workload.
	account(number) { this.#worker.postMessage({account: number}); }

	#answered(data) {
		if (data.id === this.#asked?.id) {
			this.#last = this.#asked;
			this.#asked = null;
		}
		if (data.id !== this.#last?.id) return;
		if (this.#next) this.#send(); // so that it is answered while this answer is shown
		else if (!data.more) this.#on.busy(false);
		this.#on.answered(this.#last, data, performance.now() - this.#since);
	}

	#send() {
		const question = this.#next;
		this.#asked = question;
		this.#next = null;
		question.id = this.#since = performance.now();
		const sent = {...question};
		if (sent.cluster === this.#cluster) delete sent.cluster;
		else if (sent.cluster !== undefined) this.#cluster = sent.cluster;
		this.#on.busy(true);
		this.#worker.postMessage(sent);
	}
}
