/**
 * Values of results: stored and evaluated. `writeValues` handles both manual and device values, so that norms, flags and
 * formulas are the same for both.
 */
import { derive } from '@ordinator/model/areas/laboratory/derived'
import { LabOrder, LabOrderItem } from '@ordinator/model/areas/laboratory/order'
import { LabResult } from '@ordinator/model/areas/laboratory/result'
import type { ItemStatus } from '@ordinator/model/areas/laboratory/states'
import {
  ageInDays,
  type Choice,
  deltaOf,
  flagOf,
  isCritical,
  measured,
  type Norm,
  normFor,
  normText,
  type Patient,
  phaseOf,
} from '@ordinator/model/areas/laboratory/values'
import type { ValueType } from '@ordinator/model/areas/laboratory/words'
import type { Row } from '@ordinator/model/entity'
import sql, { raw } from 'sql-template-tag'
import { notify } from '#areas/notifications/index.ts'
import { holdsSql } from '#auth/actors.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import type { Records } from '#records/records.ts'
import { dayOfOrder, settleOrder } from './orders.ts'

type ResultRow = Row<typeof LabResult>

/** A received value of a line and analyte. */
export interface Given {
  idItem: number
  idAnalyte: number
  value: string
  comment?: string | null | undefined
  idDevice?: number
  idMessage?: number
  deviceFlags?: string | null
  measuredText?: string | null
}

export interface Analyte {
  id: number
  name: string
  code: string
  type: ValueType
  unit: string | null
  decimals: number | null
  choices: Choice[] | null
  formula: string | null
}

/** Data of a line that the evaluation of a value needs. */
export interface Line {
  id: number
  idOrder: number
  idCustomer: number
  status: ItemStatus
  /** ISO. */
  takenAt: string | null
  timeZone: string
  birthday: string | null
  gender: 'male' | 'female' | 'none' | null
  pregnancyWeeks: number | null
  cycleDay: number | null
}

const MAX_NUM = 1e11
export const numberOf = (value: string): number | null => {
  const found = measured(value)
  return found && Math.abs(found.number) < MAX_NUM ? Math.round(found.number * 1e6) / 1e6 : null
}

/**
 * Stores values; other pending values of the same line and analyte stay beside them. Published ones are not changed.
 * The caller has locked the orders.
 * @returns the fate of each value: `same` if it was stored already, `closed` if it is published
 */
export async function writeValues(
  records: Records,
  tx: Tx,
  given: readonly Given[],
  by: 'hand' | 'device',
): Promise<('taken' | 'same' | 'beside' | 'closed' | 'cancelled')[]> {
  const lines = await linesOf(tx, [...new Set(given.map(({ idItem }) => idItem))])
  const analytes = await analytesOf(tx, [...new Set(given.map(({ idAnalyte }) => idAnalyte))])
  const fates: ('taken' | 'same' | 'beside' | 'closed' | 'cancelled')[] = []
  const touched = new Set<number>()
  for (const one of given) {
    const line = lines.get(one.idItem)
    const analyte = analytes.get(one.idAnalyte)
    if (!line || !analyte) throw new ValidationError([{ field: 'values', message: 'Такого исследования в заказе нет' }])
    const fate = await writeValue(records, tx, line, analyte, one, by)
    fates.push(fate)
    if (fate === 'taken' || fate === 'beside') touched.add(line.idOrder)
  }
  for (const idOrder of touched) await reckonDerived(records, tx, idOrder)
  for (const idOrder of touched) await settleOrder(records, tx, idOrder)
  return fates
}

async function writeValue(
  records: Records,
  tx: Tx,
  line: Line,
  analyte: Analyte,
  given: Given,
  by: 'hand' | 'device' | 'formula',
): Promise<'taken' | 'same' | 'beside' | 'closed' | 'cancelled'> {
  if (line.status === 'cancelled') return 'cancelled'
  const value = given.value.trim()
  const before = await tx.query<Pick<ResultRow, 'id' | 'value' | 'status' | 'isMain' | 'idDevice'>>(
    sql`select "id", "value", "status", "isMain", "idDevice" from laboratory_results
      where "idItem" = ${line.id} and "idAnalyte" = ${analyte.id} order by "id"`,
  )
  const main = before.find(({ isMain, status }) => isMain && status !== 'dropped')
  const system = records.asSystem
  if (by === 'hand' && value === '') {
    if (main && main.status === 'raw') await system.update(LabResult, main.id, { status: 'dropped', isMain: false })
    return main ? 'taken' : 'same'
  }
  if (value === '') return 'same'
  if (main && main.value === value && (by !== 'device' || main.idDevice === given.idDevice)) {
    if (by === 'hand' && given.comment !== undefined)
      await system.update(LabResult, main.id, { comment: given.comment })
    return 'same'
  }
  if (main && (main.status === 'medical' || main.status === 'corrected')) return 'closed'
  const judged = await judge(tx, line, analyte, value)
  const row = {
    idItem: line.id,
    idAnalyte: analyte.id,
    idCustomer: line.idCustomer,
    takenAt: line.takenAt ?? new Date().toISOString(),
    value,
    valueNum: numberOf(value),
    unit: analyte.unit,
    ...judged,
    ...(given.comment !== undefined && { comment: given.comment }),
    idDevice: given.idDevice ?? null,
    idMessage: given.idMessage ?? null,
    deviceFlags: given.deviceFlags?.slice(0, 64) ?? null,
    measuredText: given.measuredText?.slice(0, 64) ?? null,
  }
  // A different device value is stored beside the first: a person chooses. A manual value replaces the pending one.
  if (main && by === 'device') {
    await system.create(LabResult, { ...row, isMain: false, idFormer: main.id })
    return 'beside'
  }
  if (main) await system.update(LabResult, main.id, { status: 'dropped', isMain: false })
  await system.create(LabResult, { ...row, idFormer: main?.id ?? null })
  if (isCritical(judged.flag)) await tellCritical(records, tx, line, analyte)
  if (line.status !== 'inWork' && line.status !== 'done') {
    await system.updateWhere(LabOrderItem, ({ row: item }) => sql`${item}."id" = ${line.id}`, {
      status: 'inWork',
      ...(given.idDevice && { idDevice: given.idDevice }),
    })
    line.status = 'inWork'
  } else if (given.idDevice)
    await system.updateWhere(LabOrderItem, ({ row: item }) => sql`${item}."id" = ${line.id}`, {
      idDevice: given.idDevice,
    })
  return 'taken'
}

/** Notifies the ordering doctor and all approvers. Notices do not contain the value: they may be sent by mail. */
async function tellCritical(records: Records, tx: Tx, line: Line, analyte: Analyte): Promise<void> {
  const order = await records.asSystem.row(LabOrder, line.idOrder)
  const doctors = await tx.query<{ id: number }>(
    sql`select u.id from users u where ${holdsSql(raw('u.id'), 'approveLabResults')} and not u.deleted and not u."isBlocked" limit 200`,
  )
  const told = [order.idDoctor, ...doctors.map(({ id }) => id)].filter((id): id is number => id !== null)
  await notify({ actor: records.actor, tx, records }, told, {
    kind: 'laboratory.critical',
    title: `Критическое значение: заказ ${order.number}`,
    text: `${analyte.name}: сообщите лечащему врачу и запишите звонок`,
    path: LabOrder.path,
    idEntity: order.id,
    link: `/laboratory/orders/${order.id}`,
  })
}

const patientOf = (line: Line): Patient => ({
  sex: line.gender,
  ageDays: ageInDays(line.birthday, dayOfOrder(line.timeZone, line.takenAt ?? new Date().toISOString())),
  pregnancyWeeks: line.pregnancyWeeks,
  cyclePhase: phaseOf(line.cycleDay),
})

/** Computes the norm, the flag and the delta of a value. */
export async function judge(tx: Queryable, line: Line, analyte: Analyte, value: string) {
  const norms =
    await tx.query<Norm>(sql`select "sex", "ageFrom", "ageTo", "trimester", "cyclePhase", "low"::float8 as low,
    "high"::float8 as high, "criticalLow"::float8 as "criticalLow", "criticalHigh"::float8 as "criticalHigh", "text"
    from laboratory_norms where "idAnalyte" = ${analyte.id} and not "deleted" order by "id"`)
  const norm = normFor(norms, patientOf(line))
  const former = await tx.one<{ value: string }>(sql`select r."value" from laboratory_results r
    where r."idCustomer" = ${line.idCustomer} and r."idAnalyte" = ${analyte.id} and r."isMain" and r."status" in ('medical', 'corrected')
      and r."idItem" <> ${line.id} and r."takenAt" <= ${line.takenAt ?? new Date().toISOString()} order by r."takenAt" desc limit 1`)
  const words =
    normText(norm, null) ??
    (analyte.type === 'enum' ? (analyte.choices ?? []).find(({ normal }) => normal)?.value : null)
  const delta = deltaOf(value, former?.value ?? null)
  return {
    normText: words?.slice(0, 255) ?? null,
    flag: flagOf(analyte.type, value, norm, analyte.choices ?? []),
    delta: delta !== null && Math.abs(delta) < 1e9 ? delta : null,
  }
}

export async function linesOf(db: Queryable, ids: readonly number[]): Promise<Map<number, Line>> {
  const rows = await db.query<Line>(sql`select i."id", i."idOrder", o."idCustomer", i."status",
      coalesce(s."takenAt", o."takenAt") as "takenAt", coalesce(nullif(f."timeZone", ''), 'Europe/Moscow') as "timeZone",
      to_char(c."birthday", 'YYYY-MM-DD') as birthday, c."gender", o."pregnancyWeeks", o."cycleDay"
    from laboratory_order_items i join laboratory_orders o on o."id" = i."idOrder" join customers c on c."id" = o."idCustomer"
      join filials f on f."id" = o."idFilial" left join laboratory_samples s on s."id" = i."idSample"
    where i."id" = any (${ids}::bigint[]) and not i."deleted"`)
  return new Map(rows.map((row) => [row.id, row]))
}

export async function analytesOf(db: Queryable, ids: readonly number[]): Promise<Map<number, Analyte>> {
  const rows = await db.query<Analyte>(sql`select "id", "name", "code", "type", "unit", "decimals", "choices", "formula"
    from laboratory_analytes where "id" = any (${ids}::bigint[])`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Computes the formula analytes of an order from its current values. */
export async function reckonDerived(records: Records, tx: Tx, idOrder: number): Promise<void> {
  const wanted = await tx.query<{ idItem: number; id: number }>(sql`select i."id" as "idItem", a."id"
    from laboratory_order_items i join laboratory_components k on k."idTest" = i."idTest" and not k."deleted"
      join laboratory_analytes a on a."id" = k."idAnalyte" and a."formula" is not null
    where i."idOrder" = ${idOrder} and not i."deleted" and i."status" not in ('cancelled', 'done', 'rejected', 'planned')`)
  if (wanted.length === 0) return
  const values = await tx.query<{
    code: string
    value: string
  }>(sql`select a."code", r."value" from laboratory_results r
    join laboratory_order_items i on i."id" = r."idItem" join laboratory_analytes a on a."id" = r."idAnalyte"
    where i."idOrder" = ${idOrder} and r."isMain" and r."status" <> 'dropped' and a."formula" is null`)
  const known = new Map(values.map(({ code, value }) => [code.toLowerCase(), value]))
  const analytes = await analytesOf(
    tx,
    wanted.map(({ id }) => id),
  )
  const lines = await linesOf(
    tx,
    wanted.map(({ idItem }) => idItem),
  )
  for (const { idItem, id } of wanted) {
    const analyte = analytes.get(id) as Analyte
    const value = derive(analyte.formula as string, analyte.decimals ?? 2, (code) => known.get(code)) ?? ''
    await writeValue(records, tx, lines.get(idItem) as Line, analyte, { idItem, idAnalyte: id, value }, 'formula')
  }
}
