import { entity, many } from '../../entity.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { money } from '../../fields/decimal.ts'
import { integer } from '../../fields/integer.ts'
import { json } from '../../fields/json.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { customerAccess } from '../customers/customer.ts'
import { type MoveTableKey, movePrograms, moveTableKeys, moveTables } from './tables.ts'

const access = { view: 'mainSettings', create: 'mainSettings', update: 'mainSettings', delete: 'mainSettings' } as const
const readonly = true

/** Outcome of a visit in the former program. */
export const pastStatuses = { held: 'Состоялся', cancelled: 'Отменён', missed: 'Пациент не пришёл' } as const
export type PastStatus = keyof typeof pastStatuses

/** Kinds of names replaced by a record here. */
export const choiceKinds = ['doctors', 'services', 'rooms', 'organizations', 'patients', 'roles'] as const
export type ChoiceKind = (typeof choiceKinds)[number]

/** Replacements for names in the files that the clinic does not know; null: their rows are left. */
export type MoveChoices = Partial<Record<ChoiceKind, Record<string, number | null>>> & {
  /** Words for the status of a past visit. */
  statuses?: Record<string, PastStatus | null>
}

const isChoices = (value: MoveChoices): string | undefined => {
  const isGood = Object.entries(value).every(
    ([kind, names]) =>
      (kind === 'statuses' || (choiceKinds as readonly string[]).includes(kind)) &&
      typeof names === 'object' &&
      names !== null &&
      Object.values(names).every(
        (chosen) =>
          chosen === null ||
          (kind === 'statuses'
            ? Object.hasOwn(pastStatuses, String(chosen))
            : Number.isInteger(chosen) && Number(chosen) > 0),
      ),
  )
  return isGood ? undefined : 'выберите замену из списка'
}

/** A move of the clinic from another program. Ids of that program are kept by its name, whichever move brought them. */
export const Move = entity('moving', {
  label: ['Переезд', 'переезда', 'переездов'],
  gender: 'm',
  fields: {
    name: text({ label: 'Название', required: true, max: 120, search: true }),
    program: choice(movePrograms, { label: 'Прежняя программа', required: true, fixed: true }),
    idFilial: ref('filials', {
      label: 'Филиал',
      as: 'filial',
      required: true,
      help: 'Куда встают записи, если в файле филиала нет',
      whenDeleted: 'stays',
    }),
    idOrganization: ref('organizations', {
      label: 'Организация',
      as: 'organization',
      required: true,
      among: { kind: 'own' },
      help: 'На чей счёт встают долги и авансы',
      whenDeleted: 'stays',
    }),
    choices: json<MoveChoices>()({ label: 'Замены неизвестных имён', rule: isChoices }),
    idUser: ref('users', { label: 'Кто начал', as: 'user', auto: 'actor' }),
    dateCreate: dateTime({ label: 'Начат', auto: 'created', clock: 'filial.timeZone' }),
  },
  many: { files: many('moving/files', 'idMove') },
  access,
  title: 'name',
  sort: '-id',
  soft: true,
})

export const moveFileStates = {
  reading: 'Читается',
  ready: 'Ждёт проверки',
  checking: 'Проверяется',
  checked: 'Проверен',
  running: 'Загружается',
  done: 'Загружен',
  reverting: 'Отменяется',
  reverted: 'Отменён',
  failed: 'Не прочитан',
  stopped: 'Остановился',
} as const
export type MoveFileState = keyof typeof moveFileStates

const tableTitles = Object.fromEntries(moveTables.map(({ key, title }) => [key, title])) as Record<MoveTableKey, string>
export const moveTwins = {
  update: 'Дополнить карту, которая есть',
  skip: 'Не загружать',
  create: 'Завести ещё одну карту',
} as const
export type MoveTwins = keyof typeof moveTwins

/** Rows of patients without a card here. */
export const moveStrangers = { leave: 'Оставить в списке', create: 'Завести карту из строки' } as const
export type MoveStrangers = keyof typeof moveStrangers

/** Visits to come that overlap another, of a doctor or a room, are outside a shift or on a closed day. */
export const moveClashes = { move: 'Перенести как есть и пометить', leave: 'Оставить в списке' } as const
export type MoveClashes = keyof typeof moveClashes

const count = (label: string) => integer({ label, readonly, default: 0 })

/** A table of the other program: read, matched by columns, rehearsed, then taken in. */
export const MoveFile = entity('moving/files', {
  label: ['Файл переезда', 'файла переезда', 'файлов переезда'],
  gender: 'm',
  fields: {
    idMove: ref('moving', { label: 'Переезд', as: 'move', required: true, readonly, onDelete: 'cascade' }),
    table: choice(tableTitles, { label: 'Таблица', required: true, readonly }),
    fileName: text({ label: 'Файл', required: true, readonly, max: 255 }),
    state: choice(moveFileStates, { label: 'Состояние', readonly, default: 'reading' }),
    /** Columns of the file in their order, with samples; how it was read; which column goes where. */
    head: json<readonly { name: string; samples: string[] }[]>()({ label: 'Колонки файла', readonly }),
    reading: json<{ sheet?: string; sheets?: readonly { name: string; rows: number }[] }>()({
      label: 'Как прочитан',
      readonly,
    }),
    mapping: json<Record<string, number>>()({ label: 'Сопоставление колонок', readonly }),
    twins: choice(moveTwins, { label: 'Похожие пациенты', readonly, default: 'update' }),
    strangers: choice(moveStrangers, { label: 'Пациенты без карты', readonly, default: 'leave' }),
    clashes: choice(moveClashes, { label: 'Записи с накладкой', readonly, default: 'move' }),
    total: count('Строк'),
    /** Rows of the present step that are done. */
    done: count('Обработано'),
    created: count('Новых'),
    updated: count('Изменённых'),
    same: count('Без изменений'),
    doubted: count('С сомнениями'),
    twin: count('Похожих пациентов'),
    both: count('Изменённых с обеих сторон'),
    wrong: count('Осталось строк'),
    message: text({ label: 'Причина', readonly, max: 1000 }),
    idUser: ref('users', { label: 'Кто', as: 'user', auto: 'actor' }),
    dateCreate: dateTime({ label: 'Добавлен', auto: 'created' }),
    dateChecked: dateTime({ label: 'Проверен', readonly }),
    dateEnd: dateTime({ label: 'Загружен', readonly }),
  },
  access: { view: 'mainSettings' },
  within: 'idMove',
  title: 'fileName',
  sort: 'id',
  soft: true,
})

/** Heads of another program's columns by table and by our column. */
export type MoveProfileColumns = Partial<Record<MoveTableKey, Record<string, readonly string[]>>>

const isProfile = (columns: MoveProfileColumns): string | undefined => {
  const isGood = Object.entries(columns).every(
    ([table, heads]) =>
      (moveTableKeys as readonly string[]).includes(table) &&
      typeof heads === 'object' &&
      heads !== null &&
      Object.values(heads).every(
        (names) => Array.isArray(names) && names.every((name) => typeof name === 'string' && name.length <= 200),
      ),
  )
  return isGood ? undefined : 'нужны таблицы переезда с названиями колонок'
}

/** How columns of another program are called: matched once, used by every later file, given to other clinics as a file. */
export const MoveProfile = entity('moving/profiles', {
  label: ['Профиль колонок', 'профиля колонок', 'профилей колонок'],
  gender: 'm',
  fields: {
    name: text({ label: 'Название', required: true, max: 120, unique: true, search: true }),
    program: choice(movePrograms, { label: 'Программа', required: true }),
    columns: json<MoveProfileColumns>()({ label: 'Колонки', required: true, rule: isProfile }),
    idUser: ref('users', { label: 'Кто сохранил', as: 'user', auto: 'actor' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
  },
  access,
  title: 'name',
  sort: 'name,id',
  soft: true,
})

/** A service of a visit in the former program. */
export interface PastLine {
  name: string
  qty: number
  /** Rubles. */
  sum: number | null
  idService: number | null
}

/**
 * A visit of the former program: services, performer, sum. Only a fact of history: it has no shift, receipt,
 * payment or payroll, and no report counts it.
 */
export const PastVisit = entity('customers/past-visits', {
  label: ['Прошлый визит', 'прошлого визита', 'прошлых визитов'],
  gender: 'm',
  fields: {
    idCustomer: ref('customers', { label: 'Клиент', as: 'customer', required: true, readonly, onDelete: 'cascade' }),
    localDate: date({ label: 'День', required: true, readonly }),
    /** By the clock of the branch that the clinic moved into; noon where the file has no time. */
    dateFrom: dateTime({ label: 'Когда', required: true, readonly }),
    localStart: text({ label: 'Время', readonly, max: 5 }),
    idDoctor: ref('users', { label: 'Врач', as: 'doctor', readonly, whenDeleted: 'stays' }),
    doctorName: text({ label: 'Врач прежней программы', readonly, max: 200 }),
    services: text({ label: 'Услуги', readonly, max: 4000 }),
    lines: json<readonly PastLine[]>()({ label: 'Состав', readonly }),
    sum: money({ label: 'Сумма', readonly }),
    status: choice(pastStatuses, { label: 'Состояние', readonly, default: 'held' }),
    paid: money({ label: 'Оплачено', readonly }),
    payment: text({ label: 'Способ оплаты', readonly, max: 200 }),
    discount: money({ label: 'Скидка', readonly }),
    sourceName: text({ label: 'Источник', readonly, max: 200 }),
    bookedBy: text({ label: 'Кто записал', readonly, max: 200 }),
    note: text({ label: 'Примечание', readonly, max: 4000, multiline: true }),
    program: choice(movePrograms, { label: 'Программа', readonly, default: 'other' }),
    dateCreate: dateTime({ label: 'Перенесён', auto: 'created' }),
  },
  access: { view: customerAccess.view },
  within: 'idCustomer',
  title: 'services',
  sort: '-localDate,-id',
  soft: true,
  personal: 'idCustomer',
})

export const isMoveBusy = (state: MoveFileState): boolean =>
  state === 'reading' || state === 'checking' || state === 'running' || state === 'reverting'
