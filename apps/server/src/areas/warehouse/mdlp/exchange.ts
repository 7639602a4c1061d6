/** The exchange with МДЛП, one step at a time: what is queued goes out, receipts and notices come in. */
import { mdlpCalls } from '@ordinator/model/areas/warehouse/calls'
import { type CodeStatus, MdlpCode, MdlpDocument, mdlpSchemas } from '@ordinator/model/areas/warehouse/mdlp'
import sql from 'sql-template-tag'
import { type Adapter, AdapterFault } from '../../../platform/adapter.ts'
import { xmlOf } from '../../../platform/xml/xml.ts'
import { systemActor } from '../../../records/actor.ts'
import type { AppContext } from '../../../records/context.ts'
import { operation } from '../../../records/operation.ts'
import { readCommonSettings } from '../../settings/index.ts'
import { codeAfter } from './documents.ts'
import { type Mdlp, MdlpRefusal, mdlpOf } from './wire.ts'
import { readShipment, readTicket } from './xml.ts'

/** Documents of one run, and packs of one question about states (the API takes 500). */
const ROUND = 50
const MAX_ASKED = 500

export const sync = operation(mdlpCalls.sync, async ({ app }) => {
  await app.jobs.send('mdlp.exchange', {}, { key: 'mdlp' })
})

export function startMdlp(app: AppContext): void {
  app.jobs.register('mdlp.exchange', { cron: '* * * * *', handler: () => exchange(app), retries: 0 })
  app.jobs.register('mdlp.states', { cron: '17 4 * * *', handler: () => askStates(app), retries: 1 })
}

/** One run at a time over all processes: a lock of a session of its own. */
async function exchange(app: AppContext): Promise<void> {
  const mdlp = await mdlpOf(app)
  if (!mdlp) return
  await app.db.tx(async (lock) => {
    const free = await lock.one<{ free: boolean }>(
      sql`select pg_try_advisory_xact_lock(hashtextextended('mdlp exchange', 0)) as free`,
    )
    if (!free?.free) return
    try {
      await sendQueued(app, mdlp)
      await readAnswers(app, mdlp)
      await readIncoming(app, mdlp)
    } catch (error) {
      if (!(error instanceof AdapterFault)) throw error
      app.log.warn({ err: error }, 'mdlp: not reached')
    }
  })
}

interface Waiting {
  id: number
  schema: keyof typeof mdlpSchemas
  xml: string
  requestId: string
  documentId: string | null
}
const waiting = (app: AppContext, ...statuses: string[]) =>
  app.db.query<Waiting>(sql`select m."id", m."schema", b."xml", m."requestId", m."documentId" from mdlp_documents m
    join mdlp_bodies b on b."idDocument" = m."id" where m."direction" = 'out' and m."status" = any (${statuses}::text[]) order by m."id" limit ${ROUND}`)

const operationOf = (schema: keyof typeof mdlpSchemas) => `${schema} ${mdlpSchemas[schema]}`

/** Whoever was broken off asks by our name of the document first: what came is not sent again. */
async function sendQueued(app: AppContext, mdlp: Mdlp): Promise<void> {
  for (const one of await waiting(app, 'queued')) {
    const began = performance.now()
    const line = {
      adapter: 'mdlp',
      operation: operationOf(one.schema),
      key: one.requestId,
      about: { path: MdlpDocument.path, id: one.id },
    } as const
    try {
      const documentId = (await mdlp.byRequest(one.requestId)) ?? (await mdlp.send(one.xml, one.requestId))
      await set(app, one.id, { status: 'sent', documentId })
      await app.exchanged({ ...line, status: 'accepted', durationMs: performance.now() - began })
    } catch (error) {
      const isRefused = error instanceof MdlpRefusal
      if (!isRefused && !(error instanceof AdapterFault)) throw error
      await app.exchanged({
        ...line,
        status: isRefused ? 'rejected' : 'network_error',
        error: error.message,
        durationMs: performance.now() - began,
      })
      if (!isRefused) throw error
      await set(app, one.id, { status: 'failed', errors: [{ message: error.message }] })
    }
  }
}

const set = (app: AppContext, id: number, values: object) =>
  app.engine.for(systemActor).asSystem.update(MdlpDocument, id, values as never)

async function readAnswers(app: AppContext, mdlp: Mdlp): Promise<void> {
  for (const one of await waiting(app, 'sent', 'processing')) {
    const documentId = one.documentId as string
    if ((await mdlp.stateOf(documentId)) === 'processing') {
      await set(app, one.id, { status: 'processing' })
      continue
    }
    const ticket = readTicket(await xmlOf(app).parse(Buffer.from(await mdlp.ticket(documentId)), { who: 'mdlp' }))
    const bad = ticket.errors.flatMap(({ sgtin }) => sgtin ?? [])
    await app.engine.for(systemActor).tx(async (inside, tx) => {
      await inside.asSystem.update(MdlpDocument, one.id, {
        status: ticket.result === 'accepted' ? 'processed' : ticket.result === 'partial' ? 'partial' : 'failed',
        errors: ticket.errors.length > 0 ? ticket.errors.slice(0, 200) : null,
      } as never)
      // A refusal as a whole changes no pack; a partial one all that it does not name.
      const good = sql`(select c."sgtin" from mdlp_document_codes c where c."idDocument" = ${one.id}
        and ${ticket.result !== 'rejected'} and not c."sgtin" = any (${bad}::text[]))`
      const after = one.schema === 252 || String(one.schema) === '252' ? 'foreign' : codeAfter(String(one.schema))
      await inside.asSystem.updateWhere(MdlpCode, ({ row }) => sql`${row}."sgtin" in ${good}`, {
        status: after,
        theirStatus: after,
        idDocument: one.id,
      } as never)
      await inside.asSystem.updateWhere(
        MdlpCode,
        ({
          row,
        }) => sql`${row}."status" = 'awaiting' and ${row}."sgtin" in (select c."sgtin" from mdlp_document_codes c where c."idDocument" = ${one.id})
          and not ${row}."sgtin" in ${good}`,
        { status: String(one.schema) === '701' ? 'arriving' : 'in_circulation' } as never,
      )
      if (ticket.result === 'accepted' || ticket.result === 'partial')
        await tx.query(
          sql`update mdlp_document_codes set "scanned" = true where "idDocument" = ${one.id} and not "sgtin" = any (${bad}::text[])`,
        )
    })
    await app.exchanged({
      adapter: 'mdlp',
      operation: operationOf(one.schema),
      key: one.requestId,
      about: { path: MdlpDocument.path, id: one.id },
      status: ticket.result === 'rejected' ? 'rejected' : 'done',
      error: ticket.errors[0]?.message,
    })
  }
}

async function readIncoming(app: AppContext, mdlp: Mdlp): Promise<void> {
  const listed = await mdlp.incoming()
  const known = new Set(
    (
      await app.db.query<{ documentId: string }>(
        sql`select "documentId" from mdlp_documents where "documentId" = any (${listed.map(({ documentId }) => documentId)}::text[])`,
      )
    ).map(({ documentId }) => documentId),
  )
  for (const { documentId, schema, sender } of listed.filter((one) => !known.has(one.documentId)).slice(0, ROUND)) {
    if (schema !== '601') continue
    const xml = await mdlp.download(documentId)
    const shipment = readShipment(await xmlOf(app).parse(Buffer.from(xml), { who: 'mdlp' }))
    const packs = shipment.items.flatMap(({ sgtin, cost, vat }) => (sgtin ? [{ sgtin, cost, vat }] : []))
    await app.engine.for(systemActor).tx(async (inside, tx) => {
      // By the number of theirs, whoever reads at once.
      await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`mdlp ${documentId}`}, 0))`)
      if (await tx.one(sql`select 1 from mdlp_documents where "documentId" = ${documentId}`)) return
      const made = await inside.asSystem.create(MdlpDocument, {
        schema: '601',
        direction: 'in',
        status: 'incoming',
        documentId,
        partner: sender || shipment.sender,
        number: shipment.number,
        docDate: shipment.date,
      } as never)
      await tx.query(sql`insert into mdlp_bodies ("idDocument", "xml", "facts") values (${made.id}, ${xml},
        ${JSON.stringify({ sender: shipment.sender, receiver: shipment.receiver })}::jsonb)`)
      await tx.query(sql`insert into mdlp_document_codes ("idDocument", "sgtin", "price", "vat")
        select ${made.id}, * from unnest(${packs.map((one) => one.sgtin)}::text[], ${packs.map((one) => one.cost)}::numeric[], ${packs.map((one) => one.vat)}::numeric[])
        on conflict do nothing`)
      await inside.asSystem.createFrom(
        MdlpCode,
        sql`mdlp_document_codes c where c."idDocument" = ${made.id} and not exists (select 1 from mdlp_codes k where k."sgtin" = c."sgtin")`,
        {
          sgtin: sql`c."sgtin"`,
          gtin: sql`left(c."sgtin", 14)`,
          idProduct: sql`(select min(p."id") from services p where p."gtin" = left(c."sgtin", 14) and not p."deleted")`,
          status: 'arriving',
          theirStatus: 'arriving',
          idDocument: made.id,
        } as never,
      )
    })
    await app.exchanged({
      adapter: 'mdlp',
      operation: '601 Уведомление об отгрузке',
      direction: 'in',
      key: documentId,
      status: 'done',
    })
  }
}

/** Their words for the states of a pack. */
const theirStates: Readonly<Record<string, CodeStatus>> = {
  in_circulation: 'in_circulation',
  in_realization: 'in_transit',
  move_place: 'in_transit',
  shipped: 'shipped',
  out_of_circulation: 'out_of_circulation',
  in_medical_use: 'out_of_circulation',
  foreign: 'foreign',
}

/** Asks once a day what МДЛП knows of packs that are ours by the books. */
async function askStates(app: AppContext): Promise<void> {
  const mdlp = await mdlpOf(app)
  if (!mdlp) return
  const packs = await app.db.query<{ sgtin: string }>(sql`select "sgtin" from mdlp_codes
    where "status" in ('in_circulation', 'in_transit', 'awaiting') order by "id" limit 20000`)
  for (let at = 0; at < packs.length; at += MAX_ASKED) {
    const asked = packs.slice(at, at + MAX_ASKED).map(({ sgtin }) => sgtin)
    const told = await mdlp.states(asked)
    const [sgtins, states] = [asked, asked.map((one) => theirStates[told.get(one) ?? 'foreign'] ?? 'foreign')]
    await app.engine.for(systemActor).asSystem.updateWhere(
      MdlpCode,
      {
        rows: sql`select k."id", t."state" from unnest(${sgtins}::text[], ${states}::text[]) t("sgtin", "state") join mdlp_codes k using ("sgtin")`,
      },
      ({ picked }) => ({ theirStatus: sql`${picked}."state"` }) as never,
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
            sql`select count(*)::int as count from mdlp_documents where "status" = 'queued'`,
          )
        )?.count ?? 0,
      async check() {
        await mdlp?.check()
      },
      isQuiet: true,
    },
  ]
}
