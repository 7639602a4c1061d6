/**
 * Names on receipts: as in АТОЛ's drivers (JSON tasks) and АТОЛ Онлайн (v5, ФФД 1.2), by tags of the order of ФНС
 * ЕД-7-20/662@.
 */
import type { taxSystems } from '../filials/organization.ts'
import type { Settlement } from './rules.ts'

/** Names of a service's VAT rate (tag 1199, `vatCodes` of the catalogue) from a day on. */
interface VatRate {
  code: string
  /** The first day; absent: always. */
  from?: string
  rate: string
  /** Rate of a prepayment: the tax is a part of the sum. */
  ahead: string
}

/** Rates by day: НК РФ, ст. 164 (5 and 7 % since 2025; the general rate is 22 % since 2026). The latest day applies. */
const rates: readonly VatRate[] = [
  { code: 'none', rate: 'none', ahead: 'none' },
  { code: '0', rate: 'vat0', ahead: 'vat0' },
  { code: '5', from: '2025-01-01', rate: 'vat5', ahead: 'vat105' },
  { code: '7', from: '2025-01-01', rate: 'vat7', ahead: 'vat107' },
  { code: '10', rate: 'vat10', ahead: 'vat110' },
  { code: '22', rate: 'vat20', ahead: 'vat120' },
  { code: '22', from: '2026-01-01', rate: 'vat22', ahead: 'vat122' },
]

const AHEAD: readonly Settlement[] = ['fullPrepayment', 'prepayment', 'advance']

/**
 * VAT rate of a receipt line.
 * @param day of the settlement, `YYYY-MM-DD`
 */
export function vatName(code: string, settlement: Settlement, day: string): string {
  const found = rates.findLast((one) => one.code === code && (one.from ?? '') <= day)
  if (!found) return 'none'
  return AHEAD.includes(settlement) ? found.ahead : found.rate
}

/** Share of the tax in a sum, as numerator and denominator; undefined: no tax. */
export function vatShare(name: string): [number, number] | undefined {
  const digits = Number(/^vat1?(\d{1,2})$/.exec(name)?.[1])
  return digits > 0 && digits < 100 ? [digits, 100 + digits] : undefined
}

/** Tag 1212 by number: the driver's name. */
export const subjectNames: Readonly<Record<number, string>> = {
  1: 'commodity',
  2: 'excise',
  3: 'job',
  4: 'service',
  10: 'payment',
  13: 'another',
}

/** Tag 1055 by an organization's tax system: names of the driver and of АТОЛ Онлайн. */
export const taxationNames: Readonly<Record<keyof typeof taxSystems, { driver: string; online: string }>> = {
  osn: { driver: 'osn', online: 'osn' },
  usnIncome: { driver: 'usnIncome', online: 'usn_income' },
  usnProfit: { driver: 'usnIncomeOutcome', online: 'usn_income_outcome' },
  ausn: { driver: 'usnIncome', online: 'usn_income' },
  psn: { driver: 'patent', online: 'patent' },
}

/** Maximum characters of tag 1192. */
export const MAX_ATTRIBUTE = 16
