/** What the screens of plans share. */
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

/** What the figures of a plan are made of, besides itself. */
export const live = ['customer-plans/items', 'coupon-services', 'appointments', 'payments']

/** What may be booked of a service now. */
export const leftOf = ({ qty, qtyDone, qtyBooked, cancelled }: ItemRow): number =>
  cancelled ? 0 : Math.max(0, qty - qtyDone - qtyBooked)

/** The plan and its estimate, as a file for the printer. */
export async function printPlan({ id, name }: Pick<PlanRow, 'id' | 'name'>): Promise<void> {
  try {
    await download(apiUrl('GET /customer-plans/:id/print', { params: { id } }), `План лечения ${name}.pdf`)
  } catch (error) {
    notify.error(errorMessage(error), { title: 'План не распечатан' })
  }
}

/** `book`: the first stage that waits is booked as soon as the plan is agreed. */
export const readBook = (search: Search) => ({ book: mark(search.book) })
