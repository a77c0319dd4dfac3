// Asks the program, which runs in a worker so that it never delays typing. It answers one question at a time; of the
// questions that come meanwhile, only the last is asked.
export class Engine {
	#worker = new Worker("worker.js");
	#ready = false;
	#asked = null; // the question that is being answered
	#next = null;
	#since = 0;

	// on has the functions ready(style), answered(question, answer, milliseconds) and failed(why).
	constructor(on) {
		this.#worker.addEventListener("message", ({data}) => {
			if (data.failed) {
				this.#ready = false;
				on.failed(data.failed);
			} else if (data.ready) {
				this.#ready = true;
				on.ready(data.style);
			} else {
				const question = this.#asked;
				this.#asked = null;
				if (this.#next) this.#send(); // so that it is answered while this answer is shown
				on.answered(question, data, performance.now() - this.#since);
			}
		});
		this.#worker.addEventListener("error", event => on.failed(event.message || "its worker cannot be loaded"));
	}

	ask(question) {
		this.#next = question;
		if (this.#ready && !this.#asked) this.#send();
	}

	#send() {
		this.#asked = this.#next;
		this.#next = null;
		this.#since = performance.now();
		this.#worker.postMessage(JSON.stringify(this.#asked));
	}
}
