/**
 * Callback of the register: replies to our messages, and requests for a document's file. Authenticated by the key of
 * the clinic's settings. The message is stored as received before the response; a repeat changes nothing.
 */
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import { egiszCalls } from '@ordinator/model/areas/egisz/calls'
import sql from 'sql-template-tag'
import { readCommonSettings, secretOf } from '#areas/settings/index.ts'
import { HttpError } from '#platform/errors.ts'
import { oncePerHour } from '#platform/oncePerHour.ts'
import { XmlError, xmlOf } from '#platform/xml/xml.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'
import { beginOperation, logEvent } from './log.ts'
import { contentOf, signaturesOf } from './semdFiles.ts'
import { envelope, faultBody, fileBody, type RegisterAnswer, readSoap, SOAP_TYPE } from './soap.ts'

const MAX_BYTES = 2 * 1024 * 1024
/**
 * Maximum number of XML signatures in a message: besides the transport's own, another one indicates signature wrapping.
 */
const MAX_SIGNATURES = 1

const hash = (text: string) => createHash('sha256').update(text).digest()

const isFirstRefusal = oncePerHour()

async function assertKnown(app: AppContext, authorization: string | undefined, ip: string): Promise<void> {
  const { egiszCallbackToken } = await readCommonSettings(app.db)
  const token = egiszCallbackToken ? await secretOf(app.db, 'egiszCallbackToken') : undefined
  if (!token) throw new HttpError(403, 'Приём ответов РЭМД не настроен: задайте ключ', { code: 'off' })
  if (!timingSafeEqual(hash(authorization ?? ''), hash(`Bearer ${token}`))) {
    if (isFirstRefusal(app, ip))
      await logEvent(app.db, { kind: 'callback', level: 'warning', text: 'Ответ с чужим ключом: не принят' })
    throw new HttpError(401, 'Ключ не подходит')
  }
}

export const callback = operation(egiszCalls.callback, async ({ app, request, reply }) => {
  await assertKnown(app, request.headers.authorization, request.ip)
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const answer = (status: number, body: string, relatesTo?: string) =>
    reply
      .status(status)
      .type(SOAP_TYPE)
      .send(
        envelope({
          messageId: randomUUID(),
          action: 'response',
          system: 'ordinator',
          ...(relatesTo && { relatesTo }),
          body,
        }),
      )
  let parsed: RegisterAnswer | undefined
  try {
    const root = await xmlOf(app).parse(bytes, { who: 'egisz-callback', maxBytes: MAX_BYTES })
    const signatures = await xmlOf(app).find(bytes, '//ds:SignedInfo', {
      who: 'egisz-callback',
      maxBytes: MAX_BYTES,
      namespaces: { ds: 'http://www.w3.org/2000/09/xmldsig#' },
    })
    if (signatures.length > MAX_SIGNATURES) throw new XmlError([{ message: 'В сообщении несколько подписей', line: 0 }])
    parsed = readSoap(root)
  } catch (error) {
    if (!(error instanceof XmlError)) throw error
    await logEvent(app.db, {
      kind: 'callback',
      level: 'warning',
      text: `Сообщение РЭМД не читается: ${error.message}`.slice(0, 1000),
    })
    return answer(400, faultBody('XML', error.message))
  }
  if (!parsed) {
    await logEvent(app.db, { kind: 'callback', level: 'warning', text: 'Сообщение РЭМД — не конверт SOAP' })
    return answer(400, faultBody('SOAP', 'Нужен конверт SOAP с одним телом'))
  }
  if (parsed.what === 'getDocumentFile') return giveFile(app, parsed, answer)
  if (parsed.what !== 'registerDocumentResult' && parsed.what !== 'cancelDocumentResult')
    return answer(400, faultBody('UNKNOWN', `Неизвестное сообщение: ${parsed.what.slice(0, 40)}`))
  if (!parsed.relatesTo)
    return answer(400, faultBody('RELATES_TO', 'Нет relatesToMessage: непонятно, на что это ответ'))
  const body = bytes.toString('utf8')
  // A message without an id is identified by its content.
  const key = parsed.messageId ?? hash(body).toString('hex')
  const isNew = await app.outbox.receive({
    adapter: 'egisz',
    title: parsed.what === 'registerDocumentResult' ? 'Ответ о регистрации' : 'Ответ об отмене',
    key: key.slice(0, 180),
    relatesTo: parsed.relatesTo.slice(0, 200),
    body,
  })
  return answer(
    200,
    `<e:${parsed.what}Response><status>${isNew ? 'success' : 'repeat'}</status></e:${parsed.what}Response>`,
    parsed.messageId,
  )
})

async function giveFile(
  app: AppContext,
  { localUid, emdrId, messageId }: RegisterAnswer,
  answer: (status: number, body: string, relatesTo?: string) => unknown,
) {
  const semd = await app.db.one<{
    id: number
    localUid: string
  }>(sql`select "id"::int as id, "localUid" from egisz_semds
    where ("localUid" = ${localUid ?? null} or "emdrId" = ${emdrId ?? null}) and "status" in ('sent', 'accepted', 'registered', 'replaced')
    order by "id" desc limit 1`)
  const content = semd && (await contentOf(app.db, semd.id))
  if (!semd || !content) {
    await logEvent(app.db, {
      kind: 'callback',
      level: 'warning',
      text: `РЭМД просит файл документа, которого нет: ${(localUid ?? emdrId ?? '').slice(0, 64)}`,
    })
    return answer(404, faultBody('NO_DOCUMENT', 'Такого документа нет')) as never
  }
  await beginOperation(app.db, semd.id, 'file', 'done')
  await logEvent(app.db, { kind: 'callback', text: `РЭМД запросил файл документа ${semd.localUid}`, idSemd: semd.id })
  const signatures = (await signaturesOf(app.db, semd.id)).map(({ role, body }) => ({
    role,
    body: body.toString('base64'),
  }))
  return answer(
    200,
    fileBody({ localUid: semd.localUid, document: content.toString('base64'), signatures }),
    messageId,
  ) as never
}
