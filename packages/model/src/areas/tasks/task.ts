import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { color } from '../../fields/color.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { position } from '../../fields/position.ts'
import { ref } from '../../fields/ref.ts'
import { richText } from '../../fields/richText.ts'
import { text } from '../../fields/text.ts'
import { endActions } from './board.ts'

const access = {
  view: 'viewTasksManagement',
  create: 'viewTasksManagement',
  update: 'viewTasksManagement',
  delete: 'viewTasksManagement',
} as const

export const Task = entity('tasks-management/tasks', {
  label: ['Задача', 'задачи', 'задач'],
  fields: {
    name: text({ label: 'Название', required: true, max: 255, search: true }),
    description: richText({ label: 'Описание' }),
    importance: integer({ label: 'Важность', min: 1, max: 10, clamp: true, default: 1 }),
    isCompleted: boolean({ label: 'Завершена', default: false }),
    isWaitCheck: boolean({ label: 'Ждёт проверки', default: false }),
    isNeedChange: boolean({ label: 'Нужны правки', default: false }),
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
    idColumn: ref('tasks-management/columns', { label: 'Колонка', as: 'column', virtual: true, fixed: true }),
    usersTotalCount: integer({ label: 'Людей', computed: true, required: true }),
  },
  many: {
    assigned: many('tasks-management/assigned', 'idTask'),
    executors: many('tasks-management/executors', 'idTask'),
    responsible: many('tasks-management/responsible', 'idTask'),
    tags: many('tasks-management/tags', 'idTask'),
  },
  access,
  title: 'name',
  sort: '-dateCreate',
  soft: true,
})

/** A task in a column: the card on the board. */
export const Assigned = entity('tasks-management/assigned', {
  label: ['Карточка', 'карточки', 'карточек'],
  fields: {
    idTask: ref('tasks-management/tasks', { label: 'Задача', as: 'task', required: true, fixed: true }),
    idColumn: ref('tasks-management/columns', { label: 'Колонка', as: 'column', required: true }),
    order: position({ group: ['idColumn'], start: 'first' }),
    isArchive: boolean({ label: 'В архиве', default: false }),
    dateCreate: dateTime({ label: 'Создана', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменена', auto: 'changed' }),
  },
  access,
  within: 'idTask',
  sort: 'order',
  soft: true,
})

const person = { idMember: ref('tasks-management/members', { label: 'Участник', as: 'member', required: true, fixed: true }) }
const ofTask = { idTask: ref('tasks-management/tasks', { label: 'Задача', as: 'task', required: true, fixed: true, onDelete: 'cascade' }) }

export const Executor = entity('tasks-management/executors', {
  label: ['Исполнитель', 'исполнителя', 'исполнителей'],
  fields: { ...person, ...ofTask },
  access,
  within: 'idTask',
  unique: [['idTask', 'idMember']],
})

export const Responsible = entity('tasks-management/responsible', {
  label: ['Ответственный', 'ответственных', 'ответственных'],
  fields: { ...person, ...ofTask },
  access,
  within: 'idTask',
  unique: [['idTask', 'idMember']],
})

export const Tag = entity('tasks-management/tags', {
  label: ['Метка', 'метки', 'меток'],
  fields: {
    name: text({ label: 'Название', required: true, max: 64 }),
    color: color({ label: 'Цвет', default: '#12b886' }),
    icon: text({ label: 'Значок', max: 64 }),
    ...ofTask,
  },
  access,
  within: 'idTask',
  title: 'name',
})
