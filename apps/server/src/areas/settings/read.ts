import { type CommonSettings, commonSettingNames, commonSettings } from '@ordinator/model/areas/settings/commonSettings'
import sql, { type Sql } from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'

/** The clinic's settings, with the defaults of what was never set or is no longer valid. */
export async function readCommonSettings(db: Queryable): Promise<CommonSettings> {
  const rows = await db.query<{ name: string; value: unknown }>({
    name: 'common-settings',
    text: 'select name, value from common_settings',
  })
  return settingsOf(rows)
}

/** A secret is told as whether there is one: its check is of the secret itself. */
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

/** SQL of the clinic's time zone: of what belongs to nobody, and of profiles that name none. */
export const clinicZone = sql`coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'),
  ${commonSettings.timeZone.byDefault}::text)`

type NumberSetting = { [N in keyof CommonSettings]: CommonSettings[N] extends number ? N : never }[keyof CommonSettings]

/** SQL of a setting of the clinic that is a whole number. */
export const settingSql = (name: NumberSetting): Sql =>
  sql`coalesce((select ("value" #>> '{}')::int from common_settings where "name" = ${name}),
    ${commonSettings[name].byDefault}::int)`
