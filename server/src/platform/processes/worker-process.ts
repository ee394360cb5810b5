// The inside of a child process for dangerous work: it answers one job after the other, limits its own memory and never
// outlives the server. The server's side is child-worker.ts.

export type Greeting = { ready: true } | { ready: false; problem: string };
/** A spent process must be replaced before the next job. */
export type Reply<Answer> = { answer: Answer; isSpent: boolean };

export interface MemoryBounds<Answer> {
  /** Above this the job is aborted, and the process ends. */
  maxBytes: number;
  /** If this is exceeded after a job, the process asks to be replaced. */
  spentBytes: number;
  onTooMuch: Answer;
}

export function serveJobs<Job, Answer>(answerTo: (job: Job) => Promise<Answer>, memory: MemoryBounds<Answer>): void {
  process.on("message", async (job: Job) => {
    const memoryWatch = setInterval(() => {
      if (process.memoryUsage.rss() < memory.maxBytes) return;
      tell({ answer: memory.onTooMuch, isSpent: true } satisfies Reply<Answer>, endAtOnce);
    }, 20);
    const answer = await answerTo(job);
    clearInterval(memoryWatch);
    tell({ answer, isSpent: process.memoryUsage.rss() > memory.spentBytes } satisfies Reply<Answer>);
  });
  process.on("disconnect", endAtOnce);
  // Signals to the whole process group are handled by the server: it finishes its requests, then ends this process.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => {});
  tell({ ready: true } satisfies Greeting);
}

/** Called instead of serveJobs if a dependency is missing. */
export function reportUnready(problem: unknown): void {
  tell({ ready: false, problem: String(problem) } satisfies Greeting);
}

function tell(message: object, onSent?: () => void): void {
  process.send?.(message, undefined, undefined, onSent);
}

/** An ordinary exit would wait for threads, which may be what has to be stopped. */
function endAtOnce(): void {
  process.kill(process.pid, "SIGKILL");
}
