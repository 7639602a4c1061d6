/** Round-robin over people's filter queries: one per person at a time. */
import { createAdmission, type Place } from '#platform/admission.ts'

/** As many as the pool for filters has connections. */
const AT_ONCE = 3
const MAX_WAITING = 5_000
const PERSON_MAX_WAITING = 200
const PATIENCE_MS = 5_000

export interface Turns {
  /** Undefined: the queue is full. */
  take(who: string): Promise<Place | undefined>
}

export function createTurns(): Turns {
  const admission = createAdmission({
    running: AT_ONCE,
    waiting: MAX_WAITING,
    person: { running: 1, waiting: PERSON_MAX_WAITING },
    patienceMs: PATIENCE_MS,
  })
  return {
    take: (who) =>
      new Promise((resolve) => {
        admission.enter(who, (answer) => resolve(typeof answer === 'string' ? undefined : answer))
      }),
  }
}

export const personTurn = (idUser: number): string => `user:${idUser}`
