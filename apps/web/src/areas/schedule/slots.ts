import type { Slot } from '@ordinator/model/areas/visits/calls'
import { ApiError } from '#base/apiError.ts'
import { shortDay } from './day.ts'

/** Reason of a refused time, and alternatives. */
export interface RefusedTime {
  /** `taken`: occupied; `outside`: the doctor does not work then. */
  code: 'taken' | 'outside'
  message: string
  alternatives: Slot[]
}

/** Parses the refusal of a time; undefined for other errors. */
export function refusedTime(error: unknown): RefusedTime | undefined {
  if (!(error instanceof ApiError) || error.status !== 409) return undefined
  const { code, message, answer } = error
  if (code !== 'taken' && code !== 'outside') return undefined
  return { code, message, alternatives: Array.isArray(answer?.alternatives) ? (answer.alternatives as Slot[]) : [] }
}

/** 'пн 23 нояб., 10:15, Орлова Е. П.' */
export const slotText = ({ localDate, localStart, userName }: Slot): string =>
  `${shortDay(localDate)}, ${localStart}, ${userName}`
