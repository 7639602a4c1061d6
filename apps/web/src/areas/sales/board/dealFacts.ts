import { formatMoney, plural } from '@ordinator/model/format'
import { formatHuman } from '#kit/clock.ts'
import type { Deal, StageRow } from './deals.ts'

const DAY_MS = 24 * 3600_000

/** Full days in the stage. */
export const ageOf = (deal: Pick<Deal, 'dateStage'>, now = Date.now()): number | undefined =>
  deal.dateStage ? Math.max(0, Math.floor((now - Date.parse(deal.dateStage)) / DAY_MS)) : undefined

export const isStuck = (deal: Pick<Deal, 'dateStage'>, stage: Pick<StageRow, 'daysLimit'> | undefined): boolean =>
  Boolean(stage?.daysLimit && deal.dateStage && Date.now() - Date.parse(deal.dateStage) > stage.daysLimit * DAY_MS)

export const ageText = (days: number): string => (days === 0 ? 'сегодня' : `${days} ${plural(days, dayForms)}`)
const dayForms = ['день', 'дня', 'дней'] as const

export interface Step {
  text: string
  when?: string
  late: boolean
}

/** The next step, and whether it is overdue. */
export function nextStepOf(deal: Pick<Deal, 'nextStep' | 'dateNextStep'>, isWork: boolean): Step | undefined {
  if (!deal.nextStep && !deal.dateNextStep) return undefined
  return {
    text: deal.nextStep || 'Следующий шаг',
    ...(deal.dateNextStep && { when: formatHuman(deal.dateNextStep) }),
    late: isWork && deal.dateNextStep !== null && Date.parse(deal.dateNextStep) < Date.now(),
  }
}

/** Name or phone of the deal's contact. */
export const contactOf = (deal: Pick<Deal, 'contacts'>): string | undefined =>
  deal.contacts[0]?.fio || deal.contacts[0]?.phone || undefined

export const priceText = (price: number | null | undefined): string | undefined =>
  price === null || price === undefined ? undefined : formatMoney(price)
