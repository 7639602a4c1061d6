/** A type of membership as it is offered to patients, on the site and in their portal. */

import type { Row } from '../../entity.ts'
import { counted } from '../../format.ts'
import type { MembershipType } from './type.ts'

export interface MembershipOffer {
  id: number
  name: string
  /** Rubles. */
  price: number
  whose: Row<typeof MembershipType>['whose']
  /** What is in it: «Массаж спины: 5 посещений». */
  covers: string[]
  /** Term and rules in plain words, a sentence each. */
  rules: string[]
}

type Rules = Pick<
  Row<typeof MembershipType>,
  'visits' | 'days' | 'startsAt' | 'whose' | 'freezeDays' | 'refundRule' | 'note'
>

const visitsOf = (count: number): string => counted(count, ['посещение', 'посещения', 'посещений'])
const daysOf = (count: number): string => counted(count, ['день', 'дня', 'дней'])

const users = {
  one: 'Для одного человека.',
  family: 'Для семьи: посещения общие.',
  bearer: 'На предъявителя: прийти может любой, кому вы его отдали.',
} as const

/** @param isCounted the type has visits, common or of its services */
const refunds = (isCounted: boolean, rule: Rules['refundRule']): string =>
  !isCounted
    ? 'Деньги за непрошедшие дни вернут в любой день.'
    : rule === 'share'
      ? 'Деньги за неиспользованные посещения вернут в любой день.'
      : 'Деньги вернут в любой день: цена минус оказанное по прайс-листу.'

/** @param items names of services and groups, with their own visits */
export function offerRules(type: Rules, items: readonly { name: string; qty: number | null }[]) {
  const { visits, days, startsAt, whose, freezeDays, refundRule, note } = type
  const own = items.some(({ qty }) => qty !== null)
  const begin = startsAt === 'visit' ? 'с первого визита' : 'со дня покупки'
  return {
    covers: items.map(({ name, qty }) => (qty === null ? name : `${name}: ${visitsOf(qty)}`)),
    rules: [
      visits !== null
        ? `Всего ${visitsOf(visits)}${own ? ' сверх указанных у услуг' : ' на любые из этих услуг'}.`
        : own
          ? ''
          : 'Посещений — сколько нужно.',
      days === null ? 'Без срока.' : `Действует ${daysOf(days)} ${begin}.`,
      users[whose ?? 'one'],
      freezeDays ? `Можно заморозить на ${daysOf(freezeDays)}.` : '',
      refunds(visits !== null || own, refundRule),
      note ?? '',
    ].filter(Boolean),
  }
}
