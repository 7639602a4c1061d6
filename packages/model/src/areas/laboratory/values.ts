/**
 * How a value is read and judged: which norm is for this patient, on which side of it the value lies, how far it is from
 * the one before. One set of functions for values of devices, of hands and of formulas, and for every screen and paper.
 * What cannot be read as a number is kept as text and compared with nothing. Pure.
 */
import type { CyclePhase, NormSex, Trimester, ValueType } from './words.ts'

export const flags = {
  N: 'Норма',
  L: 'Ниже нормы',
  H: 'Выше нормы',
  LL: 'Критически низко',
  HH: 'Критически высоко',
  A: 'Отклонение',
} as const
export type Flag = keyof typeof flags
export const isCritical = (flag: Flag | null | undefined): boolean => flag === 'LL' || flag === 'HH'

/** A value of an analyte's list, and whether it is what a healthy person has. */
export interface Choice {
  value: string
  normal: boolean
}

/** Between which values a healthy patient of this kind is; both ends belong to it. */
export interface Norm {
  sex: NormSex | null
  /** Days of age, both inclusive; null: no bound. */
  ageFrom: number | null
  ageTo: number | null
  trimester: Trimester | null
  cyclePhase: CyclePhase | null
  low: number | null
  high: number | null
  criticalLow: number | null
  criticalHigh: number | null
  /** In words, where there are no numbers: «не обнаружено», «< 1:20». */
  text: string | null
}

/** Of whom a sample was taken, as of that moment. */
export interface Patient {
  sex: 'male' | 'female' | 'none' | null
  /** Days; undefined: the birthday is not known. */
  ageDays: number | undefined
  pregnancyWeeks: number | null
  cyclePhase: CyclePhase | null
}

const DAY = 86_400_000

/**
 * Days from a birthday to the day of taking.
 * @param birthday `DD.MM.YYYY`, as records have it, or `YYYY-MM-DD` @param day `YYYY-MM-DD`
 */
export function ageInDays(birthday: string | null, day: string): number | undefined {
  if (!birthday) return undefined
  const iso = /^\d{2}\./.test(birthday) ? birthday.split('.').reverse().join('-') : birthday
  const days = Math.round((Date.parse(`${day}T00:00:00Z`) - Date.parse(`${iso}T00:00:00Z`)) / DAY)
  return Number.isFinite(days) && days >= 0 ? days : undefined
}

export const trimesterOf = (weeks: number | null): Trimester | null =>
  weeks === null ? null : weeks < 14 ? 'first' : weeks < 28 ? 'second' : 'third'

/** The phase of a cycle of 28 days, for who was asked for the day alone. */
export const phaseOf = (day: number | null): CyclePhase | null =>
  day === null ? null : day <= 12 ? 'follicular' : day <= 16 ? 'ovulatory' : 'luteal'

const YEARS = 150 * 366

/** The norm for a patient: of those that fit, the one that says most of the patient; undefined: none fits. */
export function normFor<N extends Norm>(norms: readonly N[], patient: Patient): N | undefined {
  const trimester = trimesterOf(patient.pregnancyWeeks)
  const fitting = norms.filter(
    ({ sex, ageFrom, ageTo, trimester: of, cyclePhase }) =>
      (sex === null || sex === patient.sex) &&
      (of === null || of === trimester) &&
      (cyclePhase === null || (trimester === null && cyclePhase === patient.cyclePhase)) &&
      (patient.ageDays === undefined
        ? // Of whom the age is not known the norm of adults is said, which has no upper bound.
          ageTo === null
        : (ageFrom ?? 0) <= patient.ageDays && patient.ageDays <= (ageTo ?? YEARS)),
  )
  const span = ({ ageFrom, ageTo }: Norm) => (ageTo ?? YEARS) - (ageFrom ?? 0)
  const said = ({ trimester: of, cyclePhase, sex }: Norm) => (of ? 4 : 0) + (cyclePhase ? 2 : 0) + (sex ? 1 : 0)
  return fitting.toSorted((a, b) => said(b) - said(a) || span(a) - span(b))[0]
}

/** A number with what stands before it: `< 0,5` is below what the device sees. */
export interface Measured {
  number: number
  bound?: '<' | '>'
}

const NUMBER = /^([<>≤≥]=?)?\s*([+-]?\d+(?:[.,]\d+)?)$/

/** Reads a number as devices and people write it; undefined: it is none (`**.*`, `INVALID`, `1:20`). */
export function measured(text: string): Measured | undefined {
  const parts = NUMBER.exec(text.trim())
  if (!parts) return undefined
  const number = Number((parts[2] as string).replace(',', '.'))
  if (!Number.isFinite(number)) return undefined
  const sign = parts[1]?.[0]
  if (!sign) return { number }
  return { number, bound: sign === '<' || sign === '≤' ? '<' : '>' }
}

/** A value as people read it: a number with a comma, everything else as it came. */
export const valueWords = (value: string): string => (measured(value) ? value.replace('.', ',') : value)

/** The dilution of a titre: 20 for `1:20`. */
export function dilution(text: string): number | undefined {
  const parts = /^([<>])?\s*1\s*:\s*(\d+)$/.exec(text.trim())
  return parts ? Number(parts[2]) : undefined
}

/**
 * Where a value lies; null: it cannot be said (no norm, no number, a bound of the device within the norm).
 * @param value as it is kept: text
 */
export function flagOf(
  type: ValueType,
  value: string,
  norm: Norm | undefined,
  choices: readonly Choice[] = [],
): Flag | null {
  if (type === 'enum') {
    const found = choices.find((one) => sameText(one.value, value))
    return found ? (found.normal ? 'N' : 'A') : null
  }
  if (!norm) return null
  if (type === 'text') return norm.text === null ? null : sameText(norm.text, value) ? 'N' : 'A'
  if (type === 'titer') {
    const found = dilution(value)
    const most = norm.high ?? (norm.text === null ? undefined : dilution(norm.text))
    if (found === undefined || most === undefined || most === null) return null
    return found <= most ? 'N' : 'A'
  }
  const found = measured(value)
  return found === undefined ? null : side(found, norm)
}

function side({ number, bound }: Measured, { low, high, criticalLow, criticalHigh }: Norm): Flag | null {
  if (low === null && high === null && criticalLow === null && criticalHigh === null) return null
  // Under a bound the true value is anything less, over one anything more: it is said only where all of that agrees.
  if (bound === '<') {
    if (low !== null && number <= low) return criticalLow !== null && number <= criticalLow ? 'LL' : 'L'
    return low === null && (high === null || number <= high) ? 'N' : null
  }
  if (bound === '>') {
    if (high !== null && number >= high) return criticalHigh !== null && number >= criticalHigh ? 'HH' : 'H'
    return high === null && (low === null || number >= low) ? 'N' : null
  }
  if (criticalLow !== null && number < criticalLow) return 'LL'
  if (criticalHigh !== null && number > criticalHigh) return 'HH'
  if (low !== null && number < low) return 'L'
  if (high !== null && number > high) return 'H'
  return 'N'
}

const sameText = (a: string, b: string): boolean =>
  a.trim().toLocaleLowerCase('ru').replaceAll('ё', 'е') === b.trim().toLocaleLowerCase('ru').replaceAll('ё', 'е')

/** The norm in words: «3,5–5,1», «до 5», «более 60», «не обнаружено». */
export function normText(norm: Norm | undefined, decimals: number | null = null): string | null {
  if (!norm) return null
  const { low, high, text } = norm
  const say = (value: number) =>
    (decimals === null ? String(value) : String(Number(value.toFixed(decimals)))).replace('.', ',')
  if (low !== null && high !== null) return `${say(low)}–${say(high)}`
  if (high !== null) return `до ${say(high)}`
  if (low !== null) return `более ${say(low)}`
  return text
}

/** By how many per cent a value differs from the one before; null: one of them is no number, or that was 0. */
export function deltaOf(value: string, before: string | null): number | null {
  const now = measured(value)
  const was = before === null ? undefined : measured(before)
  if (!now || !was || now.bound || was.bound || was.number === 0) return null
  return Math.round(((now.number - was.number) / Math.abs(was.number)) * 1000) / 10
}

/** A number with so many digits after the point, by the rule of rounding half away from zero. */
export function withDecimals(value: number, decimals: number): string {
  const by = 10 ** decimals
  return ((Math.sign(value) * Math.round(Math.abs(value) * by + Number.EPSILON * by)) / by).toFixed(decimals)
}
