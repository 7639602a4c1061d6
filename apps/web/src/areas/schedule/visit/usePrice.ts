import { allowed } from '@ordinator/model/access'
import { moneyView } from '@ordinator/model/areas/money/access'
import { Payment } from '@ordinator/model/areas/money/payment'
import { Appointment, CouponService } from '@ordinator/model/areas/visits/visit'
import { useQuery } from '@tanstack/react-query'
import { type Answer, api } from '#base/api.ts'
import { useActor } from '#base/session.ts'

export type Price = Answer<'GET /appointments/:id/price'>
export type PricedLine = Price['lines'][number]

export const KEY = 'appointments/price'

/** Price of a visit with reasons, live. */
export function usePrice(id: number) {
  const actor = useActor()
  return useQuery({
    queryKey: [KEY, id],
    queryFn: ({ signal }) => api('GET /appointments/:id/price', { params: { id } }, { signal, forbidden: 'silent' }),
    meta: { live: [Appointment.path, CouponService.path, ...(allowed(actor, moneyView) ? [Payment.path] : [])] },
  })
}

/** Who pays for the lines besides the patient; asked once the price is there. */
export const useCoverage = (id: number, enabled: boolean) =>
  useQuery({
    queryKey: [KEY, id, 'coverage'],
    queryFn: ({ signal }) => api('GET /appointments/:id/coverage', { params: { id } }, { signal, forbidden: 'silent' }),
    enabled,
    meta: { live: [Appointment.path, CouponService.path] },
  })

export const round = (rubles: number): number => Math.round(rubles * 100) / 100
