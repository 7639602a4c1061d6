/** Invitation links of workspaces (spec §7: invitation info, apply invitation). */

import { randomBytes, timingSafeEqual } from 'node:crypto'
import { Board, BoardMember } from '@ordinator/model/areas/tasks/board'
import { boardCalls, type Invitation } from '@ordinator/model/areas/tasks/boardCalls'
import { mayEditBoard } from '@ordinator/model/areas/tasks/rights'
import type { Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { notify } from '#areas/notifications/index.ts'
import { forgiveAttempt, takeAttempt } from '#auth/index.ts'
import type { Queryable } from '#platform/db.ts'
import { forbidden, notFound, tooMany } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import { journalExpanded } from '#records/journalRecords.ts'
import { operation } from '#records/operation.ts'
import type { RawParams } from '#records/params.ts'
import type { Records } from '#records/records.ts'
import { standingOn } from './standing.ts'

/** Bytes of a token; 32 characters of base64url. */
const TOKEN_BYTES = 24

const link = operation(boardCalls.invitation, async ({ app, records, actor, params, query }) => {
  const { id } = await records.row(Board, params.id)
  return records.tx(async (_, tx) => {
    if (!mayEditBoard(await standingOn(tx, actor, id))) throw forbidden('Приглашать может тот, кто ведёт пространство')
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    const set = query.renew === '1' ? sql`excluded."token"` : sql`i."token"`
    const since = query.renew === '1' ? sql`now()` : sql`i."dateCreate"`
    const made = await tx.one<{ token: string; dateCreate: Date }>(sql`
        insert into tasks_management_invitations as i ("idBoard", "token", "idUser") values (${id}, ${token}, ${actor.id})
        on conflict ("idBoard") do update set "token" = ${set}, "dateCreate" = ${since} returning "token", "dateCreate"`)
    const address = new URLSearchParams({ board: String(id), token: made?.token ?? '' })
    return {
      url: `${app.config.publicUrl}/app/tasks/invitation?${address}`,
      dateCreate: new Date(made?.dateCreate ?? 0).toISOString(),
    }
  })
})

/** The record for users who see it; with a token, the workspace's data for an invited person. */
const view = operation(boardCalls.view, async ({ app, records, actor, params, query, request }) => {
  if (query.invitation === undefined) {
    const text = await records.view(Board, params.id, query as RawParams)
    await journalExpanded(app, app.registry, Board, actor, query as RawParams, text)
    return text
  }
  return invitationOf(app.db, actor.id, await invited(app, actor.id, request.ip, params.id, query.invitation))
})

const join = operation(boardCalls.join, async ({ app, records, actor, params, body, request }) => {
  const id =
    body.invitation === undefined
      ? (await records.row(Board, params.id)).id
      : await invited(app, actor.id, request.ip, params.id, body.invitation)
  const board = await records.asSystem.row(Board, id)
  const before = await membership(records, id)
  if (before) return before
  if (!board.isPublic && body.invitation === undefined)
    throw forbidden('В это рабочее пространство можно войти только по приглашению')
  return records.tx(async (inside, tx) => {
    // Concurrent clicks: the second waits for the first and finds its membership.
    await tx.query(sql`select 1 from tasks_management_boards where "id" = ${id} for no key update`)
    const there = await membership(inside, id)
    if (there) return there
    const made = await inside.asSystem.create(BoardMember, { idBoard: id, idUser: actor.id })
    await notify({ actor, tx, records: inside }, [board.idUser], {
      kind: 'board.joined',
      title: 'Новый участник в рабочем пространстве',
      text: `${await nameOf(tx, actor.id)} — «${board.name}»`,
      path: Board.path,
      idEntity: id,
      link: `/tasks?board=${id}`,
    })
    return made
  })
})

export const invitationOperations = [link, view, join]

/**
 * The board of the token. A wrong token, an expired one and a missing board get the same error in the same time, and
 * each counts as an attempt: after a few the user must wait.
 * @throws HttpError 404, 429
 */
async function invited(app: AppContext, idUser: number, ip: string, idBoard: number, token: string): Promise<number> {
  const attempt = await takeAttempt(app.db, `invitation ${idUser}`, ip)
  if (attempt.wait > 0) throw tooMany(attempt.wait)
  const found = await app.db.one<{ token: string }>(sql`select i."token" from tasks_management_invitations i
    join tasks_management_boards b on b."id" = i."idBoard" and not b."deleted" where i."idBoard" = ${idBoard}`)
  const right = same(found?.token ?? randomBytes(TOKEN_BYTES).toString('base64url'), token)
  if (!found || !right) throw notFound('Приглашение недействительно')
  await forgiveAttempt(app.db, attempt)
  return idBoard
}

function same(token: string, given: string): boolean {
  const [a, b] = [Buffer.from(token), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}

const invitationOf = async (db: Queryable, idUser: number, idBoard: number): Promise<Invitation> =>
  (await db.one<Invitation>(sql`
    select b."id", b."name", b."description", b."icon", b."color",
      concat_ws(' ', u."surname", u."name", u."middleName") as owner, b."idUser" as "idOwner",
      (select count(*)::int from tasks_management_members m where m."idBoard" = b."id" and not m."deleted") as "membersCount",
      exists (select 1 from tasks_management_members m
        where m."idBoard" = b."id" and m."idUser" = ${idUser} and not m."deleted") as "isMember"
    from tasks_management_boards b join users u on u."id" = b."idUser" where b."id" = ${idBoard}`)) as Invitation

async function nameOf(db: Queryable, idUser: number): Promise<string> {
  const found = await db.one<{ name: string }>(
    sql`select concat_ws(' ', "surname", "name", "middleName") as name from users where "id" = ${idUser}`,
  )
  return found?.name ?? ''
}

async function membership(records: Records, idBoard: number): Promise<Row<typeof BoardMember> | undefined> {
  const found = await records.asSystem.rows(BoardMember, {
    'filter[idBoard]': String(idBoard),
    'filter[idUser]': String(records.actor.id),
    limit: '1',
  })
  return found[0]
}
