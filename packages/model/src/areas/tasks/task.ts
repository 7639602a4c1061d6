import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { json } from '../../fields/json.ts'
import { position } from '../../fields/position.ts'
import { ref } from '../../fields/ref.ts'
import { richText } from '../../fields/richText.ts'
import { text } from '../../fields/text.ts'
import { tags } from '../../list.ts'
import { access, endActions } from './board.ts'
import { repeatTypes, repeatUnits } from './repeat.ts'

export const Task = entity('tasks-management/tasks', {
  label: ['Задача', 'задачи', 'задач'],
  fields: {
    name: text({ label: 'Название', required: true, max: 255, search: true }),
    description: richText({ label: 'Описание' }),
    importance: integer({ label: 'Важность', min: 1, max: 10, clamp: true, default: 1 }),
    isCompleted: boolean({ label: 'Завершена', default: false }),
    isWaitCheck: boolean({ label: 'Ждёт проверки', default: false }),
    isNeedChange: boolean({ label: 'Нужны правки', default: false }),
    /** Archives the whole task; a card's own flag archives it only on its board. Both hide it from the board. */
    isArchive: boolean({ label: 'В архиве', default: false }),
    /** Set at creation; a task becomes a template only by copying. */
    isTemplate: boolean({ label: 'Шаблон', default: false, fixed: true }),
    dateStart: dateTime({ label: 'Начало' }),
    dateEnd: dateTime({ label: 'Срок' }),
    dateWorkStart: dateTime({ label: 'Взята в работу', readonly: true }),
    dateCompleted: dateTime({ label: 'Завершена в', readonly: true }),
    /** When the task became overdue; cleared once the due date is in the future or the task is done. */
    dateExpired: dateTime({ label: 'Просрочена с', readonly: true }),
    dateCreate: dateTime({ label: 'Создана', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменена', auto: 'changed' }),
    approvedAllChildrenTasks: choice(endActions, { label: 'Когда закрыты все подзадачи', default: 'none' }),
    notificationDate: dateTime({ label: 'Напомнить' }),
    notificationDescription: text({ label: 'Текст напоминания', max: 1000 }),
    notificationType: choice(repeatTypes, { label: 'Повторять', default: 'ONCE' }),
    notificationCustomRepeatType: choice(repeatUnits, { label: 'Единица повтора' }),
    notificationCustomRepeatValue: integer({ label: 'Каждые', min: 1, max: 999 }),
    /** Time zone of the reminder: of the user who set it. */
    notificationTimeZone: text({ label: 'Часовой пояс напоминания', max: 64, readonly: true }),
    /** Time of the next reminder; empty: none. */
    notificationNext: dateTime({ label: 'Следующее напоминание', readonly: true }),
    /** Occurrence that the dates of a repeating task belong to; empty: the first. */
    notificationRound: dateTime({ label: 'Повтор', readonly: true }),
    idUser: ref('users', { label: 'Создатель', as: 'user', auto: 'actor' }),
    idCover: ref('tasks-management/files', { label: 'Обложка', as: 'cover', onDelete: 'set null' }),
    /** Only on create: column for the task's first card, at the top. Without it only the creator sees the task. */
    idColumn: ref('tasks-management/columns', { label: 'Колонка', as: 'column', virtual: true, fixed: true }),
    /** Searched text: `filter[text][ilike]`. */
    text: text({ label: 'Название, описание и комментарии', computed: true, lazy: 'always' }),
    /** Only on create: the parent task. Without a column the task goes to the parent's board. */
    idParentTask: ref('tasks-management/tasks', {
      label: 'Родительская задача',
      as: 'parentTask',
      virtual: true,
      fixed: true,
    }),
    usersTotalCount: integer({ label: 'Людей', computed: true, required: true }),
    filesCount: integer({ label: 'Файлов', computed: true, required: true }),
    checkListCount: json<{ total: number; complete: number }>()({
      label: 'Пунктов чек-листов',
      computed: true,
      lazy: true,
    }),
    clientListCount: integer({ label: 'Списков клиентов', computed: true, lazy: true }),
    customersCount: integer({ label: 'Клиентов', computed: true, lazy: true }),
    pollsCount: integer({ label: 'Опросов', computed: true, lazy: true }),
    commentsCount: integer({ label: 'Комментариев', computed: true, lazy: true }),
    numberOfUnreadComments: integer({ label: 'Непрочитанных комментариев', computed: true, lazy: true }),
    subtasksCount: integer({ label: 'Подзадач', computed: true, lazy: true }),
    subtasksCompletedCount: integer({ label: 'Завершённых подзадач', computed: true, lazy: true }),
    parentTasksCount: integer({ label: 'Родительских задач', computed: true, lazy: true }),
    liveAssistCount: integer({ label: 'Чатов', computed: true, lazy: true }),
    leadsCount: integer({ label: 'Сделок', computed: true, lazy: true }),
    isWatched: boolean({ label: 'Слежу', computed: true, lazy: true }),
  },
  many: {
    assigned: many('tasks-management/assigned', 'idTask'),
    executors: many('tasks-management/executors', 'idTask'),
    responsible: many('tasks-management/responsible', 'idTask'),
    tags: many('tasks-management/tags', 'idTask'),
    files: many('tasks-management/task-files', 'idTask'),
    subtasks: many('tasks-management/subtasks', 'idParentTask'),
    parentTasks: many('tasks-management/subtasks', 'idTask'),
    entities: many('tasks-management/entities', 'idTask'),
    watchers: many('tasks-management/watchers', 'idTask'),
    comments: many('tasks-management/comments', 'idEntity', { type: 'task' }),
  },
  access,
  title: 'name',
  sort: '-dateCreate',
  soft: true,
})

/** Error if a task ends before it begins; undefined: valid, or a date is absent. */
export function wrongDates(task: { dateStart?: string | null; dateEnd?: string | null }): string | undefined {
  if (!task.dateStart || !task.dateEnd) return undefined
  return Date.parse(task.dateEnd) < Date.parse(task.dateStart) ? 'Срок не может быть раньше начала' : undefined
}

/** A task in a column: the card on the board. A task has at most one card on a board. */
export const Assigned = entity('tasks-management/assigned', {
  label: ['Карточка', 'карточки', 'карточек'],
  fields: {
    idTask: ref('tasks-management/tasks', { label: 'Задача', as: 'task', required: true, fixed: true }),
    idColumn: ref('tasks-management/columns', { label: 'Колонка', as: 'column', required: true, whenDeleted: 'own' }),
    order: position({ group: ['idColumn'], start: 'first' }),
    /** Archived on this board; the task's own flag archives it everywhere. */
    isArchive: boolean({ label: 'В архиве', default: false }),
    dateCreate: dateTime({ label: 'Создана', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменена', auto: 'changed' }),
  },
  access,
  within: 'idTask',
  sort: 'order',
  soft: true,
})

const ofTask = () =>
  ref('tasks-management/tasks', { label: 'Задача', as: 'task', required: true, fixed: true, onDelete: 'cascade' })
const person = () => ({
  idMember: ref('tasks-management/members', {
    label: 'Участник',
    as: 'member',
    required: true,
    fixed: true,
    whenDeleted: 'stays',
  }),
  idTask: ofTask(),
})

export const Executor = entity('tasks-management/executors', {
  label: ['Исполнитель', 'исполнителя', 'исполнителей'],
  fields: person(),
  access,
  within: 'idTask',
  unique: [['idTask', 'idMember']],
})

export const Responsible = entity('tasks-management/responsible', {
  label: ['Ответственный', 'ответственных', 'ответственных'],
  fields: person(),
  access,
  within: 'idTask',
  unique: [['idTask', 'idMember']],
})

/** A user notified about a task without being involved. */
export const Watcher = entity('tasks-management/watchers', {
  label: ['Наблюдатель', 'наблюдателя', 'наблюдателей'],
  fields: { idTask: ofTask(), idUser: ref('users', { label: 'Сотрудник', as: 'user', auto: 'actor' }) },
  access,
  within: 'idTask',
  unique: [['idTask', 'idUser']],
})

export const TaskTag = tags('tasks-management/tags', ['Метка', 'метки', 'меток'], {
  of: {
    entityType: choice({ task: 'Задача' }, { label: 'К чему относится', default: 'task' }),
    idTask: ofTask(),
  },
  within: 'idTask',
  access,
})
