/**
 * Intake of device messages into values of orders. A message and its log line are written in one transaction, so the
 * acknowledgement after the commit is always true. A repeat is recognized by the device, the hash of the bytes and the
 * time. Unrecognized data becomes a record of its own (`laboratory/strays`) and is never guessed.
 */
import { createHash } from 'node:crypto'
import { LabControlRun } from '@ordinator/model/areas/laboratory/control'
import { LabDevice, LabStray, type MessageState, type StrayReason } from '@ordinator/model/areas/laboratory/device'
import { LabSample, LabSampleStep } from '@ordinator/model/areas/laboratory/sample'
import { plainUnit } from '@ordinator/model/areas/laboratory/units'
import { measured, withDecimals } from '@ordinator/model/areas/laboratory/values'
import type { Row } from '@ordinator/model/entity'
import sql, { raw } from 'sql-template-tag'
import type { Queryable, Tx } from '#platform/db.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { settleOrder } from './orders.ts'
import { type Given, writeValues } from './resultValues.ts'
import { decode, readAstm, type Worklist } from './wire/e1394.ts'
import { type Hl7, readHl7 } from './wire/hl7.ts'
import type { ControlMeasurement, DeviceMessage, Measurement } from './wire/message.ts'

export type Device = Row<typeof LabDevice>

/** Hours in which the same bytes of a device count as the same message. */
const REPEAT_HOURS = 24

export interface Taken {
  state: MessageState
  results: number
  strays: number
  /** Tubes that the device queries. */
  queries: { barcode: string; order: Worklist | undefined }[]
  hl7?: Hl7 | undefined
}

/**
 * Processes a message; committed on return.
 * @param how result of the framer; only a complete message is parsed
 */
export const takeMessage = (
  app: AppContext,
  device: Device,
  bytes: Uint8Array,
  how: 'message' | 'unfinished' | 'noise' | 'checksum' = 'message',
): Promise<Taken> =>
  app.engine.for(systemActor).asSystem.tx(async (records, tx) => {
    const hash = createHash('sha256').update(bytes).digest('hex')
    // Serializes the messages of a device.
    await tx.query(sql`select pg_advisory_xact_lock(27, ${device.id}::int)`)
    await records.asSystem.updateWhere(
      LabDevice,
      ({ row }) => sql`${row}."id" = ${device.id}`,
      { lastSeen: raw('now()') },
      pastHooks,
    )
    if (how !== 'message') return unread(records, tx, device, bytes, hash, how)
    const messages = read(device, bytes)
    const asks = messages?.every(({ kind }) => kind === 'query') ?? false
    // A query is answered every time.
    const before = asks
      ? undefined
      : await tx.one<{
          id: number
        }>(sql`select "id" from laboratory_raw where "idDevice" = ${device.id} and "hash" = ${hash}
          and "direction" = 'in' and "state" in ('done', 'partly', 'control') and "at" > now() - make_interval(hours => ${REPEAT_HOURS}) limit 1`)
    if (before) {
      await keep(tx, device, bytes, hash, 'repeat', `Повтор сообщения ${before.id}`)
      return { state: 'repeat', results: 0, strays: 0, queries: [], hl7: hl7Of(device, messages) }
    }
    const id = await keep(tx, device, bytes, hash, 'broken', null)
    return settle(records, tx, device, id, messages)
  })

const pastHooks = { pastHooks: 'Only the moment of the last word is written' }
const hl7Of = (device: Device, messages: DeviceMessage[] | undefined): Hl7 | undefined =>
  device.protocol === 'hl7' ? (messages?.[0] as Hl7 | undefined) : undefined

/** Parses a stored message again, for example after codes were corrected. @returns undefined if there is none */
export async function rereadMessage(records: Records, tx: Tx, id: number): Promise<Taken | undefined> {
  const kept = await tx.one<{ idDevice: number; bytes: Buffer; direction: string }>(
    sql`select "idDevice", "bytes", "direction" from laboratory_raw where "id" = ${id} limit 1`,
  )
  if (kept?.direction !== 'in') return undefined
  const device = await records.asSystem.row(LabDevice, kept.idDevice)
  await tx.query(sql`select pg_advisory_xact_lock(27, ${device.id}::int)`)
  // Earlier strays of the message are created again.
  await records.asSystem.updateWhere(
    LabStray,
    ({ row }) => sql`${row}."idMessage" = ${id} and ${row}."status" = 'open'`,
    { status: 'done' },
  )
  return settle(records, tx, device, id, read(device, kept.bytes))
}

const read = (device: Device, bytes: Uint8Array): DeviceMessage[] | undefined => {
  if (device.protocol === 'hl7') {
    const message = readHl7(bytes, device.tubeField)
    return message && [message]
  }
  const messages = readAstm(decode(bytes), device.tubeField)
  return messages.length ? messages : undefined
}

/** Whether the bytes are a message of the device's protocol. */
export const isMessage = (device: Device, bytes: Uint8Array): boolean => read(device, bytes) !== undefined

async function unread(
  records: Records,
  tx: Tx,
  device: Device,
  bytes: Uint8Array,
  hash: string,
  how: 'unfinished' | 'noise' | 'checksum',
): Promise<Taken> {
  const words = {
    unfinished: 'Сообщение не закончено',
    noise: 'Байты вне сообщения',
    checksum: 'Не сошлась контрольная сумма',
  }[how]
  const id = await keep(tx, device, bytes, hash, 'broken', words)
  // A rejected frame is resent by the device: only unterminated data waits for a person.
  if (how === 'checksum') return { state: 'broken', results: 0, strays: 0, queries: [] }
  await stray(records, device, id, how === 'unfinished' ? 'unfinished' : 'broken', {
    note: `${words}, ${bytes.length} байт`,
  })
  return { state: 'broken', results: 0, strays: 1, queries: [] }
}

async function keep(
  tx: Tx,
  device: Device,
  bytes: Uint8Array,
  hash: string,
  state: MessageState,
  note: string | null,
  direction: 'in' | 'out' = 'in',
): Promise<number> {
  const row = await tx.one<{
    id: number
  }>(sql`insert into laboratory_raw ("idDevice", "direction", "state", "hash", "bytes", "note")
    values (${device.id}, ${direction}, ${state}, ${hash}, ${Buffer.from(bytes)}, ${note}) returning "id"`)
  return (row as { id: number }).id
}

/** Logs a message sent to a device. */
export const keepSent = (app: AppContext, device: Device, bytes: Uint8Array): Promise<unknown> =>
  app.db.tx((tx) => keep(tx, device, bytes, createHash('sha256').update(bytes).digest('hex'), 'sent', null, 'out'))

async function settle(
  records: Records,
  tx: Tx,
  device: Device,
  id: number,
  messages: DeviceMessage[] | undefined,
): Promise<Taken> {
  const said = async (state: MessageState, results: number, note: string | null) =>
    tx.query(
      sql`update laboratory_raw set "state" = ${state}, "results" = ${results}, "note" = ${note} where "id" = ${id}`,
    )
  if (!messages) {
    await stray(records, device, id, 'broken', { note: 'Это не сообщение выбранного протокола' })
    await said('broken', 0, 'Не разобрано')
    return { state: 'broken', results: 0, strays: 1, queries: [] }
  }
  let results = 0
  let strays = 0
  const queries: Taken['queries'] = []
  for (const message of messages) {
    for (const control of message.controls) strays += (await takeControl(records, tx, device, id, control)) ? 0 : 1
    const taken = await takeResults(records, tx, device, id, message.results)
    results += taken.results
    strays += taken.strays
    for (const { barcode } of message.queries) queries.push({ barcode, order: await worklistOf(tx, device, barcode) })
  }
  const isControl = messages.some(({ kind }) => kind === 'control')
  const state: MessageState = strays ? 'partly' : queries.length ? 'query' : isControl ? 'control' : 'done'
  await said(state, results, strays ? `Не разобрано значений: ${strays}` : null)
  return { state, results, strays, queries, hl7: hl7Of(device, messages) }
}

interface StrayWords {
  barcode?: string | undefined
  code?: string | undefined
  value?: string | undefined
  unit?: string | undefined
  note?: string
}

const cut = (text: string | undefined, most: number): string | null =>
  text === undefined || text === '' ? null : text.replaceAll('\0', '').toWellFormed().slice(0, most)

async function stray(
  { asSystem }: Records,
  device: Device,
  idMessage: number,
  reason: StrayReason,
  { barcode, code, value, unit, note }: StrayWords,
): Promise<unknown> {
  // Pieces without a tube or a code are counted in one row.
  if (!barcode && !code && (reason === 'broken' || reason === 'unfinished')) {
    const counted = await asSystem.updateWhere(
      LabStray,
      ({ row }) => sql`${row}."id" = (select max(s."id") from laboratory_strays s where s."idDevice" = ${device.id}
        and s."reason" = ${reason} and s."status" = 'open' and s."barcode" is null and s."code" is null)`,
      { times: raw('"times" + 1'), idMessage },
      { pastHooks: 'Only the count of pieces' },
    )
    if (counted.length > 0) return
  }
  await asSystem.create(LabStray, {
    idDevice: device.id,
    reason,
    barcode: cut(barcode, 64),
    code: cut(code, 64),
    value: cut(value, 1000),
    unit: cut(unit, 64),
    note: cut(note, 500),
    idMessage,
  })
}

interface Code {
  code: string
  idAnalyte: number | null
  unit: string | null
  factor: number
  ignored: boolean
  decimals: number | null
}

/** The single code of the device for these names; undefined if not mapped. */
async function codeOf(tx: Queryable, device: Device, names: readonly string[]): Promise<Code | undefined> {
  const found =
    await tx.query<Code>(sql`select c."code", c."idAnalyte", c."unit", c."factor"::float8 as factor, c."ignored", a."decimals"
    from laboratory_device_codes c left join laboratory_analytes a on a."id" = c."idAnalyte"
    where c."idDevice" = ${device.id} and lower(c."code") = any (${names.map((name) => name.toLowerCase())}::text[]) and not c."deleted"`)
  const said = new Set(found.map(({ idAnalyte, ignored }) => (ignored ? 0 : idAnalyte)))
  // Two names that map to different analytes are ambiguous.
  return said.size === 1 ? found[0] : undefined
}

interface Target {
  idItem: number
  idOrder: number
  status: string
  orderStatus: string
}

async function takeResults(
  records: Records,
  tx: Tx,
  device: Device,
  idMessage: number,
  results: readonly Measurement[],
): Promise<{ results: number; strays: number }> {
  let count = 0
  let strays = 0
  const miss = async (reason: StrayReason, { tube, codes, value, unit }: Measurement, note?: string) => {
    strays++
    await stray(records, device, idMessage, reason, {
      barcode: tube,
      code: codes[0],
      value,
      unit,
      ...(note && { note }),
    })
  }
  const given: (Given & { of: Measurement })[] = []
  const orders = new Set<number>()
  const tubes = new Map<string, { id: number; idOrder: number; orderStatus: string; status: string } | undefined>()
  for (const one of results) {
    const code = await codeOf(tx, device, one.codes)
    if (!code) {
      await miss('code', one)
      continue
    }
    if (code.ignored || one.value === '') continue
    if (!one.tube) {
      await miss('tube', one, 'Прибор не назвал пробирку')
      continue
    }
    if (!tubes.has(one.tube))
      tubes.set(
        one.tube,
        await tx.one(sql`select s."id", s."idOrder", o."status" as "orderStatus", s."status" from laboratory_samples s
          join laboratory_orders o on o."id" = s."idOrder" and not o."deleted" where lower(s."barcode") = lower(${one.tube}) and not s."deleted"`),
      )
    const tube = tubes.get(one.tube)
    if (!tube) {
      await miss('tube', one)
      continue
    }
    if (tube.orderStatus === 'cancelled' || tube.orderStatus === 'draft') {
      await miss('cancelled', one)
      continue
    }
    if (plainUnit(code.unit ?? '') !== plainUnit(one.unit)) {
      await miss('unit', one, `Ожидалась ${code.unit ? `«${code.unit}»` : 'без единицы'}`)
      continue
    }
    const target =
      await tx.one<Target>(sql`select i."id" as "idItem", i."idOrder", i."status", ${tube.orderStatus}::text as "orderStatus"
      from laboratory_order_items i join laboratory_components k on k."idTest" = i."idTest" and not k."deleted"
      where i."idOrder" = ${tube.idOrder} and k."idAnalyte" = ${code.idAnalyte} and not i."deleted" and i."status" <> 'cancelled'
      order by i."idSample" = ${tube.id} desc, i."id" limit 1`)
    if (!target) {
      await miss('notOrdered', one)
      continue
    }
    orders.add(target.idOrder)
    given.push({
      idItem: target.idItem,
      idAnalyte: code.idAnalyte as number,
      value: converted(one.value, code),
      idDevice: device.id,
      idMessage,
      deviceFlags: one.flags,
      measuredText: one.at,
      of: one,
    })
  }
  for (const id of [...orders].toSorted((a, b) => a - b))
    await tx.query(sql`select 1 from laboratory_orders where "id" = ${id} for update`)
  if (given.length) {
    const fates = await writeValues(records, tx, given, 'device')
    for (const [at, fate] of fates.entries()) {
      const { of, ...one } = given[at] as Given & { of: Measurement }
      if (fate === 'taken' || fate === 'beside') count++
      // The same value for a published result is a repeat; another one is left to a person.
      if (fate === 'closed') await miss('closed', of, `Значение ${one.value}`)
      if (fate === 'cancelled') await miss('cancelled', of)
    }
  }
  for (const tube of tubes.values())
    if (tube && ['taken', 'received', 'archived'].includes(tube.status) && orders.has(tube.idOrder)) {
      await records.asSystem.update(LabSample, tube.id, { status: 'inWork' })
      await records.asSystem.create(LabSampleStep, { idSample: tube.id, status: 'inWork', note: device.name })
      await settleOrder(records, tx, tube.idOrder)
    }
  return { results: count, strays }
}

/** Applies the factor of the code; a value that is no plain number stays unchanged. */
function converted(value: string, { factor, decimals }: Code): string {
  if (factor === 1) return value
  const found = measured(value)
  if (!found) return value
  return `${found.bound ?? ''}${withDecimals(found.number * factor, decimals ?? 2)}`
}

/** @returns whether it matches a control of the clinic */
async function takeControl(
  records: Records,
  tx: Tx,
  device: Device,
  idMessage: number,
  said: ControlMeasurement,
): Promise<boolean> {
  const code = await codeOf(tx, device, said.codes)
  if (code?.ignored) return true
  const controls = code
    ? await tx.query<{
        id: number
        lot: string
      }>(sql`select "id", "lot" from laboratory_controls where "idDevice" = ${device.id}
        and "idAnalyte" = ${code.idAnalyte} and "active" and not "deleted"
        and (${said.lot}::text is null or "lot" = ${said.lot}) and (${said.name}::text is null or ${said.lot}::text is not null or lower("name") = lower(${said.name}))`)
    : []
  if (controls.length !== 1 || !controls[0]) {
    await stray(records, device, idMessage, code ? 'control' : 'code', {
      barcode: said.name ?? said.tube,
      code: said.codes[0],
      value: said.value,
      unit: said.unit,
      note: [said.lot && `лот ${said.lot}`, said.level && `уровень ${said.level}`].filter(Boolean).join(', '),
    })
    return false
  }
  await records.asSystem.create(LabControlRun, {
    idControl: controls[0].id,
    value: code ? converted(said.value, code) : said.value,
    idMessage,
  })
  return true
}

type Patient = Worklist['patient']

/** What the device's setting lets it know of the patient: a tube number is enough for most. */
const shownTo = ({ patientData }: Device, { name, birthday, sex }: Patient): Patient =>
  patientData === 'none'
    ? { name: '-', birthday: null, sex: null }
    : patientData === 'age'
      ? { name: '-', birthday: birthday && `${birthday.slice(0, 4)}-01-01`, sex }
      : { name, birthday, sex }

/** The work list of a device for a tube; undefined if the tube is unknown, or has nothing for this device. */
export async function worklistOf(db: Queryable, device: Device, barcode: string): Promise<Worklist | undefined> {
  const found = await db.one<{
    barcode: string
    name: string
    birthday: string | null
    sex: string | null
    codes: string[] | null
    cito: boolean
  }>(sql`
    select s."barcode", coalesce(nullif(concat_ws(' ', c."surname", c."name"), ''), '-') as name, to_char(c."birthday", 'YYYY-MM-DD') as birthday,
      case c."gender" when 'male' then 'M' when 'female' then 'F' end as sex, o."urgency" = 'cito' as cito,
      (select array_agg(distinct d."code") from laboratory_order_items i
        join laboratory_components k on k."idTest" = i."idTest" and not k."deleted"
        join laboratory_device_codes d on d."idAnalyte" = k."idAnalyte" and d."idDevice" = ${device.id} and not d."deleted" and not d."ignored"
        where i."idSample" = s."id" and not i."deleted" and i."status" in ('taken', 'inWork')
          and not exists (select 1 from laboratory_results r where r."idItem" = i."id" and r."idAnalyte" = k."idAnalyte" and r."isMain"
            and r."status" <> 'dropped')) as codes
    from laboratory_samples s join laboratory_orders o on o."id" = s."idOrder" and not o."deleted" and o."status" not in ('draft', 'cancelled')
      join customers c on c."id" = o."idCustomer"
    where lower(s."barcode") = lower(${barcode}) and not s."deleted" and s."status" in ('taken', 'received', 'inWork', 'archived')`)
  if (!found?.codes?.length) return undefined
  const { codes, cito } = found
  return { barcode: found.barcode, patient: shownTo(device, found), codes, cito }
}
