import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { color } from '../../fields/color.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { icon } from '../../fields/icon.ts'
import { integer } from '../../fields/integer.ts'
import { position } from '../../fields/position.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { linkKind } from '../../linkKind.ts'
import { taskLevels } from './rights.ts'

/** Effect on a task when its last subtask closes (spec §4). */
export const endActions = { none: 'Не менять', complete: 'Завершить', wait: 'Отправить на проверку' } as const

export const access = {
  view: 'viewTasksManagement',
  create: 'viewTasksManagement',
  update: 'viewTasksManagement',
  delete: 'viewTasksManagement',
} as const

const linkedColumn = (label: string, as: string) => ref('tasks-management/columns', { label, as, onDelete: 'set null' })

/** A workspace. */
export const Board = entity('tasks-management/boards', {
  label: ['Рабочее пространство', 'рабочих пространства', 'рабочих пространств'],
  fields: {
    name: text({ label: 'Название', required: true, max: 64, search: true }),
    description: text({ label: 'Описание', max: 1000, multiline: true }),
    icon: icon({ label: 'Значок' }),
    color: color({ label: 'Цвет', default: '#000000' }),
    isPublic: boolean({ label: 'Публичное', default: false, help: 'Видно всем сотрудникам, любой может вступить' }),
    approvedAllChildrenTasks: choice(endActions, { label: 'Когда закрыты все подзадачи', default: 'none' }),
    timeArchiveTaskCompleted: integer({
      label: 'Архивировать завершённые через, дней',
      help: '0 — не архивировать',
      min: 0,
      max: 3650,
      default: 0,
    }),
    dateCreate: dateTime({ label: 'Создано', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменено', auto: 'changed' }),
    idUser: ref('users', { label: 'Владелец', as: 'user', auto: 'actor' }),
    idColumnNew: linkedColumn('Колонка новых', 'columnNew'),
    idColumnWork: linkedColumn('Колонка работы', 'columnWork'),
    idColumnWait: linkedColumn('Колонка проверки', 'columnWait'),
    idColumnCompleted: linkedColumn('Колонка завершённых', 'columnCompleted'),
    idColumnExpired: linkedColumn('Колонка просроченных', 'columnExpired'),
    isFavourite: boolean({ label: 'Избранное', computed: true, required: true }),
    isMember: boolean({ label: 'Участник', computed: true, required: true }),
    membersCount: integer({ label: 'Участников', computed: true, required: true }),
  },
  many: {
    members: many('tasks-management/members', 'idBoard'),
    columns: many('tasks-management/columns', 'idBoard'),
    comments: many('tasks-management/comments', 'idEntity', { type: 'board' }),
    relations: many('tasks-management/relations', 'idBoard'),
    resources: many('tasks-management/resources', 'idBoard'),
  },
  access,
  title: 'name',
  sort: 'name',
  soft: true,
})

/** Fields of a board that link a column to a task's state. */
export const linkedColumns = [
  'idColumnNew',
  'idColumnWork',
  'idColumnWait',
  'idColumnCompleted',
  'idColumnExpired',
] as const

/** Columns of a new workspace in order, each with the link it is used for. */
export const defaultColumns = [
  { name: 'Новые', color: '#228be6', link: 'idColumnNew' },
  { name: 'В работе', color: '#f59f00', link: 'idColumnWork' },
  { name: 'На проверке', color: '#7950f2', link: 'idColumnWait' },
  { name: 'Завершённые', color: '#2f9e44', link: 'idColumnCompleted' },
  { name: 'Просроченные', color: '#e03131', link: 'idColumnExpired' },
] as const

/** A column of a workspace. */
export const BoardColumn = entity('tasks-management/columns', {
  label: ['Колонка', 'колонки', 'колонок'],
  fields: {
    name: text({ label: 'Название', required: true, max: 64 }),
    color: color({ label: 'Цвет', default: '#868e96' }),
    order: position({ group: ['idBoard'], start: 'last' }),
    /** A soft limit of work in progress: exceeding it shows a warning. */
    wipLimit: integer({ label: 'Предел задач', help: 'Пусто — без предела', min: 1, max: 999 }),
    idBoard: ref('tasks-management/boards', {
      label: 'Рабочее пространство',
      as: 'board',
      required: true,
      fixed: true,
    }),
  },
  many: { assigned: many('tasks-management/assigned', 'idColumn') },
  access,
  within: 'idBoard',
  title: 'name',
  sort: 'order',
  soft: true,
})

const level = <const D extends keyof typeof taskLevels>(label: string, byDefault: D) =>
  choice(taskLevels, { label, default: byDefault })
const right = (label: string, byDefault = false) => boolean({ label, default: byDefault })

/** A member of a workspace, with the rights there (spec §3, §6). */
export const BoardMember = entity('tasks-management/members', {
  label: ['Участник', 'участника', 'участников'],
  fields: {
    idUser: ref('users', { label: 'Сотрудник', as: 'user', required: true, fixed: true, whenDeleted: 'own' }),
    idBoard: ref('tasks-management/boards', {
      label: 'Рабочее пространство',
      as: 'board',
      required: true,
      fixed: true,
    }),
    description: text({ label: 'Роль в пространстве', max: 255 }),
    isDefaultResponsible: right('Ответственный по умолчанию'),
    isTaskDefaultResponsible: right('Ответственный в своих новых задачах'),
    isTaskDefaultExecutor: right('Исполнитель в своих новых задачах'),
    isFavourite: right('В избранном'),
    isConfirmCreate: right('Подтверждать создание задачи'),
    openAfterCreate: right('Открывать задачу после создания'),
    permissionToViewTasks: level('Видит задачи', 'my'),
    permissionToEditTasks: level('Изменяет задачи', 'my'),
    permissionToAssignTasks: level('Назначает людей', 'my'),
    permissionToDeleteTasks: level('Удаляет задачи', 'my'),
    permissionToEditTemplates: level('Изменяет шаблоны', 'none'),
    canCreateTask: right('Создаёт задачи', true),
    canRelationBoard: right('Переносит между связанными пространствами'),
    canEditBoard: right('Изменяет пространство'),
    canEditColumn: right('Изменяет колонки'),
    canManuallyDragTask: right('Перетаскивает задачи'),
    creatorClosesTaskAsExecutor: right('Закрывает свои задачи как исполнитель'),
    dateCreate: dateTime({ label: 'Добавлен', auto: 'created' }),
    // The member's open tasks visible to the user, by due date in the user's time zone.
    tasksToday: integer({ label: 'Задач на сегодня', computed: true, lazy: true }),
    tasksTomorrow: integer({ label: 'Задач на завтра', computed: true, lazy: true }),
    tasksYesterday: integer({ label: 'Задач со вчера', computed: true, lazy: true }),
    tasksOther: integer({ label: 'Остальных задач', computed: true, lazy: true }),
  },
  many: {
    executors: many('tasks-management/executors', 'idMember'),
    responsible: many('tasks-management/responsible', 'idMember'),
  },
  access,
  within: 'idBoard',
  unique: [['idUser', 'idBoard']],
  sort: 'id',
  soft: true,
})

/** A workspace to which tasks can be moved or copied from here, with the target column. */
export const BoardRelation = entity('tasks-management/relations', {
  label: ['Связь пространств', 'связи пространств', 'связей пространств'],
  fields: {
    idBoard: ref('tasks-management/boards', {
      label: 'Рабочее пространство',
      as: 'board',
      required: true,
      fixed: true,
    }),
    idRelationBoard: ref('tasks-management/boards', {
      label: 'Связанное пространство',
      as: 'relationBoard',
      required: true,
      fixed: true,
      whenDeleted: 'stays',
    }),
    idColumn: ref('tasks-management/columns', { label: 'Колонка по умолчанию', as: 'column', onDelete: 'set null' }),
    // Visible to members of this workspace, even without access to the other one.
    nameRelationBoard: text({ label: 'Связанное пространство', computed: true }),
    nameColumn: text({ label: 'Колонка по умолчанию', computed: true }),
  },
  access,
  within: 'idBoard',
  unique: [['idBoard', 'idRelationBoard']],
  sort: 'id',
  soft: true,
})

/** Accepts only outside links: no path of the app, no script. */
const wrongLink = (url: string): string | undefined =>
  url === '' || ['web', 'contact'].includes(linkKind(url))
    ? undefined
    : 'Ссылка должна начинаться с http://, https://, ftp://, tel: или mailto:'

/** A shared link or file of a workspace. */
export const BoardResource = entity('tasks-management/resources', {
  label: ['Материал', 'материала', 'материалов'],
  fields: {
    name: text({ label: 'Название', required: true, max: 255 }),
    url: text({ label: 'Ссылка', max: 2000, rule: wrongLink }),
    idBoard: ref('tasks-management/boards', {
      label: 'Рабочее пространство',
      as: 'board',
      required: true,
      fixed: true,
    }),
    idFile: ref('tasks-management/files', { label: 'Файл', as: 'file', onDelete: 'set null' }),
  },
  access,
  within: 'idBoard',
  title: 'name',
  sort: 'name',
  soft: true,
})
