/**
 * Personal links: valid for a day, for the first device that opens them. Without the birthday no medical data is shown.
 */
import { createHash, randomBytes } from 'node:crypto'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { portalCalls } from '@ordinator/model/areas/portal/calls'
import { CODE_TRIES, LINK_HOURS } from '@ordinator/model/areas/portal/rules'
import sql, { raw } from 'sql-template-tag'
import { assertOpen, LINK_MADE, LINK_OPENED } from '#areas/customers/index.ts'
import { shortFioSql } from '#areas/staff/index.ts'
import { HttpError, tooMany, ValidationError } from '#platform/errors.ts'
import { journal } from '#records/journal.ts'
import { operation } from '#records/operation.ts'
import { meOf } from './people.ts'
import { endAll, openSession } from './sessions.ts'
import { mustBeOn } from './signIn.ts'

const LINKS_A_DAY = 10

const hashOf = (token: string): string => createHash('sha256').update(`portal link ${token}`).digest('hex')

/** A new link revokes the unopened ones. */
const makeLink = operation(portalCalls.makeLink, async ({ app, records, actor, params, reply }) => {
  await mustBeOn(app, 'link')
  const token = randomBytes(32).toString('base64url')
  const dateExpires = await records.tx(async (inside, tx) => {
    await inside.row(Customer, params.id)
    await assertOpen(tx, actor, params.id)
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`portal link ${params.id}`}, 0))`)
    const made = await tx.one<{ count: number }>(sql`select count(*)::int as count from portal_links
      where "idCustomer" = ${params.id} and "dateCreate" > now() - interval '1 day'`)
    if ((made?.count ?? 0) >= LINKS_A_DAY) throw tooMany(3600, 'За сутки дано слишком много ссылок: подождите')
    await tx.query(sql`update portal_links set "dateExpires" = now()
      where "idCustomer" = ${params.id} and "dateOpened" is null and "dateExpires" > now()`)
    const row = await tx.one<{ at: string }>(sql`
      insert into portal_links ("hash", "idCustomer", "idUser", "dateExpires")
      values (${hashOf(token)}, ${params.id}, ${actor.id}, now() + make_interval(hours => ${LINK_HOURS}))
      returning to_char("dateExpires" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at`)
    await journal(tx, {
      action: 'create',
      idUser: actor.id,
      entityType: Customer.path,
      idEntity: params.id,
      idCustomer: params.id,
      basis: LINK_MADE,
      ...(actor.ip !== undefined && { ip: actor.ip }),
    })
    return row?.at ?? ''
  })
  // The fragment after # stays in the browser: no server or log on the way sees it.
  const url = `${app.config.publicUrl}/portal#link=${token}`
  return reply.code(201).send({ url, dateExpires, idCustomer: params.id })
})

interface Link {
  id: number
  idCustomer: number
  tries: number
  isOpened: boolean
  birthday: string | null
  dateExpires: string
  /** The employee who made the link. */
  maker: string | null
}

const openLink = operation(portalCalls.openLink, async ({ app, request, reply, body: { token, birthday } }) => {
  await mustBeOn(app, 'link')
  const outcome = await app.db.tx(async (tx) => {
    const link = await tx.one<Link>(sql`
      select l."id"::int as id, l."idCustomer"::int as "idCustomer", l."tries", l."dateOpened" is not null as "isOpened",
        c."birthday"::text as birthday, l."dateExpires"::text as "dateExpires",
        (select ${shortFioSql(raw('u'))} from users u where u."id" = l."idUser") as maker
      from portal_links l join customers c on c."id" = l."idCustomer" and not c."deleted" and c."dateDeath" is null
      where l."hash" = ${hashOf(token)} and l."dateExpires" > now() for update of l`)
    if (!link || link.isOpened || link.tries >= CODE_TRIES) return undefined
    const isProven = birthday !== undefined && birthday === link.birthday
    if (birthday !== undefined && !isProven) {
      await tx.query(sql`update portal_links set "tries" = "tries" + 1 where "id" = ${link.id}`)
      return 'birthday' as const
    }
    await tx.query(sql`update portal_links set "dateOpened" = now() where "id" = ${link.id}`)
    const { idCustomer, dateExpires, maker } = link
    const patient = await openSession(app, tx, reply, { idCustomer, isProven, idLink: link.id, dateExpires })
    await journal(tx, {
      action: 'view',
      entityType: Customer.path,
      idCustomer,
      ip: request.ip,
      requestId: request.id,
      basis: `${LINK_OPENED}${maker ? `, её дал: ${maker}` : ''}`,
    })
    return patient
  })
  if (outcome === undefined)
    throw new HttpError(410, 'Ссылка устарела или уже открыта на другом устройстве: попросите у клиники новую', {
      code: 'link',
    })
  if (outcome === 'birthday')
    throw new ValidationError([{ field: 'birthday', message: 'Дата рождения не та, что указана в клинике' }])
  return meOf(app.db, outcome)
})

/** For a lost phone, or a misdirected link. */
const endSessions = operation(portalCalls.endSessions, ({ records, actor, params }) =>
  records.tx(async (inside, tx) => {
    await inside.row(Customer, params.id)
    await assertOpen(tx, actor, params.id)
    const ended = await endAll(tx, params.id)
    await journal(tx, {
      action: 'update',
      idUser: actor.id,
      entityType: Customer.path,
      idEntity: params.id,
      idCustomer: params.id,
      basis: 'Завершены все сеансы пациента в личном кабинете',
      ...(actor.ip !== undefined && { ip: actor.ip }),
    })
    return ended
  }),
)

export const linkCalls = [makeLink, openLink, endSessions]
