/** Incoming data of МДЛП: notices of shipment, reports of disposal registrars, states of packs. Also the sign-in. */

import {
  type CodeStatus,
  MdlpCode,
  MdlpDocument,
  type MdlpSchema,
  mdlpSchemas,
} from '@ordinator/model/areas/warehouse/mdlp'
import { mdlpCalls } from '@ordinator/model/areas/warehouse/mdlpCalls'
import sql from 'sql-template-tag'
import { readCommonSettings } from '#areas/settings/index.ts'
import { type Adapter, AdapterFault } from '#platform/adapter.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import type { XmlNode } from '#platform/xml/xml.ts'
import { XmlError, xmlOf } from '#platform/xml/xml.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext, Work } from '#records/context.ts'
import { operation } from '#records/operation.ts'
import { mdlpAdapter } from './adapter.ts'
import { type Listed, type Mdlp, MdlpRefusal } from './client.ts'
import { setCodes } from './codes.ts'
import { mdlpOf } from './wire.ts'
import { readDisposal, readShipment, type Shipment } from './xml.ts'

/** Maximum number of documents per run, and of packs per state query (the API accepts 500). */
const ROUND = 50
const MAX_ASKED = 500
/** Maximum number of packs per document (XSD). */
const MAX_PACKS = 25_000

export const sync = operation(mdlpCalls.sync, async ({ app }) => {
  await app.jobs.send('mdlp.exchange', {}, { key: 'mdlp' })
  await app.outbox.sweep()
})

export function startMdlp(app: AppContext): void {
  app.outbox.register(mdlpAdapter(app))
  app.jobs.register('mdlp.exchange', { cron: '* * * * *', handler: () => receive(app), retries: 0 })
  app.jobs.register('mdlp.states', { cron: '17 4 * * *', handler: () => askStates(app), retries: 1 })
}

const connected = async (app: AppContext): Promise<Mdlp> => {
  const mdlp = await mdlpOf(app)
  if (mdlp) return mdlp
  throw new HttpError(409, 'МДЛП не подключён: задайте режим в настройках склада', { code: 'off' })
}

export const code = operation(mdlpCalls.code, async ({ app }) => {
  const given = await withWireErrors((await connected(app)).code())
  return { code: given, content: Buffer.from(given).toString('base64') }
})

export const login = operation(mdlpCalls.login, async ({ app, body }) => {
  const until = await withWireErrors((await connected(app)).signIn(body.code, body.signature))
  await app.outbox.sweep()
  await app.jobs.send('mdlp.exchange', {}, { key: 'mdlp' })
  return { until }
})

/** @throws HttpError 502 without a reply, ValidationError if МДЛП refuses */
async function withWireErrors<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof MdlpRefusal) throw new ValidationError([{ field: 'signature', message: error.message }])
    if (error instanceof AdapterFault) throw new HttpError(502, `МДЛП: ${error.message}`, { code: 'mdlp' })
    throw error
  }
}

/** Imports new documents. Each is imported once, also by concurrent readers and after an interruption. */
async function receive(app: AppContext): Promise<void> {
  const mdlp = await mdlpOf(app)
  if (!mdlp) return
  try {
    await each(app, mdlp, 'income', 601, takeShipment)
    await each(app, mdlp, 'outcome', 10531, takeDisposal)
  } catch (error) {
    if (!(error instanceof AdapterFault) && !(error instanceof MdlpRefusal)) throw error
    app.log.warn({ err: error }, 'mdlp: not reached')
  }
}

/** Reads documents of one schema since the last known one, with two days of overlap. */
async function each(
  app: AppContext,
  mdlp: Mdlp,
  which: 'income' | 'outcome',
  schema: MdlpSchema & number,
  take: (app: AppContext, mdlp: Mdlp, listed: Listed, xml: string) => Promise<void>,
): Promise<void> {
  const since = await app.db.one<{ at: string }>(sql`
    select to_json(greatest(now() - interval '30 days', max("dateCreate") - interval '2 days')) #>> '{}' as at
    from mdlp_documents where "schema" = ${String(schema)} and "documentId" is not null`)
  const listed = await mdlp.list(which, schema, since?.at ?? '')
  const known = new Set(
    (
      await app.db.query<{ documentId: string }>(
        sql`select "documentId" from mdlp_documents where "documentId" = any (${listed.map(({ documentId }) => documentId)}::text[])`,
      )
    ).map(({ documentId }) => documentId),
  )
  // Documents sent on our behalf count once МДЛП has processed them.
  const fresh = listed.filter(
    (one) => one.schema === String(schema) && !known.has(one.documentId) && (which === 'income' || one.isProcessed),
  )
  for (const one of fresh.slice(0, ROUND)) {
    const began = performance.now()
    const line = {
      adapter: 'mdlp',
      operation: `${schema} ${mdlpSchemas[schema]}`,
      direction: 'in',
      key: one.documentId,
    } as const
    try {
      await take(app, mdlp, one, await mdlp.download(one.documentId))
      await app.exchanged({ ...line, status: 'done', durationMs: performance.now() - began })
    } catch (error) {
      // An unreadable document does not stop the others.
      if (!(error instanceof XmlError) && !(error instanceof MdlpRefusal)) throw error
      await app.exchanged({ ...line, status: 'rejected', error: error.message, durationMs: performance.now() - began })
    }
  }
}

/** Runs once per document of МДЛП, also by concurrent readers. */
const once = (app: AppContext, documentId: string, write: (work: Work) => Promise<void>): Promise<void> =>
  app.engine.for(systemActor).tx(async (records, tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`mdlp ${documentId}`}, 0))`)
    if (await tx.one(sql`select 1 from mdlp_documents where "documentId" = ${documentId}`)) return
    await write({ records, tx })
  })

const parsed = (app: AppContext, xml: string): Promise<XmlNode> => xmlOf(app).parse(Buffer.from(xml), { who: 'mdlp' })

interface Pack {
  sgtin: string
  sscc: string | null
  cost: string | null
  vat: string | null
}

async function takeShipment(app: AppContext, mdlp: Mdlp, { documentId, sender }: Listed, xml: string): Promise<void> {
  const shipment = readShipment(await parsed(app, xml))
  const packs = await packsOf(mdlp, shipment)
  await once(app, documentId, async ({ records, tx }) => {
    const system = records.asSystem
    const made = await system.create(MdlpDocument, {
      schema: '601',
      direction: 'in',
      status: 'incoming',
      documentId,
      partner: sender || shipment.sender,
      number: shipment.number,
      docDate: shipment.date,
    })
    await tx.query(sql`insert into mdlp_bodies ("idDocument", "xml", "facts") values (${made.id}, ${xml},
      ${JSON.stringify({ sender: shipment.sender, receiver: shipment.receiver })}::jsonb)`)
    await tx.query(sql`insert into mdlp_document_codes ("idDocument", "sgtin", "sscc", "price", "vat")
      select ${made.id}, * from unnest(${packs.map((one) => one.sgtin)}::text[], ${packs.map((one) => one.sscc)}::text[],
        ${packs.map((one) => one.cost)}::numeric[], ${packs.map((one) => one.vat)}::numeric[])
      on conflict do nothing`)
    await system.createFrom(
      MdlpCode,
      sql`mdlp_document_codes c where c."idDocument" = ${made.id} and not exists (select 1 from mdlp_codes k where k."sgtin" = c."sgtin")`,
      {
        sgtin: sql`c."sgtin"`,
        sscc: sql`c."sscc"`,
        gtin: sql`left(c."sgtin", 14)`,
        idProduct: sql`(select min(p."id") from services p where p."gtin" = left(c."sgtin", 14) and not p."deleted")`,
        status: 'arriving',
        theirStatus: 'arriving',
        idDocument: made.id,
      },
    )
  })
}

/** Packs of a notice; the contents of its boxes are queried from МДЛП. */
async function packsOf(mdlp: Mdlp, { items }: Shipment): Promise<Pack[]> {
  const packs: Pack[] = []
  for (const { sgtin, sscc, cost, vat, prices } of items) {
    if (sgtin) packs.push({ sgtin, sscc: null, cost, vat })
    else if (sscc)
      for (const inside of await mdlp.packsOf(sscc)) {
        const price = prices.find(({ gtin }) => inside.startsWith(gtin)) ?? { cost, vat }
        packs.push({ sgtin: inside, sscc, cost: price.cost, vat: price.vat })
      }
    if (packs.length > MAX_PACKS) throw new MdlpRefusal(`В документе больше ${MAX_PACKS} кодов`, 422)
  }
  return packs
}

/** Processes a registrar's report: it settles the document that waits for it. */
async function takeDisposal(app: AppContext, _mdlp: Mdlp, { documentId }: Listed, xml: string): Promise<void> {
  const { number, date, sgtins } = readDisposal(await parsed(app, xml))
  await once(app, documentId, async ({ records, tx }) => {
    const system = records.asSystem
    const waiting = await tx.one<{ id: number; count: number; reported: number }>(sql`
      select d."id", count(*)::int as count, count(*) filter (where c."sgtin" = any (${sgtins}::text[]))::int as reported
      from mdlp_documents d join mdlp_document_codes c on c."idDocument" = d."id"
      where d."schema" = '10531' and d."status" = 'device' group by d."id"
      having bool_or(c."sgtin" = any (${sgtins}::text[])) order by 3 desc, d."id" limit 1`)
    const missing = waiting && waiting.reported < waiting.count
    const values = {
      documentId,
      status: missing ? 'partial' : 'processed',
      errors: missing ? [{ message: `Регистратор сообщил о ${waiting.reported} из ${waiting.count} кодов` }] : null,
    }
    const { id } = waiting
      ? await system.update(MdlpDocument, waiting.id, values as never)
      : await system.create(MdlpDocument, {
          ...values,
          schema: '10531',
          direction: 'out',
          number,
          docDate: date,
        } as never)
    await tx.query(sql`insert into mdlp_bodies ("idDocument", "xml") values (${id}, ${xml})
      on conflict ("idDocument") do update set "xml" = excluded."xml"`)
    await tx.query(sql`insert into mdlp_document_codes ("idDocument", "sgtin", "scanned")
      select ${id}, s, true from unnest(${sgtins}::text[]) s on conflict ("idDocument", "sgtin") do update set "scanned" = true`)
    await setCodes(system, sgtins, { status: 'out_of_circulation', theirStatus: 'out_of_circulation', idDocument: id })
    // Packs not reported by the registrar are still in stock.
    if (missing)
      await system.updateWhere(
        MdlpCode,
        ({ row }) => sql`${row}."status" = 'awaiting' and ${row}."sgtin" in
          (select "sgtin" from mdlp_document_codes where "idDocument" = ${id} and not "scanned")`,
        { status: 'in_circulation' },
      )
  })
}

/** Pack states by the names of МДЛП. */
const theirStates: Readonly<Record<string, CodeStatus>> = {
  in_circulation: 'in_circulation',
  in_realization: 'in_transit',
  move_place: 'in_transit',
  shipped: 'shipped',
  out_of_circulation: 'out_of_circulation',
  in_medical_use: 'out_of_circulation',
  moved_to_destruction: 'destroying',
  foreign: 'foreign',
}

/** Queries the states of our packs from МДЛП once a day. */
async function askStates(app: AppContext): Promise<void> {
  const mdlp = await mdlpOf(app)
  if (!mdlp) return
  const packs = await app.db.query<{ sgtin: string }>(sql`select "sgtin" from mdlp_codes
    where "status" in ('in_circulation', 'in_transit', 'awaiting') order by "id" limit 20000`)
  for (let at = 0; at < packs.length; at += MAX_ASKED) {
    const asked = packs.slice(at, at + MAX_ASKED).map(({ sgtin }) => sgtin)
    const theirs = await mdlp.states(asked)
    const [sgtins, states] = [asked, asked.map((one) => theirStates[theirs.get(one) ?? 'foreign'] ?? 'foreign')]
    await app.engine.for(systemActor).asSystem.updateWhere(
      MdlpCode,
      {
        rows: sql`select k."id", t."state" from unnest(${sgtins}::text[], ${states}::text[]) t("sgtin", "state") join mdlp_codes k using ("sgtin")`,
      },
      ({ picked }) => ({ theirStatus: sql`${picked}."state"` }),
    )
  }
}

/** The card of «Интеграции». */
export async function mdlpAdapters(app: AppContext): Promise<Adapter[]> {
  const [{ mdlpMode, mdlpAddress }, mdlp] = await Promise.all([readCommonSettings(app.db), mdlpOf(app)])
  return [
    {
      key: 'mdlp',
      code: 'mdlp',
      name: 'МДЛП',
      mode: mdlp ? mdlpMode : 'off',
      modeSetting: 'mdlpMode',
      page: 'mdlp',
      setIn: mdlpAddress || !app.config.mdlpUrl ? 'Настройки склада' : 'Настройка сервера MDLP_URL',
      queue: async () =>
        (
          await app.db.one<{ count: number }>(
            sql`select count(*)::int as count from mdlp_documents where "status" in ('queued', 'processing', 'stuck')`,
          )
        )?.count ?? 0,
      async check() {
        await mdlp?.check()
      },
      isQuiet: true,
    },
  ]
}
