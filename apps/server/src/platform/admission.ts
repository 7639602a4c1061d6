/**
 * Admission queue: limits concurrent requests, so that one person's burst slows only that person. Each person has a few
 * running requests and some queued ones; the server has a total limit and serves queued people round-robin, one request
 * each. Requests over the limit are refused at once, before anything of them is read.
 */

/** Requests of the whole server at once, and of each person. */
export interface AdmissionLimits {
  running: number
  waiting: number
  person: {
    running: number
    waiting: number
    /** Limits for people with slow requests while others are waiting. */
    slow?: {
      running: number
      /** A longer request is slow; its sender is limited to `running` for `memoryMs`. */
      ms: number
      memoryMs: number
      /**
       * Total milliseconds of one person's requests, minus the time that has passed since: sequential requests never come
       * near it. Above it the person is limited to `running` while others send requests, with pauses in between.
       */
      sumMs: number
    }
  }
  /** Milliseconds a request may wait in the queue before it is refused. */
  patienceMs: number
}

export type Refused = 'person' | 'total'

/** A slot of a running request. */
export interface Place {
  /** Frees the slot; idempotent. @param ms how long the work took */
  leave(ms?: number): void
}

/** State of one person, whatever the number of requests. */
interface Asker {
  running: number
  waiting: Waiter[]
  slowUntil: number
  /** Time at which the work done so far would have ended if it had run sequentially. */
  workedOff: number
}

interface Waiter {
  since: number
  settle(answer: Place | Refused): void
}

/** Others count as active for this long after a request. */
const COMPANY_MS = 1_000
/** The sum of used time is capped at this multiple of `sumMs`. */
const MAX_SUMS = 3
/** A person over `sumMs` pauses this many times the duration of the last request, so that others get the thread. */
export const PAUSE_TIMES = 3
export const MAX_PAUSE_MS = 1_000
const REFUSAL_MS = 1_000
/** This many pending refusals lengthen the delay by one more step. */
const REFUSALS_A_STEP = 200
const MAX_REFUSAL_MS = 15_000

/**
 * Milliseconds to delay a refusal: a client that retries at once would otherwise flood the server through refusals.
 * @param own pending refusals of the same person, this one included
 */
export const refusalMs = (own: number): number =>
  Math.min(REFUSAL_MS * (1 + Math.floor(own / REFUSALS_A_STEP)), MAX_REFUSAL_MS)

export interface Admission {
  /** Settles at once when a slot is free. @param who the key of the person, the same for all their requests */
  enter(who: string, settle: (answer: Place | Refused) => void): void
  /** Number of queued requests. */
  waiting(): number
}

export function createAdmission(limits: AdmissionLimits): Admission {
  const { person } = limits
  const askers = new Map<string, Asker>()
  /** Keys with queued requests, in round-robin order. */
  const line = new Set<string>()
  let running = 0
  let waiting = 0
  let timer: NodeJS.Timeout | undefined
  /** The last person to send a request, and when another person last sent one. */
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

  /** Admits queued requests in turn while slots are free. */
  function next(): void {
    for (const who of line) {
      if (running >= limits.running) break
      const asker = askers.get(who) as Asker
      if (!mayRun(asker)) continue
      line.delete(who)
      const waiter = asker.waiting.shift() as Waiter
      waiting--
      // To the end of the line, for this person's next request.
      if (asker.waiting.length > 0) line.add(who)
      waiter.settle(take(who, asker))
    }
    if (askers.size === 0) {
      clearInterval(timer)
      timer = undefined
    } else timer ??= setInterval(look, 1_000).unref()
  }

  /** Refuses requests that have waited too long, and drops state that has expired. */
  function look(): void {
    const late = Date.now() - limits.patienceMs
    for (const who of [...line]) {
      const asker = askers.get(who) as Asker
      while (asker.waiting[0] && asker.waiting[0].since <= late) {
        waiting--
        asker.waiting.shift()?.settle(mayRun(asker) ? 'total' : 'person')
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
    waiting: () => waiting,
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
        settle('total')
      } else {
        asker.waiting.push({ since: Date.now(), settle })
        waiting++
        line.add(who)
        next()
      }
    },
  }
}
