/** How values of PostgreSQL become values of JavaScript: see db.ts. */
import pg from 'pg'

const asIs = (text: string): string => text
const OID = {
  int8: 20,
  int8Array: 1016,
  timestamp: 1114,
  timestampArray: 1115,
  timestamptz: 1184,
  timestamptzArray: 1185,
  date: 1082,
  dateArray: 1182,
  numericArray: 1231,
  interval: 1186,
  textArray: 1009,
}

/** Converts `timestamptz` text in a UTC session, `2026-11-20 09:30:00.5+00`, to its form in JSON. */
export const isoTime = (text: string): string => `${text.replace(' ', 'T')}:00`
const isoLocal = (text: string): string => text.replace(' ', 'T')

const parsers = new Map<number, (text: string) => unknown>([
  [OID.int8, Number],
  [OID.int8Array, arrayOf(Number)],
  [OID.timestamptz, isoTime],
  [OID.timestamptzArray, arrayOf(isoTime)],
  [OID.timestamp, isoLocal],
  [OID.timestampArray, arrayOf(isoLocal)],
  [OID.date, asIs],
  [OID.dateArray, arrayOf(asIs)],
  [OID.numericArray, arrayOf(asIs)],
  [OID.interval, asIs],
])

function arrayOf<T>(parse: (text: string) => T): (text: string) => unknown {
  const split = pg.types.getTypeParser(OID.textArray as never) as (text: string) => (string | null)[]
  return (text) => split(text).map((item) => (item === null ? null : parse(item)))
}

export function getTypeParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  return (format !== 'binary' && parsers.get(oid)) || (pg.types.getTypeParser(oid, format as 'text') as never)
}
