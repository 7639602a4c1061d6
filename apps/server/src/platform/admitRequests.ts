import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  type Admission,
  type AdmissionLimits,
  createAdmission,
  MAX_PAUSE_MS,
  PAUSE_TIMES,
  type Place,
  type Refused,
  refusalMs,
} from './admission.ts'
import { HttpError, tooMany } from './errors.ts'
import { createLenience } from './failureBackoff.ts'
import { isForm } from './forms.ts'
import { watchLoad } from './load.ts'
import { runFor } from './strangers.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Outside the common queue: `sign-in` has its own queue, `free` none. */
    aside?: 'sign-in' | 'free'
  }
  interface FastifyRequest {
    /** The person's key, the same for all their requests. */
    who: string
    places: Place[]
    /** Start of the handler, milliseconds of performance.now(). */
    begun: number
    /** Frees the slots of the request while it waits for something outside the server, and queues for one again after. */
    waitAside<T>(outside: Promise<T>): Promise<T>
  }
}

const PATIENCE_MS = 30_000
/** Per person, from the first byte of a request until its answer is ready. */
const PER_PERSON: AdmissionLimits = {
  running: 3_000,
  waiting: 3_000,
  person: { running: 6, waiting: 100, slow: { running: 2, ms: 1_000, memoryMs: 10_000, sumMs: 3_000 } },
  patienceMs: PATIENCE_MS,
}
/** Total of running requests, counted once the body has arrived: a slow upload occupies no slot. */
const TOTAL: AdmissionLimits = {
  running: 32,
  waiting: 1_000,
  person: { running: 6, waiting: 100 },
  patienceMs: PATIENCE_MS,
}
/**
 * All clients that are not signed in (visitors, patients), apart from the staff's slots. A slot is kept after the answer
 * for as long as the answer took, and for a minimum, so that the thread is free for others; for longer while the machine
 * is busy and more of them wait.
 */
const STRANGERS: AdmissionLimits = {
  running: 6,
  waiting: 600,
  person: { running: 4, waiting: 100 },
  patienceMs: PATIENCE_MS,
}
const STRANGER_REST_MS = 15
/** Rests of refused sign-ins grow less than others: they delay people who sign in. */
const MAX_SIGN_IN_REST = 3
/** File uploads, which last as long as the client's connection needs. */
const UPLOADS: AdmissionLimits = {
  running: 20,
  waiting: 100,
  person: { running: 3, waiting: 20 },
  patienceMs: PATIENCE_MS,
}
/**
 * Large bodies, which occupy the thread while they are parsed and cleaned: one at a time per person, with a pause, and
 * none is read before its turn. A slow sender delays only their own requests.
 */
const LARGE_BODY = 64 * 1024
const LARGE: AdmissionLimits = {
  running: 3_000,
  waiting: 3_000,
  person: { running: 1, waiting: 50 },
  patienceMs: PATIENCE_MS,
}
/** Sign-in and token refresh, by address: a whole clinic may share one. */
const SIGN_IN: AdmissionLimits = {
  running: 4,
  waiting: 300,
  person: { running: 4, waiting: 100 },
  patienceMs: PATIENCE_MS,
}
/** Never queued. */
const HEALTH = '/health'
const MAX_REFUSING = 10_000

/**
 * Puts every request through the admission queues.
 * @param whoOf key of the sender that cannot be forged: the verified token, else the address
 */
export function admitRequests(
  server: FastifyInstance,
  whoOf: (request: FastifyRequest) => string | Promise<string>,
): void {
  const queues = new Queues()
  server.decorateRequest('who', '')
  server.decorateRequest('places')
  server.decorateRequest('begun', 0)
  server.decorateRequest('waitAside', async function (this: FastifyRequest, outside) {
    leave(this)
    try {
      return await outside
    } finally {
      await queues.again(this)
    }
  })
  server.addHook('onClose', (_server, done) => {
    queues.stop()
    done()
  })
  server.addHook('onRequest', (request, reply, done) => {
    request.places = []
    const { config, url } = request.routeOptions
    if (config.aside === 'free' && url === HEALTH) return done()
    const who = whoOf(request)
    const enter = (known: string) => {
      request.who = known
      queues.enter(request, reply, done)
    }
    if (typeof who === 'string') return enter(who)
    who.then(enter, done)
  })
  server.addHook('preHandler', (request, _reply, done) => {
    request.begun = performance.now()
    if (request.routeOptions.config.aside) return done()
    queues.handle(request, (error) => {
      request.begun = performance.now()
      done(error)
    })
  })
  // Free the slot when the answer is built: a slow reader or a stream must not keep it.
  server.addHook('onSend', (request, _reply: FastifyReply, payload, done) => {
    leave(request)
    done(null, payload)
  })
  server.addHook('onResponse', (request, _reply, done) => {
    leave(request)
    done()
  })
}

type Done = (error?: Error) => void

/** The queues of one server, and which of them a request passes. */
class Queues {
  readonly #perPerson = createAdmission(PER_PERSON)
  readonly #total = createAdmission(TOTAL)
  readonly #strangers = createAdmission(STRANGERS)
  readonly #uploads = createAdmission(UPLOADS)
  readonly #large = createAdmission(LARGE)
  readonly #signIn = createAdmission(SIGN_IN)
  readonly #lenience = createLenience()
  readonly #load = watchLoad()
  readonly #refusals = new Refusals()

  /** The queues before the body is read. */
  enter(request: FastifyRequest, reply: FastifyReply, done: Done): void {
    const { who } = request
    const { aside } = request.routeOptions.config
    if (aside === 'free') runFor(isOfStranger(who), done)
    // The slot of a sign-in that fails rests, so that guessing passwords does not occupy the machine.
    else if (aside === 'sign-in')
      this.#line(this.#signIn, request, done, (place) =>
        resting(place, (ms) =>
          reply.statusCode < 400 || this.#signIn.waiting() === 0
            ? 0
            : ms * Math.min(this.#load.factor(), MAX_SIGN_IN_REST),
        ),
      )
    else
      this.#line(this.#perPerson, request, (error) => {
        if (error || !isLarge(request)) return done(error)
        this.#line(this.#large, request, done, (place) =>
          pausing(place, () => (reply.statusCode < 400 ? 0 : this.#lenience.pauseOf(who))),
        )
      })
  }

  /** The queue before the handler. */
  handle(request: FastifyRequest, done: Done): void {
    if (isForm(request)) this.#line(this.#uploads, request, done)
    else this.#work(request, done)
  }

  /** Queues once more for the work of a request that has waited aside. @throws HttpError when it is refused */
  again(request: FastifyRequest): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#work(request, (error) => {
        request.begun = performance.now()
        if (error) reject(error)
        else resolve()
      })
    })
  }

  stop(): void {
    this.#load.stop()
  }

  #work(request: FastifyRequest, done: Done): void {
    if (isOfStranger(request.who))
      this.#line(this.#strangers, request, done, (place) =>
        resting(
          place,
          (ms) => Math.max(ms, STRANGER_REST_MS) * (this.#strangers.waiting() > 0 ? this.#load.factor() : 1),
        ),
      )
    else this.#line(this.#total, request, done)
  }

  #line(
    admission: Admission,
    request: FastifyRequest,
    done: Done,
    placed: (place: Place) => Place = (place) => place,
  ): void {
    const { who } = request
    admission.enter(who, (answer) => {
      if (typeof answer === 'string') return this.#refusals.refuse(answer, who, request, done)
      // The client has disconnected: skip the work.
      request.places.push(placed(answer))
      // The slot may have been freed by another request's answer: restore this request's own context.
      runFor(isApart(who, request), () => done(request.raw.socket.destroyed ? fullServer(request) : undefined))
    })
  }
}

/** Refusals that are delayed now, in number and of each person. */
class Refusals {
  #pending = 0
  readonly #pendingOf = new Map<string, number>()

  refuse(why: Refused, who: string, request: FastifyRequest, done: Done): void {
    const error = why === 'person' ? ownCrowd(request) : fullServer(request)
    if (this.#pending >= MAX_REFUSING) {
      request.raw.socket.destroy()
      return
    }
    this.#pending++
    const own = (this.#pendingOf.get(who) ?? 0) + 1
    this.#pendingOf.set(who, own)
    // A flood of strangers is delayed as a whole, whatever the number of its addresses.
    const wait = why === 'person' ? refusalMs(own) : isOfStranger(who) ? refusalMs(this.#pending) : 0
    setTimeout(() => {
      this.#pending--
      const left = (this.#pendingOf.get(who) ?? 1) - 1
      if (left > 0) this.#pendingOf.set(who, left)
      else this.#pendingOf.delete(who)
      done(error)
    }, wait)
  }
}

/** Frees the slots of a request. */
function leave(request: FastifyRequest): void {
  const took = request.begun > 0 ? performance.now() - request.begun : 0
  for (const place of request.places?.splice(0) ?? []) place.leave(took)
}

const isOfStranger = (who: string): boolean => who.startsWith('address:')

/** Sign-in has its own database connections. */
const isApart = (who: string, { routeOptions }: FastifyRequest): boolean =>
  isOfStranger(who) && routeOptions.config.aside !== 'sign-in'

/** A slot that is freed a while after the answer. @param restMs milliseconds, from those that the answer took */
function resting(place: Place, restMs: (ms: number) => number): Place {
  let left = false
  return {
    leave(ms = 0) {
      if (left) return
      left = true
      const rest = Math.min(restMs(ms), MAX_PAUSE_MS)
      if (rest > 0) setTimeout(() => place.leave(ms), rest).unref()
      else place.leave(ms)
    },
  }
}

/** A body of unknown length counts as large. */
function isLarge(request: FastifyRequest): boolean {
  const { 'content-length': length, 'transfer-encoding': pieces } = request.headers
  return !isForm(request) && (pieces !== undefined || Number(length ?? 0) >= LARGE_BODY)
}

/** A slot that is freed a while after the answer; possibly later when the request was refused, which cost as much. */
function pausing(place: Place, refusedMs: () => number): Place {
  const begun = performance.now()
  let left = false
  return {
    leave() {
      if (left) return
      left = true
      const took = Math.min((performance.now() - begun) * PAUSE_TIMES, MAX_PAUSE_MS)
      setTimeout(() => place.leave(), Math.max(took, refusedMs()))
    },
  }
}

/** Closes the connection: an unread body would otherwise have to be read to its end first. */
const closing = ({ headers }: FastifyRequest): Record<string, string> =>
  Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] ? { connection: 'close' } : {}

function ownCrowd(request: FastifyRequest): HttpError {
  const { message, headers } = tooMany(
    2,
    'От вас пришло слишком много запросов сразу. Дождитесь ответа на предыдущие и повторите',
  )
  return new HttpError(429, message, { code: 'crowd', headers: { ...headers, ...closing(request) } })
}

function fullServer(request: FastifyRequest): HttpError {
  return new HttpError(503, 'Сервер сейчас перегружен. Повторите через несколько секунд', {
    code: 'busy',
    headers: { 'retry-after': '5', ...closing(request) },
  })
}
