/**
 * Schemas of one database. The clinic is in `public`; its training clinic is beside it, in a schema of its own that every
 * connection made from its URL has first in the search path. The clinic's schema follows there for its extensions alone:
 * every table that migrations make is made in the first one, and so found there.
 */
export const CLINIC = 'public'
export const TRAINING = 'training'

/** The URL of the same database with another schema. */
export const inSchema = (url: string, schema: string): string =>
  `${url}${url.includes('?') ? '&' : '?'}options=${encodeURIComponent(`-c search_path=${schema},${CLINIC}`)}`

const OPTIONS = /[?&]options=([^&]*)/

/** Options of a URL, which the driver would take instead of those given beside it. */
export function splitOptions(url: string): { url: string; options: string } {
  const found = OPTIONS.exec(url)
  if (!found) return { url, options: '' }
  const rest = url.replace(OPTIONS, '').replace(/^([^?]*?)&/, '$1?')
  return { url: rest, options: decodeURIComponent((found[1] as string).replaceAll('+', ' ')) }
}

/** The schema that a URL leads to. */
export const schemaOf = (url: string): string => /search_path=(\w+)/.exec(splitOptions(url).options)?.[1] ?? CLINIC

/** Name of something that the database has once, for each schema another: `jobs`, `jobs_training`. */
export const besides = (schema: string, name: string): string => (schema === CLINIC ? name : `${name}_${schema}`)
