import { holds } from '@ordinator/model/access'
import { resultsView } from '@ordinator/model/areas/laboratory/access'
import { laboratoryCalls } from '@ordinator/model/areas/laboratory/calls'
import { Laboratory } from '@ordinator/model/areas/laboratory/laboratory'
import { LabOrder } from '@ordinator/model/areas/laboratory/order'
import sql from 'sql-template-tag'
import { labItemCountsSql } from '#areas/counted/index.ts'
import { type Adapter, AdapterFault } from '#platform/adapter.ts'
import type { Queryable } from '#platform/db.ts'
import { sendPdf } from '#platform/disposition.ts'
import { HttpError } from '#platform/errors.ts'
import type { OutboxAdapter } from '#platform/outbox.ts'
import type { AppContext, Work } from '#records/context.ts'
import { journalActor } from '#records/journal.ts'
import { operation } from '#records/operation.ts'
import { type PartnerOrder, PartnerRefusal, PartnerSilence } from './partnerAdapter.ts'
import { adapterOf, type Exchange, type PartnerRow, rowSql } from './partnerOrder.ts'
import type { PartnerPayload } from './partnerQueue.ts'
import { askPartners, SILENT } from './partnerReports.ts'

const JOB_ASK = 'laboratory.ask'

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
    from laboratory_samples s join laboratory_order_items i on i."idSample" = s."id" and ${labItemCountsSql()}
      join laboratory_catalog t on t."id" = i."idTest"
    where s."idOrder" = ${idOrder} and s."idLaboratory" = ${idLaboratory} and s."barcode" = any (string_to_array(${key}, '-'))
    group by s."id" order by s."id"`)
  return { key, samples, patient: patient ?? { sex: null, birthday: null } }
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
