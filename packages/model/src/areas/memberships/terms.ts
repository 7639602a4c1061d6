/** The terms on which a membership is sold: of its type, or of a treatment plan, on the day that it is offered. */
import type { Row } from '../../entity.ts'
import type { Membership } from './membership.ts'

export type MembershipTerms = Pick<
  Row<typeof Membership>,
  'idType' | 'idPlan' | 'name' | 'price' | 'covers' | 'whose' | 'startsAt' | 'refundRule' | 'days' | 'freezeDays'
> & {
  /** Visits of the common balance. */
  visits: number | null
}
