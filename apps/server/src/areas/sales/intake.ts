/** Intakes: public endpoints for leads from outside, and their requests. */

import { sourceOf } from '@ordinator/model/areas/sales/brands'
import { Intake, LeadRequest } from '@ordinator/model/areas/sales/intake'
import { intakeCalls } from '@ordinator/model/areas/sales/intakeCalls'
import { SalesSource } from '@ordinator/model/areas/sales/lead'
import type { Row } from '@ordinator/model/entity'
import { phoneText } from '@ordinator/model/phone'
import type { FastifyReply, FastifyRequest } from 'fastify'
import sql from 'sql-template-tag'
import { notify } from '#areas/notifications/index.ts'
import { holdsSql } from '#auth/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { badRequest, HttpError, notFound, ValidationError } from '#platform/errors.ts'
import { decodeText } from '#platform/textEncoding.ts'
import {
  isWebhookKey,
  newWebhookKey,
  oncePerSender,
  openSecret,
  readObject,
  readSigned,
  renewSecret,
} from '#platform/webhook.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { records, type WriteContext } from '#records/define.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { type Incoming, incoming, isProbe } from './incoming.ts'
import { formPage, sendPage, TRAP, thanksPage } from './publicForm.ts'

const THANKS = 'Спасибо! Мы свяжемся с вами.'
const TITLE = 'Оставить заявку'
const SECRETS = 'sales_management_intake_secrets'

export const intakes = records(Intake, {
  computed: {
    hasSecret: ({ row }) =>
      sql`exists (select 1 from sales_management_intake_secrets s where s."idIntake" = ${row}."id")`,
  },
  hooks: {
    beforeCreate(_context, value) {
      Object.assign(value, { key: newWebhookKey() })
    },
  },
})

export const makeSecret = operation(intakeCalls.makeSecret, async ({ app, records, params }) => {
  const { id, kind } = await records.row(Intake, params.id)
  if (kind !== 'webhook') throw badRequest('Секрет бывает только у вебхука')
  return { secret: await renewSecret(app.db, SECRETS, id) }
})

export const takeIntake = operation(intakeCalls.takeIntake, async ({ app, params, request, reply }) => {
  const intake = await intakeAt(app.db, params.key)
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  return intake.kind === 'webhook'
    ? takeWebhook(app, intake, request, bytes)
    : takeForm(app, intake, request, reply, bytes)
})

export const showForm = operation(intakeCalls.showForm, async ({ app, params, request, reply }) => {
  const { key, title } = await intakeAt(app.db, params.key, 'form')
  return sendPage(reply, formPage({ key, title: title || TITLE, hidden: hiddenFields(request) }))
})

export const askCors = operation(intakeCalls.askCors, async ({ app, params, reply }) => {
  await intakeAt(app.db, params.key, 'form')
  openToSites(reply)
  reply.headers({
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'content-type',
    'access-control-max-age': '86400',
  })
  return undefined
})

/** Minutes in which the same form of the same person is one request. */
const REPEAT_MINUTES = 10
/** Number of the latest requests that are compared: more do not come in that time. */
const LATEST = 500

type OpenIntake = Pick<Row<typeof Intake>, 'id' | 'kind' | 'title' | 'thanks' | 'idSource'> & {
  key: string
  secret: string | null
}

/** A disabled intake and an unknown one get the same response. */
async function intakeAt(db: Queryable, key: string, kind?: OpenIntake['kind']): Promise<OpenIntake> {
  const intake = isWebhookKey(key)
    ? await db.one<OpenIntake>(sql`select i."id", i."kind", i."key", i."title", i."thanks", i."idSource", s."secret"
        from sales_management_intakes i left join sales_management_intake_secrets s on s."idIntake" = i."id"
        where i."key" = ${key} and i."isActive" and not i."deleted"`)
    : undefined
  if (!intake || (kind && intake.kind !== kind)) throw notFound('Приём заявок не найден')
  return { ...intake, secret: openSecret(db, SECRETS, intake.id, intake.secret) }
}

async function takeWebhook(app: AppContext, intake: OpenIntake, request: FastifyRequest, bytes: Buffer) {
  const { payload, idExternal } = readSigned(intake.secret, request.headers, bytes)
  if (isProbe(payload)) return { ok: true as const, repeated: false }
  const { repeated } = await take(app, intake, incoming(payload), idExternal)
  return { ok: true as const, repeated }
}

async function takeForm(
  app: AppContext,
  intake: OpenIntake,
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: Buffer,
) {
  openToSites(reply)
  const isPage = /\btext\/html\b/.test(request.headers.accept ?? '')
  const { [TRAP]: trap, ...fields } = await readForm(request.headers['content-type'], bytes)
  const thanks = intake.thanks || THANKS
  // A bot gets a normal response.
  if (!trap && !isProbe(fields)) {
    try {
      await take(app, intake, incoming(fields), undefined)
    } catch (error) {
      if (!isPage || !(error instanceof ValidationError)) throw error
      const again = shownAgain(fields)
      return sendPage(
        reply.code(422),
        formPage({ key: intake.key, title: intake.title || TITLE, ...again, error: error.message }),
      )
    }
  }
  return isPage ? sendPage(reply, thanksPage(intake.title || TITLE, thanks)) : { ok: true as const, thanks }
}

/** Stores a request once, and notifies the people who process it. */
async function take(
  app: AppContext,
  intake: OpenIntake,
  { touch, ...fields }: Incoming,
  idExternal: string | undefined,
): Promise<{ repeated: boolean }> {
  if (!fields.phone && !fields.email && !fields.message)
    throw new ValidationError([{ field: 'phone', message: 'Укажите телефон или почту' }])
  return app.engine.for(systemActor).tx(async (records, tx) => {
    if (idExternal !== undefined) {
      await oncePerSender(tx, `intake ${intake.id} ${idExternal}`)
      const there = await tx.one(
        sql`select 1 from sales_management_requests where "idIntake" = ${intake.id} and "idExternal" = ${idExternal}`,
      )
      if (there) return { repeated: true }
    } else if (await isSentTwice(tx, fields)) return { repeated: true }
    await put(records, tx, intake, { touch, ...fields }, idExternal)
    return { repeated: false }
  })
}

/**
 * True for a form that was sent again: the button pressed twice, the page sent again when no answer came. The same words of
 * the same person within minutes are one request, until somebody has dealt with it. Serialized per person, so that of two
 * at once one is stored.
 */
async function isSentTwice(tx: Tx, { name, phone, email, message }: Omit<Incoming, 'touch'>): Promise<boolean> {
  await oncePerSender(tx, `form ${phone ?? ''} ${email ?? ''}`)
  const before =
    await tx.one(sql`select 1 from (select * from sales_management_requests order by "id" desc limit ${LATEST}) r
    where r."phone" is not distinct from ${phone ?? null}::text and r."email" is not distinct from ${email ?? null}::text
      and r."name" is not distinct from ${name ?? null}::text and r."message" is not distinct from ${message ?? null}::text
      and r."state" = 'new' and r."idExternal" is null and r."dateCreate" > now() - make_interval(mins => ${REPEAT_MINUTES}) limit 1`)
  return before !== undefined
}

async function put(
  records: Records,
  tx: Tx,
  intake: Pick<OpenIntake, 'id' | 'idSource'>,
  { touch, ...fields }: Incoming,
  idExternal: string | undefined,
): Promise<Row<typeof LeadRequest>> {
  const sources = await records.rows(SalesSource, { sort: 'id', limit: '500' })
  const made = await records.asSystem.create(LeadRequest, {
    ...fields,
    idIntake: intake.id,
    idSource: sourceOf(touch, sources)?.id ?? intake.idSource,
    ...(idExternal === undefined ? {} : { idExternal }),
  })
  await notifySorters({ actor: systemActor, tx, records }, made)
  return made
}

/**
 * Stores a request of the product's own site, in the transaction of the caller that validated it. Undefined: the same was
 * sent a moment ago.
 * @param idIntake the form it belongs to; null, or a disabled one: the first open form
 * @throws ValidationError without a valid phone, HttpError 404 if no form is open
 */
export async function takeSiteForm(
  records: Records,
  tx: Tx,
  idIntake: number | null,
  fields: Readonly<Record<string, string>>,
): Promise<Row<typeof LeadRequest> | undefined> {
  const intake = await tx.one<
    Pick<OpenIntake, 'id' | 'idSource'>
  >(sql`select "id", "idSource" from sales_management_intakes
    where "kind" = 'form' and "isActive" and not "deleted" order by ("id" = ${idIntake}) is true desc, "id" limit 1`)
  if (!intake) throw notFound('Приём заявок не найден')
  const lead = incoming(fields)
  if (!lead.phone) throw new ValidationError([{ field: 'phone', message: 'Проверьте телефон: такой номер не набрать' }])
  return (await isSentTwice(tx, lead)) ? undefined : put(records, tx, intake, lead, undefined)
}

async function notifySorters(context: WriteContext, request: Row<typeof LeadRequest>): Promise<void> {
  const sorters = await context.tx.query<{ id: number }>(sql`select u."id" from users u
    where not u."deleted" and not u."isBlocked" and (${holdsSql(sql`u."id"`, 'editSalesManagement')}) order by u."id"`)
  await notify(
    context,
    sorters.map(({ id }) => id),
    {
      kind: 'lead.request',
      title: 'Новая заявка',
      text: [request.name, phoneText(request.phone) || request.email].filter(Boolean).join(', ') || 'Без контактов',
      path: LeadRequest.path,
      idEntity: request.id,
      link: `/deals?request=${request.id}`,
    },
  )
}

async function readForm(type: string | undefined, bytes: Buffer): Promise<Record<string, unknown>> {
  const charset = /charset\s*=\s*"?([\w-]+)/i.exec(type ?? '')?.[1]
  // A page that leaves sends JSON as text.
  if (/^application\/json\b/i.test(type ?? '') || (/^text\/plain\b/i.test(type ?? '') && bytes.at(0) === BRACE))
    return readObject(Buffer.from(decodeText(bytes, encodingOf(charset)).text))
  if (/^multipart\/form-data\b/i.test(type ?? '')) return multipartFields(type ?? '', bytes)
  if (type && !/^application\/x-www-form-urlencoded\b/i.test(type))
    throw new HttpError(415, 'Нужна обычная форма или JSON')
  return formFields(bytes, charset)
}

const BRACE = '{'.charCodeAt(0)
const encodingOf = (charset: string | undefined) =>
  charset?.toLowerCase() === 'windows-1251' ? ('windows-1251' as const) : undefined

/** Fields of `FormData`, as scripts of sites send it; files are left out. @throws HttpError 400 */
async function multipartFields(type: string, bytes: Buffer): Promise<Record<string, string>> {
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } })
    .formData()
    .catch(() => undefined)
  if (!form) throw badRequest('Форма не читается')
  return Object.fromEntries([...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

/** Fields of a form; old sites send windows-1251, mostly undeclared. */
function formFields(bytes: Buffer, charset: string | undefined): Record<string, string> {
  const raw = (written: string): Buffer =>
    Buffer.from(
      written
        .replaceAll('+', ' ')
        .replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
      'latin1',
    )
  const pairs = bytes
    .toString('latin1')
    .split('&')
    .filter(Boolean)
    .map((pair) => {
      const at = pair.indexOf('=')
      return at < 0 ? ([raw(pair), raw('')] as const) : ([raw(pair.slice(0, at)), raw(pair.slice(at + 1))] as const)
    })
  const { encoding } = decodeText(Buffer.concat(pairs.flat()), encodingOf(charset))
  return Object.fromEntries(
    pairs.map(([key, value]) => [decodeText(key, encoding).text, decodeText(value, encoding).text]),
  )
}

/** Hidden data of the form: its page, and the marks of its own address. */
function hiddenFields(request: FastifyRequest): Record<string, string> {
  const { referer } = request.headers
  const marks = Object.entries(request.query as Record<string, unknown>).flatMap(([key, value]) =>
    /^utm_[a-z_]{1,32}$/.test(key) && typeof value === 'string' ? [[key, value.slice(0, 255)] as const] : [],
  )
  return { ...(referer ? { page: referer.slice(0, 2000) } : {}), ...Object.fromEntries(marks.slice(0, 20)) }
}

function shownAgain(fields: Readonly<Record<string, unknown>>) {
  const texts = Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const visible = new Set(['name', 'phone', 'email', 'message'])
  return {
    values: Object.fromEntries(texts.filter(([key]) => visible.has(key))),
    hidden: Object.fromEntries(texts.filter(([key]) => key === 'page' || /^utm_[a-z_]{1,32}$/.test(key))),
  }
}

const openToSites = (reply: FastifyReply): void => void reply.header('access-control-allow-origin', '*')
