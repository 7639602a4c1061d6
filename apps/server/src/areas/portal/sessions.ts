/**
 * Sessions of patients: a table, a cookie and a path of their own. Tokens are stored only as hashes; the staff's
 * sign-in does not accept them.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { PortalSession } from '@ordinator/model/areas/portal/shapes'
import type { Entity } from '@ordinator/model/entity'
import type { FastifyReply, FastifyRequest } from 'fastify'
import sql from 'sql-template-tag'
import { sessionLastsSql } from '#areas/messages/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import { ownCookie } from '#platform/cookies.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError, unauthorized } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import { type JournalEntry, journal } from '#records/journal.ts'
import { type Handler, type Operation, type OperationContext, operation, type PlainCall } from '#records/operation.ts'
import { customerOf, type Patient } from './people.ts'

const COOKIE_FORM = /^[\w-]{43}$/
/** Lifetime of a session in days. */
const DAYS = 30
const MAX_USER_AGENT = 300

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')
const outside = () => unauthorized('Войдите в личный кабинет', 'patient')

/** Opens a session and sets its cookie. */
export async function openSession(
  app: AppContext,
  db: Queryable,
  reply: FastifyReply,
  opened: { idCustomer: number; isProven: boolean } & ({ phone: string } | { idLink: number; dateExpires: string }),
): Promise<Patient> {
  const token = randomBytes(32).toString('base64url')
  const { idCustomer, isProven } = opened
  const by = 'phone' in opened ? { phone: opened.phone, idLink: null, dateExpires: null } : { ...opened, phone: null }
  const row = (await db.one<{ id: number; seconds: number }>(sql`
    insert into portal_sessions ("hash", "idCustomer", "isProven", "phone", "idLink", "userAgent", "dateExpires")
    values (${hashOf(token)}, ${idCustomer}, ${isProven}, ${by.phone}, ${by.idLink},
      ${reply.request.headers['user-agent']?.slice(0, MAX_USER_AGENT) ?? null},
      coalesce(${by.dateExpires}::timestamptz, now() + make_interval(days => ${DAYS})))
    returning "id"::int as id, extract(epoch from "dateExpires" - now())::int as seconds`)) as {
    id: number
    seconds: number
  }
  cookie(app).set(reply, token, { maxAge: row.seconds })
  return { idSession: row.id, idCustomer, isProven, byLink: by.idLink !== null }
}

const cookie = ({ config }: AppContext) => ownCookie(config, 'ordinator_patient', '/portal')

/** Clears the session cookie. */
export function dropCookie(app: AppContext, reply: FastifyReply): void {
  cookie(app).clear(reply)
  reply.header('clear-site-data', '"cache"')
}

/** @throws HttpError 401 `patient` */
export async function patientOf(app: AppContext, request: FastifyRequest): Promise<Patient> {
  const { db } = app
  const token = cookie(app).get(request) ?? ''
  if (!COOKIE_FORM.test(token)) throw outside()
  const found = await db.one<Patient & { isStale: boolean }>(sql`
    select s."id"::int as "idSession", s."idCustomer"::int as "idCustomer", s."isProven", s."idLink" is not null as "byLink",
      s."dateSeen" < now() - interval '10 minutes' as "isStale"
    from portal_sessions s join customers c on c."id" = s."idCustomer" and not c."deleted" and c."dateDeath" is null
    where s."hash" = ${hashOf(token)} and ${sessionLastsSql}
      and (s."idLink" is not null or s."phone" = c."phone")`)
  if (!found || !(await readCommonSettings(db)).portalActive) throw outside()
  const { isStale, ...patient } = found
  if (isStale) await db.query(sql`update portal_sessions set "dateSeen" = now() where "id" = ${patient.idSession}`)
  return patient
}

/** The signed-in patient, or undefined. */
export const signedIn = (app: AppContext, request: FastifyRequest): Promise<Patient | undefined> =>
  patientOf(app, request).catch((error: unknown) => {
    if (error instanceof HttpError && error.status === 401) return undefined
    throw error
  })

export const endSession = async (db: Queryable, { idSession }: Patient): Promise<void> =>
  void (await db.query(sql`delete from portal_sessions where "id" = ${idSession}`))

export const sessionsOf = (db: Queryable, { idCustomer, idSession }: Patient): Promise<PortalSession[]> =>
  db.query<PortalSession>(sql`
    select s."id"::int as id, s."userAgent", s."idLink" is not null as "byLink", s."dateCreate", s."dateSeen",
      s."id" = ${idSession} as "isCurrent"
    from portal_sessions s where s."idCustomer" = ${idCustomer} and ${sessionLastsSql} order by s."dateSeen" desc limit 100`)

/** @returns whether the session was the patient's */
export const endOne = async (db: Queryable, { idCustomer }: Patient, id: number): Promise<boolean> =>
  (await db.one(sql`delete from portal_sessions where "id" = ${id} and "idCustomer" = ${idCustomer} returning 1`)) !==
  undefined

/** Ends all sessions of a patient, and revokes unopened links. */
export async function endAll(db: Tx, idCustomer: number): Promise<{ sessions: number; links: number }> {
  const links = await db.query(sql`update portal_links set "dateExpires" = now()
    where "idCustomer" = ${idCustomer} and "dateOpened" is null and "dateExpires" > now() returning 1`)
  const sessions = await db.query(sql`delete from portal_sessions where "idCustomer" = ${idCustomer} returning 1`)
  return { sessions: sessions.length, links: links.length }
}

/** Context of a patient call: the staff's without rights. */
export type PatientContext<C> = Pick<
  OperationContext<C>,
  'app' | 'params' | 'query' | 'body' | 'request' | 'reply' | 'records'
> & {
  patient: Patient
  /** The requested person: the patient, or a family member. @throws HttpError 404 */
  subject(asked?: number): Promise<number>
  /** Records the patient's read in the access journal. */
  recordView(idCustomer: number, entityType: string, what: string): Promise<void>
  /** Records the patient's write in the access journal. */
  wrote(done: Done): Promise<void>
}

interface Done {
  action: JournalEntry['action']
  entity: Entity
  id: number
  idCustomer: number
  what: string
}

type PatientHandler<C> = (context: PatientContext<C>) => ReturnType<Handler<C>>

/** Implements a patient call: authenticates before the request is parsed. */
export function patientCall<C extends PlainCall>(call: C, handler: PatientHandler<C>): Operation {
  const known = new WeakMap<FastifyRequest, Patient>()
  const made = operation<C>(call, (context) => {
    const { app, request } = context
    const patient = known.get(request)
    if (!patient) throw outside()
    const journalled = (entry: Omit<JournalEntry, 'basis'>, what: string) =>
      journal(app.db, {
        ...entry,
        ip: request.ip,
        requestId: request.id,
        basis: `Пациент в личном кабинете: ${what}`,
      })
    return handler({
      ...context,
      patient,
      subject: (asked) => customerOf(app.db, patient, asked),
      recordView: (idCustomer, entityType, what) => journalled({ action: 'view', entityType, idCustomer }, what),
      wrote: ({ action, entity, id, idCustomer, what }) =>
        journalled({ action, entityType: entity.path, idEntity: id, idCustomer }, what),
    })
  })
  return {
    ...made,
    async before(app, request) {
      known.set(request, await patientOf(app, request))
    },
  }
}
