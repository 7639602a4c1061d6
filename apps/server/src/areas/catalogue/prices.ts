import { catalogueCalls } from '@ordinator/model/areas/catalogue/calls'
import { type FoundPrice, Price, PriceList } from '@ordinator/model/areas/catalogue/price'
import { Service } from '@ordinator/model/areas/catalogue/service'
import type { Row, Update } from '@ordinator/model/entity'
import { formatDay, formatMoney } from '@ordinator/model/format'
import { plusDays } from '@ordinator/model/zone'
import sql, { raw, type Sql } from 'sql-template-tag'
import { clinicToday } from '#areas/settings/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { count, records } from '#records/define.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { searchTarget } from '#records/searchTarget.ts'

/** SQL of today, in the clinic's time zone. */

/** SQL condition: the list's price `p` is in force on the day. */
export const inForce = (day: Sql): Sql =>
  sql`not p."deleted" and p."dateFrom" <= ${day} and (p."dateTo" is null or p."dateTo" >= ${day})`

/** Context of a price as SQL: branch, organization, programme and day. */
interface PriceSql {
  day?: Sql
  idFilial?: Sql
  idOrganization?: Sql
  idProgramme?: Sql
}
const none = raw('null::bigint')

/** A select of the list price, as chosen by `priceOf` of the model; no row: the service's own price applies. */
const byLists = (
  idService: Sql,
  { day = clinicToday, idFilial = none, idOrganization = none, idProgramme = none }: PriceSql,
): Sql => sql`
  select p."price", p."idPriceList", case when l."idProgramme" is not null then 'programme'
      when l."idOrganization" is not null then 'organization' when l."idFilial" is not null then 'filial'
      else 'main' end as source
  from service_prices p join price_lists l on l."id" = p."idPriceList" and not l."deleted" and l."active"
  where p."idService" = ${idService} and ${inForce(day)} and (l."idFilial" is null or l."idFilial" = ${idFilial})
    and case when l."idProgramme" is not null then l."idProgramme" = ${idProgramme}
      when l."idOrganization" is not null then l."idOrganization" = ${idOrganization} else l."kind" = 'main' end
  order by l."idProgramme" is null, l."idOrganization" is null, l."idFilial" is null, l."id" limit 1`

/** SQL of the price of a service, before discounts. @param row of the service */
export const priceSql = (row: Sql, idService: Sql, asked: PriceSql = {}): Sql =>
  sql`coalesce((select found."price" from (${byLists(idService, asked)}) found), ${row}."priceService")`

export const priceOfService = operation(catalogueCalls.priceOf, async ({ records, app, params, query }) => {
  const service = await records.row(Service, params.id)
  const { date, idFilial = null, idOrganization = null, idProgramme = null } = query
  const found = await app.db.one<FoundPrice>(sql`select "price"::float8 as price, "source", "idPriceList"
    from (${byLists(sql`${service.id}`, {
      ...(date !== undefined && { day: sql`${date}::date` }),
      idFilial: sql`${idFilial}::bigint`,
      // The organization follows from the programme.
      idOrganization: sql`coalesce(${idOrganization}::bigint,
        (select g."idOrganization" from organizations_programmes g where g."id" = ${idProgramme}::bigint))`,
      idProgramme: sql`${idProgramme}::bigint`,
    })}) found`)
  return found ?? { price: service.priceService, source: 'service' as const, idPriceList: null }
})

export const priceLists = records(PriceList, {
  found: searchTarget('priceLists'),
  computed: {
    pricesCount: count('prices', {
      where: ({ row: p }) => sql`(${p}."dateTo" is null or ${p}."dateTo" >= ${clinicToday})`,
    }),
  },
  hooks: {
    beforeCreate: ({ tx }, value) => checkList(tx, undefined, value, value),
    beforeUpdate: ({ tx }, value, before) => checkList(tx, before.id, value, { ...before, ...value }),
    afterRestore: ({ tx }, row) => checkList(tx, row.id, {}, row),
  },
})

type List = Update<typeof PriceList>

/**
 * Derives a programme's company, and ensures that only one list in force covers the same services and people: otherwise
 * the price would be ambiguous.
 * @param value is completed
 */
async function checkList(tx: Tx, id: number | undefined, value: List, list: List): Promise<void> {
  const { kind = 'main', active = true, idFilial = null, idProgramme = null } = list
  let idOrganization = list.idOrganization ?? null
  if (idProgramme !== null) {
    const programme = await tx.one<{ idOrganization: number }>(
      sql`select "idOrganization" from organizations_programmes where "id" = ${idProgramme} and not "deleted"`,
    )
    idOrganization ??= value.idOrganization = programme?.idOrganization ?? null
    if (programme && programme.idOrganization !== idOrganization)
      throw new ValidationError([{ field: 'idProgramme', message: 'Это программа другой организации' }])
  }
  if (!active || (kind !== 'main' && idOrganization === null)) return
  await tx.query(raw(`select pg_advisory_xact_lock(hashtextextended('price lists', 0))`))
  const other = await tx.one<{ name: string }>(sql`select "name" from price_lists
    where "active" and not "deleted" and "id" is distinct from ${id ?? null}::bigint
      and "idFilial" is not distinct from ${idFilial}::bigint
      and "idOrganization" is not distinct from ${idOrganization}::bigint
      and "idProgramme" is not distinct from ${idProgramme}::bigint
      and ("idOrganization" is not null or "kind" = 'main') limit 1`)
  if (!other) return
  const [field, whose] =
    idProgramme !== null
      ? ['idProgramme', ' этой программы']
      : idOrganization !== null
        ? ['idOrganization', ' этой организации']
        : idFilial !== null
          ? ['idFilial', ' этого филиала']
          : ['kind', '']
  const what = whose ? `прайс-лист${whose}` : 'основной прайс-лист'
  throw new ValidationError([{ field, message: `Действующий ${what} уже есть: «${other.name}»` }])
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

interface NewPrice {
  idService: number
  idPriceList: number
  price: number
  cost?: number | null | undefined
  dateFrom: string
}

/**
 * Sets a price from a day on. The one in force ends the day before, a later planned one stays; a price that begins on
 * that day gets the new value.
 */
export async function setPrice(records: Records, tx: Tx, { cost, ...wanted }: NewPrice): Promise<Row<typeof Price>> {
  const { idService, idPriceList, price, dateFrom } = wanted
  const more = cost === undefined ? {} : { cost }
  const of = sql`p."idService" = ${idService} and p."idPriceList" = ${idPriceList}`
  const around = await tx.one<{ id: number; isSame: boolean; dateTo: string | null }>(sql`
    select p."id", p."dateFrom" = ${dateFrom}::date as "isSame", p."dateTo"::text as "dateTo" from service_prices p
    where ${of} and ${inForce(sql`${dateFrom}::date`)} for update`)
  if (around?.isSame) return records.update(Price, around.id, { price, ...more })
  const next = await tx.one<{ before: string }>(sql`select (min(p."dateFrom") - 1)::text as before from service_prices p
    where ${of} and not p."deleted" and p."dateFrom" > ${dateFrom}::date having count(*) > 0`)
  if (around) await records.update(Price, around.id, { dateTo: plusDays(dateFrom, -1) })
  return records.create(Price, { ...wanted, dateTo: around ? around.dateTo : (next?.before ?? null), ...more })
}

export const newPrice = operation(catalogueCalls.newPrice, ({ records, params, body }) =>
  records.tx(async (inside, tx) => {
    await inside.row(Service, params.id)
    const { replace, ...wanted } = body
    const same = await tx.one<{ price: number }>(sql`select p."price"::float8 as price from service_prices p
      where p."idService" = ${params.id} and p."idPriceList" = ${body.idPriceList} and not p."deleted"
        and p."dateFrom" = ${body.dateFrom}::date`)
    if (same && same.price !== body.price && !replace)
      throw new HttpError(
        409,
        `С ${formatDay(body.dateFrom)} в этом прайс-листе уже есть цена ${formatMoney(same.price)}`,
        { code: 'asks' },
      )
    return setPrice(inside, tx, { idService: params.id, ...wanted })
  }),
)

/** The list in force for everyone today, and the day; undefined if there is none. */
export const mainList = (db: Queryable): Promise<{ id: number; today: string } | undefined> =>
  db.one(sql`select "id", ${clinicToday}::text as today from price_lists where "kind" = 'main' and "active" and not "deleted"
    and "idFilial" is null and "idOrganization" is null order by "id" limit 1`)
