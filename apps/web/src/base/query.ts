/** A query value: nested objects become filter[a][b]=v, arrays a comma-separated list. */
export type QueryValue = string | number | boolean | null | undefined | QueryValue[] | { [key: string]: QueryValue }
export type Query = { [key: string]: QueryValue }

/** '?a=1&filter[name][ilike]=%D1%84', or '' when nothing is set. Undefined, null and '' are omitted. */
export function queryString(query: Query | undefined): string {
  const parts: string[] = []
  for (const [key, value] of Object.entries(query ?? {})) write(parts, key, value)
  return parts.length ? `?${parts.join('&')}` : ''
}

function write(parts: string[], key: string, value: QueryValue): void {
  if (value === undefined || value === null || value === '') return
  if (Array.isArray(value)) {
    const nested = value.some((item) => item !== null && typeof item === 'object')
    if (nested) for (const [index, item] of value.entries()) write(parts, `${key}[${index}]`, item)
    else if (value.length) parts.push(`${key}=${value.map((item) => encodeURIComponent(String(item))).join(',')}`)
    return
  }
  if (typeof value === 'object') {
    for (const [name, item] of Object.entries(value)) write(parts, `${key}[${encodeURIComponent(name)}]`, item)
    return
  }
  const text = typeof value === 'boolean' ? (value ? '1' : '0') : String(value)
  parts.push(`${key}=${encodeURIComponent(text)}`)
}
