import { settingsCalls } from '@ordinator/model/areas/settings/calls'
import {
  type CommonSettingName,
  type CommonSettings,
  commonSettingNames,
  commonSettings,
} from '@ordinator/model/areas/settings/commonSettings'
import { messages } from '@ordinator/model/messages'
import sql from 'sql-template-tag'
import { signal } from '../../auth/index.ts'
import type { Queryable } from '../../platform/db.ts'
import { type FieldError, ValidationError } from '../../platform/errors.ts'
import { operation } from '../../records/operation.ts'

/** The clinic's settings, with the defaults of what was never set or is no longer valid. */
export async function readCommonSettings(db: Queryable): Promise<CommonSettings> {
  const rows = await db.query<{ name: string; value: unknown }>({
    name: 'common-settings',
    text: 'select name, value from common_settings',
  })
  const stored = new Map(rows.map((row) => [row.name, row.value]))
  const entries = commonSettingNames.map((name) => {
    const { check, byDefault } = commonSettings[name]
    const kept = stored.has(name) ? check.safeParse(stored.get(name)) : undefined
    return [name, kept?.success ? kept.data : byDefault]
  })
  return Object.fromEntries(entries)
}

/** @throws ValidationError that names each unknown or wrong setting */
export function checkCommonSettings(body: Record<string, unknown>): Partial<CommonSettings> {
  const errors: FieldError[] = []
  const value: Record<string, unknown> = {}
  for (const [name, given] of Object.entries(body)) {
    if (!Object.hasOwn(commonSettings, name)) {
      errors.push({ field: name.slice(0, 64), message: messages.unknown })
      continue
    }
    const checked = commonSettings[name as CommonSettingName].check.safeParse(given)
    if (checked.success) value[name] = checked.data
    else
      for (const issue of checked.error.issues)
        errors.push({ field: [name, ...issue.path].join('.'), message: issue.message })
  }
  if (errors.length) throw new ValidationError(errors)
  return value
}

const read = operation(settingsCalls.readCommon, ({ app }) => readCommonSettings(app.db))

const write = operation(settingsCalls.writeCommon, async ({ app, actor, body }) => {
  const value = checkCommonSettings(body)
  await app.db.tx(async (tx) => {
    for (const [name, given] of Object.entries(value)) {
      await tx.query({
        text: `insert into common_settings (name, value, "idUser") values ($1, $2::jsonb, $3)
            on conflict (name) do update set value = $2::jsonb, "idUser" = $3, "dateChange" = now()`,
        values: [name, JSON.stringify(given), actor.id],
      })
    }
    // Tariff, modules and time zone are part of everybody's rights.
    await signal(tx, { all: true })
  })
  return readCommonSettings(app.db)
})

export const commonOperations = [read, write]

/** SQL of the clinic's time zone: of what belongs to nobody, and of profiles that name none. */
export const clinicZone = sql`coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'),
  ${commonSettings.timeZone.byDefault}::text)`
