/** Calls of a workspace beyond the engine's (spec §7, Board calls). */
import { z } from 'zod'
import { call, id, idParams, rowOf, viewQuery } from '../../call.ts'
import { Board, BoardMember } from './board.ts'

/** Maximum roles per request. */
const MAX_GROUPS = 100
const invitationToken = z.string().min(1).max(64)

/** Data of the workspace for an invited person. */
const invitedTo = z.object({
  id,
  name: z.string(),
  description: z.string().nullable(),
  icon: z.string().nullable(),
  color: z.string(),
  owner: z.string(),
  idOwner: id,
  membersCount: z.int(),
  isMember: z.boolean(),
})
export type Invitation = z.output<typeof invitedTo>

export const boardCalls = {
  addGroups: call({
    method: 'POST',
    path: '/tasks-management/boards/:id/groups',
    summary:
      'Добавить сотрудников ролей (groups) с этими правами; остальные поля — как у участника. Возвращает добавленных',
    access: 'viewTasksManagement',
    params: idParams,
    body: z.looseObject({ groups: z.array(id).min(1).max(MAX_GROUPS) }),
    answer: z.array(rowOf(BoardMember)),
  }),
  listGroups: call({
    method: 'GET',
    path: '/tasks-management/boards/:id/groups',
    summary: 'Роли, сотрудников которых можно добавить, и сколько человек добавит каждая',
    access: 'viewTasksManagement',
    params: idParams,
    answer: z.object({ items: z.array(z.object({ id: z.int(), name: z.string(), users: z.array(z.int()) })) }),
  }),
  giveAway: call({
    method: 'POST',
    path: '/tasks-management/boards/:id/owner',
    summary:
      'Передать рабочее пространство участнику: он становится владельцем, прежний остаётся участником со всеми правами',
    access: 'viewTasksManagement',
    params: idParams,
    body: z.strictObject({ idUser: id }),
    answer: rowOf(Board),
  }),
  archiveCompleted: call({
    method: 'POST',
    path: '/tasks-management/boards/:id/archive',
    summary: 'Отправить в архив пространства его завершённые задачи, которые вам можно изменять',
    access: 'viewTasksManagement',
    params: idParams,
    answer: z.object({ ids: z.array(z.int()) }),
  }),
  clearTasks: call({
    method: 'DELETE',
    path: '/tasks-management/boards/:id/tasks',
    summary: 'Очистить рабочее пространство: его задачи уходят в корзину, а задачи других пространств снимаются отсюда',
    access: 'viewTasksManagement',
    params: idParams,
    answer: z.object({ tasks: z.int(), cards: z.int() }),
  }),
  deleteColumn: call({
    method: 'POST',
    path: '/tasks-management/columns/:id/delete',
    summary: 'Удалить колонку, перенеся её карточки в другую колонку того же пространства',
    access: 'viewTasksManagement',
    params: idParams,
    body: z.strictObject({ idColumn: z.int().positive().optional() }),
    answer: z.object({ moved: z.int() }),
  }),
  invitation: call({
    method: 'GET',
    path: '/tasks-management/boards/:id/invitation',
    summary: 'Ссылка-приглашение в рабочее пространство; renew=1 — новая вместо прежней',
    access: 'viewTasksManagement',
    params: idParams,
    query: z.strictObject({ renew: z.enum(['0', '1']).optional() }),
    answer: z.object({ url: z.string(), dateCreate: z.string() }),
  }),
  view: call({
    method: 'GET',
    path: '/tasks-management/boards/:id',
    summary:
      'Рабочее пространство; с invitation — что видит приглашённый: название, описание, владелец, число участников',
    access: 'viewTasksManagement',
    params: idParams,
    query: z.object({ invitation: invitationToken.optional(), ...viewQuery }),
    answer: z.union([invitedTo, rowOf(Board)]),
  }),
  join: call({
    method: 'POST',
    path: '/tasks-management/boards/:id',
    summary:
      'Вступить в публичное рабочее пространство или, с invitation, в любое. Возвращает участника; вступившего раньше — каким он есть',
    access: 'viewTasksManagement',
    params: idParams,
    body: z.strictObject({ invitation: invitationToken.optional() }),
    answer: rowOf(BoardMember),
  }),
}
