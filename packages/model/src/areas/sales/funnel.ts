import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { color } from '../../fields/color.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { json } from '../../fields/json.ts'
import { position } from '../../fields/position.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { fixedList } from '../../list.ts'

/** Rights to read and write deals (spec §6). */
export const salesAccess = {
  view: ['viewSalesManagement', 'editSalesManagement'],
  create: 'editSalesManagement',
  update: 'editSalesManagement',
  delete: 'editSalesManagement',
} as const

/** Rights to set up funnels, stages, rules and intakes of leads. */
export const salesSetup = {
  view: salesAccess.view,
  create: 'editFunnels',
  update: 'editFunnels',
  delete: 'editFunnels',
} as const

/** Option lists of deals: writers of deals may add entries, other changes need the setup right. */
export const salesLists = { ...salesSetup, create: [salesAccess.create, salesSetup.create] } as const

/** Kinds of stages (spec §3); the ids come from the specification. */
export const stageTypes = { 1: 'В работе', 2: 'Успешно', 3: 'Отказ' } as const
export type StageTypeId = keyof typeof stageTypes
export const WORK = 1
export const DONE = 2
export const LOSS = 3

export const FunnelStageType = fixedList(
  'sales-management/funnel-stage-types',
  ['Тип этапа', 'типа этапа', 'типов этапа'],
  { view: salesAccess.view },
)

export const Funnel = entity('sales-management/funnels', {
  label: ['Воронка', 'воронки', 'воронок'],
  fields: {
    name: text({ label: 'Название', required: true, max: 128, search: true }),
    order: position({ group: [], start: 'last' }),
    canCompleteDealsWithoutOffers: boolean({ label: 'Завершать сделки без предложений', default: true }),
    canCompleteDealsInWorkOfferStatus: boolean({ label: 'Завершать сделки с предложениями в работе', default: true }),
    dateCreate: dateTime({ label: 'Создана', auto: 'created' }),
    leadsCount: integer({ label: 'Сделок', computed: true, lazy: true }),
  },
  many: {
    stages: many('sales-management/stages', 'idFunnel'),
    scripts: many('sales-management/funnel-scripts', 'idFunnel'),
  },
  access: salesSetup,
  kept: ({ leadsCount }: { leadsCount?: number | null }) =>
    leadsCount ? `В воронке есть сделки (${leadsCount}). Перенесите их в другую воронку` : undefined,
  title: 'name',
  sort: 'order',
  soft: true,
})

/** A stage of a funnel: a column of the deals board. */
export const Stage = entity('sales-management/stages', {
  label: ['Этап', 'этапа', 'этапов'],
  fields: {
    name: text({ label: 'Название', required: true, max: 64 }),
    color: color({ label: 'Цвет', default: '#228be6' }),
    order: position({ group: ['idFunnel'], start: 'last' }),
    idFunnel: ref('sales-management/funnels', { label: 'Воронка', as: 'funnel', required: true, fixed: true }),
    idType: integer({ label: 'Тип', min: 1, max: 3, default: 1 }),
    nameType: text({ label: 'Тип', computed: true, required: true }),
    /** Deal fields required before it enters this stage. */
    requiredFields: json<string[]>()({ label: 'Обязательные поля', rule: listOfWords }),
    /** Ids of the allowed next stages; empty: all. */
    nextStages: json<number[]>()({ label: 'Куда можно перейти', rule: listOfIds }),
    /** Days in the stage until a deal counts as stuck. */
    daysLimit: integer({ label: 'Срок этапа, дней', min: 1, max: 3650 }),
  },
  many: {
    leads: many('sales-management/leads', 'idStage'),
    actions: many('sales-management/stage-actions', 'idStage'),
  },
  access: salesSetup,
  within: 'idFunnel',
  title: 'name',
  sort: 'order',
  soft: true,
})

function listOfWords(value: unknown): string | undefined {
  return Array.isArray(value) && value.length <= 50 && value.every((one) => typeof one === 'string' && one.length <= 64)
    ? undefined
    : 'Выберите поля из списка'
}

function listOfIds(value: unknown): string | undefined {
  return Array.isArray(value) && value.length <= 200 && value.every((one) => Number.isSafeInteger(one) && one > 0)
    ? undefined
    : 'Выберите этапы из списка'
}

/** A script offered in deals of the funnel. */
export const FunnelScript = entity('sales-management/funnel-scripts', {
  label: ['Скрипт воронки', 'скрипта воронки', 'скриптов воронки'],
  fields: {
    order: position({ group: ['idFunnel'], start: 'last' }),
    idFunnel: ref('sales-management/funnels', { label: 'Воронка', as: 'funnel', required: true, fixed: true }),
    idScript: ref('old-scripts', { label: 'Скрипт', as: 'script', required: true, fixed: true, whenDeleted: 'asks' }),
  },
  access: salesSetup,
  within: 'idFunnel',
  unique: [['idFunnel', 'idScript']],
  sort: 'order',
  soft: true,
})

/** Automatic actions when a deal enters a stage. */
export const stageActionTypes = {
  task: 'Создать задачу из шаблона',
  responsible: 'Назначить ответственного',
  remind: 'Напомнить',
} as const

export const StageAction = entity('sales-management/stage-actions', {
  label: ['Действие этапа', 'действия этапа', 'действий этапа'],
  fields: {
    idStage: ref('sales-management/stages', { label: 'Этап', as: 'stage', required: true, fixed: true }),
    type: choice(stageActionTypes, { label: 'Действие', required: true }),
    order: position({ group: ['idStage'], start: 'last' }),
    isActive: boolean({ label: 'Включено', default: true }),
    /** task: the template's card; the new task goes to its column. */
    idTemplate: ref('tasks-management/assigned', { label: 'Шаблон задачи', as: 'template', whenDeleted: 'keeps' }),
    /** responsible: the employee. */
    idUser: ref('users', { label: 'Ответственный', as: 'user', whenDeleted: 'asks' }),
    /** remind: hours until the reminder, and its text. */
    hours: integer({ label: 'Через, часов', min: 0, max: 8760 }),
    text: text({ label: 'Текст', max: 500 }),
    /** The user who configured it; it runs with that user's rights. */
    idAuthor: ref('users', { label: 'Кто настроил', as: 'author', readonly: true, whenDeleted: 'stays' }),
  },
  access: salesSetup,
  within: 'idStage',
  sort: 'order',
  soft: true,
})
