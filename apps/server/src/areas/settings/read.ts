import { type CommonSettings, commonSettingNames, commonSettings } from '@ordinator/model/areas/settings/commonSettings'
import sql, { type Sql } from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'

/** The clinic's settings, with defaults for missing or invalid values. */
export async function readCommonSettings(db: Queryable): Promise<CommonSettings> {
  const rows = await db.query<{ name: string; value: unknown }>({
    name: 'common-settings',
    text: 'select name, value from common_settings',
  })
  return settingsOf(rows)
}

/** A secret is returned as whether there is one: its check applies to the secret itself. */
export function settingsOf(rows: readonly { name: string; value: unknown }[]): CommonSettings {
  const stored = new Map(rows.map((row) => [row.name, row.value]))
  const entries = commonSettingNames.map((name) => {
    const { check, byDefault, input } = commonSettings[name]
    if (input?.kind === 'secret') return [name, stored.get(name) === true]
    const kept = stored.has(name) ? check.safeParse(stored.get(name)) : undefined
    return [name, kept?.success ? kept.data : byDefault]
  })
  return Object.fromEntries(entries)
}

/** SQL of the clinic's time zone: for records without an owner, and for profiles without one. */
export const clinicZone = sql`coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'),
  ${commonSettings.timeZone.byDefault}::text)`

/** SQL of today in the clinic's time zone. The session of PostgreSQL is in UTC: `current_date` is another day at night. */
export const clinicToday: Sql = sql`(now() at time zone ${clinicZone})::date`

/** SQL condition that a moment lies in a period of the clinic's days, both included. */
export const withinDays = (moment: Sql, from: string, to: string): Sql =>
  sql`${moment} >= (${from}::date::timestamp at time zone ${clinicZone})
    and ${moment} < ((${to}::date + 1)::timestamp at time zone ${clinicZone})`

type NumberSetting = { [N in keyof CommonSettings]: CommonSettings[N] extends number ? N : never }[keyof CommonSettings]

/** SQL of an integer setting of the clinic. */
export const settingSql = (name: NumberSetting): Sql =>
  sql`coalesce((select ("value" #>> '{}')::int from common_settings where "name" = ${name}),
    ${commonSettings[name].byDefault}::int)`
