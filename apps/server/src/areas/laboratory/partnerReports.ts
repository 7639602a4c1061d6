import { LabStray, type StrayReason } from '@ordinator/model/areas/laboratory/device'
import { Laboratory } from '@ordinator/model/areas/laboratory/laboratory'
import { LabOrder, LabOrderItem } from '@ordinator/model/areas/laboratory/order'
import { LabSample } from '@ordinator/model/areas/laboratory/sample'
import sql from 'sql-template-tag'
import { labItemCountsSql } from '#areas/counted/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { settleOrder } from './orders.ts'
import { PartnerRefusal, type PartnerResults, PartnerSilence } from './partnerAdapter.ts'
import { adapterOf, type Exchange, type PartnerRow, rowSql } from './partnerOrder.ts'
import { type Fate, type Given, writeValues } from './resultValues.ts'
import { moveSample } from './samples.ts'

export const SILENT = 'Партнёр не отвечает'

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
      where i."idOrder" = p."idOrder" and i."idLaboratory" = p."idLaboratory" and ${labItemCountsSql()}
        and s."status" <> 'rejected' and s."barcode" = any (string_to_array(p."key", '-'))
        and not exists (select 1 from laboratory_results r where r."idItem" = i."id" and r."status" <> 'dropped'))`)

const OWN_FAULT = 'Сбой у нас: подробности в журнале сервера'

/**
 * Runs an exchange about an order, with its line in the journal; a failure does not stop the others. The partner's silence
 * and refusals are kept apart from our own faults, which are logged as errors.
 * @param run returns undefined when there is nothing to write yet @returns whether it succeeded
 */
async function exchanged(
  app: AppContext,
  { idOrder, externalNumber, idLaboratory }: PartnerRow,
  run: () => Promise<PartnerResults['state'] | undefined>,
): Promise<boolean> {
  const began = performance.now()
  const logExchange = (status: 'accepted' | 'done' | 'rejected' | 'network_error', error?: string) =>
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
    if (state) await logExchange(state === 'done' ? 'done' : 'accepted')
    return true
  } catch (error) {
    if (error instanceof PartnerRefusal) await logExchange('rejected', error.message)
    else if (error instanceof PartnerSilence) {
      app.log.warn({ err: error, idLaboratory }, 'laboratory: a partner does not answer')
      await logExchange('network_error', SILENT)
    } else {
      app.log.error({ err: error, idOrder, idLaboratory }, 'laboratory: results of a partner were not stored')
      await logExchange('network_error', OWN_FAULT)
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
