/** Signing a document by a code from an SMS. Only a keyed hash of the code is stored; the code is not logged. */
import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import {
  CODE_DIGITS,
  CODE_MINUTES,
  CODE_TRIES,
  CODES_AN_HOUR,
  type CodeState,
  consentCalls,
} from '@ordinator/model/areas/consents/calls'
import { Consent } from '@ordinator/model/areas/consents/consent'
import type { Row } from '@ordinator/model/entity'
import sql, { raw } from 'sql-template-tag'
import { codeSmsOf, readCommonSettings } from '#areas/settings/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError, tooMany, ValidationError } from '#platform/errors.ts'
import { sendSms } from '#platform/sms.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { assertDraft, clinicDay } from './consents.ts'
import { type Facts, factsOf, type SignerFacts } from './paper.ts'
import { assertSigner, lockedConsent, signConsent } from './signing.ts'

/** Subject of a code: a consent or a treatment plan, in its version at the time of sending. */
export interface Paper {
  of: 'idConsent' | 'idPlan'
  id: number
  version: number
  /** Name in the message. */
  name: string
  /** Phone of the signer. */
  phone: string | null
}

interface Code {
  id: number
  phone: string
  /** Version of the document at the time of sending. */
  version: number
  hash: string
  tries: number
  delivery: 'accepted' | 'delivered' | 'failed' | 'unknown'
  idMessage: string | null
  dateExpires: string
  isOver: boolean
}

const latestCode = (db: Queryable, { of, id }: Paper) =>
  db.one<Code>(sql`select "id"::int as "id", "phone", "version", "hash", "tries", "delivery", "idMessage",
      to_char("dateExpires" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "dateExpires", "dateExpires" <= now() as "isOver"
    from consent_codes where ${raw(`"${of}"`)} = ${id} order by "id" desc limit 1`)

const hashOf = (secret: string, idCode: number, code: string): string =>
  createHmac('sha256', createHmac('sha256', secret).update('ordinator consent code').digest())
    .update(`${idCode}:${code}`)
    .digest('hex')

/** Phone of the signer. */
export const phoneOf = ({ phone, representative }: SignerFacts): string | null =>
  representative ? representative.phone : phone

const hidden = (phone: string): string => `${phone.slice(0, 2)} ··· ${phone.slice(-4)}`

export async function codeStateOf(app: AppContext, paper: Paper): Promise<CodeState> {
  const { phone } = paper
  const code = await latestCode(app.db, paper)
  const isOut = code && !code.isOver && code.phone === phone && code.version === paper.version
  return {
    isOn: (await codeSmsOf(app)) !== undefined,
    phone: phone && hidden(phone),
    sent: isOut
      ? { dateExpires: code.dateExpires, triesLeft: CODE_TRIES - code.tries, delivery: await deliveryOf(app, code) }
      : null,
  }
}

/** The gateway's delivery status, stored once final. */
async function deliveryOf(app: AppContext, { id, delivery, idMessage }: Code): Promise<Code['delivery']> {
  const gateway = delivery === 'accepted' && idMessage !== null ? await codeSmsOf(app) : undefined
  if (!gateway) return delivery
  const status = await gateway.deliveryOf(idMessage as string)
  if (status === 'delivered' || status === 'failed')
    await app.db.query(sql`update consent_codes set "delivery" = ${status} where "id" = ${id}`)
  return status === 'unknown' ? delivery : status
}

/**
 * Creates a code for a document and sends it after it is stored.
 * @param prepare locks the document and checks that it can be signed
 */
export async function sendCodeOf(
  app: AppContext,
  records: Records,
  prepare: (records: Records, tx: Tx) => Promise<Paper>,
): Promise<CodeState> {
  const { secret } = app.config
  const gateway = await codeSmsOf(app)
  if (!gateway)
    throw new HttpError(409, 'СМС не подключены: подпишите на бумаге или попросите администратора подключить их')
  const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0')
  const made = await records.tx(async (inner, tx) => {
    const paper = await prepare(inner, tx)
    const { phone } = paper
    if (!phone)
      throw new ValidationError([
        { field: 'phone', message: 'У того, кто подписывает, не указан телефон: впишите его в карту' },
      ])
    // Serialized per phone, so that two clicks count as two.
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`consent code ${phone}`}, 0))`)
    const sent = await tx.one<{ count: number; wait: number }>(sql`
      select count(*)::int as count, coalesce(extract(epoch from min("dateCreate") + interval '1 hour' - now()), 0)::int as wait
      from consent_codes where "phone" = ${phone} and "dateCreate" > now() - interval '1 hour'`)
    if (sent && sent.count >= CODES_AN_HOUR)
      throw tooMany(
        sent.wait,
        `На этот номер уже отправлено ${CODES_AN_HOUR} кодов за час: подождите или подпишите на бумаге`,
      )
    const row = (await tx.one<{ id: number }>(sql`
      insert into consent_codes (${raw(`"${paper.of}"`)}, "phone", "version", "hash", "dateExpires")
      values (${paper.id}, ${phone}, ${paper.version}, '', now() + ${raw(`interval '${CODE_MINUTES} minutes'`)}) returning "id"::int as id`)) as {
      id: number
    }
    await tx.query(sql`update consent_codes set "hash" = ${hashOf(secret, row.id, code)} where "id" = ${row.id}`)
    const { clinicName } = await readCommonSettings(tx)
    return { idCode: row.id, phone, paper, clinicName }
  })
  const { paper } = made
  const answer = await sendSms(app, gateway, 'Код подписи', {
    to: made.phone,
    key: `consent-code-${made.idCode}`,
    text: `${made.clinicName ? `${made.clinicName}. ` : ''}Код подписи: ${code}. Документ: ${paper.name}`,
  })
  await app.db.query(sql`update consent_codes set "delivery" = ${answer.outcome},
    "idMessage" = ${answer.outcome === 'accepted' ? answer.id : null} where "id" = ${made.idCode}`)
  if (answer.outcome === 'failed')
    app.log.warn(
      { [paper.of]: paper.id, reason: answer.reason.slice(0, 200).replaceAll(code, '…') },
      'a code was refused',
    )
  return codeStateOf(app, paper)
}

/**
 * Checks a code against the locked document. Each attempt is counted.
 * @returns the reason of a refusal; undefined if it signs exactly this document
 */
export async function tryCode(app: AppContext, tx: Tx, paper: Paper, given: string): Promise<string | undefined> {
  const code = await latestCode(tx, paper)
  if (!code || code.isOver) return 'Код не отправляли или он устарел: отправьте новый'
  if (code.phone !== paper.phone || code.version !== paper.version)
    return 'Документ или телефон изменились после отправки: отправьте новый код'
  if (code.tries >= CODE_TRIES) return 'Попытки кончились: отправьте новый код'
  // Attempts are counted in any case; a wrong code is refused after the count is stored.
  await tx.query(sql`update consent_codes set "tries" = "tries" + 1 where "id" = ${code.id}`)
  const digits = given.replace(/\D/g, '')
  const isRight = timingSafeEqual(Buffer.from(hashOf(app.config.secret, code.id, digits)), Buffer.from(code.hash))
  if (!isRight) {
    const left = CODE_TRIES - code.tries - 1
    return left > 0 ? `Неверный код. Осталось попыток: ${left}` : 'Неверный код. Попытки кончились: отправьте новый'
  }
  await tx.query(sql`update consent_codes set "dateExpires" = now() where "id" = ${code.id}`)
  return undefined
}

const paperOf = ({ id, _version: version, name }: Row<typeof Consent>, facts: Facts): Paper => ({
  of: 'idConsent',
  id,
  version,
  name,
  phone: phoneOf(facts),
})

export const codeState = operation(consentCalls.codeState, async ({ app, records, params }) => {
  const consent = await records.row(Consent, params.id)
  return codeStateOf(app, paperOf(consent, await factsOf(app.db, consent, await clinicDay(app.db))))
})

/** Sends the code that signs a consent. */
export const sendConsentCode = (app: AppContext, records: Records, id: number) =>
  sendCodeOf(app, records, async (inner, tx) => {
    const consent = await lockedConsent(inner, tx, id)
    assertDraft(consent)
    const day = await clinicDay(tx)
    const facts = await factsOf(tx, consent, day)
    await assertSigner(tx, facts, day)
    return paperOf(consent, facts)
  })

export const sendCode = operation(consentCalls.sendCode, ({ app, records, params }) =>
  sendConsentCode(app, records, params.id),
)

/** Signs the consent by the code that was sent. @throws ValidationError at `code` */
export async function signByCode(
  app: AppContext,
  records: Records,
  id: number,
  code: string,
): Promise<Row<typeof Consent>> {
  const outcome = await records.tx(async (inner, tx) => {
    const consent = await lockedConsent(inner, tx, id)
    assertDraft(consent)
    const day = await clinicDay(tx)
    const refused = await tryCode(app, tx, paperOf(consent, await factsOf(tx, consent, day)), code)
    return refused ?? signConsent(inner, tx, consent, { signMethod: 'sms', signedAt: new Date().toISOString(), day })
  })
  if (typeof outcome === 'string') throw new ValidationError([{ field: 'code', message: outcome }])
  return outcome
}

export const confirm = operation(consentCalls.confirm, ({ app, records, params, body }) =>
  signByCode(app, records, params.id, body.code),
)
