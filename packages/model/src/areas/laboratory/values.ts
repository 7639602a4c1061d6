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
  /** Only for values of this analyser; absent: of any. */
  idDevice?: number | null
  /** Only for tests by this method; absent: by any. */
  method?: string | null
}

/** The patient at the time of sampling. */
export interface Patient {
  sex: 'male' | 'female' | 'none' | null
  /** Days; undefined: the birthday is unknown. */
  ageDays: number | undefined
  pregnancyWeeks: number | null
  cyclePhase: CyclePhase | null
}

/** What measured a value; a norm may hold for one analyser or method. */
export interface Means {
  idDevice: number | null
  method: string | null
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
export const phaseOf = (day: number | null, isMenopause = false): CyclePhase | null =>
  isMenopause ? 'menopause' : day === null ? null : day <= 12 ? 'follicular' : day <= 16 ? 'ovulatory' : 'luteal'

const YEARS = 150 * 366

/** The most specific norm that fits the patient and the means of measuring; undefined: none fits. */
export function normFor<N extends Norm>(
  norms: readonly N[],
  patient: Patient,
  { idDevice, method }: Means = { idDevice: null, method: null },
): N | undefined {
  const trimester = trimesterOf(patient.pregnancyWeeks)
  const fitting = norms.filter(
    (norm) =>
      (norm.sex === null || norm.sex === patient.sex) &&
      (norm.trimester === null || norm.trimester === trimester) &&
      (norm.cyclePhase === null || (trimester === null && norm.cyclePhase === patient.cyclePhase)) &&
      (!norm.idDevice || norm.idDevice === idDevice) &&
      (!norm.method || (method !== null && sameText(norm.method, method))) &&
      (patient.ageDays === undefined
        ? // For an unknown age: the adult norm, which has no upper bound.
          norm.ageTo === null
        : (norm.ageFrom ?? 0) <= patient.ageDays && patient.ageDays <= (norm.ageTo ?? YEARS)),
  )
  const span = ({ ageFrom, ageTo }: Norm) => (ageTo ?? YEARS) - (ageFrom ?? 0)
  const strictness = (norm: Norm) =>
    (norm.idDevice ? 16 : 0) +
    (norm.method ? 8 : 0) +
    (norm.trimester ? 4 : 0) +
    (norm.cyclePhase ? 2 : 0) +
    (norm.sex ? 1 : 0)
  return fitting.toSorted((a, b) => strictness(b) - strictness(a) || span(a) - span(b))[0]
}

export type Bound = '<' | '>' | '<=' | '>='

/** A number with its bound: `< 0,5` is below the device's range. */
export interface Measured {
  number: number
  bound?: Bound
}

const BOUND = /^(<=|>=|=<|=>|<|>|≤|≥)?\s*/
const PLAIN = /^([+−-]?)(\d+(?:[.,]\d*)?|[.,]\d+)(?:(?:\s?[x×*·]\s?10\s?(?:\^|\*\*)|[eEеЕ])\s?([+−-]?\d{1,2}))?$/
const bounds: Readonly<Record<string, Bound>> = { '=<': '<=', '≤': '<=', '=>': '>=', '≥': '>=' }
const MAX_DIGITS = 24

/**
 * A number in any notation that analysers and people use, in one: `<=0.0012` for `≤ 1,2E-03`. Digits are kept as they
 * came, `5.50` stays `5.50`. Undefined: no number (`**.*`, `INVALID`, `1:20`, `5 5`, `1,234.5`, `4-6`).
 */
export function numberText(text: string): string | undefined {
  const trimmed = text.trim()
  const sign = BOUND.exec(trimmed)?.[1]
  const parts = PLAIN.exec(trimmed.replace(BOUND, ''))
  if (!parts) return undefined
  const [, minus = '', digits = '', power] = parts
  const [whole = '', part = ''] = digits.replace(',', '.').split('.')
  const plain = shifted(whole, part, power === undefined ? 0 : Number(power.replace('−', '-')))
  if (plain.length > MAX_DIGITS) return undefined
  const bound = sign === undefined ? '' : (bounds[sign] ?? sign)
  return `${bound}${minus === '-' || minus === '−' ? '-' : ''}${plain}`
}

/** Moves the decimal point by text, so that no digit is rounded. */
function shifted(whole: string, part: string, by: number): string {
  const digits = whole + part
  const point = whole.length + by
  const padded = point < 0 ? digits.padStart(digits.length - point, '0') : digits.padEnd(Math.max(point, 0), '0')
  const at = Math.max(point, 0)
  const left = by === 0 ? padded.slice(0, at) : padded.slice(0, at).replace(/^0+(?=\d)/, '')
  const right = padded.slice(at)
  return right === '' ? left || '0' : `${left || '0'}.${right}`
}

/** Parses a number as devices and people write it; undefined if it is none. */
export function measured(text: string): Measured | undefined {
  const plain = numberText(text)
  if (plain === undefined) return undefined
  const bound = /^[<>]=?/.exec(plain)?.[0] as Bound | undefined
  const number = Number(plain.slice(bound?.length ?? 0))
  return bound ? { number, bound } : { number }
}

/** Value for display: a number with a decimal comma, any other text unchanged. */
export const valueWords = (value: string): string =>
  measured(value) ? value.replace('.', ',').replace('<=', '≤ ').replace('>=', '≥ ') : value

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

/** Every number within a bound lies at this side of a limit, or undecidable: null. */
function side({ number, bound }: Measured, { low, high, criticalLow, criticalHigh }: Norm): Flag | null {
  if (low === null && high === null && criticalLow === null && criticalHigh === null) return null
  if (bound === '<' || bound === '<=') {
    // All are below the limit: `< 3` for the limit 3, `<= 3` not.
    const under = (limit: number | null) => limit !== null && (bound === '<' ? number <= limit : number < limit)
    if (under(criticalLow)) return 'LL'
    if (under(low)) return 'L'
    return low === null && criticalLow === null && number <= Math.min(high ?? Infinity, criticalHigh ?? Infinity)
      ? 'N'
      : null
  }
  if (bound) {
    const over = (limit: number | null) => limit !== null && (bound === '>' ? number >= limit : number > limit)
    if (over(criticalHigh)) return 'HH'
    if (over(high)) return 'H'
    return high === null && criticalHigh === null && number >= Math.max(low ?? -Infinity, criticalLow ?? -Infinity)
      ? 'N'
      : null
  }
  if (criticalLow !== null && number < criticalLow) return 'LL'
  if (criticalHigh !== null && number > criticalHigh) return 'HH'
  if (low !== null && number < low) return 'L'
  if (high !== null && number > high) return 'H'
  return 'N'
}

/** The same words but for case and ё. */
export const sameText = (a: string, b: string): boolean =>
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
