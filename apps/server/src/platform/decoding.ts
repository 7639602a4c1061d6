/**
 * Pictures are unfolded in a process of their own (decodingProcess.ts): few bytes may unfold to half a gigabyte, which
 * goes back to the system with that process, and what breaks a decoder does not break the server.
 */
import { type ChildProcess, fork } from 'node:child_process'
import type { ResizeOptions } from 'sharp'
import { boundWork, processSpent, type WorkBounds } from './boundWork.ts'
import { HttpError } from './errors.ts'
import { giveWay } from './giveWay.ts'
import type { Logger } from './log.ts'

/** Pixels of a picture at most; the largest phone cameras stay below. */
export const MAX_PIXELS = 130_000_000
/** Milliseconds of the processor for one picture, the start of the process included. */
const JOB_MS = 30_000
/** Without work; then the process ends. */
const IDLE_MS = 10_000
/** Pictures that are unfolded or wait for it. */
const MAX_WAITING = 50
/** Resident bytes of the process at most: half as much again as the largest pictures that are taken need (measured). */
const MAX_RSS = 600 * 1024 * 1024
/** Resident bytes above which the process is not kept for the next picture. */
const MAX_KEPT = 200 * 1024 * 1024
const PROGRAM = new URL('./decodingProcess.ts', import.meta.url)

/** A path, or the bytes themselves. */
export type Source = string | Uint8Array

export interface Look {
  /** Pixels, as the picture is turned to be seen. */
  width: number
  height: number
  isProgressive: boolean
  /** Frames of an animation. */
  pages: number
}

export interface Plan {
  /** Absent: MAX_PIXELS. */
  maxPixels?: number
  /** From which fault on a picture is broken. */
  failOn: 'truncated' | 'error' | 'warning'
  /** How it is made smaller while it is unfolded, which happens once. */
  resize: ResizeOptions
  copies: readonly Copy[]
}

interface Copy {
  /** Pixels of the longer side at most; absent: as unfolded. */
  side?: number
  /** JPEG has no transparency: there it becomes white. */
  format: 'webp' | 'jpeg' | 'png'
  /** 1 to 100; of PNG, which loses nothing, no matter. */
  quality: number
}

export interface Drawn {
  bytes: Buffer
  /** Pixels. */
  width: number
  height: number
}

/** The picture cannot be read: it is broken, or takes too long or too much memory. */
export class PictureError extends Error {
  override name = 'PictureError'
}

/**
 * One picture at a time; others wait in turn.
 * @throws PictureError, and HttpError 503 when too many wait, the machine is too busy or the server stops
 */
export interface Decoder {
  /** What its head says, nothing unfolded. */
  look(source: Source): Promise<Look>
  /** Copies without metadata (place and camera), turned as the picture is to be seen, in the order of the plan. */
  draw(source: Source, plan: Plan): Promise<Drawn[]>
  /** Ends the process; who waits is refused. */
  close(): Promise<void>
}

export type Job = { look: Source } | { draw: Source; plan: Plan }
/** What the process answers to a job; `rss` in bytes. */
export type Outcome = { done: Look | Drawn[]; rss: number } | { fault: string; rss: number }

export interface DecoderOptions {
  log: Logger
  jobMs?: number
  /** Milliseconds on the clock for one picture. */
  clockMs?: number
  idleMs?: number
  maxWaiting?: number
  maxRss?: number
  maxKept?: number
}

export function createDecoder(options: DecoderOptions): Decoder {
  const {
    log,
    jobMs = JOB_MS,
    clockMs,
    idleMs = IDLE_MS,
    maxWaiting = MAX_WAITING,
    maxRss = MAX_RSS,
    maxKept = MAX_KEPT,
  } = options
  let child: ChildProcess | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let closed = false

  async function inTurn(job: Job): Promise<Look | Drawn[]> {
    if (waiting >= maxWaiting) throw unavailable('Сейчас обрабатывается слишком много картинок, повторите позже', 30)
    waiting++
    const mine = last.then(() => run(job)).finally(() => waiting--)
    last = mine.catch(() => {})
    return mine
  }

  async function run(job: Job): Promise<Look | Drawn[]> {
    if (closed) throw stopping()
    clearTimeout(idle)
    child ??= start()
    const outcome = await outcomeOf(child, job, { workMs: jobMs, clockMs }).catch(async (error) => {
      await stop()
      if (closed) throw stopping()
      log.warn({ err: error }, 'decoding process replaced')
      throw error
    })
    if (outcome.rss > maxKept) await stop()
    else idle = setTimeout(stop, idleMs).unref()
    if ('fault' in outcome) throw new PictureError(outcome.fault)
    return outcome.done
  }

  function start(): ChildProcess {
    const started = fork(PROGRAM, [String(maxRss)], {
      detached: true,
      execArgv: [],
      // Neither secrets nor the database's address: what is unfolded there comes from strangers.
      env: { MALLOC_ARENA_MAX: '2', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    giveWay(started)
    // The server ends when it has nothing else to do.
    started.unref()
    started.channel?.unref()
    started.on('error', (error) => log.error({ err: error }, 'decoding process'))
    started.once('exit', () => {
      if (child === started) child = undefined
    })
    return started
  }

  async function stop(): Promise<void> {
    clearTimeout(idle)
    const ending = child
    child = undefined
    // Without an id it has never begun.
    if (!ending?.pid || ending.exitCode !== null || ending.signalCode !== null) return
    ending.ref()
    const ended = new Promise((resolve) => ending.once('exit', resolve))
    ending.kill('SIGKILL')
    await ended
  }

  return {
    look: async (source) => (await inTurn({ look: source })) as Look,
    draw: async (source, plan) => (await inTurn({ draw: source, plan })) as Drawn[],
    async close() {
      closed = true
      await stop()
    },
  }
}

/** @throws PictureError when the process dies or the picture is too much; HttpError 503 when the machine has no time */
function outcomeOf(child: ChildProcess, job: Job, bounds: WorkBounds): Promise<Outcome> {
  return new Promise<Outcome>((resolve, reject) => {
    const ended = boundWork(
      () => processSpent(child),
      bounds,
      (why) =>
        settle(() => reject(why === 'work' ? new PictureError(`more than ${bounds.workMs} ms of work`) : busy())),
    )
    const onMessage = (outcome: unknown) => settle(() => resolve(outcome as Outcome))
    const onError = (error: Error) => settle(() => reject(error))
    const onExit = (code: number | null, signal: string | null) =>
      settle(() => reject(new PictureError(`decoding process ended: ${signal ?? code}`)))
    const settle = (how: () => void) => {
      ended()
      child.off('message', onMessage).off('error', onError).off('exit', onExit)
      how()
    }
    child.on('message', onMessage).on('error', onError).on('exit', onExit)
    // A process that is gone is told of by `exit` or `error`.
    child.send(job, () => {})
  })
}

const busy = () => unavailable('Сервер сейчас занят, и картинка не обработана. Повторите позже', 30)
const stopping = () => unavailable('Сервер останавливается, повторите позже', 5)
const unavailable = (message: string, seconds: number) =>
  new HttpError(503, message, { code: 'pictures', headers: { 'retry-after': String(seconds) } })
