/** Bulk changes of prices: previewed, made in one transaction, undone as a whole. */
import { catalogueCalls, MAX_CHANGED, type PriceChangeBody } from '@ordinator/model/areas/catalogue/calls'
import { Price, PriceChange, PriceList, UNDO_HOURS } from '@ordinator/model/areas/catalogue/price'
import { Service, ServiceGroup } from '@ordinator/model/areas/catalogue/service'
import { counted } from '@ordinator/model/format'
import { plusDays } from '@ordinator/model/zone'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { records } from '#records/define.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { inForce } from './prices.ts'

export const priceChanges = records(PriceChange)

interface Row {
  idService: number
  idPrice: number | null
  name: string
  code: string | null
  before: string | null
  after: string | null
}

export const previewChange = operation(catalogueCalls.previewChange, async ({ records, app, body }) => {
  const { changing, without, same, seen } = await read(records, app.db, body)
  return {
    rows: changing.map(({ idService, name, code, before, after }) => ({
      idService,
      name,
      code,
      before: Number(before),
      after: Number(after),
    })),
    without,
    same,
    seen,
  }
})

export const changePrices = operation(catalogueCalls.change, ({ records, body }) =>
  records.tx(async (inside, tx) => {
    // Serialized: concurrent changes would compute from the other's uncommitted prices.
    await tx.query(raw(`select pg_advisory_xact_lock(hashtextextended('price change', 0))`))
    const { changing, seen } = await read(inside, tx, body)
    if (body.seen !== undefined && body.seen !== seen)
      throw new HttpError(409, 'Цены изменились, пока вы смотрели: проверьте ещё раз', { code: 'stale' })
    if (changing.length === 0) throw new ValidationError([{ field: 'amount', message: 'Ни одна цена не изменится' }])
    const { idPriceList = null, dateFrom = null, unit, amount, rounding = 0.01 } = body
    const change = await inside.asSystem.create(PriceChange, {
      idPriceList,
      dateFrom,
      unit,
      amount,
      rounding,
      total: changing.length,
    })
    await tx.query(sql`insert into price_change_rows ("idChange", "idService", "idPrice", "before", "after", "dateTo")
      select ${change.id}, r."idService", r."idPrice", r."before", r."after", p."dateTo"
      from jsonb_to_recordset(${JSON.stringify(changing)}::jsonb)
        as r("idService" bigint, "idPrice" bigint, "before" numeric, "after" numeric)
      left join service_prices p on p."id" = r."idPrice"`)
    if (dateFrom === null) await writeOwn(inside, change.id)
    else await writeList(inside, change.id, dateFrom)
    return change
  }),
)

/** Changes a service's own price: none of the hooks of a service concerns prices. */
const pastHooks = 'the hook of a service checks its ages alone'
const pastPeriods = 'the hook of a price checks that a period does not end before it begins: none does here'

async function writeOwn(records: Records, idChange: number): Promise<void> {
  await records.asSystem.updateWhere(
    Service,
    { rows: sql`select r."idService" as id, r."after" from price_change_rows r where r."idChange" = ${idChange}` },
    ({ picked }) => ({ priceService: sql`${picked}."after"` }),
    { pastHooks },
  )
}

/** The price in force ends the day before and the new one follows; one that begins on that day gets the new value. */
async function writeList(records: Records, idChange: number, dateFrom: string): Promise<void> {
  const rows = sql`price_change_rows r join service_prices p on p."id" = r."idPrice" where r."idChange" = ${idChange}`
  const day = sql`${dateFrom}::date`
  await records.asSystem.updateWhere(
    Price,
    { rows: sql`select p."id", r."after" from ${rows} and p."dateFrom" = ${day}` },
    ({ picked }) => ({ price: sql`${picked}."after"` }),
    { pastHooks: pastPeriods },
  )
  await records.asSystem.updateWhere(
    Price,
    { rows: sql`select p."id" from ${rows} and p."dateFrom" < ${day}` },
    { dateTo: plusDays(dateFrom, -1) },
    { pastHooks: pastPeriods },
  )
  const made = await records.asSystem.createFrom(
    Price,
    sql`${rows} and p."dateFrom" < ${day} order by r."idService"`,
    {
      idService: sql`r."idService"`,
      idPriceList: sql`p."idPriceList"`,
      price: sql`r."after"`,
      cost: sql`p."cost"`,
      dateFrom,
      dateTo: sql`r."dateTo"`,
    },
    { fields: ['idService'], pastHooks: pastPeriods },
  )
  await records.tx((_, tx) =>
    tx.query(sql`update price_change_rows r set "idNew" = m."id"
      from jsonb_to_recordset(${JSON.stringify(made)}::jsonb) as m("id" bigint, "idService" bigint)
      where r."idChange" = ${idChange} and r."idService" = m."idService"`),
  )
}

export const undoChange = operation(catalogueCalls.undoChange, ({ records, params }) =>
  records.tx(async (inside, tx) => {
    await tx.query(sql`select 1 from price_changes where "id" = ${params.id} for update`)
    const change = await inside.row(PriceChange, params.id)
    const refuse = (message: string) => new HttpError(409, message, { code: 'tooLate' })
    if (change.dateUndone) throw refuse('Это изменение уже отменили')
    if (Date.parse(change.dateCreate) < Date.now() - UNDO_HOURS * 3_600_000)
      throw refuse(`Отменить изменение можно только в течение ${UNDO_HOURS} часов`)
    const restored = change.dateFrom
      ? await undoList(inside, change.id, change.dateFrom)
      : await undoOwn(inside, change.id)
    await inside.asSystem.update(PriceChange, change.id, { dateUndone: new Date().toISOString() })
    return { restored, kept: change.total - restored }
  }),
)

async function undoOwn(records: Records, idChange: number): Promise<number> {
  const back = await records.asSystem.updateWhere(
    Service,
    {
      rows: sql`select r."idService" as id, r."before" from price_change_rows r
        join services s on s."id" = r."idService" and s."priceService" = r."after" where r."idChange" = ${idChange}`,
    },
    ({ picked }) => ({ priceService: sql`${picked}."before"` }),
    { pastHooks },
  )
  return back.length
}

async function undoList(records: Records, idChange: number, dateFrom: string): Promise<number> {
  const rows = sql`price_change_rows r join service_prices p on not p."deleted" and p."price" = r."after"`
  const sameDay = await records.asSystem.updateWhere(
    Price,
    {
      rows: sql`select p."id", r."before" from ${rows} and p."id" = r."idPrice"
        where r."idChange" = ${idChange} and r."idNew" is null`,
    },
    ({ picked }) => ({ price: sql`${picked}."before"` }),
    { pastHooks: pastPeriods },
  )
  const gone = await records.asSystem.deleteWhere(
    Price,
    {
      rows: sql`select p."id" from ${rows} and p."id" = r."idNew" and p."dateFrom" = ${dateFrom}::date
          and p."dateTo" is not distinct from r."dateTo"
        join service_prices was on was."id" = r."idPrice" and not was."deleted"
          and was."dateTo" = ${plusDays(dateFrom, -1)}::date and was."price" = r."before"
        where r."idChange" = ${idChange}`,
    },
    { pastHooks: pastPeriods },
  )
  await records.asSystem.updateWhere(
    Price,
    {
      rows: sql`select r."idPrice" as id, r."dateTo" from price_change_rows r
        where r."idChange" = ${idChange} and r."idNew" = any(${gone.map(({ id }) => id)}::bigint[])`,
    },
    ({ picked }) => ({ dateTo: sql`${picked}."dateTo"` }),
    { pastHooks: pastPeriods },
  )
  return sameDay.length + gone.length
}

/**
 * Computes the new prices of the selection.
 * @throws ValidationError for an invalid request, HttpError 404 for a missing group or list
 */
async function read(records: Records, db: Queryable, body: PriceChangeBody) {
  const { ids, idGroup, idPriceList, dateFrom, unit, amount, rounding = 0.01 } = body
  if (idPriceList !== undefined) await records.row(PriceList, idPriceList)
  if (idGroup !== undefined) await records.row(ServiceGroup, idGroup)
  if (idPriceList !== undefined && dateFrom === undefined)
    throw new ValidationError([{ field: 'dateFrom', message: 'Укажите, с какого дня' }])
  if (idPriceList === undefined && dateFrom !== undefined)
    throw new ValidationError([{ field: 'dateFrom', message: 'С какого дня бывает только у цен прайс-листа' }])
  // A price below half a step would round to zero: it is rounded to the kopeck.
  const step = sql`${rounding}::numeric`
  const changed =
    unit === 'percent' ? sql`"before" * (1 + ${amount}::numeric / 100)` : sql`("before" + ${amount}::numeric)`
  const rows = await db.query<Row>(sql`
    with recursive inside as (
      select "id" from services_groups where "id" = ${idGroup ?? null}::bigint
      union select g."id" from services_groups g join inside on g."idParentGroup" = inside."id"
    ), chosen as (
      select s."id" as "idService", s."nameService" as name, s."code", ${priced(idPriceList, dateFrom)}
      where not s."deleted"
        ${ids ? sql`and s."id" = any(${ids}::bigint[])` : raw('')}
        ${idGroup === undefined ? raw('') : raw('and s."idGroup" in (select "id" from inside)')}
      order by s."nameService", s."id" limit ${MAX_CHANGED + 1}
    )
    select *, (case when ${changed} > 0 and ${changed} * 2 < ${step} then round(${changed}, 2)
      else round(round(${changed} / ${step}) * ${step}, 2) end)::text as after from chosen`)
  if (rows.length > MAX_CHANGED)
    throw new ValidationError([
      { field: 'ids', message: `За раз можно изменить не больше ${MAX_CHANGED} цен: выберите группу` },
    ])
  const priceless = rows.filter(({ before }) => before === null).length
  const changing = rows.filter(({ before, after }) => before !== null && Number(before) !== Number(after))
  const lost = changing.filter(({ after }) => Number(after) <= 0)
  if (lost.length)
    throw new ValidationError([
      {
        field: 'amount',
        message: `Не останется цены у ${counted(lost.length, ['услуги', 'услуг', 'услуг'])}: «${lost[0]?.name}»`,
      },
    ])
  const mark = await db.one<{ md5: string }>(
    sql`select md5(${changing.map(({ idService, before, after }) => `${idService}:${before}:${after}`).join(' ')}) as md5`,
  )
  return {
    changing,
    without: priceless,
    same: rows.length - priceless - changing.length,
    seen: mark?.md5 ?? '',
  }
}

/** The former price of service `s`, and the row of a price list that contains it. */
const priced = (idPriceList: number | undefined, dateFrom: string | undefined): Sql =>
  idPriceList === undefined
    ? sql`null::bigint as "idPrice", s."priceService" as before from services s`
    : sql`p."id" as "idPrice", p."price" as before from services s
        left join service_prices p on p."idService" = s."id" and p."idPriceList" = ${idPriceList}
          and ${inForce(sql`${dateFrom}::date`)}`
