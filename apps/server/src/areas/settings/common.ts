import { settingsCalls } from '@ordinator/model/areas/settings/calls'
import { type CommonSettingName, commonSettings, isSettingName } from '@ordinator/model/areas/settings/commonSettings'
import { messages } from '@ordinator/model/messages'
import { type FieldError, ValidationError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import { changeSettings } from './changes.ts'
import { checkFit } from './fit.ts'
import { keepPictures } from './pictures.ts'
import { readCommonSettings } from './read.ts'

/** @throws ValidationError that names each unknown or invalid setting */
export function checkCommonSettings(body: Record<string, unknown>): Partial<Record<CommonSettingName, unknown>> {
  const errors: FieldError[] = []
  const value: Partial<Record<CommonSettingName, unknown>> = {}
  for (const [name, given] of Object.entries(body)) {
    if (!isSettingName(name)) {
      errors.push({ field: name.slice(0, 64), message: messages.unknown })
      continue
    }
    const checked = commonSettings[name].check.safeParse(given)
    if (checked.success) value[name] = checked.data
    else
      for (const issue of checked.error.issues)
        errors.push({ field: [name, ...issue.path].join('.'), message: issue.message })
  }
  if (errors.length) throw new ValidationError(errors)
  return value
}

const read = operation(settingsCalls.readCommon, ({ app }) => readCommonSettings(app.db))

const write = operation(settingsCalls.writeCommon, async ({ app, actor, body, records, request }) => {
  const { _versions, ...given } = body
  const read = checkVersions(_versions)
  const asked = checkCommonSettings(given)
  await checkFit(asked, { records, ip: request.ip, outbound: app.outbound })
  const value = await keepPictures(app, asked)
  await app.db.tx((tx) => changeSettings(app, tx, actor.id, value, { read }))
  return readCommonSettings(app.db)
})

/** @throws ValidationError for invalid versions */
function checkVersions(given: unknown): Readonly<Record<string, number>> {
  if (given === undefined) return {}
  const isRight =
    typeof given === 'object' &&
    given !== null &&
    !Array.isArray(given) &&
    Object.entries(given).every(([name, version]) => isSettingName(name) && Number.isSafeInteger(version))
  if (!isRight) throw new ValidationError([{ field: '_versions', message: messages.json }])
  return given as Record<string, number>
}

export const commonOperations = [read, write]
