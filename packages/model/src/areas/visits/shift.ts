import { entity } from '../../entity.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { json } from '../../fields/json.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { clockRule, minutesOf } from './clock.ts'
import { type PatternCycle, type PatternRow, patternCycles, wrongRows } from './pattern.ts'

/** Kinds of events in an employee's day. Visits are taken in a shift; all other kinds block them. */
export const eventTypes = {
  shift: 'Смена',
  block: 'Перерыв',
  vacation: 'Отпуск',
  sick: 'Больничный',
  training: 'Обучение',
  meeting: 'Совещание',
} as const
export type EventType = keyof typeof eventTypes

export const zoneKinds = {
  primary: 'Первичные',
  repeat: 'Повторные',
  urgent: 'Срочные',
  online: 'Онлайн',
} as const

/** A part of a shift reserved for visits of one kind, by the branch's clock. */
export interface ShiftZone {
  from: string
  to: string
  kind: keyof typeof zoneKinds
}
const MAX_ZONES = 24

function wrongZones(zones: ShiftZone[]): string | undefined {
  if (!Array.isArray(zones) || zones.length > MAX_ZONES) return `Не больше ${MAX_ZONES} зон`
  for (const { from, to, kind } of zones)
    if (minutesOf(from) === undefined || minutesOf(to) === undefined || from >= to || !Object.hasOwn(zoneKinds, kind))
      return 'У зоны есть начало, конец после него и вид записи'
  return undefined
}

/** A shift, a break in it, or an absence (one row per day), by the clock of its branch. */
export const StaffEvent = entity('staff-events', {
  label: ['Смена или отсутствие', 'смены или отсутствия', 'смен и отсутствий'],
  gender: 'n',
  fields: {
    type: choice(eventTypes, { label: 'Вид', required: true }),
    idUser: ref('users', { label: 'Сотрудник', as: 'user', required: true, onDelete: 'cascade' }),
    idFilial: ref('filials', {
      label: 'Филиал',
      as: 'filial',
      help: 'У отсутствия пусто — во всех',
      onDelete: 'cascade',
      whenDeleted: { keeps: { ahead: 'dateTo', words: ['смена впереди', 'смены впереди', 'смен впереди'] } },
    }),
    idRoom: ref('filials/rooms', {
      label: 'Кабинет',
      as: 'room',
      onDelete: 'set null',
      whenDeleted: { keeps: { ahead: 'dateTo', words: ['смена впереди', 'смены впереди', 'смен впереди'] } },
    }),
    localDate: date({ label: 'День', required: true }),
    localFrom: text({ label: 'С', required: true, max: 5, rule: clockRule }),
    /** If not after the start: on the next day. */
    localTo: text({ label: 'До', required: true, max: 5, rule: clockRule }),
    zones: json<ShiftZone[]>()({ label: 'Зоны записи', rule: wrongZones }),
    comment: text({ label: 'Примечание', max: 500 }),
    idPattern: ref('shift-patterns', { label: 'По шаблону', as: 'pattern', readonly: true, onDelete: 'set null' }),
    /** Computed by PostgreSQL from the branch's clock and zone. */
    dateFrom: dateTime({ label: 'Начало', readonly: true, required: true, clock: 'filial.timeZone' }),
    dateTo: dateTime({ label: 'Конец', readonly: true, required: true, clock: 'filial.timeZone' }),
    dateCreate: dateTime({ label: 'Добавлено', auto: 'created', clock: 'filial.timeZone' }),
    idAuthor: ref('users', { label: 'Кто добавил', as: 'author', auto: 'actor' }),
  },
  access: { view: 'viewCalendar', create: 'editShifts', update: 'editShifts', delete: 'editShifts' },
  title: 'localDate',
  sort: '-localDate,localFrom,id',
  soft: true,
})

/** A shift pattern applied to a period: weeks, two days on and two off, even days, a custom cycle. */
export const ShiftPattern = entity('shift-patterns', {
  label: ['Шаблон смен', 'шаблона смен', 'шаблонов смен'],
  gender: 'm',
  fields: {
    name: text({ label: 'Название', required: true, max: 128, search: true }),
    cycle: choice(patternCycles, { label: 'Цикл', default: 'week' satisfies PatternCycle }),
    length: integer({ label: 'Дней в цикле', help: 'Для своего цикла', min: 1, max: 62 }),
    rows: json<PatternRow[]>()({ label: 'Смены', required: true, rule: wrongRows }),
    dateCreate: dateTime({ label: 'Добавлен', auto: 'created' }),
  },
  access: { view: 'viewCalendar', create: 'editShifts', update: 'editShifts', delete: 'editShifts' },
  title: 'name',
  sort: 'name,id',
  soft: true,
})
