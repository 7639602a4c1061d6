import { Board, BoardColumn, BoardMember, defaultColumns, linkedColumns } from '@ordinator/model/areas/tasks/board'
import {
  beyondRights,
  everyRight,
  type MemberRights,
  mayEditBoard,
  ownMemberFields,
} from '@ordinator/model/areas/tasks/rights'
import { Assigned, Task } from '@ordinator/model/areas/tasks/task'
import type { Row, Update } from '@ordinator/model/entity'
import sql, { join, raw } from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { forbidden, HttpError, ValidationError } from '#platform/errors.ts'
import { announceReset } from '#realtime/index.ts'
import { count, type RowSql, records, type WriteContext } from '#records/define.ts'
import { pourCards } from './bulk.ts'
import { memberCounters } from './counters.ts'
import { boardScope, columnScope, memberScope } from './scope.ts'
import { defaultRights, standingOn } from './standing.ts'

const members = ({ row, me }: RowSql) =>
  sql`tasks_management_members bm where bm."idBoard" = ${row}."id" and bm."idUser" = ${me} and not bm."deleted"`

export const boards = records(Board, {
  found: { on: 'tasks', group: 'Пространства', by: ['name'], opens: ({ row }) => sql`'/tasks?board=' || ${row}."id"` },
  scope: boardScope,
  computed: {
    isMember: (about) => sql`exists (select 1 from ${members(about)})`,
    isFavourite: (about) => sql`exists (select 1 from ${members(about)} and bm."isFavourite")`,
    membersCount: count('members', { whoever: true }),
  },
  hooks: {
    beforeCreate: (_, value) => checkLinks(value, undefined, []),
    afterCreate: furnish,
    async beforeUpdate({ tx }, value, before) {
      const links = linkedColumns.map((link) => value[link]).filter((id) => typeof id === 'number')
      const own = links.length
        ? await tx.query<{ id: number }>(sql`select "id" from tasks_management_columns
            where "idBoard" = ${before.id} and "id" in (${join(links)}) and not "deleted"`)
        : []
      checkLinks(
        value,
        before,
        own.map((column) => column.id),
      )
    },
    async afterUpdate(context, board, before) {
      if (board.idUser !== before.idUser)
        for (const idUser of [board.idUser, before.idUser]) await notifyMember(context, { idUser })
    },
  },
})

/** A new board gets its owner as a member with every right, and a column for each state of a task. */
async function furnish({ records }: WriteContext, board: Row<typeof Board>): Promise<void> {
  const system = records.asSystem
  await system.create(BoardMember, { idBoard: board.id, idUser: board.idUser, ...everyRight })
  const links: Update<typeof Board> = {}
  for (const { name, color, link } of defaultColumns) {
    links[link] = (await system.create(BoardColumn, { idBoard: board.id, name, color })).id
  }
  await system.update(Board, board.id, links)
}

/**
 * A linked column must be active, of the same board, and linked to one state only: a drop into it must be unambiguous.
 */
function checkLinks(value: Update<typeof Board>, before: Row<typeof Board> | undefined, own: readonly number[]): void {
  const errors = []
  for (const link of linkedColumns) {
    const id = value[link]
    if (typeof id !== 'number' || id === before?.[link]) continue
    if (!own.includes(id)) errors.push({ field: link, message: 'Колонка должна быть из этого рабочего пространства' })
    else if (
      linkedColumns.some(
        (other) => other !== link && (value[other] === undefined ? before?.[other] : value[other]) === id,
      )
    ) {
      errors.push({ field: link, message: 'Колонка уже связана с другим состоянием' })
    }
  }
  if (errors.length) throw new ValidationError(errors)
}

export const columns = records(BoardColumn, {
  scope: columnScope,
  hooks: {
    async beforeDelete({ records, tx }, column) {
      await lockColumn(tx, column.id)
      const count = await livingCards(tx, column.id)
      if (count > 0) {
        throw new HttpError(
          409,
          `В колонке есть задачи (${count}), в том числе из архива. Выберите, куда их перенести`,
          { code: 'notEmpty' },
        )
      }
      // Tasks in the trash can be restored to the board, so their cards must not be deleted with the column.
      const rest = await firstColumn(tx, column.idBoard, column.id)
      if (rest) await pourCards(records, column.id, rest)
    },
  },
})

/** Locks a column that is being deleted, so that no card is added: each writer of a card locks its column FOR SHARE. */
export async function lockColumn(
  tx: WriteContext['tx'],
  id: number,
  mode: 'update' | 'share' = 'update',
): Promise<void> {
  await tx.query(sql`select 1 from tasks_management_columns where "id" = ${id} for ${raw(mode)}`)
}

/** Target column for a card whose own column is deleted; `except` is being deleted. */
export async function firstColumn(tx: Queryable, idBoard: number, except = 0): Promise<number | undefined> {
  const found = await tx.one<{ id: number }>(sql`select "id" from tasks_management_columns
    where "idBoard" = ${idBoard} and "id" <> ${except} and not "deleted" order by "order", "id" limit 1`)
  return found?.id
}

/** Number of cards of active tasks, archived ones included. */
async function livingCards(tx: WriteContext['tx'], idColumn: number): Promise<number> {
  const found = await tx.one<{ count: number }>(sql`select count(*)::int as count from tasks_management_assigned a
    join tasks_management_tasks t on t."id" = a."idTask" and not t."deleted"
    where a."idColumn" = ${idColumn} and not a."deleted"`)
  return found?.count ?? 0
}

export const member = records(BoardMember, {
  scope: memberScope,
  computed: memberCounters,
  hooks: {
    async beforeCreate({ actor, tx }, value) {
      const on = await standingOn(tx, actor, value.idBoard)
      if (!mayEditBoard(on))
        throw forbidden('Добавлять участников может владелец или тот, кому дано право изменять пространство')
      refuseBeyond(beyondRights(on, { ...defaultRights, ...rightsIn(value) }))
    },
    async beforeUpdate({ actor, tx }, value, before) {
      const on = await standingOn(tx, actor, before.idBoard)
      const changed = Object.keys(value).filter(
        (name) => value[name as keyof typeof value] !== before[name as keyof typeof before],
      )
      if (!mayEditBoard(on)) {
        const others = changed.filter((name) => !(ownMemberFields as readonly string[]).includes(name))
        if (others.length) throw forbidden('В своём участии можно менять только личные настройки')
      } else if (on.idUser === before.idUser && changed.some((name) => name in everyRight)) {
        throw forbidden('Права владельца нельзя изменить')
      }
      refuseBeyond(beyondRights(on, rightsIn(value), rightsIn(before) as MemberRights))
    },
    async beforeDelete({ actor, tx }, row) {
      const on = await standingOn(tx, { ...actor, system: true }, row.idBoard)
      if (on.idUser === row.idUser) throw forbidden('Владельца нельзя исключить из рабочего пространства')
    },
    afterCreate: notifyMember,
    afterDelete: notifyMember,
    afterRestore: notifyMember,
    async afterUpdate(context, row, before) {
      if (
        Object.keys(rightsIn(row)).some(
          (name) => row[name as keyof MemberRights] !== before[name as keyof MemberRights],
        )
      ) {
        await notifyMember(context, row)
      }
    },
  },
})

/** The user's view of the board depends on the membership, and the membership's own event does not announce it. */
async function notifyMember({ tx }: WriteContext, { idUser }: { idUser: number }): Promise<void> {
  await announceReset(tx, [idUser], [Board.path, BoardColumn.path, BoardMember.path, Task.path, Assigned.path])
}

const rightsIn = (value: object): Partial<MemberRights> =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name in everyRight))

function refuseBeyond(excess: readonly string[]): void {
  if (excess.length === 0) return
  throw new ValidationError(excess.map((field) => ({ field, message: 'Нельзя дать право больше своего' })))
}
