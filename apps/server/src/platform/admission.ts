/**
 * Who is let in, and in which order, so that one person's storm costs that person. Each one has a few requests carried
 * out at once and some more that wait; the house carries out so many at once, and serves those who wait in turn, one of
 * each. Whoever is over is told so at once, before anything of the request has been read.
 */

/** Requests of the whole house at once, and of each who asks. */
export interface AdmissionLimits {
  running: number
  waiting: number
  person: {
    running: number
    waiting: number
    /** Of whoever takes much of what others want too. */
    slow?: {
      running: number
      /** One that takes longer is slow; whoever has asked for it is held to `running` for `memoryMs`. */
      ms: number
      memoryMs: number
      /**
       * Milliseconds that all of one person's may take in sum, less those that have passed since: one after another
       * never comes near. Above it he is held to `running` while somebody else asks, too, with pauses between them.
       */
      sumMs: number
    }
  }
  /** Milliseconds after which who still waits is refused. */
  patienceMs: number
}

export type Refused = 'person' | 'house'

/** A place among those who are carried out. */
export interface Place {
  /** Safe to call twice. @param ms that what was done here took */
  leave(ms?: number): void
}

/** One who asks, however many requests that is. */
interface Asker {
  running: number
  waiting: Waiter[]
  slowUntil: number
  /** When what he has had would have been done, one after another. */
  workedOff: number
}

interface Waiter {
  since: number
  settle(answer: Place | Refused): void
}

/** Somebody else has asked within this time. */
const COMPANY_MS = 1_000
/** What one has had is forgotten after so much of it. */
const MAX_SUMS = 3
/** As many times as long as one of his took, who has had too much waits before his next, so that others have the thread. */
export const PAUSE_TIMES = 3
export const MAX_PAUSE_MS = 1_000
const REFUSAL_MS = 1_000
/** So many refusals that wait to be told lengthen the wait by as much again. */
const REFUSALS_A_STEP = 200
const MAX_REFUSAL_MS = 15_000

/**
 * Milliseconds after which who asks too much is told so: a storm that repeats at once would live off its refusals.
 * @param own refusals of the same person that wait to be told, with this one
 */
export const refusalMs = (own: number): number =>
  Math.min(REFUSAL_MS * (1 + Math.floor(own / REFUSALS_A_STEP)), MAX_REFUSAL_MS)

export interface Admission {
  /** Settles at once when there is room. @param who the same for all that one person sends */
  enter(who: string, settle: (answer: Place | Refused) => void): void
}

export function createAdmission(limits: AdmissionLimits): Admission {
  const { person } = limits
  const askers = new Map<string, Asker>()
  /** Who has somebody waiting, in the order of their turns. */
  const line = new Set<string>()
  let running = 0
  let waiting = 0
  let timer: NodeJS.Timeout | undefined
  /** Who asked last, and when somebody else had before him. */
  let latest = ''
  let company = 0

  const { slow } = person
  const isGreedy = ({ workedOff }: Asker): boolean => {
    const now = Date.now()
    return slow !== undefined && workedOff - now > slow.sumMs && now - company < COMPANY_MS
  }
  const mostOf = (asker: Asker): number =>
    slow && (isGreedy(asker) || asker.slowUntil > Date.now()) ? slow.running : person.running
  const mayRun = (asker: Asker) => asker.running < mostOf(asker)

  function take(who: string, asker: Asker): Place {
    let left = false
    running++
    asker.running++
    return {
      leave(ms = 0) {
        if (left) return
        left = true
        running--
        if (slow) {
          const now = Date.now()
          if (ms > slow.ms) asker.slowUntil = now + slow.memoryMs
          asker.workedOff = Math.min(Math.max(asker.workedOff, now) + ms, now + slow.sumMs * MAX_SUMS)
        }
        const free = () => {
          asker.running--
          next()
          forget(who, asker)
        }
        if (!isGreedy(asker)) return free()
        setTimeout(free, Math.min(ms * PAUSE_TIMES, MAX_PAUSE_MS))
        next()
      },
    }
  }

  /** Lets in whoever's turn it is, while there is room. */
  function next(): void {
    for (const who of line) {
      if (running >= limits.running) break
      const asker = askers.get(who) as Asker
      if (!mayRun(asker)) continue
      line.delete(who)
      const waiter = asker.waiting.shift() as Waiter
      waiting--
      // Behind all the others, for the next of his.
      if (asker.waiting.length > 0) line.add(who)
      waiter.settle(take(who, asker))
    }
    if (askers.size === 0) {
      clearInterval(timer)
      timer = undefined
    } else timer ??= setInterval(look, 1_000).unref()
  }

  /** Sends away who has waited too long, and forgets who has been forgiven. */
  function look(): void {
    const late = Date.now() - limits.patienceMs
    for (const who of [...line]) {
      const asker = askers.get(who) as Asker
      while (asker.waiting[0] && asker.waiting[0].since <= late) {
        waiting--
        asker.waiting.shift()?.settle(mayRun(asker) ? 'house' : 'person')
      }
      if (asker.waiting.length === 0) line.delete(who)
    }
    for (const [who, asker] of askers) forget(who, asker)
    next()
  }

  function forget(who: string, asker: Asker): void {
    if (asker.running > 0 || asker.waiting.length > 0) return
    if (Math.max(asker.slowUntil, asker.workedOff) <= Date.now()) askers.delete(who)
  }

  return {
    enter(who, settle) {
      const asker = askers.get(who) ?? { running: 0, waiting: [], slowUntil: 0, workedOff: 0 }
      askers.set(who, asker)
      if (who !== latest) company = Date.now()
      latest = who
      if (asker.waiting.length === 0 && running < limits.running && mayRun(asker)) {
        settle(take(who, asker))
      } else if (asker.waiting.length >= person.waiting) {
        settle('person')
      } else if (waiting >= limits.waiting) {
        settle('house')
      } else {
        asker.waiting.push({ since: Date.now(), settle })
        waiting++
        line.add(who)
        next()
      }
    },
  }
}
