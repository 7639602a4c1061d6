/**
 * The document register (РЭМД) on the outbox: a document is registered under its localUid, by which the register
 * recognizes a repeat; the result arrives later as a message that refers to ours.
 */
import { randomUUID } from 'node:crypto'
import { type Finding, Semd, type SemdStatus } from '@ordinator/model/areas/egisz/semd'
import { EgiszDocument } from '@ordinator/model/areas/exchange/egisz'
import type { Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { clinicZone, settingSql } from '#areas/settings/index.ts'
import type { Tx } from '#platform/db.ts'
import { type Fate, type Message, type OutboxAdapter, type Outcome, type Reason, wordsOf } from '#platform/outbox.ts'
import { switchedOff } from '#platform/outboxMessage.ts'
import { outcomeOf } from '#platform/remote.ts'
import { XmlError, xmlOf } from '#platform/xml/xml.ts'
import type { AppContext, Work } from '#records/context.ts'
import { egiszConnection } from './connection.ts'
import { personOf } from './documentData.ts'
import { beginOperation, logEvent, settleOperation } from './log.ts'
import { contentOf, signaturesOf } from './semdFiles.ts'
import { cancelBody, envelope, type RegisterAnswer, readSoap, registerBody, SOAP_TYPE } from './soap.ts'

type SemdRow = Row<typeof Semd>
interface Payload {
  idSemd: number
  reason?: string
}

/** The register has the document already: counts as success. */
const DUPLICATE = /^(?:DUPLICATE|NOT_UNIQUE_PROVIDED_ID|DOCUMENT_ALREADY_REGISTERED)/i

/** Queues the registration of a signed document. */
export async function queueRegistration(
  app: AppContext,
  { records, tx }: Work,
  semd: SemdRow,
  moment: 'sign' | 'night' | 'hand',
): Promise<SemdRow> {
  const due = moment === 'night' ? await nightOf(tx) : undefined
  await app.outbox.add(tx, {
    adapter: 'egisz',
    operation: 'register',
    title: 'Регистрация ЭМД',
    key: `register-${semd.localUid}`,
    subject: semd.setUid,
    about: { path: Semd.path, id: semd.id },
    payload: { idSemd: semd.id } satisfies Payload,
    correlationId: randomUUID(),
    ...(due && { dateDue: new Date(due) }),
  })
  await beginOperation(tx, semd.id, 'register')
  await logEvent(tx, {
    kind: 'queue',
    text: `Документ ${semd.localUid} поставлен в очередь на регистрацию`,
    idSemd: semd.id,
  })
  return records.asSystem.update(Semd, semd.id, {
    status: 'sent',
    dueRole: null,
    error: null,
    dateSent: new Date().toISOString(),
  })
}

/** The next 02:00 in the clinic's time zone. */
const nightOf = async (tx: Tx): Promise<string | undefined> =>
  (
    await tx.one<{ at: string }>(
      sql`select (date_trunc('day', now() at time zone ${clinicZone}) + interval '26 hours') at time zone ${clinicZone} as at`,
    )
  )?.at

export async function queueCancel(
  app: AppContext,
  { records, tx }: Work,
  semd: SemdRow,
  reason: string,
): Promise<SemdRow> {
  await app.outbox.add(tx, {
    adapter: 'egisz',
    operation: 'cancel',
    title: 'Отмена ЭМД',
    key: `cancel-${semd.localUid}-${semd._version}`,
    subject: semd.setUid,
    about: { path: Semd.path, id: semd.id },
    payload: { idSemd: semd.id, reason } satisfies Payload,
    correlationId: randomUUID(),
  })
  await beginOperation(tx, semd.id, 'cancel')
  return records.asSystem.update(Semd, semd.id, { cancelReason: reason })
}

export const registerAdapter = (app: AppContext): OutboxAdapter<Work, Payload> => ({
  code: 'egisz',
  atOnce: 8,
  // The register recognizes localUid.
  isRepeatable: () => true,
  // A document that was accepted and never answered can be cancelled.
  overtakes: ['cancel'],
  async send(message): Promise<Outcome> {
    const connection = await egiszConnection(app)
    if (!connection) return switchedOff('ЕГИСЗ не подключена: укажите адрес, ОИД и режим')
    const { remote, oid, system, callback } = connection
    if (await isOverdue(app, message.id))
      return { kind: 'refused', reasons: [{ code: 'TERM', message: 'Не удалось отправить за срок из настроек ЕГИСЗ' }] }
    const body = message.operation === 'cancel' ? await cancelOf(app, message) : await registrationOf(app, message, oid)
    const sent = envelope({
      messageId: message.correlationId ?? message.key,
      action: message.operation === 'cancel' ? 'cancelDocument' : 'registerDocument',
      system,
      replyTo: callback,
      body,
    })
    try {
      const { status, bytes } = await remote.quietly({
        method: 'POST',
        path: '/emd',
        headers: { 'content-type': SOAP_TYPE },
        body: sent,
      })
      return { ...judge(await read(app, bytes), status), sent, received: bytes.toString('utf8'), code: String(status) }
    } catch (error) {
      if (error instanceof XmlError) return { kind: 'unknown', error: 'Ответ РЭМД не читается', sent }
      return { ...outcomeOf(error), sent }
    }
  },
  async read({ body }): Promise<Outcome> {
    const answer = await read(app, Buffer.from(body)).catch((error: unknown) => {
      throw error instanceof XmlError ? new Error(`Ответ не читается: ${error.message}`) : error
    })
    if (answer?.what !== 'registerDocumentResult' && answer?.what !== 'cancelDocumentResult')
      throw new Error('Это не ответ о документе')
    if (answer.status !== 'success')
      return {
        kind: 'refused',
        reasons: answer.errors.length > 0 ? answer.errors : [{ message: 'РЭМД отказал без причины' }],
      }
    if (answer.what === 'registerDocumentResult' && !answer.emdrId)
      throw new Error('В ответе нет номера документа (emdrId)')
    return { kind: 'done', result: { emdrId: answer.emdrId?.slice(0, 64), date: answer.date } }
  },
  settled: (work, message, fate) =>
    message.operation === 'cancel' ? settleCancel(work, message, fate) : settleRegistration(work, message, fate),
})

/** It was tried for longer than the clinic's settings allow. */
const isOverdue = async (app: AppContext, id: number): Promise<boolean> =>
  (await app.db.one(sql`select 1 from exchange_messages where "id" = ${id} and "attempts" > 0
    and "dateCreate" < now() - make_interval(hours => ${settingSql('egiszHours')})`)) !== undefined

const read = async (app: AppContext, bytes: Uint8Array): Promise<RegisterAnswer | undefined> =>
  readSoap(await xmlOf(app).parse(bytes, { who: 'egisz', maxBytes: 4 * 1024 * 1024 }))

/** Interprets the register's immediate reply: accepted or refused. */
function judge(answer: RegisterAnswer | undefined, status: number): Outcome {
  if (!answer) return { kind: 'unknown', error: `Ответ РЭМД не читается (${status})` }
  if (answer.status === 'success') return { kind: 'accepted' }
  const [first] = answer.errors
  if (first?.code && DUPLICATE.test(first.code))
    return answer.emdrId
      ? { kind: 'done', result: { emdrId: answer.emdrId.slice(0, 64), date: answer.date } }
      : { kind: 'accepted' }
  return {
    kind: 'refused',
    reasons: answer.errors.length > 0 ? answer.errors : [{ message: `РЭМД отказал без причины (${status})` }],
  }
}

async function registrationOf(app: AppContext, { payload }: Message<Payload>, oid: string): Promise<string> {
  const row = (await app.db.one<SemdRow & { code: string; snils: string | null; previousEmdr: string | null }>(sql`
    select s."localUid", s."dateDocument", s."idUser"::int as "idUser", k."code", p."snils", b."emdrId" as "previousEmdr"
    from egisz_semds s join egisz_documents k on k."id" = s."idKind" join customers p on p."id" = s."idCustomer"
    left join egisz_semds b on b."id" = s."idPrevious" where s."id" = ${payload.idSemd}`)) as SemdRow & {
    code: string
    snils: string | null
    previousEmdr: string | null
  }
  const doctor = row.idUser === null ? undefined : await personOf(app.db, row.idUser)
  const content = await contentOf(app.db, payload.idSemd)
  if (!content) throw new Error('the document has no content')
  const signatures = await signaturesOf(app.db, payload.idSemd)
  return registerBody({
    localUid: row.localUid,
    kind: row.code,
    oid,
    date: row.dateDocument,
    patientSnils: row.snils?.replace(/\D/g, '') ?? '',
    doctorSnils: String(doctor?.snils ?? ''),
    doctorPost: String(doctor?.post ?? ''),
    document: content.toString('base64'),
    signatures: signatures.map(({ role, body }) => ({ role, body: body.toString('base64') })),
    replaces: row.previousEmdr ?? undefined,
  })
}

async function cancelOf(app: AppContext, { payload }: Message<Payload>): Promise<string> {
  const row = (await app.db.one<Pick<SemdRow, 'localUid' | 'emdrId'>>(
    sql`select "localUid", "emdrId" from egisz_semds where "id" = ${payload.idSemd}`,
  )) as SemdRow
  return cancelBody({ localUid: row.localUid, emdrId: row.emdrId ?? '', reason: payload.reason ?? '' })
}

/** Status of a document by the state of its registration. */
const statusOf: Record<Fate['state'], SemdStatus> = {
  waiting: 'sent',
  awaiting: 'accepted',
  unknown: 'network',
  done: 'registered',
  refused: 'rejected',
  dead: 'network',
}

/** Status of an operation's line by the state of its message. */
const operationStatus = {
  waiting: 'network',
  awaiting: 'accepted',
  unknown: 'network',
  done: 'done',
  refused: 'rejected',
  dead: 'network',
} as const satisfies Record<Fate['state'], string>

async function settleRegistration(
  { records, tx }: Work,
  { payload: { idSemd } }: Message<Payload>,
  { state, error, reasons, result }: Fate,
): Promise<void> {
  const semd = await tx.one<{
    status: SemdStatus
    findings: Finding[]
    localUid: string
    idPrevious: number | null
  }>(sql`
    select "status", "findings", "localUid", "idPrevious"::int as "idPrevious" from egisz_semds where "id" = ${idSemd} for update`)
  if (!semd || semd.status === 'cancelled') return
  const now = new Date().toISOString()
  const { emdrId, date } = (result ?? {}) as { emdrId?: string; date?: string }
  const refused = reasons.map(findingOf)
  await records.asSystem.update(Semd, idSemd, {
    status: statusOf[state],
    error: error?.slice(0, 1000) ?? null,
    ...(state === 'done' && { emdrId: emdrId ?? null, dateRegistered: momentOf(date) ?? now, dateAnswered: now }),
    ...(state === 'refused' && {
      dateAnswered: now,
      findings: [...semd.findings.filter(({ source }) => source !== 'register'), ...refused],
      errorCount: refused.length,
    }),
  })
  if (state === 'done' && semd.idPrevious !== null)
    await records.asSystem.update(Semd, semd.idPrevious, { status: 'replaced' })
  await settleOperation(tx, idSemd, 'register', {
    status: state === 'waiting' && error === null ? 'queued' : operationStatus[state],
    ...(emdrId && { emdrId }),
    errorCode: reasons[0]?.code ?? null,
    error,
  })
  const words = {
    waiting: `не отправлен, повторим: ${error}`,
    awaiting: 'принят РЭМД, ждём регистрации',
    unknown: `неизвестно, дошёл ли: ${error}`,
    done: `зарегистрирован под номером ${emdrId}`,
    refused: `отклонён: ${wordsOf(reasons)}`,
    dead: `остановлен: ${error}`,
  }[state]
  await logEvent(tx, {
    kind: state === 'done' || state === 'refused' ? 'callback' : 'queue',
    level:
      state === 'refused' || state === 'dead' || state === 'unknown'
        ? 'error'
        : state === 'waiting' && error
          ? 'warning'
          : 'info',
    text: `Документ ${semd.localUid} ${words}`,
    idSemd,
  })
}

async function settleCancel(
  { records, tx }: Work,
  { payload: { idSemd } }: Message<Payload>,
  { state, error, reasons }: Fate,
): Promise<void> {
  if (state === 'done') await records.asSystem.update(Semd, idSemd, { status: 'cancelled', error: null })
  else if (state !== 'awaiting')
    await records.asSystem.update(Semd, idSemd, { error: error ? `Не отменён: ${error}`.slice(0, 1000) : null })
  await settleOperation(tx, idSemd, 'cancel', {
    status: operationStatus[state],
    errorCode: reasons[0]?.code ?? null,
    error,
  })
  if (state === 'done') await logEvent(tx, { kind: 'callback', text: 'Документ отменён в РЭМД', idSemd })
}

const momentOf = (text: string | undefined): string | undefined => {
  const at = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}

/** Classes of refusals, with corrections. */
const mending: readonly [RegExp, string, string][] = [
  [/снилс|snils/i, 'Проверьте СНИЛС клиента и врача', '/customers'],
  [
    /фрмр|медицинск\w+ работник|должност|staff|post/i,
    'Проверьте врача и его должность в ФРМР',
    '/settings/egisz-staff',
  ],
  [/фрмо|организац|подразделен|department/i, 'Проверьте ОИД организации и подразделения в ФРМО', '/settings/egisz'],
  [/сертификат|подпис|certificate|signature/i, 'Проверьте сертификаты тех, кто подписал', '/crypto'],
  [/схем|schema|xsd/i, 'Обновите схемы и шаблон этой редакции', '/settings/egisz-editions'],
  [/справочник|dictionary|nsi/i, 'Обновите справочники НСИ', '/settings/egisz-dictionaries'],
  [/редакц|вид документа|kind/i, 'Проверьте вид и редакцию документа', '/settings/egisz-documents'],
]

function findingOf({ code = '', message }: Reason): Finding {
  const known = mending.find(([pattern]) => pattern.test(`${code} ${message}`))
  return {
    source: 'register',
    severity: 'error',
    code,
    message,
    ...(known && { mend: known[1], link: known[2] }),
  }
}

/** The document type with its current settings. */
export const kindOf = (records: Work['records'], id: number) => records.asSystem.row(EgiszDocument, id)
