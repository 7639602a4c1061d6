import type { RuleType } from '@ordinator/model/areas/payroll/rules'
import { formatMonth, formatNumber } from '@ordinator/model/format'

/** «Ноябрь 2026 г.» for the first day of a month. */
export const monthName = (day: string): string => {
  const name = formatMonth(day.slice(0, 7))
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** Formula of a line, to recalculate by hand: «3 600,00 ₽ × 30 %». */
export function formulaText({ type, base, rate }: { type: RuleType; base: number; rate: number }): string {
  const money = (sum: number) => `${formatNumber(sum, 2)} ₽`
  const number = (value: number) => formatNumber(value)
  switch (type) {
    case 'percent':
    case 'referral':
    case 'assistant':
    case 'goods':
      return `${money(base)} × ${number(rate)} %`
    case 'progressive':
      return `с ${money(base)}, в среднем ${number(rate)} %`
    case 'fixed':
      return `${number(base / 10)} усл. × ${money(rate)}`
    case 'salary':
      // Less than 1: a salary prorated to a part of the month.
      return base === 1
        ? `оклад ${money(rate)}`
        : base < 1
          ? `${number(base * 100)} % месяца, оклад ${money(rate)}`
          : `отработано ${number(base)}, оклад ${money(rate)}`
    case 'hourly':
      return `${number(base)} ч × ${money(rate)}`
    case 'shift':
      return `${number(base)} смен × ${money(rate)}`
    case 'bookings':
      return `${number(base)} записей × ${money(rate)}`
    case 'filialPlan':
      return `филиал оказал на ${money(base)}`
    case 'kpi':
      return `балл ${number(base / 100)} × ${money(rate)}`
    case 'guarantee':
      return `заработано ${money(base)}, минимум ${money(rate)}`
  }
}
