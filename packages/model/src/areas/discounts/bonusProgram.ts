import type { FieldError } from '../../check.ts'
import type { Row } from '../../entity.ts'
import { entity } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { decimal, money } from '../../fields/decimal.ts'
import { integer } from '../../fields/integer.ts'
import { json } from '../../fields/json.ts'
import { list } from '../../fields/list.ts'
import { ref } from '../../fields/ref.ts'
import { refs } from '../../fields/refs.ts'
import { text } from '../../fields/text.ts'
import { customerRefusal, lineRefusal } from './conditions.ts'
import { discountAccess, type Tier, wrongTiers } from './discount.ts'
import type { Basket } from './facts.ts'

/** Bonus rules: the share of a service's paid price that is earned as bonuses, for a period. */
export const BonusProgram = entity('discounts/bonus-programs', {
  label: ['Бонусная программа', 'бонусные программы', 'бонусных программ'],
  gender: 'f',
  registry: {
    columns: ['name', 'active', 'percent', 'filials', 'dateFrom', 'dateTo', 'delayDays', 'lifeDays', 'given'],
    empty: {
      title: 'Бонусных программ нет',
      text: 'Добавьте программу: какую долю оплаты возвращать бонусами и сколько они живут.',
    },
  },
  fields: {
    name: text({ label: 'Название', required: true, max: 128, search: true }),
    active: boolean({ label: 'Действует', default: true }),
    percent: decimal({
      label: 'Начислять, %',
      help: 'От того, что клиент заплатил деньгами',
      scale: 2,
      min: 0,
      max: 100,
      required: true,
    }),
    tiers: json<Tier[]>()({
      label: 'Ступени',
      help: 'Другой процент тем, кто уже заплатил столько',
      rule: wrongTiers,
    }),
    window: choice({ all: 'За всё время', year: 'За 12 месяцев' }, { label: 'Накопления', default: 'all' }),
    delayDays: integer({
      label: 'Действуют через, дней',
      help: 'После оплаты; 0 — сразу',
      min: 0,
      max: 365,
      default: 0,
    }),
    lifeDays: integer({ label: 'Живут, дней', help: 'Пусто — не сгорают', min: 1, max: 3650 }),
    dateFrom: date({ label: 'Начислять с' }),
    dateTo: date({ label: 'По', help: 'Пусто — без срока' }),
    filials: refs('filials', { label: 'Филиалы', help: 'Пусто — во всех', whenDeleted: 'asks' }),
    category: choice({ services: 'Услуги', products: 'Товары' }, { label: 'Только' }),
    groups: refs('services-groups', { label: 'Группы', help: 'Вместе с вложенными', whenDeleted: 'asks' }),
    services: refs('services', { label: 'Услуги и товары', whenDeleted: 'asks' }),
    exceptGroups: refs('services-groups', { label: 'Кроме групп', whenDeleted: 'asks' }),
    exceptServices: refs('services', { label: 'Кроме услуг и товаров', whenDeleted: 'asks' }),
    tags: list((tag: string) => tag.length > 0 && tag.length <= 64, {
      label: 'Метки клиента',
      help: 'Достаточно одной',
      default: [],
    }),
    sources: refs('customer-sources', { label: 'Источники', help: 'Вместе с вложенными', whenDeleted: 'asks' }),
    gender: choice({ female: 'Женщинам', male: 'Мужчинам' }, { label: 'Пол' }),
    ageFrom: integer({ label: 'Возраст от, лет', min: 0, max: 150 }),
    ageTo: integer({ label: 'До, лет', min: 0, max: 150 }),
    /** Bonuses given by it, minus those taken back. */
    given: money({ label: 'Начислено бонусов', computed: true, required: true }),
    dateCreate: dateTime({ label: 'Создана', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменена', auto: 'changed' }),
    idUser: ref('users', { label: 'Создал', as: 'user', auto: 'actor' }),
  },
  access: discountAccess,
  title: 'name',
  sort: 'name,id',
  soft: true,
})

export type Program = Omit<Row<typeof BonusProgram>, 'given' | 'dateCreate' | 'dateChange' | 'idUser' | '_version'>

type Checked = Partial<Pick<Program, 'percent' | 'tiers' | 'dateFrom' | 'dateTo' | 'ageFrom' | 'ageTo'>>

/** Errors across the fields of a programme; each field is also checked alone. */
export function programErrors({ percent, tiers, dateFrom, dateTo, ageFrom, ageTo }: Checked): FieldError[] {
  const errors: FieldError[] = []
  if (percent === 0 && !tiers?.length) errors.push({ field: 'percent', message: 'Укажите процент или ступени' })
  if (dateFrom && dateTo && dateTo < dateFrom) errors.push({ field: 'dateTo', message: 'Раньше, чем начало' })
  if (typeof ageFrom === 'number' && typeof ageTo === 'number' && ageTo < ageFrom)
    errors.push({ field: 'ageTo', message: 'Меньше, чем «от»' })
  return errors
}

/** Bonuses earned by a line. */
export interface Rate {
  idProgram: number
  percent: number
  delayDays: number
  lifeDays: number | null
}

/**
 * The programme that gives a basket line the most bonuses; among equals, the oldest.
 * @param at index of the line
 */
export function rateOf(programs: readonly Program[], basket: Basket, at: number): Rate | undefined {
  const line = basket.lines[at]
  const { customer, date, idFilial } = basket
  if (!line || !customer) return undefined
  let best: Rate | undefined
  for (const one of programs.toSorted((a, b) => a.id - b.id)) {
    if (!one.active || one.deleted) continue
    if ((one.dateFrom && date < one.dateFrom) || (one.dateTo && one.dateTo < date)) continue
    if (one.filials.length && !(idFilial && one.filials.includes(idFilial))) continue
    if (customerRefusal({ ...one, ...anybody }, customer, date) || lineRefusal({ ...one, doctors: [] }, line)) continue
    const paid = customer.paid[one.window]
    const percent = one.tiers?.findLast(({ fromSum }) => fromSum <= paid)?.percent ?? one.percent
    if (percent > (best?.percent ?? 0))
      best = { idProgram: one.id, percent, delayDays: one.delayDays, lifeDays: one.lifeDays }
  }
  return best
}

const anybody = { pensioner: false, staff: false, onlyFirstVisit: false, birthdayDays: null } as const
