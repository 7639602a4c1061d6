/** Shared parts of the plan screens. */
import type { PlanItem, TreatmentPlan } from '@ordinator/model/areas/plans/plan'
import type { Expanded } from '@ordinator/model/client'
import type { Row } from '@ordinator/model/entity'
import { mark } from '#base/addressValues.ts'
import { apiUrl } from '#base/api.ts'
import type { Search } from '#base/redirect.ts'
import { saveFile } from '#base/saveFile.ts'

export type PlanRow = Row<typeof TreatmentPlan>
export type ItemRow = Expanded<typeof PlanItem, 'service'>

/** Further entities in a plan's figures, for live updates. */
export const live = ['customer-plans/items', 'coupon-services', 'appointments', 'payments']

/** Quantity of a service left to book. */
export const leftOf = ({ qty, qtyDone, qtyBooked, cancelled }: ItemRow): number =>
  cancelled ? 0 : Math.max(0, qty - qtyDone - qtyBooked)

/** The plan with its estimate, as a file to print. */
export const printPlan = ({ id, name }: Pick<PlanRow, 'id' | 'name'>): Promise<void> =>
  saveFile(
    apiUrl('GET /customer-plans/:id/print', { params: { id } }),
    `План лечения ${name}.pdf`,
    'План не распечатан',
  )

/** `book`: opens the booking of the first unbooked stage once the plan is agreed. */
export const readBook = (search: Search) => ({ book: mark(search.book) })
