import { entity } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { decimal } from '../../fields/decimal.ts'
import { integer } from '../../fields/integer.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { catalogueAccess, ofService } from './service.ts'

export const performerLevels = { junior: 'Начинающий', main: 'Основной', expert: 'Эксперт' } as const

/** An employee who performs a service, and the branch. */
export const ServicePerformer = entity('service-performers', {
  branchBy: 'common',
  label: ['Исполнитель услуги', 'исполнителя услуги', 'исполнителей услуги'],
  gender: 'm',
  fields: {
    idService: ofService(),
    idUser: ref('users', { label: 'Врач', as: 'user', required: true, fixed: true, onDelete: 'cascade' }),
    idFilial: ref('filials', { label: 'Филиал', as: 'filial', help: 'Пусто — во всех', onDelete: 'cascade' }),
    allowed: boolean({ label: 'Допущен', default: true }),
    level: choice(performerLevels, { label: 'Уровень', default: 'main' }),
    commission: decimal({
      label: 'Своя доля, %',
      help: 'Пусто — как у всех услуг',
      scale: 2,
      min: 0,
      max: 100,
      hidden: 'editServices',
    }),
    note: text({ label: 'Примечание', max: 500 }),
    dateCreate: dateTime({ label: 'Добавлен', auto: 'created' }),
  },
  access: catalogueAccess,
  within: 'idService',
  unique: [['idService', 'idUser', 'idFilial']],
  emptyIsSame: true,
  sort: 'id',
  soft: true,
})

export const visitKinds = { primary: 'Первичный', repeat: 'Повторный' } as const
export type VisitKind = keyof typeof visitKinds

/** Duration of a service: for all, or for one doctor, in one branch, for a primary or a repeated visit. */
export const ServiceDuration = entity('service-durations', {
  branchBy: 'common',
  label: ['Длительность', 'длительности', 'длительностей'],
  gender: 'f',
  fields: {
    idService: ofService(),
    idUser: ref('users', { label: 'Врач', as: 'user', help: 'Пусто — для всех', onDelete: 'cascade' }),
    idFilial: ref('filials', { label: 'Филиал', as: 'filial', help: 'Пусто — во всех', onDelete: 'cascade' }),
    visit: choice(visitKinds, { label: 'Приём', help: 'Пусто — любой' }),
    minutes: integer({ label: 'Минут', required: true, min: 1, max: 1440 }),
    breakAfter: integer({ label: 'Перерыв после, мин', min: 0, max: 480, default: 0 }),
    online: boolean({ label: 'Онлайн-запись', default: true }),
    dateCreate: dateTime({ label: 'Добавлена', auto: 'created' }),
  },
  access: catalogueAccess,
  within: 'idService',
  unique: [['idService', 'idUser', 'idFilial', 'visit']],
  emptyIsSame: true,
  sort: 'id',
  soft: true,
})

/** A duration rule; null matches any. */
export interface DurationFacts {
  idUser: number | null
  idFilial: number | null
  visit: VisitKind | null
  minutes: number
  breakAfter: number
  online: boolean
}

export interface DurationAsked {
  idUser?: number | null
  idFilial?: number | null
  visit?: VisitKind | null
}

/**
 * The rule that applies: the most specific of those that match, where the doctor weighs more than the branch, and
 * the branch more than the kind of visit.
 * Undefined: no rule matches.
 */
export function durationOf<D extends DurationFacts>(rules: readonly D[], asked: DurationAsked): D | undefined {
  const fits = (rule: D) => what.every((part) => rule[part] === null || rule[part] === asked[part])
  return rules.filter(fits).toSorted((a, b) => specific(b) - specific(a))[0]
}

/** Criteria of a rule, in ascending weight. */
const what = ['visit', 'idFilial', 'idUser'] as const
const specific = (rule: DurationFacts): number =>
  what.reduce((sum, part, at) => sum + (rule[part] === null ? 0 : 2 ** at), 0)
