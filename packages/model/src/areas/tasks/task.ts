import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { color } from '../../fields/color.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { icon } from '../../fields/icon.ts'
import { integer } from '../../fields/integer.ts'
import { position } from '../../fields/position.ts'
import { ref } from '../../fields/ref.ts'
import { richText } from '../../fields/richText.ts'
import { text } from '../../fields/text.ts'
import { access, endActions } from './board.ts'

export const Task = entity('tasks-management/tasks', {
  label: ['Задача', 'задачи', 'задач'],
  fields: {
    name: text({ label: 'Название', required: true, max: 255, search: true }),
    description: richText({ label: 'Описание' }),
    importance: integer({ label: 'Важность', min: 1, max: 10, clamp: true, default: 1 }),
    isCompleted: boolean({ label: 'Завершена', default: false }),
    isWaitCheck: boolean({ label: 'Ждёт проверки', default: false }),
    isNeedChange: boolean({ label: 'Нужны правки', default: false }),
    /** The task as a whole; a card's own mark archives it on its board alone. Either hides it from the board. */
    isArchive: boolean({ label: 'В архиве', default: false }),
    isTemplate: boolean({ label: 'Шаблон', default: false }),
    dateStart: dateTime({ label: 'Начало' }),
    dateEnd: dateTime({ label: 'Срок' }),
    dateWorkStart: dateTime({ label: 'Взята в работу', readonly: true }),
    dateCompleted: dateTime({ label: 'Завершена в', readonly: true }),
    dateCreate: dateTime({ label: 'Создана', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменена', auto: 'changed' }),
    approvedAllChildrenTasks: choice(endActions, { label: 'Когда закрыты все подзадачи', default: 'none' }),
    idUser: ref('users', { label: 'Создатель', as: 'user', auto: 'actor' }),
    idCover: ref('tasks-management/files', { label: 'Обложка', as: 'cover', onDelete: 'set null' }),
    /** Only on create: the column where the task's first card is put, on top. None: the task is its creator's alone. */
    idColumn: ref('tasks-management/columns', { label: 'Колонка', as: 'column', virtual: true, fixed: true }),
    usersTotalCount: integer({ label: 'Людей', computed: true, required: true }),
    filesCount: integer({ label: 'Файлов', computed: true, required: true }),
  },
  many: {
    assigned: many('tasks-management/assigned', 'idTask'),
    executors: many('tasks-management/executors', 'idTask'),
    responsible: many('tasks-management/responsible', 'idTask'),
    tags: many('tasks-management/tags', 'idTask'),
    files: many('tasks-management/task-files', 'idTask'),
  },
  access,
  title: 'name',
  sort: '-dateCreate',
  soft: true,
})

/** The text to show when a task would end before it begins; undefined: the dates are in order, or one is absent. */
export function wrongDates(task: { dateStart?: string | null; dateEnd?: string | null }): string | undefined {
  if (!task.dateStart || !task.dateEnd) return undefined
  return Date.parse(task.dateEnd) < Date.parse(task.dateStart) ? 'Срок не может быть раньше начала' : undefined
}

/** A task in a column: the card on the board. A task has at most one card on a board. */
export const Assigned = entity('tasks-management/assigned', {
  label: ['Карточка', 'карточки', 'карточек'],
  fields: {
    idTask: ref('tasks-management/tasks', { label: 'Задача', as: 'task', required: true, fixed: true }),
    idColumn: ref('tasks-management/columns', { label: 'Колонка', as: 'column', required: true }),
    order: position({ group: ['idColumn'], start: 'first' }),
    /** Archived on this board; the task's own mark archives it everywhere. */
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
  idMember: ref('tasks-management/members', { label: 'Участник', as: 'member', required: true, fixed: true }),
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

export const Tag = entity('tasks-management/tags', {
  label: ['Метка', 'метки', 'меток'],
  fields: {
    name: text({ label: 'Название', required: true, max: 64, search: true }),
    color: color({ label: 'Цвет', default: '#12b886' }),
    icon: icon({ label: 'Значок' }),
    entityType: choice({ task: 'Задача' }, { label: 'К чему относится', default: 'task' }),
    idTask: ofTask(),
  },
  access,
  within: 'idTask',
  title: 'name',
})
