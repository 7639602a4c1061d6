import { allowed } from '@ordinator/model/access'
import { moneyView } from '@ordinator/model/areas/money/access'
import { Payment } from '@ordinator/model/areas/money/payment'
import { CouponService } from '@ordinator/model/areas/visits/visit'
import { useQuery } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { useActor } from '#base/session.ts'
import { retries } from '#records/reads.ts'
import { type DayQuery, dayKey, dayPaths } from './day.ts'

/** Disabled while the branch is unknown (`undefined`). */
export function useDay(query: DayQuery | undefined) {
  const moneyed = allowed(useActor(), moneyView)
  return useQuery({
    queryKey: [dayKey, query],
    queryFn: ({ signal }) => {
      const { idFilial, idUser, cancelled, ...days } = query as DayQuery
      return api(
        'GET /appointments/day',
        {
          query: {
            ...days,
            idFilial,
            idUser,
            cancelled: cancelled ? '1' : undefined,
          },
        },
        { signal },
      )
    },
    enabled: query !== undefined,
    retry: retries,
    // Placeholder: the same days with other filters, never other days.
    placeholderData: (before, asked) =>
      (asked?.queryKey[1] as DayQuery | undefined)?.date === query?.date &&
      (asked?.queryKey[1] as DayQuery | undefined)?.idFilial === query?.idFilial
        ? before
        : undefined,
    // Payments reload the day for users of the cash desk.
    meta: { live: moneyed ? [...dayPaths, CouponService.path, Payment.path] : dayPaths },
  })
}
