/** Shared parts of the plan screens. */
import type { PlanItem, TreatmentPlan } from '@ordinator/model/areas/plans/plan'
import type { Expanded } from '@ordinator/model/client'
import type { Row } from '@ordinator/model/entity'
import { mark } from '#base/addressValues.ts'
import { apiUrl } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { download } from '#base/http.ts'
import type { Search } from '#base/redirect.ts'
import { notify } from '#kit/notify.tsx'

export type PlanRow = Row<typeof TreatmentPlan>
export type ItemRow = Expanded<typeof PlanItem, 'service'>

/** Further entities in a plan's figures, for live updates. */
export const live = ['customer-plans/items', 'coupon-services', 'appointments', 'payments']

/** Quantity of a service left to book. */
export const leftOf = ({ qty, qtyDone, qtyBooked, cancelled }: ItemRow): number =>
  cancelled ? 0 : Math.max(0, qty - qtyDone - qtyBooked)

/** The plan with its estimate, as a file to print. */
export async function printPlan({ id, name }: Pick<PlanRow, 'id' | 'name'>): Promise<void> {
  try {
    await download(apiUrl('GET /customer-plans/:id/print', { params: { id } }), `План лечения ${name}.pdf`)
  } catch (error) {
    notify.error(errorMessage(error), { title: 'План не распечатан' })
  }
}

/** `book`: opens the booking of the first unbooked stage once the plan is agreed. */
export const readBook = (search: Search) => ({ book: mark(search.book) })
