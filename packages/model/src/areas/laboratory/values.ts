/**
 * Parsing and judging of values: the norm for a patient, the side of the norm, the change since the former value.
 * Shared by values of devices, of manual entry and of formulas, and by all screens and papers. A value that is not a
 * number stays text and is not compared. Pure.
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

/** A value of an analyte's list; normal or not. */
export interface Choice {
  value: string
  normal: boolean
}

/** Reference range for a kind of patient; both ends are included. */
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
  /** Text instead of numbers: «не обнаружено», «< 1:20». */
  text: string | null
}

/** The patient at the time of sampling. */
export interface Patient {
  sex: 'male' | 'female' | 'none' | null
  /** Days; undefined: the birthday is unknown. */
  ageDays: number | undefined
  pregnancyWeeks: number | null
  cyclePhase: CyclePhase | null
}

const DAY = 86_400_000

/**
 * Days from the birthday to the day of sampling.
 * @param birthday `DD.MM.YYYY`, as stored, or `YYYY-MM-DD` @param day `YYYY-MM-DD`
 */
export function ageInDays(birthday: string | null, day: string): number | undefined {
  if (!birthday) return undefined
  const iso = /^\d{2}\./.test(birthday) ? birthday.split('.').reverse().join('-') : birthday
  const days = Math.round((Date.parse(`${day}T00:00:00Z`) - Date.parse(`${iso}T00:00:00Z`)) / DAY)
  return Number.isFinite(days) && days >= 0 ? days : undefined
}

export const trimesterOf = (weeks: number | null): Trimester | null =>
  weeks === null ? null : weeks < 14 ? 'first' : weeks < 28 ? 'second' : 'third'

/** Phase of a cycle of 28 days, by the day of the cycle. */
export const phaseOf = (day: number | null): CyclePhase | null =>
  day === null ? null : day <= 12 ? 'follicular' : day <= 16 ? 'ovulatory' : 'luteal'

const YEARS = 150 * 366

/** The most specific norm that fits the patient; undefined: none fits. */
export function normFor<N extends Norm>(norms: readonly N[], patient: Patient): N | undefined {
  const trimester = trimesterOf(patient.pregnancyWeeks)
  const fitting = norms.filter(
    ({ sex, ageFrom, ageTo, trimester: of, cyclePhase }) =>
      (sex === null || sex === patient.sex) &&
      (of === null || of === trimester) &&
      (cyclePhase === null || (trimester === null && cyclePhase === patient.cyclePhase)) &&
      (patient.ageDays === undefined
        ? // For an unknown age: the adult norm, which has no upper bound.
          ageTo === null
        : (ageFrom ?? 0) <= patient.ageDays && patient.ageDays <= (ageTo ?? YEARS)),
  )
  const span = ({ ageFrom, ageTo }: Norm) => (ageTo ?? YEARS) - (ageFrom ?? 0)
  const said = ({ trimester: of, cyclePhase, sex }: Norm) => (of ? 4 : 0) + (cyclePhase ? 2 : 0) + (sex ? 1 : 0)
  return fitting.toSorted((a, b) => said(b) - said(a) || span(a) - span(b))[0]
}

/** A number with its prefix: `< 0,5` is below the device's range. */
export interface Measured {
  number: number
  bound?: '<' | '>'
}

const NUMBER = /^([<>≤≥]=?)?\s*([+-]?\d+(?:[.,]\d+)?)$/

/** Parses a number as devices and people write it; undefined if it is none (`**.*`, `INVALID`, `1:20`). */
export function measured(text: string): Measured | undefined {
  const parts = NUMBER.exec(text.trim())
  if (!parts) return undefined
  const number = Number((parts[2] as string).replace(',', '.'))
  if (!Number.isFinite(number)) return undefined
  const sign = parts[1]?.[0]
  if (!sign) return { number }
  return { number, bound: sign === '<' || sign === '≤' ? '<' : '>' }
}

/** Value for display: a number with a decimal comma, any other text unchanged. */
export const valueWords = (value: string): string => (measured(value) ? value.replace('.', ',') : value)

/** The dilution of a titre: 20 for `1:20`. */
export function dilution(text: string): number | undefined {
  const parts = /^([<>])?\s*1\s*:\s*(\d+)$/.exec(text.trim())
  return parts ? Number(parts[2]) : undefined
}

/**
 * Side of the norm; null: undecidable (no norm, no number, a device bound within the norm).
 * @param value text, as stored
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
  // A bound stands for all values below or above it: the flag is set only if it holds for each of them.
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

/** Text of a norm: «3,5–5,1», «до 5», «более 60», «не обнаружено». */
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

/** Percent of change since the former value; null: one of them is not a number, or the former is 0. */
export function deltaOf(value: string, before: string | null): number | null {
  const now = measured(value)
  const was = before === null ? undefined : measured(before)
  if (!now || !was || now.bound || was.bound || was.number === 0) return null
  return Math.round(((now.number - was.number) / Math.abs(was.number)) * 1000) / 10
}

/** Number with fixed decimals, rounded half away from zero. */
export function withDecimals(value: number, decimals: number): string {
  const by = 10 ** decimals
  return ((Math.sign(value) * Math.round(Math.abs(value) * by + Number.EPSILON * by)) / by).toFixed(decimals)
}
