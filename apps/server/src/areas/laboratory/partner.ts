/**
 * Partner laboratories: the queue that sends orders and fetches results through `PartnerAdapter`, with a simulator.
 * Each message is a line of the exchange journal. A request repeated with the same key is carried out once.
 */
import { join } from 'node:path'
import { holds } from '@ordinator/model/access'
import { resultsView } from '@ordinator/model/areas/laboratory/access'
import { laboratoryCalls } from '@ordinator/model/areas/laboratory/calls'
import { LabTest } from '@ordinator/model/areas/laboratory/catalogue'
import { LabStray, type StrayReason } from '@ordinator/model/areas/laboratory/device'
import { Laboratory } from '@ordinator/model/areas/laboratory/laboratory'
import { LabOrder, LabOrderItem } from '@ordinator/model/areas/laboratory/order'
import { LabSample } from '@ordinator/model/areas/laboratory/sample'
import { type Biomaterial, biomaterials } from '@ordinator/model/areas/laboratory/words'
import type { Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { priceSql } from '#areas/catalogue/index.ts'
import { type Adapter, AdapterFault } from '#platform/adapter.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { sendPdf } from '#platform/disposition.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import type { OutboxAdapter } from '#platform/outbox.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext, Work } from '#records/context.ts'
import { journalActor } from '#records/journal.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { settleOrder } from './orders.ts'
import {
  type PartnerAdapter,
  type PartnerOrder,
  PartnerRefusal,
  type PartnerResults,
  PartnerSilence,
  type PriceLine,
} from './partnerAdapter.ts'
import { folderPartner } from './partnerFolders.ts'
import type { PartnerPayload } from './partnerQueue.ts'
import { simulatedPartner } from './partnerSimulator.ts'
import { type Fate, type Given, writeValues } from './resultValues.ts'
import { moveSample } from './samples.ts'

type Exchange = Pick<Row<typeof Laboratory>, 'id' | 'adapter' | 'address' | 'clientCode'>

function adapterOf(app: AppContext, { id, adapter, address, clientCode }: Exchange): PartnerAdapter | undefined {
  if (adapter === 'simulator') return simulatedPartner(id, app.db)
  if (adapter !== 'folders' || !address) return undefined
  return folderPartner({ folder: join(app.config.partnerFolders, address), clientCode: clientCode ?? '' })
}

const JOB_ASK = 'laboratory.ask'

/** An order at a partner; a retake creates another one. */
interface PartnerRow {
  key: string
  idOrder: number
  idLaboratory: number
  externalNumber: string | null
  exchange: Exchange
}

/** SQL: of the order `p` and its laboratory `b`. */
const rowSql = sql`p."key", p."idOrder"::int as "idOrder", p."idLaboratory"::int as "idLaboratory", p."externalNumber",
  jsonb_build_object('id', b."id", 'adapter', b."adapter", 'address', b."address", 'clientCode', b."clientCode") as exchange`

const partnerRow = (db: Queryable, key: string): Promise<PartnerRow | undefined> =>
  db.one<PartnerRow>(
    sql`select ${rowSql} from laboratory_partner_orders p join laboratory_list b on b."id" = p."idLaboratory" where p."key" = ${key}`,
  )

export function startPartners(app: AppContext): void {
  app.outbox.register(partnerOutbox(app))
  app.jobs.register(JOB_ASK, { cron: '*/5 * * * *', handler: () => askPartners(app) })
}

/** A card of each partner laboratory, and one while there is none. */
export async function partnerCards(app: AppContext): Promise<Adapter[]> {
  const partners = await app.db.query<Exchange & { name: string; waiting: number }>(sql`
    select b."id"::int as id, b."name", b."adapter", b."address", b."clientCode", (select count(*)::int from laboratory_partner_orders p
      where p."idLaboratory" = b."id" and p."state" in ('accepted', 'part')) as waiting
    from laboratory_list b where b."adapter" <> 'none' and not b."deleted" order by b."name", b."id"`)
  const setIn = 'Лаборатория → Лаборатории-партнёры'
  if (partners.length === 0)
    return [
      {
        key: 'laboratory',
        code: 'laboratory',
        name: 'Лаборатории-партнёры',
        mode: 'off',
        setIn,
        check: async () => {
          throw new AdapterFault('Ни у одной лаборатории нет обмена')
        },
      },
    ]
  return partners.map(({ name, waiting, ...exchange }) => ({
    key: `laboratory-${exchange.id}`,
    code: 'laboratory',
    about: { path: Laboratory.path, id: exchange.id },
    name: `Лаборатория: ${name}`,
    mode: exchange.adapter === 'simulator' ? 'simulator' : 'prod',
    setIn,
    note: async () => (waiting > 0 ? `Ждём результатов по направлениям: ${waiting}` : null),
    async check() {
      const partner = adapterOf(app, exchange)
      if (!partner) throw new AdapterFault('У лаборатории нет обмена')
      return partner.price
        ? `В каталоге исследований: ${(await partner.price.getCatalog()).length}`
        : 'Обмен настроен: прайс загружается из файла'
    },
  }))
}

/** Outbox of orders and cancellations to partners. The partner recognizes the key: a repeat is the same order. */
const partnerOutbox = (app: AppContext): OutboxAdapter<Work, PartnerPayload> => ({
  code: 'laboratory',
  isRepeatable: () => true,
  async send({ operation: asked, payload }) {
    const row = await partnerRow(app.db, payload.key)
    const adapter = row && adapterOf(app, row.exchange)
    if (!row || !adapter) return { kind: 'refused', reasons: [{ message: 'У лаборатории нет обмена' }] }
    try {
      if (asked === 'cancel') {
        if (row.externalNumber) await adapter.cancelOrder(row.externalNumber)
        return { kind: 'done' }
      }
      return { kind: 'done', result: await adapter.createOrder(await contentOf(app.db, row)) }
    } catch (error) {
      if (error instanceof PartnerRefusal) return { kind: 'refused', reasons: [{ message: error.message }] }
      if (!(error instanceof PartnerSilence)) throw error
      // The connection failed, and the order may have arrived: it is sent again by its key.
      app.log.warn({ err: error, idLaboratory: row.idLaboratory }, 'laboratory: a partner does not answer')
      return { kind: 'unknown', error: SILENT }
    }
  },
  async settled({ records, tx }, { operation: asked, payload: { key, idOrder } }, { state, result }) {
    const now = (
      { cancel: { done: 'cancelled' }, create: { done: 'accepted', refused: 'rejected' } } as Record<
        string,
        Record<string, string>
      >
    )[asked]?.[state]
    if (!now) return
    const number = (result as { externalNumber?: string } | undefined)?.externalNumber ?? null
    await tx.query(sql`update laboratory_partner_orders set "state" = ${now}, "externalNumber" = coalesce(${number}, "externalNumber"),
      "dateChange" = now() where "key" = ${key}`)
    if (number) await records.asSystem.update(LabOrder, idOrder, { externalNumber: number })
  },
})

/** Data for a partner: tubes, tests, sex and birthday; no name. */
async function contentOf(db: Queryable, { key, idOrder, idLaboratory }: PartnerRow): Promise<PartnerOrder> {
  const patient = await db.one<{ sex: string | null; birthday: string | null }>(
    sql`select c."gender" as sex, to_char(c."birthday", 'YYYY-MM-DD') as birthday
      from laboratory_orders o join customers c on c."id" = o."idCustomer" where o."id" = ${idOrder}`,
  )
  const samples = await db.query<{ barcode: string; codes: string[] }>(sql`
    select s."barcode", array_agg(coalesce(t."labCode", t."code", t."id"::text) order by i."id") as codes
    from laboratory_samples s join laboratory_order_items i on i."idSample" = s."id" and not i."deleted" and i."status" <> 'cancelled'
      join laboratory_catalog t on t."id" = i."idTest"
    where s."idOrder" = ${idOrder} and s."idLaboratory" = ${idLaboratory} and s."barcode" = any (string_to_array(${key}, '-'))
    group by s."id" order by s."id"`)
  return { key, samples, patient: patient ?? { sex: null, birthday: null } }
}

const SILENT = 'Партнёр не отвечает'
/** Orders asked about in a round; the next round goes on with those asked longest ago. */
const ROUND = 500

/**
 * Fetches results of every partner: asks about each order of some, and collects what others have sent. Run by the job and
 * by tests.
 */
export async function askPartners(app: AppContext): Promise<void> {
  await collectReports(app)
  const waiting = await app.db.query<PartnerRow & { externalNumber: string }>(sql`
    select ${rowSql} from laboratory_partner_orders p
      join laboratory_list b on b."id" = p."idLaboratory" and b."adapter" <> 'none'
      join laboratory_orders o on o."id" = p."idOrder" and not o."deleted"
    where p."state" in ('accepted', 'part') and p."externalNumber" is not null
    order by p."dateAsked" nulls first, p."key" limit ${ROUND}`)
  for (const row of waiting) {
    const { externalNumber } = row
    const polled = adapterOf(app, row.exchange)?.polled
    // Asked or not, it makes room for the next one.
    await app.db.query(
      sql`update laboratory_partner_orders set "dateAsked" = clock_timestamp() where "key" = ${row.key}`,
    )
    if (!polled) continue
    await exchanged(app, row, async () => {
      if ((await polled.getStatus(externalNumber)) === 'accepted') return undefined
      const results = await polled.getResults(externalNumber)
      await take(app, row, results)
      return results.state
    })
  }
}

/** Takes the reports that partners have sent by themselves. */
async function collectReports(app: AppContext): Promise<void> {
  const laboratories = await app.db.query<Exchange>(sql`select "id"::int as id, "adapter", "address", "clientCode"
    from laboratory_list where "adapter" = 'folders' and "active" and not "deleted" order by "id"`)
  for (const laboratory of laboratories) {
    const adapter = adapterOf(app, laboratory)
    try {
      await adapter?.collect?.(async ({ number, results }) => {
        const row = await app.db.one<PartnerRow>(sql`select ${rowSql} from laboratory_partner_orders p
          join laboratory_list b on b."id" = p."idLaboratory"
          where p."idLaboratory" = ${laboratory.id} and (p."externalNumber" = ${number} or ${number} = any (string_to_array(p."key", '-')))
          order by p."dateChange" desc limit 1`)
        if (!row) return 'unknown'
        const isTaken = await exchanged(app, row, async () => {
          await take(app, row, results)
          return results.state
        })
        if (!isTaken) return 'later'
        await stayOpen(app.db, row.key)
        return 'taken'
      })
    } catch (error) {
      // The others go on; the next round tries again.
      const level = error instanceof PartnerSilence ? 'warn' : 'error'
      app.log[level]({ err: error, idLaboratory: laboratory.id }, 'laboratory: reports of a partner were not collected')
      await app.exchanged({
        adapter: 'laboratory',
        operation: 'Результаты партнёра',
        key: `lab-collect-${laboratory.id}`,
        about: { path: Laboratory.path, id: laboratory.id },
        status: 'network_error',
        durationMs: 0,
        error: error instanceof PartnerSilence ? SILENT : OWN_FAULT,
      })
    }
  }
}

/** A report names some of the tests: the order is done there when all of its tubes' tests have values. */
const stayOpen = (db: Queryable, key: string): Promise<unknown> =>
  db.query(sql`update laboratory_partner_orders p set "state" = 'part' where p."key" = ${key} and p."state" = 'done'
    and exists (select 1 from laboratory_order_items i join laboratory_samples s on s."id" = i."idSample"
      where i."idOrder" = p."idOrder" and i."idLaboratory" = p."idLaboratory" and not i."deleted" and i."status" <> 'cancelled'
        and s."status" <> 'rejected' and s."barcode" = any (string_to_array(p."key", '-'))
        and not exists (select 1 from laboratory_results r where r."idItem" = i."id" and r."status" <> 'dropped'))`)

const OWN_FAULT = 'Сбой у нас: подробности в журнале сервера'

/**
 * Runs an exchange about an order, with its line in the journal; a failure does not stop the others. The partner's silence
 * and refusals are told from our own faults, which are logged as errors.
 * @param run returns undefined when there is nothing to write yet @returns whether it succeeded
 */
async function exchanged(
  app: AppContext,
  { idOrder, externalNumber, idLaboratory }: PartnerRow,
  run: () => Promise<PartnerResults['state'] | undefined>,
): Promise<boolean> {
  const began = performance.now()
  const tell = (status: 'accepted' | 'done' | 'rejected' | 'network_error', error?: string) =>
    app.exchanged({
      adapter: 'laboratory',
      operation: 'Результаты партнёра',
      key: `lab-results-${externalNumber}`,
      about: { path: LabOrder.path, id: idOrder },
      status,
      durationMs: performance.now() - began,
      error,
    })
  try {
    const state = await run()
    if (state) await tell(state === 'done' ? 'done' : 'accepted')
    return true
  } catch (error) {
    if (error instanceof PartnerRefusal) await tell('rejected', error.message)
    else if (error instanceof PartnerSilence) {
      app.log.warn({ err: error, idLaboratory }, 'laboratory: a partner does not answer')
      await tell('network_error', SILENT)
    } else {
      app.log.error({ err: error, idOrder, idLaboratory }, 'laboratory: results of a partner were not stored')
      await tell('network_error', OWN_FAULT)
    }
    return false
  }
}

/** Stores a partner's report of an order; idempotent. Unrecognized data becomes a stray. */
async function take(
  app: AppContext,
  { key, idOrder, idLaboratory }: PartnerRow,
  { state, values, rejected, paper: bytes }: PartnerResults,
): Promise<void> {
  await app.engine.for(systemActor).asSystem.tx(async (records, tx) => {
    await tx.query(sql`select 1 from laboratory_orders where "id" = ${idOrder} for update`)
    const known = await tx.query<{
      idItem: number
      code: string
      idAnalyte: number
      analyte: string
      unit: string | null
      status: string
    }>(sql`
      select i."id" as "idItem", coalesce(t."labCode", t."code", t."id"::text) as code, a."id" as "idAnalyte", a."code" as analyte,
        a."unit", i."status"
      from laboratory_order_items i join laboratory_catalog t on t."id" = i."idTest"
        join laboratory_components k on k."idTest" = t."id" and not k."deleted" join laboratory_analytes a on a."id" = k."idAnalyte"
      where i."idOrder" = ${idOrder} and i."idLaboratory" = ${idLaboratory} and not i."deleted"`)
    const given: (Given & { code: string; unit: string })[] = []
    for (const { code, analyte, value, unit, noResult } of values) {
      const found = known.find((one) => one.code === code && one.analyte === analyte)
      const reason: StrayReason | undefined = !found
        ? 'code'
        : found.status === 'cancelled'
          ? 'cancelled'
          : noResult
            ? 'noResult'
            : (found.unit ?? '') !== unit
              ? 'unit'
              : undefined
      if (found && !reason)
        given.push({ idItem: found.idItem, idAnalyte: found.idAnalyte, value, code: `${code}/${analyte}`, unit })
      else await partnerStray(records, tx, idOrder, reason as StrayReason, { code: `${code}/${analyte}`, value, unit })
    }
    const fates = given.length ? await writeValues(records, tx, given, 'partner') : []
    // What is no value of the analyte, or of a refused tube, is left to a person.
    const asides: Partial<Record<Fate, StrayReason>> = { aside: 'form', tube: 'rejected' }
    for (const [at, one] of given.entries()) {
      const why = asides[fates[at] as Fate]
      if (why) await partnerStray(records, tx, idOrder, why, one)
    }
    // The partner's doctor has approved the values; ours reviews them like any others.
    await records.asSystem.updateWhere(
      LabOrderItem,
      ({ row }) =>
        sql`${row}."idOrder" = ${idOrder} and ${row}."idLaboratory" = ${idLaboratory} and ${row}."status" = 'sent'`,
      { status: 'inWork' },
    )
    for (const { barcode, reason } of rejected) {
      const sample = await tx.one<{ id: number }>(sql`select "id" from laboratory_samples
        where "barcode" = ${barcode} and "idOrder" = ${idOrder} and "status" in ('shipped', 'received', 'inWork')`)
      if (sample)
        await moveSample(app, records, tx, await records.asSystem.row(LabSample, sample.id), 'reject', {
          reason,
          note: 'Сообщил партнёр',
        })
    }
    await tx.query(sql`update laboratory_partner_orders set "state" = ${state}, "dateChange" = now(),
      "paper" = coalesce(${bytes ? Buffer.from(bytes) : null}::bytea, "paper") where "key" = ${key}`)
    await settleOrder(records, tx, idOrder)
  })
}

/** Stored once: partners repeat themselves. */
async function partnerStray(
  { asSystem }: Records,
  tx: Tx,
  idOrder: number,
  reason: StrayReason,
  { code, value, unit }: { code: string; value: string; unit: string },
): Promise<void> {
  const note = `Партнёр, заказ ${(await asSystem.row(LabOrder, idOrder)).number}`
  const same = await tx.one(sql`select 1 from laboratory_strays where "idDevice" is null and "note" = ${note}
    and "code" = ${code.slice(0, 64)} and "value" = ${value.slice(0, 1000)} limit 1`)
  if (!same)
    await asSystem.create(LabStray, {
      reason,
      code: code.slice(0, 64),
      value: value.slice(0, 1000),
      unit: unit.slice(0, 64) || null,
      note,
    })
}

/** The partner's own document. Before our doctor has approved its values only laboratory staff can read it. */
export const partnerPaper = operation(laboratoryCalls.partnerPaper, async ({ app, records, actor, params, reply }) => {
  const order = await records.row(LabOrder, params.id)
  await records.mustOpen(LabOrder, order.id)
  const found = await app.db.one<{ paper: Buffer }>(
    sql`select "paper" from laboratory_partner_orders where "idOrder" = ${order.id} and "paper" is not null order by "dateChange" desc limit 1`,
  )
  if (!found) throw new HttpError(404, 'Партнёр ещё не прислал бланк')
  const isReady = order.status === 'done' || order.status === 'issued'
  if (!isReady && !resultsView.some((right) => holds(actor, right)))
    throw new HttpError(409, 'Результаты партнёра ещё не подтверждены врачом', { code: 'empty' })
  await app.journal({
    ...journalActor(actor),
    action: 'print',
    entityType: LabOrder.path,
    idEntity: order.id,
    idCustomer: order.idCustomer,
    basis: 'Бланк партнёра',
  })
  return sendPdf(reply, `Бланк партнёра ${order.number ?? order.id}.pdf`, found.paper)
})

interface Compared extends PriceLine {
  idTest: number | null
  ownCost: number | null
  price: number | null
  advised: number | null
  margin: number | null
  state: 'new' | 'same' | 'changed' | 'gone'
}

async function compared(
  app: AppContext,
  db: Queryable,
  laboratory: Exchange & { priceRule: number | null },
): Promise<Compared[]> {
  const price = adapterOf(app, laboratory)?.price
  if (!price)
    throw new HttpError(409, 'Эта лаборатория не присылает прайс: загрузите его файлом в каталоге', { code: 'adapter' })
  const theirs = await price.getCatalog()
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
  items: await compared(app, app.db, await records.row(Laboratory, params.id)),
}))

export const takePrice = operation(laboratoryCalls.takePrice, ({ app, records, params, body }) =>
  records.tx(async (inner, tx) => {
    const laboratory = await inner.row(Laboratory, params.id)
    const wanted = new Set(body.codes)
    const lines = (await compared(app, tx, laboratory)).filter(
      ({ code, state }) => wanted.has(code) && state !== 'gone',
    )
    if (lines.length === 0) throw new ValidationError([{ field: 'codes', message: 'Таких исследований в прайсе нет' }])
    const fresh = lines.filter(({ idTest }) => idTest === null).map(({ code }) => code)
    const materials = new Map(
      fresh.length
        ? (await adapterOf(app, laboratory)?.price?.preanalytics(fresh))?.map((one) => [one.code, one.biomaterial])
        : [],
    )
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
          ...(Object.hasOwn(biomaterials, materials.get(code) ?? '') && {
            biomaterial: materials.get(code) as Biomaterial,
          }),
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
