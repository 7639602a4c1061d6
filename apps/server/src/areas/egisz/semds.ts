/** Documents: generated from their source, validated, signed, sent, cancelled, replaced by a new version. */
import { holds } from '@ordinator/model/access'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { egiszCalls } from '@ordinator/model/areas/egisz/calls'
import {
  dueRole,
  LATE_HOURS,
  mayCancel,
  mayRebuild,
  mayRevise,
  maySend,
  rolesOf,
  Semd,
  type SignerRole,
} from '@ordinator/model/areas/egisz/semd'
import { Examination } from '@ordinator/model/areas/examinations/examination'
import { EgiszDocument } from '@ordinator/model/areas/exchange/egisz'
import { moneyMethods } from '@ordinator/model/areas/money/methods'
import { DONE } from '@ordinator/model/areas/money/payment'
import sql from 'sql-template-tag'
import { readCommonSettings } from '#areas/settings/index.ts'
import { acceptSignature } from '#areas/signatures/index.ts'
import { holdsSql } from '#auth/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { forbidden, ValidationError } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { records } from '#records/define.ts'
import { journal, journalActor } from '#records/journal.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { makeAndCheck } from './checkDocument.ts'
import { egiszConnection } from './connection.ts'
import { beginOperation, logEvent, settleOperation } from './log.ts'
import { errorsOf, logChecked, makeSemd, refusal, type SemdRow, signersOf } from './makeSemd.ts'
import { queueCancel, queueRegistration } from './register.ts'
import { contentOf, digestOf, keepContent, signaturesOf } from './semdFiles.ts'
import { type SourceData, semdSource } from './sources.ts'

/** A doctor sees own documents; users who manage signatures or read the report see all. */
export const semds = records(Semd, {
  scope: {
    unless: 'manageSignatures',
    view: ({ row, me }) => sql`(${row}."idUser" = ${me} or (select ${holdsSql(me, 'viewReportEgiszOperationsLog')}))`,
  },
})

/** A document in the user's scope, locked. */
async function held(own: Records, tx: Tx, id: number): Promise<SemdRow> {
  await own.view(Semd, id, { fields: 'id' })
  await tx.query(sql`select 1 from egisz_semds where "id" = ${id} for update`)
  return own.asSystem.row(Semd, id)
}

const make = operation(egiszCalls.make, async ({ app, records: engine, actor, body }) => {
  if (body.source === 'examinations') {
    await engine.view(Examination, body.id, { fields: 'id' })
  } else if (!holds(actor, 'manageSignatures') && !holds(actor, 'editExaminations'))
    throw forbidden('Документы исследований делает тот, кто ведёт подписи')
  return makeSemd(app, engine.asSystem, { source: body.source, id: body.id }, actor)
})

const relations = {
  self: ['1', 'Пациент'],
  spouse: ['2', 'Супруг (супруга)'],
  parent: ['3', 'Родитель'],
  child: ['4', 'Ребёнок'],
} as const

const makeTax = operation(egiszCalls.makeTax, async ({ app, records: engine, actor, body }) => {
  await engine.mustOpen(Customer, body.idCustomer)
  // Paid by the patient's own money: no insurer, no certificate, no bonuses.
  const sums = await app.db.one<{ sum: string; number: string }>(sql`
    select coalesce(sum(case p."kind" when 'refund' then -t."sum" else t."sum" end), 0)::numeric(14, 2)::text as sum,
      (select coalesce(nullif(c."cardNumber", ''), c."id"::text) from customers c where c."id" = ${body.idCustomer}) as number
    from payments p join payments_parts t on t."idPayment" = p."id"
    where p."idCustomer" = ${body.idCustomer} and p."idStatus" = ${DONE} and not p."deleted"
      and t."method" = any (${[...moneyMethods]}) and p."localDate" between ${`${body.year}-01-01`} and ${`${body.year}-12-31`}`)
  if (!sums || Number(sums.sum) <= 0)
    throw new ValidationError([{ field: 'year', message: `За ${body.year} год клиент ничего не оплачивал` }])
  const [code, name] = relations[body.relation]
  const read: SourceData = {
    title: `Справка об оплате медицинских услуг за ${body.year} год`,
    idCustomer: body.idCustomer,
    idUser: body.idUser,
    idFilial: null,
    date: new Date().toISOString(),
    fields: {
      tax: {
        year: body.year,
        from: `${body.year}-01-01`,
        to: `${body.year}-12-31`,
        contract: sums.number,
        payerInn: body.payerInn,
        payer: { surname: body.payerSurname, name: body.payerName, patronymic: body.payerPatronymic },
        sum: sums.sum,
        relation: { code, name },
        service: { code: '1', name: 'Медицинские услуги' },
      },
    },
  }
  return makeSemd(app, engine.asSystem, { source: 'taxCertificate', id: body.idCustomer, read }, actor)
})

/** Current source data of a document; for a certificate, the given data. */
async function readAgain(app: AppContext, semd: SemdRow): Promise<SourceData | undefined> {
  const kept = await app.db.one<{ read: SourceData }>(
    sql`select "read" from egisz_semd_sources where "idSemd" = ${semd.id}`,
  )
  return kept ? kept.read : semdSource(app, semd.source)?.read(app.db, semd.idSource)
}

const check = operation(egiszCalls.check, async ({ app, records: engine, actor, params }) => {
  await engine.view(Semd, params.id, { fields: 'id' })
  const semd = await engine.asSystem.row(Semd, params.id)
  if (!mayRebuild(semd.status)) throw refusal('Документ уже подписан: исправляют новой версией')
  const source = semdSource(app, semd.source)
  const read = await readAgain(app, semd)
  if (!source || !read) throw refusal('Записи, из которой сделан документ, больше нет', 'source')
  const kind = await engine.asSystem.row(EgiszDocument, semd.idKind)
  const about = { number: semd.localUid, set: semd.setUid, version: semd.version }
  const { xml, findings } = await makeAndCheck(app, kind, source, semd.idSource, read, about, actor.id)
  return engine.tx(async (own, tx) => {
    const now = await held(own, tx, params.id)
    if (!mayRebuild(now.status)) throw refusal('Документ тем временем подписали')
    const errorCount = errorsOf(findings)
    await keepContent(tx, now.id, xml)
    await logChecked(tx, now.id, now.localUid, findings, actor)
    return own.asSystem.update(Semd, now.id, {
      findings,
      errorCount,
      status: errorCount > 0 ? 'draft' : 'validated',
      dueRole: errorCount > 0 ? null : (rolesOf(signersOf(kind))[0] ?? null),
      dateDocument: read.date,
      title: read.title.slice(0, 300),
    })
  })
})

const content = operation(egiszCalls.content, async ({ app, records: engine, actor, params }) => {
  const { idCustomer } = await engine.row(Semd, params.id)
  const bytes = await contentOf(app.db, params.id)
  if (!bytes) throw refusal('Документ не собран: исправьте шаблон и проверьте снова')
  await app.journal({
    ...journalActor(actor),
    action: 'view',
    entityType: Semd.path,
    idEntity: params.id,
    idCustomer,
    fields: ['content'],
  })
  return { content: bytes.toString('base64'), digest: digestOf(bytes) }
})

const details = operation(egiszCalls.details, async ({ app, records: engine, params }) => {
  await engine.view(Semd, params.id, { fields: 'id' })
  const signatures = (await signaturesOf(app.db, params.id)).map(({ body: _, ...shown }) => ({
    ...shown,
    date: new Date(shown.date).toISOString(),
  }))
  const events = await app.db.reads.query<{ date: string; level: string; text: string; user: string | null }>(sql`
    select e."dateCreate" as date, e."level", e."text", nullif(concat_ws(' ', u."surname", u."name"), '') as user
    from egisz_events e left join users u on u."id" = e."idUser" where e."idSemd" = ${params.id} order by e."id" desc limit 100`)
  return {
    signatures,
    events: events.map((event) => ({ ...event, date: new Date(event.date).toISOString() })),
    isConnected: (await egiszConnection(app)) !== undefined,
  }
})

/** @throws HttpError 403 unless the actor signs in this role */
function assertMaySign(actor: ServerActor, semd: SemdRow, role: SignerRole): void {
  if (role === 'doctor' ? semd.idUser === actor.id : holds(actor, 'manageSignatures')) return
  throw forbidden(
    role === 'doctor' ? 'Подписывает врач, чей это документ' : 'За клинику подписывает тот, кто ведёт подписи',
  )
}

const sign = operation(egiszCalls.sign, async ({ app, records: engine, actor, params, body }) => {
  const bytes = await contentOf(app.db, params.id)
  if (!bytes || digestOf(bytes) !== body.digest)
    throw refusal('Документ тем временем собрали заново: прочтите и подпишите снова', 'stale')
  const signature = Buffer.from(body.signature, 'base64')
  // Verified outside of the transaction: openssl takes time.
  const { egiszSend, egiszCertificate, egiszMode } = await readCommonSettings(app.db)
  const checked = await acceptSignature(app, {
    content: bytes,
    signature,
    purpose: body.role,
    actor,
    isWorking: egiszMode === 'prod',
    ...(egiszCertificate && { thumbprint: egiszCertificate }),
  })
  return engine.tx(async (own, tx) => {
    const semd = await held(own, tx, params.id)
    assertMaySign(actor, semd, body.role)
    const now = await contentOf(tx, semd.id)
    if (!now || digestOf(now) !== body.digest)
      throw refusal('Документ тем временем собрали заново: прочтите и подпишите снова', 'stale')
    const kind = await own.asSystem.row(EgiszDocument, semd.idKind)
    const signed = (await signaturesOf(tx, semd.id)).map(({ role }) => role)
    const due = dueRole(semd.status, signersOf(kind), signed)
    if (due === undefined)
      throw refusal(
        semd.status === 'draft'
          ? 'В документе есть ошибки: исправьте их и проверьте снова'
          : 'Документ уже подписан всеми',
      )
    if (due !== body.role)
      throw refusal(body.role === 'doctor' ? 'Врач уже подписал' : 'Сначала подписывает врач', 'order')
    const {
      owner,
      thumbprint,
      kind: certificateKind,
    } = checked.signer ?? { owner: '', thumbprint: '', kind: 'unqualified' as const }
    await tx.query(sql`insert into egisz_signatures ("idSemd", "role", "idUser", "owner", "thumbprint", "kind", "state", "words", "date", "body")
      values (${semd.id}, ${body.role}, ${actor.id}, ${owner || 'Не проверено'}, ${thumbprint}, ${certificateKind}, ${checked.state}, ${checked.words}, now(), ${signature})`)
    const rest = rolesOf(signersOf(kind)).filter((role) => role !== body.role && !signed.includes(role))
    const moment = new Date().toISOString()
    const isLast = rest.length === 0
    const updated = await own.asSystem.update(Semd, semd.id, {
      status: isLast ? 'signedOrg' : 'signedDoctor',
      dueRole: rest[0] ?? null,
      ...(body.role === 'doctor' && { dateSignedDoctor: moment }),
      ...(body.role === 'organization' && { dateSignedOrg: moment }),
    })
    await journal(tx, {
      ...journalActor(actor),
      action: 'sign',
      entityType: Semd.path,
      idEntity: semd.id,
      idCustomer: semd.idCustomer,
    })
    await logEvent(tx, {
      kind: 'signing',
      level: checked.state === 'unknown' ? 'warning' : 'info',
      text: `Документ ${semd.localUid}: ${body.role === 'doctor' ? 'подпись врача' : body.role === 'commission' ? 'подпись комиссии' : 'подпись организации'}. ${checked.words}`,
      idSemd: semd.id,
      idUser: actor.id,
    })
    if (!isLast || !egiszSend || kind.moment === 'hand') return updated
    return queueRegistration(app, { records: own, tx }, updated, kind.moment ?? 'sign')
  })
})

const send = operation(egiszCalls.send, ({ app, records: engine, actor, params }) =>
  engine.tx(async (own, tx) => {
    const semd = await held(own, tx, params.id)
    if (!maySend(semd))
      throw refusal(
        semd.status === 'accepted'
          ? `РЭМД принял документ: ответ ждут ${LATE_HOURS} ч, потом отправляют снова`
          : 'Отправляют подписанный документ, который ещё не в РЭМД',
      )
    if (!(await egiszConnection(app)))
      throw refusal('ЕГИСЗ не подключена: укажите адрес, ОИД и режим в настройках', 'off')
    const line = await tx.one<{
      id: number
    }>(sql`select m."id"::float8 as id from exchange_messages m join outbox o on o."id" = m."id"
      where m."adapter" = 'egisz' and m."idempotencyKey" = ${`register-${semd.localUid}`}`)
    await logEvent(tx, {
      kind: 'queue',
      text: `Документ ${semd.localUid} отправлен вручную`,
      idSemd: semd.id,
      idUser: actor.id,
    })
    if (!line) return queueRegistration(app, { records: own, tx }, semd, 'sign')
    tx.afterCommit(() => app.outbox.repeat([line.id]))
    return own.asSystem.update(Semd, semd.id, { status: 'sent', error: null, dateSent: new Date().toISOString() })
  }),
)

const cancel = operation(egiszCalls.cancel, ({ app, records: engine, actor, params, body }) =>
  engine.tx(async (own, tx) => {
    const semd = await held(own, tx, params.id)
    if (!holds(actor, 'manageSignatures') && semd.idUser !== actor.id)
      throw forbidden('Отменяет врач документа или тот, кто ведёт подписи')
    if (!mayCancel(semd.status))
      throw refusal(semd.status === 'sent' ? 'Документ как раз отправляется: дождитесь ответа' : 'Документ уже отменён')
    await logEvent(tx, { kind: 'queue', text: `Документ ${semd.localUid}: отмена`, idSemd: semd.id, idUser: actor.id })
    if (semd.status === 'registered' || semd.status === 'accepted')
      return queueCancel(app, { records: own, tx }, semd, body.reason)
    await beginOperation(tx, semd.id, 'cancel', 'done')
    await settleOperation(tx, semd.id, 'cancel', { status: 'done' })
    return own.asSystem.update(Semd, semd.id, { status: 'cancelled', dueRole: null, cancelReason: body.reason })
  }),
)

const revise = operation(egiszCalls.revise, async ({ app, records: engine, actor, params }) => {
  await engine.view(Semd, params.id, { fields: 'id' })
  const previous = await engine.asSystem.row(Semd, params.id)
  if (!mayRevise(previous.status)) throw refusal('Новую версию делают отклонённому или зарегистрированному документу')
  const kept = await app.db.one<{ read: SourceData }>(
    sql`select "read" from egisz_semd_sources where "idSemd" = ${previous.id}`,
  )
  const source = await latestOf(app.db, previous)
  return makeSemd(
    app,
    engine.asSystem,
    {
      source: previous.source,
      id: source,
      previous,
      kind: await engine.asSystem.row(EgiszDocument, previous.idKind),
      ...(kept && { read: kept.read }),
    },
    actor,
  )
})

/** The current record of a document's source: the signed correction of an examination. */
async function latestOf(db: Queryable, { source, idSource }: SemdRow): Promise<number> {
  if (source !== 'examinations') return idSource
  const row = await db.one<{ id: number }>(sql`with recursive later as (select ${idSource}::bigint as id
      union select e."id" from examinations e join later on e."idCorrected" = later.id where not e."deleted" and e."status" in ('signed', 'corrected'))
    select max(id)::int as id from later`)
  return row?.id ?? idSource
}

export const semdCalls = [make, makeTax, check, content, details, sign, send, cancel, revise]
