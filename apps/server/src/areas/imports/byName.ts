import { nameSpelling } from '@ordinator/model/spelling'
import { raw, type Sql } from 'sql-template-tag'

/**
 * A name normalized for comparison: ignores letter case, ё, spaces, kinds of dashes and apostrophes, and invisible
 * marks.
 */
export const plainName = (name: string): string => nameSpelling(name).toLocaleLowerCase('ru').replaceAll('ё', 'е')

/** SQL of `plainName` of a stored text, which has no invisible marks. @param column SQL of it */
export const plainNameSql = (column: string): Sql =>
  raw(`replace(lower(regexp_replace(regexp_replace(translate(btrim(${column}), '‘’ʼ´\`', repeat('''', 5)),
    '\\s+', ' ', 'g'), ' ?[-‐-―−] ?', '-', 'g')), 'ё', 'е')`)

/** Index by each name, normalized by plainName; several entries under a name mean that it is ambiguous. */
export function byNames<T>(things: readonly T[], namesOf: (thing: T) => readonly (string | null)[]): Map<string, T[]> {
  const found = new Map<string, T[]>()
  for (const thing of things)
    for (const name of new Set(namesOf(thing).flatMap((one) => (one ? [plainName(one)] : []))))
      found.set(name, [...(found.get(name) ?? []), thing])
  return found
}

/** Usual spellings of the displayed name «Кузнецова А. С.»: with and without spaces between the initials. */
export const shortNames = (shortFio: string): string[] => [
  shortFio.replace(/\.(?=\S)/g, '. '),
  shortFio.replace(/\.\s+/g, '.'),
]
