/** Compares a file's values of a record with its former values and with the values here. */
import { createHash } from 'node:crypto'
import type { FieldError } from '#platform/errors.ts'
import type { Group, MovingTable } from './table.ts'

export type Fate = 'new' | 'changed' | 'same' | 'both' | 'wrong'

const hashOf = (body: unknown): string => createHash('sha1').update(JSON.stringify(body)).digest('base64').slice(0, 20)

/** One spelling of values of a file and of the base. */
const plainValue = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'object') return JSON.stringify(value)
  const text = String(value)
  const [, day, month, year] = /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(text) ?? []
  if (year) return `${year}-${month}-${day}`
  return /^-?\d+\.\d+$/.test(text) ? String(Number(text)) : text
}
const isSame = (a: unknown, b: unknown): boolean => plainValue(a) === plainValue(b)

/** The side on which a known record changed: there, here, or both. `fields`: fields of the file to be written. */
export function compared(
  table: Pick<MovingTable, 'compare'>,
  known: { file: Record<string, unknown> | null; here: Record<string, unknown> | null },
  body: Record<string, unknown>,
  now: Record<string, unknown> | undefined,
): { fate: Fate; fields?: Record<string, unknown>; notes: FieldError[] } {
  const file = known.file ?? {}
  if (table.compare === 'sum')
    return {
      fate: Object.keys(body).some((field) => !isSame(body[field], file[field])) ? 'changed' : 'same',
      notes: [],
    }
  if (table.compare === 'whole') {
    if (file.hash === hashOf(body)) return { fate: 'same', notes: [] }
    if (now && isSame(now._version, known.here?._version)) return { fate: 'changed', notes: [] }
    return {
      fate: 'both',
      notes: [
        {
          field: '',
          message: now
            ? 'Изменено и там, и здесь: осталось, как здесь'
            : 'Здесь удалено, а там изменено: не загружается',
        },
      ],
    }
  }
  const there = Object.keys(body).filter((field) => !isSame(body[field], file[field]))
  if (there.length === 0) return { fate: 'same', notes: [] }
  if (!now)
    return {
      fate: 'both',
      fields: {},
      notes: [{ field: '', message: 'Здесь удалено, а там изменено: не загружается' }],
    }
  const fields: Record<string, unknown> = {}
  const notes: FieldError[] = []
  for (const field of there) {
    if (isSame(now[field], body[field])) continue
    if (isSame(now[field], known.here?.[field])) fields[field] = body[field]
    else
      notes.push({
        field,
        message: `Изменено и там («${plainValue(body[field]).slice(0, 80) || 'пусто'}»), и здесь («${plainValue(now[field]).slice(0, 80) || 'пусто'}»): осталось, как здесь`,
      })
  }
  if (notes.length > 0) return { fate: 'both', fields, notes }
  return Object.keys(fields).length > 0 ? { fate: 'changed', fields, notes } : { fate: 'same', notes }
}

/** The file's values to store; for a field that was left as it is here, the former value of the file. */
export function keptOf(
  table: MovingTable,
  body: Record<string, unknown>,
  known: Group['known'],
  fields: Record<string, unknown> | undefined,
): Record<string, unknown> {
  if (table.compare === 'whole') return { hash: hashOf(body) }
  if (table.compare === 'sum' || !known || !fields) return body
  return { ...known.file, ...Object.fromEntries(Object.keys(fields).map((field) => [field, body[field]])) }
}
