import { catalogueCalls } from '@ordinator/model/areas/catalogue/calls'
import { type FoundPrice, Price, PriceList } from '@ordinator/model/areas/catalogue/price'
import { Service } from '@ordinator/model/areas/catalogue/service'
import type { Update } from '@ordinator/model/entity'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Tx } from '../../platform/db.ts'
import { ValidationError } from '../../platform/errors.ts'
import { count, records } from '../../records/define.ts'
import { operation } from '../../records/operation.ts'
import { clinicZone } from '../settings/index.ts'

/** SQL of today, by the clinic's clock. */
export const todaySql: Sql = sql`(now() at time zone ${clinicZone})::date`

/** The list's price `p` holds on the day. */
export const inForce = (day: Sql): Sql =>
  sql`not p."deleted" and p."dateFrom" <= ${day} and (p."dateTo" is null or p."dateTo" >= ${day})`

/** A select of the price by the lists, as `priceOf` of the model chooses it; no row: the service's own holds. */
const byLists = (idService: Sql, day: Sql): Sql => sql`
  select p."price", 'main' as source, p."idPriceList" from service_prices p
  join price_lists l on l."id" = p."idPriceList" and not l."deleted" and l."active" and l."kind" = 'main'
  where p."idService" = ${idService} and ${inForce(day)} order by l."id" limit 1`

/** SQL of what a service costs, before discounts. @param row of the service */
export const priceSql = (row: Sql, idService: Sql, day: Sql = todaySql): Sql =>
  sql`coalesce((select found."price" from (${byLists(idService, day)}) found), ${row}."priceService")`

export const priceOfService = operation(catalogueCalls.priceOf, async ({ records, app, params, query }) => {
  const service = await records.row(Service, params.id)
  const day = query.date === undefined ? todaySql : sql`${query.date}::date`
  const found = await app.db.one<FoundPrice>(sql`select "price"::float8 as price, "source", "idPriceList"
    from (${byLists(sql`${service.id}`, day)}) found`)
  return found ?? { price: service.priceService, source: 'service' as const, idPriceList: null }
})

export const priceLists = records(PriceList, {
  computed: {
    pricesCount: count('prices', { where: ({ row: p }) => sql`${p}."dateTo" is null or ${p}."dateTo" >= ${todaySql}` }),
  },
  hooks: {
    beforeCreate: ({ tx }, value) => refuseSecondMain(tx, undefined, value),
    beforeUpdate: ({ tx }, value, before) => refuseSecondMain(tx, before.id, { ...before, ...value }),
    afterRestore: ({ tx }, row) => refuseSecondMain(tx, row.id, row),
  },
})

/** Which of two main lists holds would be nobody's choice. */
async function refuseSecondMain(tx: Tx, id: number | undefined, list: Update<typeof PriceList>): Promise<void> {
  if ((list.kind ?? 'main') !== 'main' || list.active === false) return
  await tx.query(raw(`select pg_advisory_xact_lock(hashtextextended('main price list', 0))`))
  const other = await tx.one<{ name: string }>(sql`select "name" from price_lists
    where "kind" = 'main' and "active" and not "deleted" and "id" is distinct from ${id ?? null}::bigint limit 1`)
  if (other)
    throw new ValidationError([{ field: 'kind', message: `Действующий основной прайс-лист уже есть: «${other.name}»` }])
}

export const prices = records(Price, {
  hooks: {
    prepare(value, before) {
      const { dateFrom, dateTo } = { ...before, ...value }
      if (dateFrom && dateTo && dateTo < dateFrom)
        throw new ValidationError([{ field: 'dateTo', message: 'Раньше, чем начало' }])
    },
  },
})

/**
 * The one in force goes on to the day before, the one that stood planned after it stays where it is; a price of that very
 * day takes the new value.
 */
export const newPrice = operation(catalogueCalls.newPrice, ({ records, params, body }) =>
  records.tx(async (inside, tx) => {
    const { idPriceList, price, cost, dateFrom } = body
    const idService = params.id
    await inside.row(Service, idService)
    const around = await tx.one<{ id: number; isSame: boolean; dateTo: string | null }>(sql`
      select p."id", p."dateFrom" = ${dateFrom}::date as "isSame", p."dateTo"::text as "dateTo" from service_prices p
      where p."idService" = ${idService} and p."idPriceList" = ${idPriceList} and ${inForce(sql`${dateFrom}::date`)} for update`)
    if (around?.isSame) return inside.update(Price, around.id, { price, ...(cost !== undefined && { cost }) })
    const next = await tx.one<{ before: string }>(sql`
      select (min(p."dateFrom") - 1)::text as before from service_prices p where p."idService" = ${idService}
        and p."idPriceList" = ${idPriceList} and not p."deleted" and p."dateFrom" > ${dateFrom}::date having count(*) > 0`)
    if (around) await inside.update(Price, around.id, { dateTo: dayBefore(dateFrom) })
    const dateTo = around ? around.dateTo : (next?.before ?? null)
    return inside.create(Price, {
      idService,
      idPriceList,
      price,
      dateFrom,
      dateTo,
      ...(cost !== undefined && { cost }),
    })
  }),
)

const DAY_MS = 86_400_000
/** `YYYY-MM-DD` */
export const dayBefore = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10)
