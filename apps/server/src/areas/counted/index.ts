/**
 * When a visit, its lines and its laboratory tests count: the one wording of these conditions in SQL. It has no records and
 * no calls, and imports no area, so that every area may import it.
 *
 * A query names the line `l`, its coupon `c` and the visit `a` (`visitLinesSql`), or passes other aliases. A deleted visit
 * keeps its coupons and lines, a cancelled one its lines, and a missed or moved one its coupons too: a sum over lines needs
 * `isCountedSql`. The shorter conditions are for queries of one visit whose state is known or shown beside.
 */
import { freeStatuses } from '@ordinator/model/areas/visits/rules'
import sql, { join, raw, type Sql } from 'sql-template-tag'

const free = join(freeStatuses.map((status) => raw(`'${status}'`)))
const [ofLine, ofCoupon, ofVisit] = [raw('l'), raw('c'), raw('a')]

/** SQL of all lines `l` with their coupons `c` and visits `a`, for `from`. */
export const visitLinesSql = sql`coupon_services l join coupons c on c."id" = l."idCoupon" join appointments a on a."id" = c."idAppointment"`

/** SQL condition: the line is neither deleted nor refused. Says nothing of its visit. */
export const lineCountsSql = (line: Sql = ofLine): Sql => sql`not ${line}."deleted" and not ${line}."cancelled"`

/** SQL condition: the coupon is neither deleted nor cancelled with its visit. */
export const couponCountsSql = (coupon: Sql = ofCoupon): Sql =>
  sql`not ${coupon}."deleted" and not ${coupon}."cancelled"`

/** SQL condition: the visit is not deleted, and takes its time: neither cancelled nor missed nor moved (`takesTime`). */
export const visitCountsSql = (visit: Sql = ofVisit): Sql =>
  sql`not ${visit}."deleted" and ${visit}."visitStatus" not in (${free})`

/** SQL condition: the visit is not deleted, and has not ended: booked, confirmed, arrived, or with the doctor. */
export const visitIsOpenSql = (visit: Sql = ofVisit): Sql =>
  sql`not ${visit}."deleted" and ${visit}."visitStatus" in ('booked', 'confirmed', 'arrived', 'inProgress')`

/** SQL condition: the coupon `c` of the visit `a` takes its time. */
export const takesTimeSql = sql`${couponCountsSql()} and ${visitCountsSql()}`

/** SQL condition: the line `l` of the coupon `c` of the visit `a` is booked or given. */
export const isCountedSql = sql`${lineCountsSql()} and ${takesTimeSql}`

/** SQL condition: the line `l` of the coupon `c` of the visit `a` was given. */
export const isGivenSql = sql`l."completed" and ${isCountedSql}`

/** SQL condition: a test of a laboratory order is neither deleted nor cancelled. @param item of `laboratory_order_items` */
export const labItemCountsSql = (item: Sql = raw('i')): Sql =>
  sql`not ${item}."deleted" and ${item}."status" <> 'cancelled'`
