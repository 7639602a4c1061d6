import { boundWork, type Late, type WorkBounds } from './boundWork.ts'
import type { Runner } from './runner.ts'

/** Starts runners when they are needed and keeps idle ones for a while. It limits no number: an admission queue does. */
export class RunnerPool<R extends Runner> {
  readonly #start: () => R
  readonly #idleMs: number
  readonly #idle = new Map<R, NodeJS.Timeout>()
  readonly #all = new Set<R>()

  constructor(start: () => R, idleMs: number) {
    this.#start = start
    this.#idleMs = idleMs
  }

  /** An idle runner, the latest used first; else a new one. */
  hire(): R {
    const ready = [...this.#idle.keys()].at(-1)
    if (ready) {
      this.#wake(ready)
      return ready
    }
    const runner = this.#start()
    this.#all.add(runner)
    runner.listen({
      exit: () => {
        this.#all.delete(runner)
        this.#wake(runner)
      },
    })
    return runner
  }

  /** Keeps a runner for the next job. */
  keep(runner: R): void {
    if (this.#all.has(runner)) this.#idle.set(runner, setTimeout(() => void this.dismiss(runner), this.#idleMs).unref())
  }

  /** Ends a runner, so that its memory is freed. */
  async dismiss(runner: R): Promise<void> {
    this.#wake(runner)
    this.#all.delete(runner)
    await runner.kill()
  }

  /** Ends all runners, also those at work. */
  async close(): Promise<void> {
    await Promise.all([...this.#all].map((runner) => this.dismiss(runner)))
  }

  #wake(runner: R): void {
    clearTimeout(this.#idle.get(runner))
    this.#idle.delete(runner)
  }
}

/** Errors of a job without an answer. */
export interface JobFaults {
  /** A limit of time was exceeded. */
  late(why: Late): Error
  error(error: Error & { code?: string }): Error
  /** The runner has ended by an exit code or a signal. */
  exit(how: number | string | null): Error
}

/** Sends a job to a runner. @returns its next message @throws the errors of `faults`; the runner is not ended */
export function askRunner<Answer>(
  runner: Runner,
  job: unknown,
  bounds: WorkBounds,
  faults: JobFaults,
): Promise<Answer> {
  return new Promise<Answer>((resolve, reject) => {
    const settle = (how: () => void) => {
      ended()
      silence()
      how()
    }
    const ended = boundWork(
      () => runner.spent(),
      bounds,
      (why) => settle(() => reject(faults.late(why))),
    )
    const silence = runner.listen({
      message: (answer: Answer) => settle(() => resolve(answer)),
      error: (error) => settle(() => reject(faults.error(error))),
      exit: (how) => settle(() => reject(faults.exit(how))),
    })
    runner.send(job)
  })
}
