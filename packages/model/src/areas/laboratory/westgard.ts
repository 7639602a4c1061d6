/**
 * Westgard rules over the runs of one control (analyte, level, lot): Westgard J. O. et al., Clin Chem 1981;27:493. A
 * warning lets results pass, a rejection holds the results it covers. Pure.
 */

export const westgardRules = {
  '1-2s': 'Одно значение за ±2s',
  '1-3s': 'Одно значение за ±3s',
  '2-2s': 'Два подряд за одним и тем же 2s',
  'R-4s': 'Два подряд разошлись больше чем на 4s',
  '4-1s': 'Четыре подряд за одним и тем же 1s',
  '10x': 'Десять подряд с одной стороны от среднего',
  qualitative: 'Качественный контроль не совпал с ожидаемым',
} as const
export type WestgardRule = keyof typeof westgardRules

/** All other rules reject the run. */
export const isWarning = (rule: WestgardRule): boolean => rule === '1-2s'

/** Expected values of a control. */
export interface Limits {
  mean: number | string
  sd: number | string
}

const SCALE = 6
const NUMBER = /^([+-]?)(\d*)\.?(\d*)$/

/**
 * A decimal in millionths, exactly: mean 5 and SD 0.1 make 5.2 two deviations, which no float does.
 * @throws RangeError for what is no decimal
 */
export function millionths(value: number | string): bigint {
  const text = typeof value === 'number' && /e/i.test(String(value)) ? value.toFixed(SCALE) : String(value)
  const parts = NUMBER.exec(text.trim())
  if (!parts || (parts[2] === '' && parts[3] === '')) throw new RangeError(`No decimal: ${text}`)
  const part = (parts[3] as string).slice(0, SCALE).padEnd(SCALE, '0')
  const size = BigInt(`${parts[2]}${part}`)
  return parts[1] === '-' ? -size : size
}

/** Distance from the mean in standard deviations, in hundredths, for people; null if the deviation is 0. */
export function zOf(value: number | string, { mean, sd }: Limits): number | null {
  const unit = millionths(sd)
  return unit > 0n ? Math.round((Number(millionths(value) - millionths(mean)) / Number(unit)) * 100) / 100 : null
}

/**
 * Rules broken by the last run. A value exactly at a limit is within it.
 * @param values the runs in order, the newest last; rejected runs included
 */
export function brokenRules(values: readonly (number | string)[], { mean, sd }: Limits): WestgardRule[] {
  const [middle, unit] = [millionths(mean), millionths(sd)]
  const series = values.map((value) => millionths(value) - middle)
  const now = series.at(-1)
  if (now === undefined || unit <= 0n) return []
  const broken: WestgardRule[] = []
  if (size(now) > 3n * unit) broken.push('1-3s')
  const before = series.at(-2)
  if (before !== undefined) {
    if (allBeyond(series.slice(-2), 2n * unit)) broken.push('2-2s')
    if (size(now - before) > 4n * unit && now * before < 0n) broken.push('R-4s')
  }
  if (series.length >= 4 && allBeyond(series.slice(-4), unit)) broken.push('4-1s')
  if (series.length >= 10 && allBeyond(series.slice(-10), 0n)) broken.push('10x')
  if (broken.length === 0 && size(now) > 2n * unit) broken.push('1-2s')
  return broken
}

const size = (value: bigint): bigint => (value < 0n ? -value : value)
const allBeyond = (values: readonly bigint[], limit: bigint): boolean =>
  values.every((value) => value > limit) || values.every((value) => value < -limit)

/** Sigma of a method: (TEa − |bias|) / CV, all in percent of the mean; null if undefined. */
export function sigmaOf({
  tea,
  mean,
  sd,
  observed,
}: {
  tea: number | null
  mean: number
  sd: number
  observed: number
}) {
  if (tea === null || mean === 0 || sd <= 0) return null
  const bias = (Math.abs(observed - mean) / Math.abs(mean)) * 100
  const cv = (sd / Math.abs(mean)) * 100
  return Math.round(((tea - bias) / cv) * 10) / 10
}
