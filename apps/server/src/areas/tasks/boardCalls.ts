/** The calls of a workspace beyond the engine's (spec §7, Board calls). */

import { Board, BoardColumn, BoardMember } from '@ordinator/model/areas/tasks/board'
import { boardCalls } from '@ordinator/model/areas/tasks/boardCalls'
import { everyRight, mayEditBoard, mayEditColumns, type Standing } from '@ordinator/model/areas/tasks/rights'
import { Assigned, Task } from '@ordinator/model/areas/tasks/task'
import { checkBody } from '@ordinator/model/check'
import type { Create } from '@ordinator/model/entity'
import sql, { join, type Sql } from 'sql-template-tag'
import { notify } from '#areas/notifications/index.ts'
import { forbidden, ValidationError } from '#platform/errors.ts'
import { announceReset } from '#realtime/index.ts'
import { operation } from '#records/operation.ts'
import { lockColumn } from './boards.ts'
import { archiveCards, clearBoard, pourCards } from './bulk.ts'
import { keepPeople } from './cards.ts'
import { standingOn } from './standing.ts'

const notMaster = 'Добавлять участников может владелец или тот, кому дано право изменять пространство'

const isMaster = (on: Standing): boolean => on.isOwner || on.bypass

/** Rights and defaults of a member, as requested for the group. */
const extras = (body: Record<string, unknown>): Record<string, unknown> => {
  const { groups: _groups, ...rest } = body
  return rest
}

const addGroups = operation(boardCalls.addGroups, async ({ records, actor, params, body }) => {
  const board = await records.row(Board, params.id)
  const rights = extras(body)
  const checked = checkBody(BoardMember, { ...rights, idBoard: board.id, idUser: board.idUser }, 'create', actor)
  if (checked.errors) throw new ValidationError(checked.errors)
  return records.tx(async (inside, tx) => {
    if (!mayEditBoard(await standingOn(tx, actor, board.id))) throw forbidden(notMaster)
    const known = await tx.query<{ id: number }>(sql`select "id" from roles where "id" in (${join(body.groups)})`)
    if (known.length < new Set(body.groups).size)
      throw new ValidationError([{ field: 'groups', message: 'Запись не найдена' }])
    // Concurrent calls: the second waits for the first and sees its members.
    await tx.query(sql`select 1 from tasks_management_boards where "id" = ${board.id} for no key update`)
    const people = await tx.query<{ id: number }>(sql`select distinct u."id" from users u
        join user_roles ur on ur."idUser" = u."id" and ur."idRole" in (${join(body.groups)})
        where ${joins(sql`u`, board.id)} order by u."id"`)
    const made = []
    for (const { id: idUser } of people)
      made.push(
        await inside.create(BoardMember, { ...rights, idBoard: board.id, idUser } as Create<typeof BoardMember>),
      )
    return made
  })
})

const listGroups = operation(boardCalls.listGroups, async ({ app, records, actor, params }) => {
  const board = await records.row(Board, params.id)
  if (!mayEditBoard(await standingOn(app.db, actor, board.id))) throw forbidden(notMaster)
  const items = await app.db.query<{ id: number; name: string; users: number[] }>(sql`select r."id", r."name",
        coalesce(json_agg(u."id" order by u."id") filter (where u."id" is not null), '[]') as users
      from roles r left join user_roles ur on ur."idRole" = r."id"
      left join users u on u."id" = ur."idUser" and ${joins(sql`u`, board.id)}
      group by r."id" order by r."name"`)
  return { items }
})

/** SQL condition: an active user who may sign in and is not a member yet. */
const joins = (user: Sql, idBoard: number): Sql => sql`(not ${user}."deleted" and not ${user}."isBlocked"
  and not exists (select 1 from tasks_management_members gm
    where gm."idBoard" = ${idBoard} and gm."idUser" = ${user}."id" and not gm."deleted"))`

const giveAway = operation(boardCalls.giveAway, async ({ records, actor, params, body }) => {
  const { id: idBoard } = await records.row(Board, params.id)
  return records.tx(async (inside, tx) => {
    await tx.query(sql`select 1 from tasks_management_boards where "id" = ${idBoard} for no key update`)
    const on = await standingOn(tx, actor, idBoard)
    if (!isMaster(on)) throw forbidden('Передать рабочее пространство может только его владелец')
    const refuse = (message: string) => new ValidationError([{ field: 'idUser', message }])
    if (body.idUser === on.idUser) throw refuse('Этот сотрудник уже владелец')
    const people = await tx.query<{ id: number; idUser: number }>(sql`
        select m."id", m."idUser" from tasks_management_members m join users u on u."id" = m."idUser" and not u."deleted"
        where m."idBoard" = ${idBoard} and m."idUser" in (${body.idUser}, ${on.idUser}) and not m."deleted"`)
    const next = people.find((one) => one.idUser === body.idUser)
    if (!next) throw refuse('Передать можно только участнику пространства')
    const system = inside.asSystem
    // Order matters: an owner's membership cannot be changed.
    await system.update(BoardMember, next.id, everyRight)
    const board = await system.update(Board, idBoard, { idUser: body.idUser })
    const former = people.find((one) => one.idUser === on.idUser)
    if (former) await system.update(BoardMember, former.id, everyRight)
    await notify({ actor, tx, records: inside }, [body.idUser], {
      kind: 'board.owner',
      title: 'Вам передали рабочее пространство',
      text: board.name,
      path: Board.path,
      idEntity: idBoard,
      link: `/tasks?board=${idBoard}`,
    })
    return board
  })
})

const archiveCompleted = operation(boardCalls.archiveCompleted, async ({ records, actor, params }) => {
  const { id: idBoard } = await records.row(Board, params.id)
  return records.tx(async (inside, tx) => {
    const on = await standingOn(tx, actor, idBoard)
    return { ids: await archiveCards(inside, idBoard, isMaster(on)) }
  })
})

const clearTasks = operation(boardCalls.clearTasks, async ({ records, actor, params }) => {
  const { id } = await records.row(Board, params.id)
  return records.tx(async (inside, tx) => {
    const on = await standingOn(tx, actor, id)
    if (!isMaster(on)) throw forbidden('Очистить рабочее пространство может только владелец')
    const { tasks, shared } = await clearBoard(inside, id)
    for (const idTask of shared) await keepPeople({ tx, records: inside }, idTask)
    // The cards of deleted tasks are invisible, so their events reach no board: the clients of these people must
    // reload.
    const people = await tx.query<{ idUser: number }>(
      sql`select "idUser" from tasks_management_members where "idBoard" = ${id} and not "deleted"`,
    )
    const idUsers = [...new Set([actor.id, ...people.map((one) => one.idUser)])]
    await announceReset(tx, idUsers, [Task.path, Assigned.path])
    return { tasks, cards: shared.length }
  })
})

const deleteColumn = operation(boardCalls.deleteColumn, async ({ records, actor, params, body }) => {
  const column = await records.row(BoardColumn, params.id)
  return records.tx(async (inside, tx) => {
    if (!mayEditColumns(await standingOn(tx, actor, column.idBoard))) throw forbidden('Вам нельзя изменять колонки')
    await lockColumn(tx, column.id)
    let moved = 0
    if (body.idColumn !== undefined) {
      await lockColumn(tx, body.idColumn, 'share')
      const target = await tx.one(sql`select 1 from tasks_management_columns
          where "id" = ${body.idColumn} and "idBoard" = ${column.idBoard} and "id" <> ${column.id} and not "deleted"`)
      if (!target)
        throw new ValidationError([
          { field: 'idColumn', message: 'Нужна другая колонка этого же рабочего пространства' },
        ])
      moved = await pourCards(inside, column.id, body.idColumn)
    }
    await inside.remove(BoardColumn, column.id)
    return { moved }
  })
})

export const boardOperations = [listGroups, addGroups, giveAway, archiveCompleted, clearTasks, deleteColumn]
