/** Types of memberships that patients see: on the site and in their portal. */
import { type MembershipOffer, offerRules } from '@ordinator/model/areas/memberships/offer'
import type { MembershipType } from '@ordinator/model/areas/memberships/type'
import type { Row } from '@ordinator/model/entity'
import sql, { raw } from 'sql-template-tag'
import { publicNameSql } from '#areas/catalogue/index.ts'
import { isOfferedSql } from '#areas/money/index.ts'
import type { Queryable } from '#platform/db.ts'

type Type = Row<typeof MembershipType>

/** What is offered now, the cheapest first. */
export async function readOffers(
  db: Queryable,
  { where, limit, offset = 0 }: { where: 'site' | 'portal'; limit: number; offset?: number },
): Promise<(MembershipOffer & { isOnline: boolean })[]> {
  const rows = await db.query<
    Pick<Type, 'id' | 'visits' | 'days' | 'startsAt' | 'whose' | 'freezeDays' | 'refundRule' | 'note'> & {
      name: string
      price: number
      isOnline: boolean
      items: { name: string; qty: number | null }[]
    }
  >(sql`select t."id"::int as id, t."nameType" as name, t."price"::float8 as price, t."visits", t."days", t."startsAt",
      t."whose", t."freezeDays", t."refundRule", t."note", t."isOnline",
      coalesce((select json_agg(json_build_object('name', coalesce(${publicNameSql(raw('s'))}, g."nameServiceGroup"), 'qty', i."qty")
          order by i."id")
        from membership_types_items i left join services s on s."id" = i."idService" left join services_groups g on g."id" = i."idGroup"
        where i."idType" = t."id" and not i."deleted"), '[]') as items
    from membership_types t where ${isOfferedSql(raw('t'), where)}
    order by t."price", t."id" limit ${limit} offset ${offset}`)
  return rows.map(({ id, name, price, isOnline, items, ...type }) => ({
    ...{ id, name, price, isOnline, whose: type.whose },
    ...offerRules(type, items),
  }))
}
