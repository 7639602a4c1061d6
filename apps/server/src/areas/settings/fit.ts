import { type CommonSettingName, commonSettings } from '@ordinator/model/areas/settings/commonSettings'
import { entityAt } from '@ordinator/model/entities'
import { messages } from '@ordinator/model/messages'
import { isWithin } from '../../platform/address.ts'
import { type FieldError, ValidationError } from '../../platform/errors.ts'
import type { Records } from '../../records/records.ts'

/**
 * What of new values no check of a value alone can tell: whether a record is there, and whether who sets the addresses
 * would still come in.
 * @throws ValidationError at the setting
 */
export async function checkFit(
  value: Partial<Record<CommonSettingName, unknown>>,
  { records, ip }: { records: Records; ip: string },
): Promise<void> {
  const errors: FieldError[] = []
  const allowed = value.allowedAddresses as string[] | undefined
  if (allowed?.length && !isWithin(allowed, ip))
    errors.push({
      field: 'allowedAddresses',
      message: `Вы сами сейчас работаете с адреса ${ip.replace('::ffff:', '')}: добавьте его, иначе не войдёте`,
    })
  for (const [name, given] of Object.entries(value) as [CommonSettingName, unknown][]) {
    const { input } = commonSettings[name]
    const entity = input?.kind === 'record' ? entityAt(input.to) : undefined
    if (!entity || typeof given !== 'number') continue
    const filter = input && 'filter' in input ? Object.entries(input.filter ?? {}) : []
    const found = await records.rows(entity, {
      'filter[id]': String(given),
      ...Object.fromEntries(filter.map(([field, wanted]) => [`filter[${field}]`, wanted])),
      fields: 'id',
    })
    if (found.length === 0) errors.push({ field: name, message: messages.reference })
  }
  if (errors.length) throw new ValidationError(errors)
}
