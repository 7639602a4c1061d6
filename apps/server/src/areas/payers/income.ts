/** Income from payers by what they accepted, for the profit and payroll. */
import sql from 'sql-template-tag'
import { clinicZone } from '#areas/settings/index.ts'

/**
 * SQL table of what counts as income of a line, with its moment and day: what a payer has accepted, and a cut that was
 * charged to the patient. `amount` is in rubles, negative for an answer that was lowered.
 */
export const acceptedSql = sql`(select x.*, (x."at" at time zone ${clinicZone})::date as "day" from (
  select z."idCouponService" as "idLine", a."at", a."amount" from payer_answers a
    join payer_registries_lines z on z."id" = a."idLine" join payer_registries y on y."id" = z."idRegistry" and not y."deleted"
  union all
  select z."idCouponService", m."dateCreate", m."amount" from payer_moves m
    join payer_registries_lines z on z."id" = m."idLine" where m."as" = 'patient') x)`
