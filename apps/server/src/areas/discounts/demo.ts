import { BonusProgram } from '@ordinator/model/areas/discounts/bonusProgram'
import { Discount, DiscountApproval, unitOf } from '@ordinator/model/areas/discounts/discount'
import { DiscountUse } from '@ordinator/model/areas/discounts/discountUse'
import { PromoCode } from '@ordinator/model/areas/discounts/promoCode'
import { valueText } from '@ordinator/model/areas/discounts/words'
import { commonSettings } from '@ordinator/model/areas/settings/commonSettings'
import type { Row } from '@ordinator/model/entity'
import { dayIn, plusDays } from '@ordinator/model/zone'
import sql, { raw } from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { seeded } from '#platform/seeded.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { demoDiscounts, demoPrograms } from './demoDiscounts.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Days back over which uses are spread. */
const WEEKS = 42
const pastHooks = 'the demo makes what the hooks would let it'

/** Discounts of all kinds, in all states, with their uses. */
export async function demo(records: Records, _app: AppContext, tx: Queryable): Promise<void> {
  const system = records.asSystem
  const ids = (text: string) => tx.query<{ id: number; name: string }>({ text })
  const users = await ids('select "id", "login" as name from users order by "id" limit 6')
  const [keeper] = users
  if (!keeper) return
  const named = {
    filials: await ids('select "id", "nameFilial" as name from filials'),
    groups: await ids('select "id", "nameServiceGroup" as name from services_groups'),
    exceptGroups: await ids('select "id", "nameServiceGroup" as name from services_groups'),
    sources: await ids('select "id", "sourceName" as name from customer_sources'),
    companies: await ids('select "id", "shortName" as name from organizations'),
  }
  const random = seeded(417)
  const today = dayIn(commonSettings.timeZone.byDefault, Date.now())
  const day = (days: number) => plusDays(today, days)
  const services = await tx.query<Sold>(sql`select "id", "priceService"::float8 as price from services
    where "priceService" between 500 and 6000 and "serviceCategory" = 0 order by "id"`)
  const customers = await ids('select "id", \'\' as name from customers order by "id" limit 200')
  const uses: Parameters<typeof system.createMany<typeof DiscountUse>>[1][number][] = []
  for (const { row, names = {}, status, codes = [], given = 0 } of demoDiscounts(day)) {
    const chosen = Object.entries(names).map(([field, list]) => [
      field,
      (list ?? []).flatMap(
        (name: string) => named[field as keyof typeof named].find((one) => one.name === name)?.id ?? [],
      ),
    ])
    const made = await system.create(Discount, { ...row, ...Object.fromEntries(chosen), idUser: keeper.id })
    const kept = await system.createMany(
      PromoCode,
      codes.map((code) => ({ ...code, idDiscount: made.id, idUser: keeper.id })),
      { pastHooks },
    )
    for (let at = 0; at < given && services.length && customers.length; at++) {
      const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
      const { id, price } = pick(services)
      uses.push({
        idDiscount: made.id,
        idCode: kept.length ? pick(kept).id : null,
        order: `demo-${made.id}-${at}`,
        idService: id,
        idCustomer: pick(customers).id,
        idFilial: pick(named.filials).id,
        quantity: 1,
        base: price,
        amount: givenOf(made, price),
        reason: valueText(made),
        dateCreate: new Date(Date.now() - random() * WEEKS * DAY_MS - HOUR_MS).toISOString(),
        idUser: pick(users).id,
      })
    }
    if (status) await system.update(Discount, made.id, { status: 'active' })
    if (status === 'paused') await system.update(Discount, made.id, { status })
  }
  await system.createMany(
    DiscountUse,
    uses.toSorted((a, b) => String(a.dateCreate).localeCompare(String(b.dateCreate))),
  )
  await tx.query(
    raw(`insert into discount_counters ("idDiscount", "uses", "sum")
    select "idDiscount", count(*), sum("amount") from discounts_uses group by 1`),
  )
  await tx.query(
    raw(`insert into discount_code_counters ("idCode", "uses")
    select "idCode", count(*) from discounts_uses where "idCode" is not null group by 1`),
  )
  for (const { names: { groups = [] } = {}, ...row } of demoPrograms(day))
    await system.create(BonusProgram, {
      ...row,
      groups: named.groups.flatMap(({ id, name }) => (groups.includes(name) ? [id] : [])),
      idUser: keeper.id,
    })
  const asked = await system.create(DiscountApproval, {
    idCustomer: customers[3]?.id ?? null,
    amount: 1500,
    reason: 'Ждала приёма больше часа из-за замены врача',
    idUser: users.at(-1)?.id ?? keeper.id,
  })
  await system.update(DiscountApproval, asked.id, {
    status: 'approved',
    idApprover: keeper.id,
    dateDecided: new Date().toISOString(),
    answer: 'Согласна, извинитесь от клиники',
  })
  await system.create(DiscountApproval, {
    idCustomer: customers[8]?.id ?? null,
    amount: 2400,
    reason: 'Повторное УЗИ: прошлый снимок не сохранился',
    idUser: users.at(-1)?.id ?? keeper.id,
  })
}

interface Sold {
  id: number
  price: number
}

/** A plausible discount on one unit. */
function givenOf(one: Row<typeof Discount>, price: number): number {
  const { kind, value } = one
  const percent = kind === 'accumulative' ? 5 : kind === 'gift' ? 25 : kind === 'fixedPrice' ? 18 : (value ?? 0)
  const sum = unitOf(one) === 'rubles' && kind !== 'fixedPrice' ? (value ?? 0) : Math.round(price * percent) / 100
  return Math.min(price, sum, one.maxDiscount ?? price)
}
