/** The calls of a workspace beyond the engine's (spec §7, Board calls). */
import { Board, Column, Member } from '@ordinator/model/areas/tasks/board'
import { mayEditColumns } from '@ordinator/model/areas/tasks/rights'
import type { Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { forbidden, ValidationError } from '../../platform/errors.ts'
import { operation } from '../../records/operation.ts'
import type { Records } from '../../records/records.ts'
import { lockColumn } from './boards.ts'
import { clearBoard, pourCards } from './bulk.ts'
import { keepPeople } from './cards.ts'
import { standingOn } from './standing.ts'

const params = z.object({ id: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER) })
const access = 'viewTasksManagement'

/**
 * POST on a board's own path joins it, as the specification says; a board is changed by PUT alone.
 * What the invitation shows is the board itself, `GET /tasks-management/boards/{id}`.
 */
export const joinBoard = operation({
  method: 'POST',
  path: '/tasks-management/boards/:id',
  summary: 'Вступить в публичное рабочее пространство. Возвращает участника; вступившего раньше — каким он есть',
  access,
  params,
  async handler({ records, actor, params }) {
    const board = await records.row(Board, params.id)
    const before = await membership(records, board.id)
    if (before) return before
    if (!board.isPublic) throw forbidden('В это рабочее пространство можно войти только по приглашению')
    return records.tx(async (inside, tx) => {
      // Two clicks at once: the second waits for the first and finds its membership.
      await tx.query(sql`select 1 from tasks_management_boards where "id" = ${board.id} for no key update`)
      return (
        (await membership(inside, board.id)) ?? inside.asSystem.create(Member, { idBoard: board.id, idUser: actor.id })
      )
    })
  },
})

async function membership(records: Records, idBoard: number): Promise<Row<typeof Member> | undefined> {
  const found = await records.asSystem.rows(Member, {
    'filter[idBoard]': String(idBoard),
    'filter[idUser]': String(records.actor.id),
    limit: '1',
  })
  return found[0]
}

export const clearTasks = operation({
  method: 'DELETE',
  path: '/tasks-management/boards/:id/tasks',
  summary: 'Очистить рабочее пространство: его задачи уходят в корзину, а задачи других пространств снимаются отсюда',
  access,
  params,
  answer: z.object({ tasks: z.number().int(), cards: z.number().int() }),
  async handler({ records, actor, params }) {
    const { id } = await records.row(Board, params.id)
    return records.tx(async (inside, tx) => {
      const on = await standingOn(tx, actor, id)
      if (!on.isOwner && !on.bypass) throw forbidden('Очистить рабочее пространство может только владелец')
      const { tasks, shared } = await clearBoard(tx, actor, id)
      for (const idTask of shared) await keepPeople({ tx, records: inside }, idTask)
      return { tasks, cards: shared.length }
    })
  },
})

export const deleteColumn = operation({
  method: 'POST',
  path: '/tasks-management/columns/:id/delete',
  summary: 'Удалить колонку, перенеся её карточки в другую колонку того же пространства',
  access,
  params,
  body: z.strictObject({ idColumn: z.int().positive().optional() }),
  answer: z.object({ moved: z.number().int() }),
  async handler({ records, actor, params, body }) {
    const column = await records.row(Column, params.id)
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
        moved = await pourCards(tx, actor, column.id, body.idColumn)
      }
      await inside.remove(Column, column.id)
      return { moved }
    })
  },
})
