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

type NumberSetting = { [N in keyof CommonSettings]: CommonSettings[N] extends number ? N : never }[keyof CommonSettings]

/** SQL of an integer setting of the clinic. */
export const settingSql = (name: NumberSetting): Sql =>
  sql`coalesce((select ("value" #>> '{}')::int from common_settings where "name" = ${name}),
    ${commonSettings[name].byDefault}::int)`
