/** Entry of visitors: the site by its key and page, the visitor by their own key and consent. */
import { createHash, createHmac } from 'node:crypto'
import type { ChatDomain } from '@ordinator/model/areas/chats/chatSettings'
import { GUEST, LiveAssist, Visitor } from '@ordinator/model/areas/chats/liveAssist'
import { domainOf } from '@ordinator/model/areas/chats/rules'
import { CLIENT_VERSION } from '@ordinator/model/areas/chats/visitorCalls'
import type { Row } from '@ordinator/model/entity'
import type { FastifyRequest } from 'fastify'
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { HttpError, tooMany, unauthorized, ValidationError } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import type { Chat } from './lines.ts'

const VISITORS_OF_ADDRESS_IN_HOUR = 100

type Site = Row<typeof ChatDomain>

const hashed = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Rejects an outdated program before the body is read. */
export function checkVersion({ headers }: FastifyRequest): void {
  const version = Number(headers['x-client-version'])
  if (!Number.isInteger(version) || version < CLIENT_VERSION)
    throw new HttpError(426, 'Обновите страницу: чат на ней устарел', { code: 'version' })
}

/** @throws HttpError 410 for an unknown key, 403 if the page is not the clinic's */
export async function siteOf(
  db: Queryable,
  key: string,
  host: string | null,
  { headers }: Pick<FastifyRequest, 'headers'>,
  publicUrl: string,
): Promise<Site> {
  const sites = await db.query<Site>(sql`select * from live_assist_domains where "active" and not "deleted" limit 1000`)
  const keyed = sites.find((site) => site.key === key)
  if (!keyed) throw new HttpError(410, 'Чат на этом сайте выключен', { code: 'off' })
  const origin = headers.origin === undefined ? undefined : hostOf(headers.origin)
  const ours = [hostOf(publicUrl), hostOf(`http://${headers.host ?? ''}`)]
  const from = origin !== undefined && !ours.includes(origin) ? origin : (host ?? undefined)
  if (from === undefined || ours.includes(from)) return keyed
  const site = domainOf(sites, from)
  if (!site) throw new HttpError(403, 'Этого сайта нет в карте доменов клиники', { code: 'origin' })
  return site
}

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).hostname : '')

interface Entering {
  name?: string | null | undefined
  phone?: string | null | undefined
  email?: string | null | undefined
  token?: string | null | undefined
  responseId: string
  consent?: { version: number } | null | undefined
}

/**
 * Identifies the visitor by their key, or creates one after consent. The key is derived from the program's request, so
 * that a repeat gets the same key, and no key is stored.
 */
export async function enter(
  app: AppContext,
  site: Site,
  { token, responseId, consent, ...details }: Entering,
  ip: string,
) {
  const agreed = consent?.version === site.consentVersion
  const known = token ? await visitorOf(app.db, token) : undefined
  if (token && known) {
    await updateDetails(app, known, details, agreed ? { version: site.consentVersion, ip } : undefined)
    return { token, idVisitor: known }
  }
  if (!agreed) return { token: null, idVisitor: undefined }
  const made = `v_${createHmac('sha256', app.config.secret).update(`chat:${site.key}:${responseId}`).digest('base64url')}`
  const idVisitor = await app.engine.for(systemActor).tx(async (inside, tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${made}, 0))`)
    const repeated = await visitorOf(tx, made)
    if (repeated !== undefined) return repeated
    const { count } = (await tx.one<{ count: number }>(sql`select count(*)::int as count from (select 1
      from live_assist_visitors where network_of("consentIp") = network_of(${ip}) and "dateCreate" > now() - interval '1 hour'
      limit ${VISITORS_OF_ADDRESS_IN_HOUR}) found`)) as { count: number }
    if (count >= VISITORS_OF_ADDRESS_IN_HOUR)
      throw tooMany(3600, 'С вашего адреса начато слишком много чатов. Позвоните нам или напишите позже')
    const visitor = await inside.asSystem.create(Visitor, {
      name: details.name || GUEST,
      phone: details.phone || null,
      email: details.email || null,
      idDomain: site.id,
      consentVersion: site.consentVersion,
      consentAt: new Date().toISOString(),
      consentIp: ip,
    })
    await tx.query(sql`insert into live_assist_tokens (hash, "idVisitor") values (${hashed(made)}, ${visitor.id})`)
    return visitor.id
  })
  return { token: made, idVisitor }
}

const visitorOf = async (db: Queryable, token: string): Promise<number | undefined> =>
  (await db.one<{ idVisitor: number }>(sql`select "idVisitor" from live_assist_tokens where hash = ${hashed(token)}`))
    ?.idVisitor

/** Updates the visitor's contact data, also in the open chat; never in a patient's card. */
async function updateDetails(
  app: AppContext,
  id: number,
  details: Omit<Entering, 'token' | 'responseId' | 'consent'>,
  consent: { version: number; ip: string } | undefined,
): Promise<void> {
  const changed = Object.fromEntries(
    Object.entries(details).filter(([name, value]) => value && ['name', 'phone', 'email'].includes(name)),
  )
  if (Object.keys(changed).length === 0 && !consent) return
  await app.engine.for(systemActor).tx(async (inside) => {
    await inside.asSystem.update(Visitor, id, {
      ...changed,
      ...(consent && { consentVersion: consent.version, consentAt: new Date().toISOString(), consentIp: consent.ip }),
    })
    if (Object.keys(changed).length > 0)
      await inside.asSystem.updateWhere(
        LiveAssist,
        ({ row }) => sql`${row}."idVisitor" = ${id} and ${row}."status" = 'active'`,
        changed,
        { pastHooks: 'The patient of the chat stays' },
      )
  })
}

interface Known {
  id: number
  site: Site
}

/** Where a visitor's chat begins. */
export type Origin = Pick<Chat, 'idDomain' | 'idChannel' | 'idFilial' | 'idGroup' | 'source' | 'sourceName'> & {
  robot: boolean
}

export const originOf = ({ id, idFilial, idGroup, sourceName, robot }: Site): Origin => ({
  idDomain: id,
  idChannel: null,
  idFilial,
  idGroup,
  source: 'widget',
  sourceName,
  robot,
})

/** Authenticates `Authorization: Visitor v_…`, and checks the consent to the current text. */
export async function known(app: AppContext, request: FastifyRequest, writes: boolean): Promise<Known> {
  checkVersion(request)
  const token = /^Visitor (v_[\w-]{20,100})$/.exec(request.headers.authorization ?? '')?.[1]
  if (!token) {
    if (writes && !request.headers.authorization) throw noConsent()
    throw unauthorized('Чат не найден: откройте его заново', 'visitor')
  }
  const row = await app.db.one<{
    id: number
    idDomain: number
    consentVersion: number
  }>(sql`select v."id", v."idDomain",
    v."consentVersion" from live_assist_tokens t join live_assist_visitors v on v."id" = t."idVisitor"
    where t.hash = ${hashed(token)}`)
  if (!row) throw unauthorized('Чат не найден: откройте его заново', 'visitor')
  const site = await app.db.one<Site>(
    sql`select * from live_assist_domains where "id" = ${row.idDomain} and "active" and not "deleted"`,
  )
  if (!site) throw new HttpError(410, 'Чат на этом сайте выключен', { code: 'off' })
  if (writes && row.consentVersion !== site.consentVersion) throw noConsent()
  return { id: row.id, site }
}

const noConsent = () =>
  new ValidationError([{ field: 'consent', message: 'Сначала согласитесь на обработку персональных данных' }])
