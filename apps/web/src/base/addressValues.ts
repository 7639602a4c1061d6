/** Parsers of URL values: an invalid value becomes undefined, as if absent. */

export const id = (value: unknown) => between(value, 1, Number.MAX_SAFE_INTEGER)

export function between(value: unknown, min: number, max: number): number | undefined {
  const number = Number(value)
  return value !== '' && Number.isInteger(number) && number >= min && number <= max ? number : undefined
}

export const text = (value: unknown) =>
  value === undefined || value === null || value === '' ? undefined : String(value)

export const word = <W extends string>(words: Readonly<Record<W, unknown>>, value: unknown): W | undefined =>
  typeof value === 'string' && Object.hasOwn(words, value) ? (value as W) : undefined

/** A single value is plain in the URL, several are a list. */
export function listOf<T>(value: unknown, read: (one: unknown) => T | undefined): T[] | undefined {
  const list = (Array.isArray(value) ? value : [value]).map(read).filter((one) => one !== undefined)
  return list.length ? list : undefined
}

export function day(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return undefined
  const moment = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(value) ? value : undefined
}

export const mark = (value: unknown): true | undefined =>
  value === true || value === 1 || value === '1' ? true : undefined
