/** Demo clinic: three types of memberships in use: by visits, by term with freezing, and of a family. */
import { Customer } from '@ordinator/model/areas/customers/customer'
import { MembershipItem, MembershipType } from '@ordinator/model/areas/memberships/type'
import { CashDesk } from '@ordinator/model/areas/money/desk'
import type { TakeBody } from '@ordinator/model/areas/money/paymentCalls'
import type { Create } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { sellForDemo } from '#areas/money/index.ts'
import type { Tx } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'

const types = [
  {
    nameType: 'Курс из пяти приёмов',
    price: 9_000,
    visits: 5,
    days: 180,
    startsAt: 'visit',
    freezeDays: 14,
    isOnSite: true,
    isOnline: true,
  },
  {
    nameType: 'Годовое наблюдение',
    price: 24_000,
    days: 365,
    freezeDays: 30,
    note: 'Приёмы без ограничения весь год',
    isOnSite: true,
  },
  { nameType: 'Семейный: десять приёмов', price: 16_000, visits: 10, days: 365, whose: 'family', refundRule: 'list' },
] as const satisfies readonly Create<typeof MembershipType>[]

export async function demo(records: Records, _app: AppContext, tx: Tx): Promise<void> {
  const system = records.asSystem
  const services = await tx.query<{ id: number }>(sql`select s."id" from services s
    where s."serviceCategory" = 0 and s."active" and not s."deleted" and exists (select 1 from coupons c where c."idService" = s."id")
    order by (select count(*) from coupons c where c."idService" = s."id") desc, s."id" limit 3`)
  const [desk] = await system.rows(CashDesk, { 'filter[isOnline]': 'false', sort: 'id', limit: 1 })
  const customers = await system.rows(Customer, { sort: '-id', limit: 6 })
  if (!desk || services.length === 0 || customers.length < 6) return
  for (const [at, type] of types.entries()) {
    const { id: idType, price } = await system.create(MembershipType, type as Create<typeof MembershipType>)
    for (const { id: idService } of services)
      await system.create(MembershipItem, { idType, idService } as Create<typeof MembershipItem>)
    const pair = customers.slice(at * 2, at * 2 + 2).map(({ id }) => id)
    for (const [turn, idCustomer] of pair.entries()) {
      const users = at === 2 && turn === 0 ? pair : [idCustomer]
      const body = {
        key: '',
        idDesk: desk.id,
        idCustomer,
        parts: [{ method: 'card', sum: price }],
        membership: { idType, users },
      }
      await sellForDemo(records, tx, body as TakeBody, desk)
    }
  }
}
