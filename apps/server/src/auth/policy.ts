/** The clinic's settings for signing in. */
import { type CommonSettings, commonSettings } from '@ordinator/model/areas/settings/commonSettings'
import type { Queryable } from '#platform/db.ts'

const names = [
  'sessionHours',
  'sessionDays',
  'sessionMostDays',
  'secondSignIn',
  'allowedAddresses',
  'passwordLength',
  'passwordMixed',
  'passwordDays',
] as const
export type Policy = Pick<CommonSettings, (typeof names)[number]>

/** Reads the sign-in settings; missing or invalid ones have their defaults. */
export async function readPolicy(db: Queryable): Promise<Policy> {
  const rows = await db.query<{ name: string; value: unknown }>({
    name: 'sign-in-policy',
    text: 'select name, value from common_settings where name = any($1)',
    values: [names],
  })
  const stored = new Map(rows.map(({ name, value }) => [name, value]))
  const entries = names.map((name) => {
    const kept = commonSettings[name].check.safeParse(stored.get(name))
    return [name, kept.success ? kept.data : commonSettings[name].byDefault]
  })
  return Object.fromEntries(entries)
}
