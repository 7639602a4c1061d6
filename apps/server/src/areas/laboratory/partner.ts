/**
 * Partner laboratories: what one asks them (`PartnerAdapter`), a simulator that plays one, and the queue by which orders
 * go out and results come back. Each message is a line of the journal of exchange. Whatever is asked twice by the same key
 * is done once.
 */
import { laboratoryCalls } from '@ordinator/model/areas/laboratory/calls'
import { LabTest } from '@ordinator/model/areas/laboratory/catalogue'
import { Laboratory } from '@ordinator/model/areas/laboratory/laboratory'
import { LabOrder, LabOrderItem } from '@ordinator/model/areas/laboratory/order'
import { LabSample } from '@ordinator/model/areas/laboratory/sample'
import sql from 'sql-template-tag'
import type { Queryable } from '../../platform/db.ts'
import { HttpError, ValidationError } from '../../platform/errors.ts'
import { systemActor } from '../../records/actor.ts'
import type { AppContext } from '../../records/context.ts'
import { operation } from '../../records/operation.ts'
import { priceSql } from '../catalogue/index.ts'
import { settleOrder } from './orders.ts'
import { type PartnerAdapter, PartnerRefusal, type PartnerResults, type PriceLine } from './partnerAdapter.ts'
import { JOB_SEND } from './partnerQueue.ts'
import { simulatedPartner } from './partnerSimulator.ts'
import { writeValues } from './results.ts'
import { moveSample } from './samples.ts'

function adapterOf(laboratory: { id: number; adapter: string }, db: Queryable): PartnerAdapter | undefined {
  return laboratory.adapter === 'simulator' ? simulatedPartner(laboratory.id, db) : undefined
}

const JOB_ASK = 'laboratory.ask'

interface Sent {
  idOrder: number
  idLaboratory: number
}

export function startPartners(app: AppContext): void {
  app.jobs.register<Sent>(JOB_SEND, { retries: 8, handler: (sent) => send(app, sent) })
  app.jobs.register(JOB_ASK, { cron: '*/5 * * * *', handler: () => ask(app) })
}

async function send(app: AppContext, { idOrder, idLaboratory }: Sent): Promise<void> {
  const order = await app.db.one<{
    number: string
    externalNumber: string | null
    gender: string | null
    birthday: string | null
  }>(
    sql`select o."number", o."externalNumber", c."gender", to_char(c."birthday", 'YYYY-MM-DD') as birthday
      from laboratory_orders o join customers c on c."id" = o."idCustomer"
      where o."id" = ${idOrder} and o."status" not in ('cancelled', 'draft') and not o."deleted"`,
  )
  const laboratory = await app.db.one<{ id: number; adapter: string; name: string }>(
    sql`select "id", "adapter", "name" from laboratory_list where "id" = ${idLaboratory}`,
  )
  const adapter = laboratory && adapterOf(laboratory, app.db)
  if (!order || !adapter) return
  const samples = await app.db.query<{ barcode: string; codes: string[] }>(sql`
    select s."barcode", array_agg(coalesce(t."labCode", t."code", t."id"::text) order by i."id") as codes
    from laboratory_samples s join laboratory_order_items i on i."idSample" = s."id" and not i."deleted" and i."status" <> 'cancelled'
      join laboratory_catalog t on t."id" = i."idTest"
    where s."idOrder" = ${idOrder} and s."idLaboratory" = ${idLaboratory} and s."status" in ('shipped', 'received', 'inWork')
    group by s."id" order by s."id"`)
  if (samples.length === 0) return
  const key = `lab-order-${idOrder}-${samples.map(({ barcode }) => barcode).join('-')}`.slice(0, 190)
  const began = performance.now()
  try {
    const { externalNumber } = await adapter.createOrder({
      key,
      samples,
      patient: { sex: order.gender, birthday: order.birthday },
    })
    await app.engine.for(systemActor).asSystem.update(LabOrder, idOrder, { externalNumber })
    await tell(app, 'Заказ партнёру', key, idOrder, 'accepted', began)
  } catch (error) {
    const refused = error instanceof PartnerRefusal
    await tell(app, 'Заказ партнёру', key, idOrder, refused ? 'rejected' : 'network_error', began, error)
    // A refusal is final; what the line did is tried again.
    if (!refused) throw error
  }
}

const tell = (
  app: AppContext,
  words: string,
  key: string,
  idOrder: number,
  status: 'accepted' | 'done' | 'rejected' | 'network_error',
  began: number,
  error?: unknown,
) =>
  app.exchanged({
    adapter: 'laboratory',
    operation: words,
    key,
    about: { path: LabOrder.path, id: idOrder },
    status,
    durationMs: performance.now() - began,
    error: error === undefined ? undefined : error instanceof PartnerRefusal ? error.message : 'Партнёр не отвечает',
  })

/** Asks every partner for what is ready of the orders that it has. */
async function ask(app: AppContext): Promise<void> {
  const waiting = await app.db.query<{ id: number; externalNumber: string; idLaboratory: number; adapter: string }>(sql`
    select distinct o."id", o."externalNumber", b."id" as "idLaboratory", b."adapter" from laboratory_orders o
      join laboratory_order_items i on i."idOrder" = o."id" and i."status" in ('sent', 'inWork') and not i."deleted"
      join laboratory_list b on b."id" = i."idLaboratory" and b."kind" = 'partner' and b."adapter" <> 'none'
    where o."externalNumber" is not null and not o."deleted" order by o."id" limit 500`)
  for (const { id, externalNumber, idLaboratory, adapter: kind } of waiting) {
    const adapter = adapterOf({ id: idLaboratory, adapter: kind }, app.db)
    if (!adapter) continue
    const began = performance.now()
    const key = `lab-results-${externalNumber}`
    try {
      const results = await adapter.getResults(externalNumber)
      await take(app, id, idLaboratory, results)
      await tell(app, 'Результаты партнёра', key, id, results.state === 'done' ? 'done' : 'accepted', began)
    } catch (error) {
      // One that is silent keeps nobody else waiting: it is asked again with the next round.
      await tell(
        app,
        'Результаты партнёра',
        key,
        id,
        error instanceof PartnerRefusal ? 'rejected' : 'network_error',
        began,
        error,
      )
    }
  }
}

/** Writes what a partner says of an order; said again, it changes nothing. */
async function take(app: AppContext, idOrder: number, idLaboratory: number, results: PartnerResults): Promise<void> {
  await app.engine.for(systemActor).asSystem.tx(async (records, tx) => {
    await tx.query(sql`select 1 from laboratory_orders where "id" = ${idOrder} for update`)
    const known = await tx.query<{
      idItem: number
      code: string
      idAnalyte: number
      analyte: string
      unit: string | null
      barcode: string
    }>(sql`
      select i."id" as "idItem", coalesce(t."labCode", t."code", t."id"::text) as code, a."id" as "idAnalyte", a."code" as analyte, a."unit", s."barcode"
      from laboratory_order_items i join laboratory_catalog t on t."id" = i."idTest"
        join laboratory_components k on k."idTest" = t."id" and not k."deleted" join laboratory_analytes a on a."id" = k."idAnalyte"
        left join laboratory_samples s on s."id" = i."idSample"
      where i."idOrder" = ${idOrder} and i."idLaboratory" = ${idLaboratory} and not i."deleted"`)
    const given = results.values.flatMap(({ code, analyte, value, unit }) => {
      const found = known.find((one) => one.code === code && one.analyte === analyte)
      // What we did not order, or in another unit, is not guessed: a person sees it in the journal of exchange.
      return found && (found.unit ?? '') === unit ? [{ idItem: found.idItem, idAnalyte: found.idAnalyte, value }] : []
    })
    if (given.length) await writeValues(records, tx, given, 'hand')
    // A partner's doctor has confirmed what it sends; ours looks at it as at any other.
    await records.asSystem.updateWhere(
      LabOrderItem,
      ({ row }) =>
        sql`${row}."idOrder" = ${idOrder} and ${row}."idLaboratory" = ${idLaboratory} and ${row}."status" = 'sent'`,
      { status: 'inWork' },
    )
    for (const { barcode, reason } of results.rejected) {
      const sample = await tx.one<{ id: number }>(sql`select "id" from laboratory_samples
        where "barcode" = ${barcode} and "idOrder" = ${idOrder} and "status" in ('shipped', 'received', 'inWork')`)
      if (sample)
        await moveSample(app, records, tx, await records.asSystem.row(LabSample, sample.id), 'reject', {
          reason,
          note: 'Сообщил партнёр',
        })
    }
    await settleOrder(records, tx, idOrder)
  })
}

interface Compared extends PriceLine {
  idTest: number | null
  ownCost: number | null
  price: number | null
  advised: number | null
  margin: number | null
  state: 'new' | 'same' | 'changed' | 'gone'
}

async function compared(
  db: Queryable,
  laboratory: { id: number; adapter: string; priceRule: number | null },
): Promise<Compared[]> {
  const adapter = adapterOf(laboratory, db)
  if (!adapter)
    throw new HttpError(409, 'У лаборатории нет обмена: прайс загружают файлом в каталоге', { code: 'adapter' })
  const theirs = await adapter.getCatalog()
  const ours = await db.query<{
    id: number
    name: string
    labCode: string
    cost: number | null
    termDays: number
    price: number | null
  }>(sql`
    select t."id", t."name", t."labCode", t."cost"::float8 as cost, coalesce(t."termDays", 0) as "termDays",
      coalesce((select (${priceSql(sql`v`, sql`v."id"`, {})})::float8 from services v where v."id" = t."idService"),
        (select (${priceSql(sql`v`, sql`v."id"`, {})})::float8 from services v where v."labCode" = t."labCode" and not v."deleted" limit 1)) as price
    from laboratory_catalog t where t."idLaboratory" = ${laboratory.id} and t."labCode" is not null and not t."deleted"`)
  const byCode = new Map(ours.map((one) => [one.labCode, one]))
  const lines = theirs.map((line): Compared => {
    const own = byCode.get(line.code)
    byCode.delete(line.code)
    const price = own?.price ?? null
    const advised =
      laboratory.priceRule === null ? null : Math.ceil((line.cost * (1 + laboratory.priceRule / 100)) / 10) * 10
    return {
      ...line,
      idTest: own?.id ?? null,
      ownCost: own?.cost ?? null,
      price,
      advised,
      margin: price === null ? null : Math.round((price - line.cost) * 100) / 100,
      state: !own ? 'new' : own.cost === line.cost && own.termDays === line.termDays ? 'same' : 'changed',
    }
  })
  const gone = [...byCode.values()].map(
    ({ id, name, labCode, cost, termDays, price }): Compared => ({
      ...{ code: labCode, name, cost: cost ?? 0, termDays, idTest: id, ownCost: cost, price },
      ...{ advised: null, margin: null, state: 'gone' as const },
    }),
  )
  return [...lines, ...gone]
}

export const partnerPrice = operation(laboratoryCalls.partnerPrice, async ({ app, records, params }) => ({
  items: await compared(app.db, await records.row(Laboratory, params.id)),
}))

export const takePrice = operation(laboratoryCalls.takePrice, ({ records, params, body }) =>
  records.tx(async (inner, tx) => {
    const laboratory = await inner.row(Laboratory, params.id)
    const wanted = new Set(body.codes)
    const lines = (await compared(tx, laboratory)).filter(({ code, state }) => wanted.has(code) && state !== 'gone')
    if (lines.length === 0) throw new ValidationError([{ field: 'codes', message: 'Таких исследований в прайсе нет' }])
    let changed = 0
    let created = 0
    for (const { code, name, cost, termDays, idTest, state } of lines) {
      if (idTest === null) {
        const service = await tx.one<{ id: number }>(
          sql`select "id" from services where "labCode" = ${code} and not "deleted" order by "id" limit 1`,
        )
        await inner.create(LabTest, {
          name,
          labCode: code,
          idLaboratory: laboratory.id,
          cost,
          termDays,
          idService: service?.id ?? null,
        })
        created++
      } else if (state === 'changed') {
        await inner.update(LabTest, idTest, { cost, termDays })
        changed++
      }
    }
    await inner.asSystem.update(Laboratory, laboratory.id, { catalogUpdatedAt: new Date().toISOString() })
    return { changed, created }
  }),
)
