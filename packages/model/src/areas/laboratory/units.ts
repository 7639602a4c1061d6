/**
 * Units of measure and their conversion. A unit names its base unit (`base`) and its size in it, as НСИ 1358 does by
 * COEFFICIENT and CONVERSION_ID; units of one base convert into each other. Pure.
 */

export interface Unit {
  name: string
  ucum: string | null
  /** Name of the base unit; its own if it is one. */
  base: string
  /** Size in base units. */
  factor: number
}

/** Parses a coefficient of НСИ: `1`, `0,001`, `1/60`, `10^3`; undefined if invalid. */
export function readCoefficient(text: string | null | undefined): number | undefined {
  const plain = (text ?? '').trim().replace(',', '.')
  const power = /^10\^(-?\d+)$/.exec(plain)
  if (power) return 10 ** Number(power[1])
  const [upper, lower = '1', more] = plain.split('/')
  const value = Number(upper) / Number(lower)
  return more === undefined && upper !== '' && Number.isFinite(value) && value > 0 ? value : undefined
}

/** Factor from one unit to another; undefined if their bases differ. */
export function conversion(from: Unit | undefined, to: Unit | undefined): number | undefined {
  if (!from || !to) return undefined
  if (from.name === to.name) return 1
  return from.base === to.base ? from.factor / to.factor : undefined
}

/** Normalizes only the spelling: `10*9/L`, `10^9/l`, `10⁹/L` and ` 10*9/L ` are one unit. */
export const plainUnit = (text: string): string =>
  text
    .trim()
    .replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹]+/gu, (digits) => `^${[...digits].map((d) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(d)).join('')}`)
    .replaceAll('*', '^')
    .replaceAll('µ', 'u')
    .replaceAll('μ', 'u')
    .toLowerCase()
