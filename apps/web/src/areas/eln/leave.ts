/** Shared parts of the sick leave screens. */
import type { ElnCodes } from '@ordinator/model/areas/eln/codes'
import { daysOf } from '@ordinator/model/areas/eln/rules'
import type { SickLeave, SickPeriod } from '@ordinator/model/areas/eln/sickLeave'
import type { Answered } from '@ordinator/model/call'
import type { Calls } from '@ordinator/model/calls'
import type { Expanded } from '@ordinator/model/client'
import type { Row } from '@ordinator/model/entity'
import { counted, formatDay } from '@ordinator/model/format'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { invalidateRecords } from '#records/keys.ts'
import { retries } from '#records/reads.ts'

export type LeaveRow = Row<typeof SickLeave>
export type PeriodRow = Expanded<typeof SickPeriod, 'doctor' | 'chairman'>
export type LeaveState = Answered<Calls['GET /eln/:id/state']>
export type PartState = LeaveState['parts'][number]

export const toast = { forbidden: 'toast' } as const
const DAYS = ['день', 'дня', 'дней'] as const

export const daysText = (count: number): string => counted(count, DAYS)
export const spanText = (from: string | null, to: string | null): string =>
  from && to ? `${formatDay(from)} — ${formatDay(to)}` : '—'
export const periodText = (from: string, to: string): string => `${spanText(from, to)}, ${daysText(daysOf(from, to))}`

/** True while problems are shown: until it is sent. */
export const isBeingChanged = ({ localStatus }: LeaveRow): boolean =>
  ['draft', 'toSign', 'rejected'].includes(localStatus)
/** True once signatures were requested. */
export const isBeingSigned = ({ localStatus }: LeaveRow, state: LeaveState | undefined): boolean =>
  localStatus === 'toSign' || (state?.parts.some((part) => part.state !== 'none') ?? false)

/** Further entities of a sheet, for live updates. */
export const live = ['eln/periods', 'eln/care', 'exchange/messages']

export const useLeaveState = (id: number) =>
  useQuery({
    queryKey: ['eln', 'state', id],
    queryFn: ({ signal }) => api('GET /eln/:id/state', { params: { id } }, { signal, forbidden: 'silent' }),
    retry: retries,
    placeholderData: (before) => before,
    meta: { live: ['eln', ...live, 'users', 'customers'] },
  })

const CODES_MS = 10 * 60_000

/** Codes valid on the day of a sheet; undefined while loading. */
export function useCodes(day: string | null | undefined): ElnCodes | undefined {
  return useQuery({
    queryKey: ['eln', 'codes', day ?? ''],
    queryFn: ({ signal }) => api('GET /eln/codes', { query: day ? { day } : {} }, { signal, forbidden: 'silent' }),
    staleTime: CODES_MS,
    retry: retries,
  }).data as ElnCodes | undefined
}

/** Reloads everything a step may change. */
export function useReread(): () => Promise<void> {
  const cache = useQueryClient()
  return async () => {
    await Promise.all([
      invalidateRecords(cache, 'eln'),
      invalidateRecords(cache, 'eln/periods'),
      invalidateRecords(cache, 'eln/numbers'),
    ])
  }
}
