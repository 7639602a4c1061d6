import { setTimeout as sleep } from 'node:timers/promises'
import { namesFilial, Sequence } from '@ordinator/model/areas/filials/sequence'
import { type CommonSettingName, commonSettings } from '@ordinator/model/areas/settings/commonSettings'
import type { Setting } from '@ordinator/model/areas/settings/setting'
import { entityAt } from '@ordinator/model/entities'
import type { Entity } from '@ordinator/model/entity'
import { messages } from '@ordinator/model/messages'
import { isWithin } from '#platform/address.ts'
import { type FieldError, ValidationError } from '#platform/errors.ts'
import { type Outbound, Unreached } from '#platform/outbound.ts'
import type { Records } from '#records/records.ts'

/**
 * Checks of new values that need other data: whether a record exists, and whether the author of an address restriction
 * could still sign in.
 * @throws ValidationError at the setting
 */
export async function checkFit(
  value: Partial<Record<CommonSettingName, unknown>>,
  { records, ip, outbound }: { records: Records; ip: string; outbound: Outbound },
): Promise<void> {
  const errors: FieldError[] = []
  const allowed = value.allowedAddresses as string[] | undefined
  if (allowed?.length && !isWithin(allowed, ip))
    errors.push({
      field: 'allowedAddresses',
      message: `Вы сами сейчас работаете с адреса ${ip.replace('::ffff:', '')}: добавьте его, иначе не войдёте`,
    })
  for (const [name, given] of Object.entries(value) as [CommonSettingName, unknown][]) {
    const { input, calledBy }: Setting = commonSettings[name]
    const refused = calledBy && given ? await refusal(outbound, String(given)) : undefined
    if (refused)
      errors.push({ field: name, message: `${refused}. Адреса внутренней сети задают на сервере: ${calledBy}` })
    if (input?.kind === 'record' && typeof given === 'number') {
      const is = await isThere(records, input.to, given, input.filter)
      if (!is) errors.push({ field: name, message: messages.reference })
    }
    if (input?.kind !== 'recordOf') continue
    for (const [of, id] of Object.entries(given as Record<string, number>)) {
      const known = await isThere(records, input.per, Number(of))
      const isHeld = known && (await isThere(records, input.to, id, { ...input.filter, [input.by]: of }))
      if (!isHeld) errors.push({ field: `${name}.${of}`, message: messages.reference })
    }
  }
  const idSequence = value.customerSequence
  if (typeof idSequence === 'number' && errors.length === 0) {
    const { mask } = await records.row(Sequence, idSequence)
    if (namesFilial(mask))
      errors.push({ field: 'customerSequence', message: 'В этой нумерации стоит филиал, а карта — всей клиники' })
  }
  if (errors.length) throw new ValidationError(errors)
}

/** Milliseconds to wait for the addresses of a name. */
const NAMES_MS = 2_000

/** Why the server would not call this address; undefined: it would, or the name cannot be resolved now. */
async function refusal(outbound: Outbound, address: string): Promise<string | undefined> {
  try {
    const host = new URL(address).hostname.replace(/^\[|\]$/g, '')
    // A name server that does not answer delays nothing: the address is checked again at each call.
    await Promise.race([outbound.place(host), sleep(NAMES_MS, undefined, { ref: false })])
  } catch (error) {
    if (error instanceof ValidationError && !(error instanceof Unreached)) return error.message
  }
  return undefined
}

type Wanted = Readonly<Record<string, string | number | readonly string[]>>

/** Whether there is such a record that matches the filter. */
async function isThere(records: Records, path: string, id: number, filter: Wanted = {}): Promise<boolean> {
  const asked = Object.entries(filter).map(([field, wanted]) =>
    typeof wanted === 'object' ? [`filter[${field}][in]`, wanted.join()] : [`filter[${field}]`, String(wanted)],
  )
  const found = await records.rows(entityAt(path) as Entity, {
    'filter[id]': String(id),
    ...Object.fromEntries(asked),
    fields: 'id',
  })
  return found.length > 0
}
