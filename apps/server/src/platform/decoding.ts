/**
 * Pictures are decoded in a child process (decodingProcess.ts): a few bytes may decode to half a gigabyte, which is freed
 * when the process ends, and a crash of the decoder does not crash the server.
 */
import { type ChildProcess, fork } from 'node:child_process'
import type { ResizeOptions } from 'sharp'
import { boundWork, processSpent, type WorkBounds } from './boundWork.ts'
import { HttpError } from './errors.ts'
import type { Logger } from './log.ts'
import { lowerPriority } from './lowPriority.ts'

/** Maximum pixels of a picture; the largest phone cameras stay below. */
export const MAX_PIXELS = 130_000_000
/** CPU milliseconds for one picture, including the start of the process. */
const JOB_MS = 30_000
/** Idle milliseconds before the process is ended. */
const IDLE_MS = 10_000
/** Pictures in work and in the queue. */
const MAX_WAITING = 50
/** Maximum resident bytes of the process: one and a half times what the largest accepted pictures need (measured). */
const MAX_RSS = 600 * 1024 * 1024
/** Resident bytes above which the process is not reused for the next picture. */
const MAX_KEPT = 200 * 1024 * 1024
const PROGRAM = new URL('./decodingProcess.ts', import.meta.url)

/** A path, or the bytes themselves. */
export type Source = string | Uint8Array

export interface Look {
  /** Pixels, after rotation by EXIF. */
  width: number
  height: number
  isProgressive: boolean
  /** Frames of an animation. */
  pages: number
}

export interface Plan {
  /** Absent: MAX_PIXELS. */
  maxPixels?: number
  /** The level of damage at which a picture counts as broken. */
  failOn: 'truncated' | 'error' | 'warning'
  /** Resize applied while decoding, which happens once. */
  resize: ResizeOptions
  copies: readonly Copy[]
}

interface Copy {
  /** Maximum pixels of the longer side; absent: as decoded. */
  side?: number
  /** JPEG has no transparency: it becomes white. */
  format: 'webp' | 'jpeg' | 'png'
  /** 1 to 100; ignored for PNG, which is lossless. */
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
 * Processes one picture at a time; others are queued.
 * @throws PictureError, and HttpError 503 when the queue is full, the machine is too busy or the server stops
 */
export interface Decoder {
  /** Reads the header only, without decoding. */
  look(source: Source): Promise<Look>
  /** Copies without metadata (place, camera), rotated by EXIF, in the order of the plan. */
  draw(source: Source, plan: Plan): Promise<Drawn[]>
  /** Ends the process; queued pictures are refused. */
  close(): Promise<void>
}

export type Job = { look: Source } | { draw: Source; plan: Plan }
/** The process's answer to a job; `rss` in bytes. */
export type Outcome = { done: Look | Drawn[]; rss: number } | { fault: string; rss: number }

export interface DecoderOptions {
  log: Logger
  jobMs?: number
  /** Wall-clock milliseconds for one picture. */
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
      // Neither secrets nor the database's address: the process decodes untrusted files.
      env: { MALLOC_ARENA_MAX: '2', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    lowerPriority(started)
    // Does not keep the server alive.
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
    // Without a pid it was never started.
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

/** @throws PictureError when the process dies or the picture exceeds a limit; HttpError 503 when the machine is too busy */
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
    // A dead process is reported by `exit` or `error`.
    child.send(job, () => {})
  })
}

const busy = () => unavailable('Сервер сейчас занят, и картинка не обработана. Повторите позже', 30)
const stopping = () => unavailable('Сервер останавливается, повторите позже', 5)
const unavailable = (message: string, seconds: number) =>
  new HttpError(503, message, { code: 'pictures', headers: { 'retry-after': String(seconds) } })
