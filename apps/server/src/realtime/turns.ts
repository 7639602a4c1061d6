/** Whose question is asked next: one of each person in turn, one of a person at a time. */
import { createAdmission, type Place } from '../platform/admission.ts'

/** As many as the lane of filters has connections. */
const AT_ONCE = 3
const MAX_WAITING = 5_000
const PERSON_MAX_WAITING = 200
const PATIENCE_MS = 5_000

export interface Turns {
  /** Undefined: there is too much in line before it. */
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
