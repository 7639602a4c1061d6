/**
 * МДЛП on the outbox. A signed document is sent under its `requestId`, by which МДЛП is queried whether it arrived; its
 * result is fetched as a receipt (200).
 */
import { MdlpCode, MdlpDocument, mdlpSchemaWords } from '@ordinator/model/areas/warehouse/mdlp'
import type { Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { AdapterFault } from '#platform/adapter.ts'
import type { Tx } from '#platform/db.ts'
import type { Fate, Message, OutboxAdapter, Outcome } from '#platform/outbox.ts'
import { switchedOff } from '#platform/outboxMessage.ts'
import { outcomeOf, RemoteFault } from '#platform/remote.ts'
import { XmlError, xmlOf } from '#platform/xml/xml.ts'
import type { AppContext, Work } from '#records/context.ts'
import { type Mdlp, MdlpRefusal, SignInNeeded } from './client.ts'
import { codeAfter } from './codes.ts'
import { mdlpOf } from './wire.ts'
import { readTicket, type Ticket } from './xml.ts'

type MdlpRow = Row<typeof MdlpDocument>
interface Payload {
  idDocument: number
}
interface Result {
  documentId: string
  ticket?: Ticket
}

/** Seconds until the next attempt while МДЛП waits for a person to sign in. */
const SIGN_IN_S = 120

/** Queues a signed document. Documents of one stock document are sent in order. */
export async function queueDocument(app: AppContext, tx: Tx, document: MdlpRow): Promise<void> {
  const { id, schema, requestId, idStockDocument, idAnswerTo } = document
  await app.outbox.add(tx, {
    adapter: 'mdlp',
    operation: schema,
    title: `${schema} ${mdlpSchemaWords[schema]}`,
    key: requestId as string,
    subject: idStockDocument !== null ? `stock-${idStockDocument}` : `answer-${idAnswerTo ?? id}`,
    about: { path: MdlpDocument.path, id },
    payload: { idDocument: id } satisfies Payload,
  })
}

export const mdlpAdapter = (app: AppContext): OutboxAdapter<Work, Payload> => ({
  code: 'mdlp',
  askMinutes: 1,
  send: ({ payload, key }) =>
    spoken(app, true, async (mdlp) => {
      const body = await app.db.one<{ xml: string; signature: string }>(
        sql`select "xml", "signature" from mdlp_bodies where "idDocument" = ${payload.idDocument}`,
      )
      if (!body?.signature) throw new Error('the document is not signed')
      const documentId = await mdlp.send(body.xml, body.signature, key)
      return { kind: 'accepted', sent: body.xml, result: { documentId } satisfies Result }
    }),
  ask: ({ payload, key }) =>
    spoken(app, false, async (mdlp) => {
      const known = await app.db.one<{ documentId: string | null }>(
        sql`select "documentId" from mdlp_documents where "id" = ${payload.idDocument} and "requestId" = ${key}`,
      )
      const documentId = known?.documentId ?? (await mdlp.byRequest(key))
      if (!documentId) return { kind: 'absent' }
      if ((await mdlp.stateOf(documentId)) === 'processing') return { kind: 'accepted', result: { documentId } }
      const received = await mdlp.ticket(documentId)
      const ticket = readTicket(await xmlOf(app).parse(Buffer.from(received), { who: 'mdlp' }))
      const result = { documentId, ticket } satisfies Result
      if (ticket.result !== 'rejected') return { kind: 'done', received, result }
      const reasons = ticket.errors.map(({ sgtin, message }) => ({ message: sgtin ? `${sgtin}: ${message}` : message }))
      return { kind: 'refused', reasons, received, result }
    }),
  settled,
})

/**
 * Converts an error into an outcome.
 * @param isSend a refusal concerns the document; for a query it means nothing for it
 */
async function spoken(app: AppContext, isSend: boolean, work: (mdlp: Mdlp) => Promise<Outcome>): Promise<Outcome> {
  const mdlp = await mdlpOf(app)
  if (!mdlp) return switchedOff('МДЛП не подключён: задайте режим в настройках склада')
  try {
    return await work(mdlp)
  } catch (error) {
    if (error instanceof SignInNeeded) return { kind: 'later', seconds: SIGN_IN_S, error: error.message }
    if (error instanceof MdlpRefusal)
      return isSend
        ? { kind: 'refused', reasons: [{ code: error.code, message: error.message }] }
        : { kind: 'failed', error: error.message, code: error.code }
    if (error instanceof XmlError) return { kind: 'unknown', error: 'Ответ МДЛП не читается' }
    if (error instanceof AdapterFault && !(error instanceof RemoteFault))
      return { kind: 'failed', error: error.message }
    return outcomeOf(error)
  }
}

/** Stores the outcome of an attempt in the document and its packs. */
async function settled(
  { records, tx }: Work,
  { payload: { idDocument }, key }: Message<Payload>,
  { state, error, reasons, result }: Fate,
): Promise<void> {
  // Ignore the outcome if the document was sent again under another request.
  const held = await tx.one(
    sql`select 1 from mdlp_documents where "id" = ${idDocument} and "requestId" = ${key} for no key update`,
  )
  if (!held) return
  const system = records.asSystem
  const { documentId, ticket } = (result ?? {}) as Partial<Result>
  const set = (values: object) =>
    system.update(MdlpDocument, idDocument, { ...(documentId && { documentId }), ...values })
  const failures = error ? [{ message: error.slice(0, 500) }] : null
  if (state === 'awaiting') return void (await set({ status: 'processing', errors: failures }))
  if (state === 'waiting') return void (await set({ status: 'queued', errors: failures }))
  if (state === 'dead' || state === 'unknown') return void (await set({ status: 'stuck', errors: failures }))
  const isRefused = state === 'refused'
  const errors = ticket?.errors ?? reasons.map(({ message }) => ({ message }))
  const document = (await set({
    status: isRefused ? 'failed' : ticket?.result === 'partial' ? 'partial' : 'processed',
    errors: errors.length > 0 ? errors.slice(0, 200) : null,
  })) as MdlpRow
  await settleCodes(
    { records, tx },
    document,
    isRefused ? undefined : (ticket?.errors ?? []).flatMap((one) => one.sgtin ?? []),
  )
  if (isRefused) return
  if (ticket?.operationId)
    await tx.query(sql`update mdlp_bodies set "facts" = "facts" || ${JSON.stringify({ operationId: ticket.operationId })}::jsonb
      where "idDocument" = ${idDocument}`)
  if (document.schema === '250' && document.idAnswerTo !== null) await takeBack({ records, tx }, document.idAnswerTo)
  if (document.schema === '912')
    await system.updateWhere(
      MdlpCode,
      ({ row }) => sql`${row}."sscc" = (select "facts" ->> 'sscc' from mdlp_bodies where "idDocument" = ${idDocument})`,
      { sscc: null },
    )
}

/**
 * Updates the packs of a document by the result of МДЛП.
 * @param bad rejected packs; undefined: all were rejected
 */
async function settleCodes(
  { records, tx }: Work,
  { id, schema }: MdlpRow,
  bad: readonly string[] | undefined,
): Promise<void> {
  const system = records.asSystem
  const good = sql`(select c."sgtin" from mdlp_document_codes c where c."idDocument" = ${id}
    and ${bad !== undefined} and not c."sgtin" = any (${bad ?? []}::text[]))`
  const after = codeAfter(schema)
  await system.updateWhere(MdlpCode, ({ row }) => sql`${row}."sgtin" in ${good}`, {
    status: after,
    theirStatus: after,
    idDocument: id,
  })
  await system.updateWhere(
    MdlpCode,
    ({
      row,
    }) => sql`${row}."status" = 'awaiting' and ${row}."sgtin" in (select c."sgtin" from mdlp_document_codes c where c."idDocument" = ${id})
      and not ${row}."sgtin" in ${good}`,
    { status: schema === '701' ? 'arriving' : 'in_circulation' },
  )
  if (bad !== undefined)
    await tx.query(
      sql`update mdlp_document_codes set "scanned" = true where "idDocument" = ${id} and not "sgtin" = any (${bad}::text[])`,
    )
}

/** Applies a recall by 250: its packs are ours again. */
async function takeBack({ records, tx }: Work, id: number): Promise<void> {
  const system = records.asSystem
  await tx.query(sql`select 1 from mdlp_documents where "id" = ${id} for no key update`)
  await system.update(MdlpDocument, id, { status: 'cancelled' })
  await system.updateWhere(
    MdlpCode,
    ({ row }) =>
      sql`${row}."idDocument" = ${id} and ${row}."sgtin" in (select "sgtin" from mdlp_document_codes where "idDocument" = ${id} and "scanned")`,
    { status: 'in_circulation', theirStatus: 'in_circulation' },
  )
}
