/**
 * Sign-in by a code. Requests get the same response in the same time for known and unknown phones: a job looks the
 * phone up, generates the code and sends it. Only a keyed hash of the code is stored.
 */
import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { portalCalls } from '@ordinator/model/areas/portal/calls'
import { CODE_DIGITS, CODE_MINUTES, CODE_TRIES, CODES_A_DAY } from '@ordinator/model/areas/portal/rules'
import type { PortalMe } from '@ordinator/model/areas/portal/shapes'
import type { FastifyReply, FastifyRequest } from 'fastify'
import sql, { raw, type Sql } from 'sql-template-tag'
import { phoneIsFreshSql } from '#areas/customers/index.ts'
import { administrators } from '#areas/exchange/index.ts'
import { notify } from '#areas/notifications/index.ts'
import { codeSmsOf, readCommonSettings } from '#areas/settings/index.ts'
import { fioSql } from '#areas/staff/index.ts'
import { addressOf } from '#platform/address.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError, notFound, tooMany, ValidationError } from '#platform/errors.ts'
import { sendSms } from '#platform/sms.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { journal } from '#records/journal.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { mustBeByCode } from './data.ts'
import { meOf } from './people.ts'
import { dropCookie, endAll, endOne, endSession, openSession, patientCall, patientOf, sessionsOf } from './sessions.ts'

const JOB = 'portal.code'
/** Maximum number of codes requested by one address per hour, for all phones. */
const CODES_OF_ADDRESS = 20
/** Days for which code requests are stored. */
const KEPT_DAYS = 2
/** Maximum number of codes that the clinic sends per hour. */
const CODES_AN_HOUR = 600
/** More than are made at once by all server processes. */
const CODES_AT_ONCE = 100
const DEMO_PATIENTS = 3

/** SQL condition: cards `c` that can be signed in to by this phone. */
const cardsOf = (phone: Sql) => sql`c."phone" = ${phone} and not c."deleted" and c."dateDeath" is null`

/** The demo clinic sends no messages, and shows the code on its page. */
async function isDemo(app: AppContext): Promise<boolean> {
  return (
    app.config.demo &&
    (await app.db.one({ text: 'select 1 from demo_clinic' })) !== undefined &&
    (await codeSmsOf(app)) === undefined
  )
}

/** @throws HttpError 409 if this way of sign-in is disabled */
export async function mustBeOn(app: AppContext, way: 'code' | 'link'): Promise<void> {
  const { portalActive, portalSignIn } = await readCommonSettings(app.db)
  if (!portalActive) throw new HttpError(409, 'Личный кабинет сейчас закрыт: позвоните в клинику', { code: 'off' })
  if (!portalSignIn.includes(way))
    throw new HttpError(
      409,
      way === 'code' ? 'Вход по коду выключен: попросите у клиники личную ссылку' : 'Вход по личной ссылке выключен',
      { code: 'off' },
    )
  if (way === 'code' && !(await codeSmsOf(app)) && !(await isDemo(app)))
    throw new HttpError(409, 'Клиника пока не отправляет СМС: попросите у неё личную ссылку', { code: 'off' })
}

const start = operation(portalCalls.start, async ({ app, request }) => {
  const { portalActive, portalSignIn, clinicName } = await readCommonSettings(app.db)
  const [demo, sms] = [await isDemo(app), await codeSmsOf(app)]
  const filial = await app.db.one<{ phone: string | null }>(
    sql`select "filialPhone" as phone from filials where not "deleted" and "active" order by "id" limit 1`,
  )
  return {
    isOn: portalActive,
    isIn: await patientOf(app, request).then(
      () => true,
      () => false,
    ),
    clinicName,
    clinicPhone: filial?.phone ?? null,
    ways: portalSignIn.filter((way) => way === 'link' || sms !== undefined || demo),
    demo: demo
      ? await app.db.query<{ name: string; phone: string; birthday: string | null }>(sql`
          select ${fioSql(raw('c'))} as name, c."phone" as phone, c."birthday"::text as birthday from customers c
          where c."phone" is not null and not c."deleted" and c."dateDeath" is null and c."secretLevel" = 'none'
            and exists (select 1 from appointments a where a."idCustomer" = c."id" and a."dateFrom" > now()
              and not a."deleted" and a."visitStatus" in ('booked', 'confirmed'))
          order by exists (select 1 from customers_relations r where r."idRelative" = c."id" and r."signs" = 'yes'
            and not r."deleted") desc, c."id" limit ${DEMO_PATIENTS}`)
      : null,
  }
})

const askCode = operation(portalCalls.code, async ({ app, request, body: { phone } }) => {
  await askCodeFor(app, request, phone)
  return { minutes: CODE_MINUTES }
})

/**
 * Requests a code for a phone.
 * @param anybody also for a phone of no patient
 * @throws HttpError 409 if the sign-in is disabled, 429
 */
export async function askCodeFor(
  app: AppContext,
  { ip }: Pick<FastifyRequest, 'ip'>,
  phone: string,
  { anybody = false }: { anybody?: boolean } = {},
): Promise<void> {
  await mustBeOn(app, 'code')
  const address = addressOf(ip)
  await app.db.tx(async (tx) => {
    // Serialized per phone and address, so that concurrent requests are counted.
    for (const key of [`portal address ${address}`, `portal phone ${phone}`])
      await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
    const sent = await tx.one<{ byAddress: number; byPhone: number }>(sql`select
      (select count(*)::int from portal_codes where "address" = ${address}
        and "dateCreate" > now() - interval '1 hour') as "byAddress",
      (select count(*)::int from portal_codes where "phone" = ${phone}
        and "dateCreate" > now() - interval '1 day') as "byPhone"`)
    if ((sent?.byAddress ?? 0) >= CODES_OF_ADDRESS)
      throw tooMany(3600, 'С вашего адреса запрошено слишком много кодов. Попробуйте через час или позвоните в клинику')
    if ((sent?.byPhone ?? 0) >= CODES_A_DAY) return
    const { id } = (await tx.one<{ id: number }>(sql`
      insert into portal_codes ("phone", "address", "anybody", "dateExpires")
      values (${phone}, ${address}, ${anybody}, now() + make_interval(mins => ${CODE_MINUTES})) returning "id"::int as id`)) as {
      id: number
    }
    await app.jobs.send(JOB, { id }, { tx })
  })
}

const hashOf = (secret: string, id: number, code: string): string =>
  createHmac('sha256', createHmac('sha256', secret).update('ordinator portal code').digest())
    .update(`${id}:${code}`)
    .digest('hex')

const sentLately = async (tx: Tx): Promise<number> =>
  (
    await tx.one<{ count: number }>(sql`select count(*)::int as count from portal_codes
    where "dateCreate" > now() - interval '1 hour' and "hash" <> ''`)
  )?.count ?? 0

/** Generates and sends a requested code, once: after an interruption the patient requests a new one. */
async function sendCode(app: AppContext, id: number): Promise<void> {
  const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0')
  const demo = await isDemo(app)
  const made = await app.engine.for(systemActor).tx(async (inside, tx) => {
    // All codes wait for each other only near the limit, where some at once could exceed it.
    const isNear = (await sentLately(tx)) >= CODES_AN_HOUR - CODES_AT_ONCE
    if (isNear) await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('portal codes', 0))`)
    if (isNear && (await sentLately(tx)) >= CODES_AN_HOUR) return warnOfManyCodes(inside, tx)
    return tx.one<{ phone: string }>(sql`
    update portal_codes p set "hash" = ${hashOf(app.config.secret, id, code)}, "shown" = ${demo ? code : null}
    where p."id" = ${id} and p."hash" = '' and p."dateExpires" > now()
      and (p."anybody" or exists (select 1 from customers c where ${cardsOf(raw('p."phone"'))}))
    returning p."phone" as phone`)
  })
  const gateway = await codeSmsOf(app)
  if (!made || demo || !gateway) return
  const { clinicName } = await readCommonSettings(app.db)
  const answer = await sendSms(app, gateway, 'Код входа в личный кабинет', {
    to: made.phone,
    key: `portal-code-${id}`,
    text: `${clinicName ? `${clinicName}. ` : ''}Код для входа: ${code}. Никому его не сообщайте`,
  })
  if (answer.outcome === 'failed')
    app.log.warn({ idCode: id, reason: answer.reason.slice(0, 200).replaceAll(code, '…') }, 'a code was refused')
}

/** Notifies administrators, once an hour, that no more codes are sent. */
async function warnOfManyCodes(inside: Records, tx: Tx): Promise<undefined> {
  const kind = 'portal.codes'
  const recent = await tx.one(
    sql`select 1 from notifications where "kind" = ${kind} and "dateCreate" > now() - interval '1 hour' limit 1`,
  )
  if (recent) return
  await notify({ actor: systemActor, tx, records: inside }, await administrators(tx), {
    kind,
    title: 'Коды для входа пациентов больше не отправляются',
    text: `За час отправлено ${CODES_AN_HOUR} СМС с кодами: это больше обычного. Отправка продолжится сама, когда за час их станет меньше.`,
  })
}

const demoCode = operation(portalCalls.demoCode, async ({ app, query: { phone } }) => {
  if (!(await isDemo(app))) throw notFound()
  const row = await app.db.one<{ shown: string | null }>(sql`
    select "shown" from portal_codes where "phone" = ${phone} and "dateExpires" > now() order by "id" desc limit 1`)
  return { code: row?.shown ?? null }
})

const WRONG = 'Неверный код, или он устарел. Проверьте сообщение или запросите новый'

const signIn = operation(portalCalls.signIn, async ({ app, request, reply, body }) => {
  await mustBeOn(app, 'code')
  const verified = await tryCode(app, body)
  if (verified.idCustomer === null) throw new ValidationError([{ field: 'code', message: WRONG }])
  return enter(app, request, reply, { idCustomer: verified.idCustomer, phone: body.phone })
})

/** Signs a patient in after the phone is confirmed. */
export async function enter(
  app: AppContext,
  { ip, id: requestId }: Pick<FastifyRequest, 'ip' | 'id'>,
  reply: FastifyReply,
  { idCustomer, phone }: { idCustomer: number; phone: string },
): Promise<PortalMe> {
  const patient = await openSession(app, app.db, reply, { idCustomer, isProven: true, phone })
  await journal(app.db, {
    action: 'view',
    entityType: 'customers',
    idCustomer,
    ip,
    requestId,
    basis: 'Пациент вошёл в личный кабинет',
  })
  return meOf(app.db, patient)
}

interface Tried {
  phone: string
  code: string
  birthday?: string | undefined
  /** The patient declares to be new: none of the phone's cards. */
  isNew?: boolean | undefined
  /** A right code for a phone of no patient is accepted without opening a card. */
  mayBeNobody?: boolean
}

/**
 * Tries a code, serialized per phone; a wrong attempt stays counted.
 * @returns the card it opens; null: the phone is confirmed without a card
 * @throws ValidationError on `code` or `birthday`
 */
export async function tryCode(app: AppContext, tried: Tried): Promise<{ idCustomer: number | null }> {
  const outcome = await app.db.tx(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`portal phone ${tried.phone}`}, 0))`)
    return cardBy(app, tx, tried)
  })
  if ('field' in outcome) throw new ValidationError([outcome])
  return outcome
}

type CodeOutcome = { field: 'code' | 'birthday'; message: string } | { idCustomer: number | null }

/** The card of a code. A wrong code or birthday counts as an attempt. */
async function cardBy(
  { config: { secret } }: AppContext,
  tx: Queryable,
  { phone, code, birthday, isNew = false, mayBeNobody = false }: Tried,
): Promise<CodeOutcome> {
  const kept = await tx.one<{ id: number; hash: string; tries: number }>(sql`
    select "id"::int as id, "hash", "tries" from portal_codes
    where "phone" = ${phone} and "dateExpires" > now() order by "id" desc limit 1`)
  if (!kept || kept.tries >= CODE_TRIES) return { field: 'code', message: WRONG }
  const given = hashOf(secret, kept.id, code.replace(/\D/g, ''))
  const isRight = kept.hash !== '' && timingSafeEqual(Buffer.from(given), Buffer.from(kept.hash))
  const cards = isRight
    ? await tx.query<{ id: number; birthday: string | null; isFresh: boolean }>(
        sql`select c."id"::int as id, c."birthday"::text as birthday, ${phoneIsFreshSql(raw('c."id"'))} as "isFresh"
          from customers c where ${cardsOf(sql`${phone}`)} limit 20`,
      )
    : []
  const done = () =>
    tx.query(sql`update portal_codes set "dateExpires" = now(), "shown" = null where "id" = ${kept.id}`)
  if (isRight && mayBeNobody && (isNew || cards.length === 0)) {
    await done()
    return { idCustomer: null }
  }
  if (isRight && cards.length > 1 && birthday === undefined)
    return { field: 'birthday', message: 'На этом номере несколько пациентов: укажите дату рождения' }
  // A phone just changed by an employee may be the employee's own.
  const isFresh = cards.some((card) => card.isFresh)
  if (isRight && isFresh && birthday === undefined)
    return { field: 'birthday', message: 'Этот номер указан в клинике недавно: подтвердите дату рождения' }
  const chosen = cards.length > 1 || isFresh ? cards.filter((card) => card.birthday === birthday) : cards
  const [card] = chosen
  if (isRight && card && chosen.length === 1) {
    await done()
    return { idCustomer: card.id }
  }
  await tx.query(sql`update portal_codes set "tries" = "tries" + 1 where "id" = ${kept.id}`)
  if (!isRight) return { field: 'code', message: WRONG }
  return {
    field: 'birthday',
    message:
      chosen.length > 1
        ? 'С этой датой рождения на номере несколько пациентов: попросите у клиники личную ссылку'
        : 'По этой дате рождения пациента на номере нет',
  }
}

const me = patientCall(portalCalls.me, ({ app, patient }) => meOf(app.db, patient))

const signOut = patientCall(portalCalls.signOut, async ({ app, patient, reply }) => {
  await endSession(app.db, patient)
  dropCookie(app, reply)
})

const signOutAll = patientCall(portalCalls.signOutAll, async ({ app, patient, reply, request }) => {
  await app.db.tx(async (tx) => {
    await endAll(tx, patient.idCustomer)
    await journal(tx, {
      action: 'update',
      entityType: 'customers',
      idCustomer: patient.idCustomer,
      ip: request.ip,
      requestId: request.id,
      basis: 'Пациент вышел из личного кабинета на всех устройствах',
    })
  })
  dropCookie(app, reply)
})

const sessions = patientCall(portalCalls.sessions, async ({ app, patient }) => {
  mustBeByCode(patient)
  return { items: await sessionsOf(app.db, patient) }
})

const closeSession = patientCall(portalCalls.endSession, async ({ app, patient, params, request }) => {
  mustBeByCode(patient)
  await app.db.tx(async (tx) => {
    if (!(await endOne(tx, patient, params.id))) throw notFound('Этот сеанс уже завершён')
    await journal(tx, {
      action: 'update',
      entityType: 'customers',
      idCustomer: patient.idCustomer,
      ip: request.ip,
      requestId: request.id,
      basis: 'Пациент вышел из личного кабинета на одном из устройств',
    })
  })
})

export const signInCalls = [start, askCode, demoCode, signIn, me, signOut, signOutAll, sessions, closeSession]

/** Registers the jobs that send codes and delete expired ones. */
export function startSignIn(app: AppContext): void {
  app.jobs.register<{ id: number }>(JOB, { concurrency: 4, retries: 0, handler: ({ id }) => sendCode(app, id) })
  app.jobs.register('portal.forget', {
    cron: '17 3 * * *',
    async handler() {
      await app.db.query(sql`delete from portal_codes where "dateCreate" < now() - make_interval(days => ${KEPT_DAYS})`)
      await app.db.query(sql`delete from portal_sessions where "dateExpires" < now()`)
      await app.db.query(sql`delete from portal_bookings where "dateExpires" < now() - interval '1 day'`)
      await app.db.query(
        sql`delete from portal_links where "dateExpires" < now() - make_interval(days => ${KEPT_DAYS})`,
      )
    },
  })
}
