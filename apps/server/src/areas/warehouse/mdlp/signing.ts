/** Signing of outgoing documents of МДЛП, their repetition and recall. */
import { randomUUID } from 'node:crypto'
import { MdlpDocument, mdlpStatuses, recalledBy250 } from '@ordinator/model/areas/warehouse/mdlp'
import { mdlpCalls } from '@ordinator/model/areas/warehouse/mdlpCalls'
import sql from 'sql-template-tag'
import { checkSignature } from '#areas/signatures/index.ts'
import type { Queryable } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import { queueDocument } from './adapter.ts'
import { dropDocument } from './codes.ts'
import { held, type MdlpRow } from './documents.ts'
import { makeOutgoing } from './outgoing.ts'

export const content = operation(mdlpCalls.content, async ({ app, records, params }) => {
  assertUnsigned(await records.row(MdlpDocument, params.id))
  return { content: Buffer.from(await xmlOfDocument(app.db, params.id)).toString('base64') }
})

const xmlOfDocument = async (db: Queryable, id: number): Promise<string> =>
  (await db.one<{ xml: string }>(sql`select "xml" from mdlp_bodies where "idDocument" = ${id}`))?.xml ?? ''

function assertUnsigned({ status }: MdlpRow): void {
  if (status !== 'draft')
    throw new HttpError(409, `Документ «${mdlpStatuses[status]}»: подпись ему не нужна`, { code: 'transition' })
}

export const sign = operation(mdlpCalls.sign, async ({ app, records, params, body }) => {
  const before = await records.row(MdlpDocument, params.id)
  if (before.status === 'queued' || before.status === 'processing') return before
  assertUnsigned(before)
  // Verified outside of the transaction: openssl takes time. The XML of a document never changes.
  const checked = await checkSignature(
    app,
    Buffer.from(await xmlOfDocument(app.db, params.id)),
    Buffer.from(body.signature, 'base64'),
  )
  if (checked.state === 'invalid') throw new ValidationError([{ field: 'signature', message: checked.words }])
  return records.tx(async (inside, tx) => {
    const document = await held(inside, tx, params.id)
    if (document.status === 'queued') return document
    assertUnsigned(document)
    await tx.query(sql`update mdlp_bodies set "signature" = ${body.signature} where "idDocument" = ${params.id}`)
    await queueDocument(app, tx, document)
    return inside.asSystem.update(MdlpDocument, params.id, { status: 'queued', errors: null })
  })
})

export const retry = operation(mdlpCalls.retry, async ({ app, records, params }) => {
  const before = await records.row(MdlpDocument, params.id)
  if (before.direction === 'out' && before.status === 'stuck') {
    // It may have arrived: the same message continues, and queries МДЛП first.
    const line = await app.db.one<{ id: number }>(sql`select "id"::float8 as id from exchange_messages
      where "adapter" = 'mdlp' and "idempotencyKey" = ${before.requestId}`)
    if (line) await app.outbox.repeat([line.id])
    return records.row(MdlpDocument, params.id)
  }
  return records.tx(async (inside, tx) => {
    const document = await held(inside, tx, params.id)
    if (document.direction !== 'out' || document.status !== 'failed')
      throw new HttpError(409, 'Повторяют отклонённый или не дошедший исходящий документ', { code: 'transition' })
    const signed = await tx.one(
      sql`select 1 from mdlp_bodies where "idDocument" = ${params.id} and "signature" is not null`,
    )
    // A new request: the previous one has its reply.
    const again = await inside.asSystem.update(MdlpDocument, params.id, {
      status: signed ? 'queued' : 'draft',
      requestId: randomUUID(),
      documentId: null,
      errors: null,
    })
    if (signed) await queueDocument(app, tx, again as MdlpRow)
    return again
  })
})

export const recall = operation(mdlpCalls.recall, ({ app, records, params, body }) =>
  records.tx(async (inside, tx) => {
    const document = await held(inside, tx, params.id)
    if (document.direction === 'out' && ['draft', 'device', 'failed'].includes(document.status)) {
      await dropDocument(inside, document, body.reason)
      return inside.row(MdlpDocument, params.id)
    }
    if (document.direction !== 'out' || !['processed', 'partial'].includes(document.status))
      throw new HttpError(409, 'Отменяют операцию, которую МДЛП принял', { code: 'transition' })
    if (!recalledBy250.has(document.schema))
      throw new HttpError(409, `Операцию ${document.schema} отмена 250 не отзывает: только 431 и 541`, { code: 'mdlp' })
    const known = await tx.one<{ id: number }>(sql`select "id" from mdlp_documents
      where "idAnswerTo" = ${params.id} and "schema" = '250' and "status" not in ('failed', 'cancelled') limit 1`)
    if (known) return inside.row(MdlpDocument, known.id)
    const facts = await tx.one<{ operationId: string | null; place: string | null }>(
      sql`select "facts" ->> 'operationId' as "operationId", "facts" ->> 'receiver' as place from mdlp_bodies where "idDocument" = ${params.id}`,
    )
    return makeOutgoing(app, inside, tx, {
      schema: 250,
      items: [],
      idWarehouse: null,
      partner: document.partner,
      reason: body.reason,
      idAnswerTo: params.id,
      ...(document.idStockDocument !== null && { idStockDocument: document.idStockDocument }),
      recalled: { operationId: facts?.operationId ?? document.documentId ?? '', schema: document.schema },
    })
  }),
)
