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

/** Who performs a service. */
export const ServicePerformer = entity('service-performers', {
  label: ['Исполнитель услуги', 'исполнителя услуги', 'исполнителей услуги'],
  gender: 'm',
  fields: {
    idService: ofService(),
    idUser: ref('users', { label: 'Врач', as: 'user', required: true, fixed: true, onDelete: 'cascade' }),
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
  unique: [['idService', 'idUser']],
  emptyIsSame: true,
  sort: 'id',
  soft: true,
})

export const visitKinds = { primary: 'Первичный', repeat: 'Повторный' } as const
export type VisitKind = keyof typeof visitKinds

/** How long a service takes: for all, or for one doctor, for a primary or a repeated visit. */
export const ServiceDuration = entity('service-durations', {
  label: ['Длительность', 'длительности', 'длительностей'],
  gender: 'f',
  fields: {
    idService: ofService(),
    idUser: ref('users', { label: 'Врач', as: 'user', onDelete: 'cascade' }),
    visit: choice(visitKinds, { label: 'Приём' }),
    minutes: integer({ label: 'Минут', required: true, min: 1, max: 1440 }),
    breakAfter: integer({ label: 'Перерыв после, мин', min: 0, max: 480, default: 0 }),
    online: boolean({ label: 'Онлайн-запись', default: true }),
    dateCreate: dateTime({ label: 'Добавлена', auto: 'created' }),
  },
  access: catalogueAccess,
  within: 'idService',
  unique: [['idService', 'idUser', 'visit']],
  emptyIsSame: true,
  sort: 'id',
  soft: true,
})

/** A rule of how long a service takes; what is null holds for any. */
export interface DurationFacts {
  idUser: number | null
  visit: VisitKind | null
  minutes: number
  breakAfter: number
  online: boolean
}

export interface DurationAsked {
  idUser?: number | null
  visit?: VisitKind | null
}

/**
 * The rule that holds: of those that fit the most specific one, where the doctor says more than the kind of visit.
 * Undefined: nothing is said.
 */
export function durationOf<D extends DurationFacts>(rules: readonly D[], asked: DurationAsked): D | undefined {
  const fits = (rule: D) =>
    (rule.idUser === null || rule.idUser === asked.idUser) && (rule.visit === null || rule.visit === asked.visit)
  return rules.filter(fits).toSorted((a, b) => specific(b) - specific(a))[0]
}

const specific = ({ idUser, visit }: DurationFacts): number => (idUser === null ? 0 : 4) + (visit === null ? 0 : 1)
