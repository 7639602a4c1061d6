/** Calls of tasks beyond the engine's (spec §7, Task calls). */
import { z } from 'zod'
import { call, id, idParams, idText, listFilter, oneOf, rowOf } from '../../call.ts'
import type { Row } from '../../entity.ts'
import { isDay } from '../../fields/date.ts'
import { checkDateTime } from '../../fields/dateTime.ts'
import { messages } from '../../messages.ts'
import { uploadCall } from '../files/calls.ts'
import { commentSubjects } from './comment.ts'
import { TaskUpload } from './file.ts'
import { verbNames } from './states.ts'
import { Assigned, Task } from './task.ts'

/** Maximum tasks per copy request. */
export const MAX_COPIES = 200
const MAX_COMMENT = 20_000

const moment = z.string().refine((value) => checkDateTime(value).ok, messages.dateTime)
/** Relations, comma-separated or as a list. */
const names = z.union([z.string(), z.array(z.string())])
const ids = z.array(id).min(1).max(MAX_COPIES)
const day = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d$/, messages.date)
  .refine((text) => isDay(text), 'Такой даты нет')
const dayOrMoment = z.string().refine((text) => isDay(text) || checkDateTime(text).ok, messages.dateTime)
const madeTask = rowOf<typeof Task, { assigned: Row<typeof Assigned>[] }>(Task)

/** With cards on the board, and with people if expanded. */
interface CalendarParts {
  assigned: { id: number; idColumn: number; isArchive: boolean }[]
  executors: Seat[]
  responsible: Seat[]
}
interface Seat {
  id: number
  idMember: number
  member: { id: number; idUser: number } | null
}
const calendarTask = rowOf<typeof Task, CalendarParts>(Task)

export const taskCalls = {
  uploadFile: uploadCall(TaskUpload),
  makeTemplates: call({
    method: 'POST',
    path: '/tasks-management/assigned/template',
    summary: 'Сделать шаблоны из задач этих карточек (ids), с подзадачами. Возвращает карточки шаблонов',
    access: 'viewTasksManagement',
    query: z.object({ expand: names.optional() }),
    body: z.strictObject({ ids, expand: names.optional() }),
    answer: z.object({ items: z.array(rowOf(Assigned)) }),
  }),
  createFromTemplate: call({
    method: 'POST',
    path: '/tasks-management/assigned/:id/create-from-template',
    summary: 'Создать задачу из шаблона этой карточки, с подзадачами. Без дат задачи создаются без сроков',
    access: 'viewTasksManagement',
    params: idParams,
    body: z.strictObject({
      idColumn: id.optional(),
      dateStart: moment.nullish(),
      dateEnd: moment.nullish(),
    }),
    answer: z.object({ main: madeTask, subtasks: z.array(madeTask) }),
  }),
  duplicate: call({
    method: 'POST',
    path: '/tasks-management/assigned/duplication',
    summary:
      'Размножить задачи этих карточек (ids): date — новый срок или день (ГГГГ-ММ-ДД, час остаётся прежним), начало сдвигается так же; idColumn — куда',
    access: 'viewTasksManagement',
    query: z.object({ expand: names.optional() }),
    body: z.strictObject({
      ids,
      date: dayOrMoment.nullish(),
      idColumn: id.optional(),
      expand: names.optional(),
    }),
    answer: z.object({ items: z.array(rowOf(Assigned)) }),
  }),
  setState: call({
    method: 'POST',
    path: '/tasks-management/tasks/:id/state',
    summary:
      'Изменить состояние задачи: start, handIn, accept, sendBack (comment обязателен), complete, reopen, withdraw, reset; undo отменяет своё последнее изменение в течение 15 минут. Возвращает задачу',
    access: 'viewTasksManagement',
    params: idParams,
    body: z.strictObject({
      verb: z.enum([...verbNames, 'undo']),
      comment: z.string().max(MAX_COMMENT).nullish(),
    }),
    answer: rowOf(Task),
  }),
  copy: call({
    method: 'POST',
    path: '/tasks-management/tasks/:id/copy',
    summary: 'Скопировать задачу: описание, людей, метки, чек-листы, файлы, по желанию подзадачи и новое имя',
    access: 'viewTasksManagement',
    params: idParams,
    body: z.strictObject({
      idColumn: id,
      name: z.string().trim().min(1).max(255).optional(),
      withSubtasks: z.boolean().default(false),
    }),
    status: 201,
    answer: z.object({ idTask: z.int(), idAssigned: z.int() }),
  }),
  moveToRelated: call({
    method: 'POST',
    path: '/tasks-management/assigned/:id/relation',
    summary: 'Перенести карточку в связанное пространство, в колонку связи; доступ к тому пространству не нужен',
    access: 'viewTasksManagement',
    params: idParams,
    body: z.strictObject({ idRelation: id }),
    answer: z.object({ idBoard: z.int(), idColumn: z.int() }),
  }),
  moveBack: call({
    method: 'DELETE',
    path: '/tasks-management/assigned/:id/relation',
    summary: 'Отменить свой перенос в связанное пространство в течение 15 минут: место, состояние и люди — как были',
    access: 'viewTasksManagement',
    params: idParams,
  }),
  readComments: call({
    method: 'POST',
    path: '/tasks-management/comments/read',
    summary: 'Отметить комментарии задачи или рабочего пространства прочитанными, до названного или все',
    access: 'viewTasksManagement',
    body: z.strictObject({
      type: oneOf(commentSubjects),
      idEntity: z.int().positive().max(2_147_483_647),
      idComment: z.int().positive().optional(),
    }),
    answer: z.object({ before: z.int(), idComment: z.int() }),
  }),
  calendar: call({
    method: 'GET',
    path: '/tasks-management/tasks/calendar/:boardId',
    summary:
      'Задачи рабочего пространства, которые приходятся на дни с dateStart по dateEnd (по умолчанию текущий месяц) в часовом поясе сотрудника; filter, fields и expand — как у списка задач. Не больше 500, hasMore говорит, что есть ещё',
    access: 'viewTasksManagement',
    params: z.object({ boardId: idText }),
    query: z.looseObject({
      filter: listFilter,
      dateStart: day.optional(),
      dateEnd: day.optional(),
      includeArchived: z.enum(['0', '1']).optional(),
      fields: z.string().optional(),
      expand: z.string().optional(),
    }),
    answer: z.object({
      items: z.array(calendarTask),
      hasMore: z.boolean(),
    }),
  }),
}
