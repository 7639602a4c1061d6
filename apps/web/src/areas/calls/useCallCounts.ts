import { Call, INCOMING, MISSED } from '@ordinator/model/areas/calls/call'
import { type Filter, totalOf } from '@ordinator/model/client'
import { dayOf, midnight } from '#kit/clock.ts'
import { useList } from '#records/reads.ts'

/** Number of due call backs, and of today's answered and missed calls; kept fresh. */
export function useCallCounts(enabled: boolean) {
  const today = { dateCreate: { gte: midnight(dayOf(new Date()), 0) } }
  return {
    waits: useCount({ recall: true }, enabled),
    incoming: useCount({ ...today, callType: INCOMING }, enabled),
    missed: useCount({ ...today, callType: MISSED }, enabled),
  }
}

const useCount = (filter: Filter<typeof Call>, enabled: boolean): number | undefined =>
  totalOf(
    useList(Call, { filter, limit: 0, count: true, fields: ['id'] }, { enabled, forbidden: 'silent' }).data?._meta,
  )
