/**
 * Intake of device messages into values of orders. A message and its log line are written in one transaction, so the
 * acknowledgement after the commit is always true. A repeat is a message whose values are all stored where it would put
 * them; what came with the same bytes within a day is the same measurement, unless a person wants it measured anew.
 * Each value is stored in one place: lines, a control, or aside. Unrecognized data becomes a record of its own
 * (`laboratory/strays`) and is never guessed.
 */
import { createHash } from 'node:crypto'
import { LabControlRun } from '@ordinator/model/areas/laboratory/control'
import { LabDevice, type MessageState, type StrayReason } from '@ordinator/model/areas/laboratory/device'
import { readValue } from '@ordinator/model/areas/laboratory/reading'
import { LabSample, LabSampleStep } from '@ordinator/model/areas/laboratory/sample'
import { isPublished } from '@ordinator/model/areas/laboratory/states'
import type { Row } from '@ordinator/model/entity'
import sql, { raw } from 'sql-template-tag'
import type { Queryable, Tx } from '#platform/db.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { settleOrder } from './orders.ts'
import { codeOf, converted, expectedUnit, isUnit, linesOf, placeOf, type Tube, targetsOf, tubesOf } from './placing.ts'
import { type Fate, writeValues } from './resultValues.ts'
import { rowsAt, settleValues } from './settle.ts'
import { type AddedStray, addStray, closePlaced, closeStrays, type MessageWork } from './strays.ts'
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
    const same = await sameMessages(tx, device, hash)
    const id = await keep(tx, device, bytes, hash, 'broken', null)
    return settle({ records, tx, device, id, same, isReread: false }, read(device, bytes))
  })

/** Messages of the device with these bytes that came lately: what came with them is the same measurement. */
async function sameMessages(tx: Queryable, device: Device, hash: string): Promise<number[]> {
  const found = await tx.query<{ id: number }>(sql`select "id" from laboratory_raw where "idDevice" = ${device.id}
    and "hash" = ${hash} and "direction" = 'in' and "at" > now() - make_interval(hours => ${REPEAT_HOURS}) order by "id"`)
  return found.map(({ id }) => id)
}

const pastHooks = { pastHooks: 'Only the moment of the last word is written' }
const hl7Of = (device: Device, messages: DeviceMessage[] | undefined): Hl7 | undefined =>
  device.protocol === 'hl7' ? (messages?.[0] as Hl7 | undefined) : undefined

/** Parses a stored message again, for example after codes were corrected. @returns undefined if there is none */
export async function rereadMessage(records: Records, tx: Tx, id: number): Promise<Taken | undefined> {
  const kept = await tx.one<{ idDevice: number; bytes: Buffer; direction: string; hash: string }>(
    sql`select "idDevice", "bytes", "direction", "hash" from laboratory_raw where "id" = ${id} limit 1`,
  )
  if (kept?.direction !== 'in') return undefined
  const device = await records.asSystem.row(LabDevice, kept.idDevice)
  await tx.query(sql`select pg_advisory_xact_lock(27, ${device.id}::int)`)
  const same = [...new Set([...(await sameMessages(tx, device, kept.hash)), id])]
  return settle({ records, tx, device, id, same, isReread: true }, read(device, kept.bytes))
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
  const message = { records, tx, device, id, same: [], isReread: false }
  await addStray(message, how === 'unfinished' ? 'unfinished' : 'broken', { note: `${words}, ${bytes.length} байт` })
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

async function settle(message: MessageWork, parsed: DeviceMessage[] | undefined): Promise<Taken> {
  const { tx, device, id } = message
  const finish = async (state: MessageState, results: number, note: string | null) =>
    tx.query(
      sql`update laboratory_raw set "state" = ${state}, "results" = ${results}, "note" = ${note} where "id" = ${id}`,
    )
  if (!parsed) {
    await addStray(message, 'broken', { note: 'Это не сообщение выбранного протокола' })
    await finish('broken', 0, 'Не разобрано')
    return { state: 'broken', results: 0, strays: 1, queries: [] }
  }
  const sum: Outcome = { results: 0, strays: 0, same: 0, controls: 0, openStrays: [], open: 0 }
  const queries: Taken['queries'] = []
  for (const one of parsed) {
    for (const control of one.controls) await takeControl(message, control, sum)
    await takeResults(message, one.results, sum)
    for (const { barcode } of one.queries) queries.push({ barcode, order: await worklistOf(tx, device, barcode) })
  }
  if (message.isReread) await closeStrays(message, sum.openStrays)
  const { results } = sum
  const strays = sum.strays + (message.isReread ? sum.open : 0)
  // All values are stored where they would be put: the device repeats itself.
  const isRepeat = !message.isReread && sum.same > 0 && results + strays + sum.controls === 0 && queries.length === 0
  const state: MessageState = isRepeat
    ? 'repeat'
    : strays
      ? 'partly'
      : queries.length
        ? 'query'
        : sum.controls
          ? 'control'
          : 'done'
  const note = isRepeat
    ? message.same.length
      ? `Повтор сообщения ${message.same[0]}`
      : 'Эти значения уже есть'
    : strays
      ? `Не разобрано значений: ${strays}`
      : null
  await finish(state, results, note)
  return { state, results, strays, queries, hl7: hl7Of(device, parsed) }
}

/** What has become of the values of a message; `seen`: its open strays. */
interface Outcome {
  results: number
  strays: number
  same: number
  controls: number
  openStrays: number[]
  /** Earlier strays that are still open. */
  open: number
}

async function takeResults(message: MessageWork, results: readonly Measurement[], sum: Outcome): Promise<void> {
  const { records, tx, device } = message
  const tubes = await tubesOf(tx, results)
  const touched = new Set<number>()
  const miss = async (why: StrayReason, one: Measurement, note?: string, idCode?: number) => {
    const { tube, codes, value, unit } = one
    const preliminary = one.reported === 'preliminary'
    const words = { barcode: tube, code: codes[0], value, unit, note, idCode, preliminary }
    countStray(sum, await addStray(message, why, words))
  }
  for (const one of results) {
    const placed = await placeOf(message, tubes, one)
    if (!placed) continue
    if ('why' in placed) {
      if (one.reported === 'withdrawn' && placed.why === 'noResult') await withdraw(message, tubes, one)
      await miss(placed.why, one, placed.note, placed.idCode)
      continue
    }
    const fates = await writeValues(records, tx, placed.lines, 'device')
    const has = (...wanted: Fate[]) => fates.some((fate) => wanted.includes(fate))
    if (!has('cancelled', 'tube'))
      await closePlaced(message, { barcode: one.tube, code: one.codes[0], value: one.value })
    if (has('taken', 'beside', 'review', 'late')) {
      sum.results++
      const tube = tubes.get((one.tube as string).toLowerCase())
      if (tube) touched.add(tube.id)
    } else if (has('same')) sum.same++
    else await miss(has('cancelled') ? 'cancelled' : 'wrongTube', one, undefined, placed.idCode)
  }
  for (const tube of tubes.values())
    if (touched.has(tube.id) && ['taken', 'received', 'archived'].includes(tube.status)) {
      await records.asSystem.update(LabSample, tube.id, { status: 'inWork' })
      await records.asSystem.create(LabSampleStep, { idSample: tube.id, status: 'inWork', note: device.name })
      await settleOrder(records, tx, tube.idOrder)
    }
}

/** The device calls its own former value wrong: a pending one loses its place, of a published one its approver is asked. */
async function withdraw(
  { records, tx, device }: MessageWork,
  tubes: ReadonlyMap<string, Tube>,
  one: Measurement,
): Promise<void> {
  const code = await codeOf(tx, device, one.codes)
  const tube = tubes.get((one.tube ?? '').toLowerCase())
  if (!tube || !code?.idAnalyte) return
  const idAnalyte = code.idAnalyte
  for (const { idItem } of linesOf(await targetsOf(tx, tube, idAnalyte)))
    await settleValues({ records, tx }, async (settle) => {
      for (const row of await rowsAt({ records }, { idItem, idAnalyte })) {
        if (row.idDevice !== device.id || row.status === 'dropped') continue
        if (!isPublished(row.status)) await settle({ how: 'drop', row, why: 'withdrawn' })
        else if (row.isMain) {
          const { normText, flag } = row
          await settle({ how: 'review', row, review: { why: 'withdrawn', normText, flag } })
        }
      }
    })
}

/** A control measurement: a run of its control, or put aside like any other value. */
async function takeControl(message: MessageWork, measured: ControlMeasurement, sum: Outcome): Promise<void> {
  const { records, tx, device, id, same } = message
  const code = await codeOf(tx, device, measured.codes)
  if (code?.ignored) return
  const miss = async (why: StrayReason, note?: string) =>
    countStray(
      sum,
      await addStray(message, why, {
        barcode: measured.name ?? measured.tube,
        code: measured.codes[0],
        value: measured.value,
        unit: measured.unit,
        note: [note, measured.lot && `лот ${measured.lot}`, measured.level && `уровень ${measured.level}`]
          .filter(Boolean)
          .join(', '),
      }),
    )
  if (!code) return miss('code')
  const controls = await tx.query<{ id: number; level: string }>(sql`select "id", "level" from laboratory_controls
    where "idDevice" = ${device.id} and "idAnalyte" = ${code.idAnalyte} and "active" and not "deleted"
      and (${measured.lot}::text is null or "lot" = ${measured.lot}) and (${measured.name}::text is null or ${measured.lot}::text is not null or lower("name") = lower(${measured.name}))`)
  const [control] = controls
  if (controls.length !== 1 || !control) return miss('control')
  if (measured.reported === 'impossible' || measured.reported === 'withdrawn') return miss('noResult')
  let value = measured.value
  if (control.level !== 'qualitative') {
    const reading = readValue({ type: 'number', choices: null }, measured.value)
    if (reading.kind !== 'number' || reading.bound) return miss(measured.value.trim() === '' ? 'empty' : 'form')
    if (!isUnit(code, measured)) return miss('unit', expectedUnit(code))
    value = converted(reading, code).value
  } else if (value.trim() === '') return miss('empty')
  const before = await tx.one(sql`select 1 from laboratory_control_runs
    where "idControl" = ${control.id} and "idMessage" = any (${same}::int[]) and "value" = ${value} limit 1`)
  if (before) {
    sum.same++
    return
  }
  await records.asSystem.create(LabControlRun, { idControl: control.id, value, idMessage: id })
  sum.controls++
}

/** Counts a value that was put aside; one that was put aside with the same bytes before is a repeat. */
function countStray(sum: Outcome, { id, isOpen, isNew }: AddedStray): void {
  sum.openStrays.push(id)
  if (isNew) sum.strays++
  else sum.same++
  if (!isNew && isOpen) sum.open++
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
        where i."idSample" = coalesce(s."idFirst", s."id") and not i."deleted" and i."status" in ('taken', 'inWork')
          and not exists (select 1 from laboratory_results r where r."idItem" = i."id" and r."idAnalyte" = k."idAnalyte" and r."isMain"
            and r."status" <> 'dropped')) as codes
    from laboratory_samples s join laboratory_orders o on o."id" = s."idOrder" and not o."deleted" and o."status" not in ('draft', 'cancelled')
      join customers c on c."id" = o."idCustomer"
    where lower(s."barcode") = lower(${barcode}) and not s."deleted" and s."status" in ('taken', 'received', 'inWork', 'archived')`)
  if (!found?.codes?.length) return undefined
  const { codes, cito } = found
  return { barcode: found.barcode, patient: shownTo(device, found), codes, cito }
}
