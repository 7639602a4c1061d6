/**
 * Pictures are decoded in a child process (decodingProcess.ts): a few bytes may decode to half a gigabyte, which is freed
 * when the process ends, and a crash of the decoder does not crash the server.
 */
import type { ResizeOptions } from 'sharp'
import { createHelper } from './helper.ts'
import type { Logger } from './log.ts'
import { startProcess } from './runner.ts'

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
/** How long a picture waits for its turn. */
const PATIENCE_MS = 600_000
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
  const waiting = maxWaiting - 1
  const helper = createHelper<Job, Outcome>({
    name: 'pictures',
    start: () => startProcess(PROGRAM, { args: [String(maxRss)] }),
    log,
    workMs: jobMs,
    clockMs,
    idleMs,
    isWorn: ({ rss }) => rss > maxKept,
    // One queue for all: a picture is a moment's work.
    limits: { running: 1, waiting, person: { running: 1, waiting }, patienceMs: PATIENCE_MS },
    words: {
      tooHard: () => new PictureError(`more than ${jobMs} ms of work`),
      died: (how) => new PictureError(`decoding process ended: ${how}`),
      crowded: 'Сейчас обрабатывается слишком много картинок, повторите позже',
      busy: 'Сервер сейчас занят, и картинка не обработана. Повторите позже',
      code: 'pictures',
      retryAfter: 30,
    },
  })

  async function run(job: Job): Promise<Look | Drawn[]> {
    const outcome = await helper.run(job, 'pictures')
    if ('fault' in outcome) throw new PictureError(outcome.fault)
    return outcome.done
  }

  return {
    look: async (source) => (await run({ look: source })) as Look,
    draw: async (source, plan) => (await run({ draw: source, plan })) as Drawn[],
    close: () => helper.close(),
  }
}
