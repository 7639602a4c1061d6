/**
 * A program that works for the server by messages: a worker thread, or a child process where its memory must be freed or
 * a crash must not reach the server. Neither keeps the server alive.
 */
import { type ChildProcess, fork } from 'node:child_process'
import type { Writable } from 'node:stream'
import { Worker } from 'node:worker_threads'
import { processSpent } from './boundWork.ts'
import { lowerPriority } from './lowPriority.ts'

export interface Runner {
  send(message: unknown): void
  /** @returns removes these listeners */
  listen(to: RunnerEvents): () => void
  /** CPU milliseconds so far; undefined where the system does not report them. */
  spent(): number | undefined | Promise<number | undefined>
  /** Ends it at once. Resolves when it has ended. */
  kill(): Promise<void>
}

export interface RunnerEvents {
  message?(message: never): void
  /** Code `ERR_WORKER_OUT_OF_MEMORY`: a thread has exceeded its memory. */
  error?(error: Error & { code?: string }): void
  /** @param how the exit code, or the signal that has ended a process */
  exit?(how: number | string | null): void
}

export interface ThreadOptions {
  memoryMb: number
  /** Size of the young generation: a job that creates very many small objects would otherwise spend its time on GC. */
  youngMb?: number
  /** Passed to the program as `workerData`. */
  data?: unknown
}

/** Starts a worker thread. */
export function startThread(program: URL, { memoryMb, youngMb, data }: ThreadOptions): Runner {
  const worker = new Worker(program, {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, ...(youngMb && { maxYoungGenerationSizeMb: youngMb }) },
  })
  worker.unref()
  worker.setMaxListeners(0)
  worker.on('error', () => {})
  return {
    send: (message) => worker.postMessage(message),
    listen: (to) => listenTo(worker, to),
    async spent() {
      const { user, system } = await worker.cpuUsage()
      return (user + system) / 1_000
    },
    kill: async () => void (await worker.terminate()),
  }
}

export interface ProcessOptions {
  args: readonly string[]
  /** Limit of the heap; absent: Node's own. */
  heapMb?: number
  /** `pipe`: the program reads a file from its input. */
  input?: 'pipe' | 'ignore'
  /** `ignore`: its errors are not written to the server's output. */
  errors?: 'inherit' | 'ignore'
}

export interface ProcessRunner extends Runner {
  /** Absent without `input: 'pipe'`. */
  readonly input: Writable | null
}

/**
 * Starts a child process of low priority. It reads untrusted files, so it gets neither secrets nor the database's address;
 * the compile cache is shared with the server.
 */
export function startProcess(
  program: URL,
  { args, heapMb, input = 'ignore', errors = 'inherit' }: ProcessOptions,
): ProcessRunner {
  const child = fork(program, args, {
    detached: true,
    execArgv: heapMb ? [`--max-old-space-size=${heapMb}`] : [],
    env: { MALLOC_ARENA_MAX: '2', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
    serialization: 'advanced',
    stdio: [input, 'ignore', errors, 'ipc'],
  })
  lowerPriority(child)
  child.unref()
  child.channel?.unref()
  child.on('error', () => {})
  return {
    input: child.stdin,
    // A dead process is reported by `exit` or `error`.
    send: (message) => void child.send(message as object, () => {}),
    listen: (to) => listenTo(child, to),
    spent: () => processSpent(child),
    async kill() {
      // Without a pid it was never started.
      if (!child.pid || child.exitCode !== null || child.signalCode !== null) return
      child.ref()
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
    },
  }
}

function listenTo(emitter: Worker | ChildProcess, to: RunnerEvents): () => void {
  const onMessage = (message: unknown) => to.message?.(message as never)
  const onError = (error: Error) => to.error?.(error)
  const onExit = (code: number | null, signal?: string | null) => to.exit?.(signal ?? code)
  emitter.on('message', onMessage).on('error', onError).on('exit', onExit)
  return () => void emitter.off('message', onMessage).off('error', onError).off('exit', onExit)
}
