/**
 * Values: intake, evaluation, approval, publication, repeats and corrections. `writeValues` handles both manual and
 * device values, so that norms, flags and formulas are the same for both.
 */

import { laboratoryCalls } from '@ordinator/model/areas/laboratory/calls'
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
import { HttpError, ValidationError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { dayOfOrder, heldOrder, settleOrder } from './orders.ts'
import { heldByControlSql } from './quality.ts'

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

interface Analyte {
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
interface Line {
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
const numberOf = (value: string): number | null => {
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
async function judge(tx: Queryable, line: Line, analyte: Analyte, value: string) {
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

async function linesOf(db: Queryable, ids: readonly number[]): Promise<Map<number, Line>> {
  const rows = await db.query<Line>(sql`select i."id", i."idOrder", o."idCustomer", i."status",
      coalesce(s."takenAt", o."takenAt") as "takenAt", coalesce(nullif(f."timeZone", ''), 'Europe/Moscow') as "timeZone",
      to_char(c."birthday", 'YYYY-MM-DD') as birthday, c."gender", o."pregnancyWeeks", o."cycleDay"
    from laboratory_order_items i join laboratory_orders o on o."id" = i."idOrder" join customers c on c."id" = o."idCustomer"
      join filials f on f."id" = o."idFilial" left join laboratory_samples s on s."id" = i."idSample"
    where i."id" = any (${ids}::bigint[]) and not i."deleted"`)
  return new Map(rows.map((row) => [row.id, row]))
}

async function analytesOf(db: Queryable, ids: readonly number[]): Promise<Map<number, Analyte>> {
  const rows = await db.query<Analyte>(sql`select "id", "name", "code", "type", "unit", "decimals", "choices", "formula"
    from laboratory_analytes where "id" = any (${ids}::bigint[])`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Computes the formula analytes of an order from its current values. */
async function reckonDerived(records: Records, tx: Tx, idOrder: number): Promise<void> {
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

/** Locks the orders of these lines, in the order of ids. @throws HttpError 404 if one is outside the actor's scope */
async function holdOf(records: Records, tx: Tx, idItems: readonly number[]): Promise<number[]> {
  const orders = await tx.query<{ id: number }>(
    sql`select distinct "idOrder" as id from laboratory_order_items where "id" = any (${idItems}::bigint[]) order by 1`,
  )
  for (const { id } of orders) await heldOrder(records, tx, id)
  return orders.map(({ id }) => id)
}

export const enter = operation(laboratoryCalls.enter, ({ records, body }) =>
  records.tx(async (inner, tx) => {
    await holdOf(
      inner,
      tx,
      body.values.map(({ idItem }) => idItem),
    )
    await assertExpected(tx, body.values)
    const fates = await writeValues(inner, tx, body.values, 'hand')
    if (fates.includes('closed'))
      throw new HttpError(409, 'Значение уже подтверждено врачом: его исправляют с указанием причины', {
        code: 'transition',
      })
    return { count: fates.filter((fate) => fate === 'taken').length }
  }),
)

/** @throws ValidationError if a line lacks the analyte, a formula computes it, or no sample was drawn */
async function assertExpected(tx: Tx, values: readonly Given[]): Promise<void> {
  const known = await tx.query<{
    idItem: number
    idAnalyte: number
    formula: string | null
    status: ItemStatus
    name: string
  }>(
    sql`select i."id" as "idItem", k."idAnalyte", a."formula", i."status", a."name" from laboratory_order_items i
      join laboratory_components k on k."idTest" = i."idTest" and not k."deleted" join laboratory_analytes a on a."id" = k."idAnalyte"
      where i."id" = any (${values.map(({ idItem }) => idItem)}::bigint[]) and not i."deleted"`,
  )
  for (const { idItem, idAnalyte } of values) {
    const found = known.find((one) => one.idItem === idItem && one.idAnalyte === idAnalyte)
    const wrong = (message: string) => new ValidationError([{ field: 'values', message }])
    if (!found) throw wrong('Такого показателя в исследовании нет')
    if (found.formula) throw wrong(`«${found.name}» считается по формуле`)
    if (found.status === 'planned') throw wrong('Биоматериал ещё не взят')
    if (found.status === 'cancelled') throw wrong('Исследование отменено')
  }
}

/** Result rows, locked with their orders. */
async function heldResults(records: Records, tx: Tx, ids: readonly number[]): Promise<ResultRow[]> {
  const items = await tx.query<{ idItem: number }>(
    sql`select "idItem" from laboratory_results where "id" = any (${ids}::bigint[])`,
  )
  await holdOf(
    records,
    tx,
    items.map(({ idItem }) => idItem),
  )
  const rows = await records.asSystem.rows(LabResult, { 'filter[id][in]': ids.join(','), limit: '500', sort: 'id' })
  if (rows.length !== new Set(ids).size) throw new HttpError(404, 'Результат не найден')
  return rows
}

const closed = (message: string) => new HttpError(409, message, { code: 'transition' })

const advance = async (records: Records, rows: readonly ResultRow[], set: Partial<ResultRow>): Promise<void> => {
  await records.asSystem.updateWhere(
    LabResult,
    ({ row }) => sql`${row}."id" = any (${rows.map(({ id }) => id)}::bigint[])`,
    set,
  )
}

export const technical = operation(laboratoryCalls.technical, ({ records, actor, body }) =>
  records.tx(async (inner, tx) => {
    const rows = await heldResults(inner, tx, body.ids)
    const open = rows.filter(({ isMain, status }) => isMain && status === 'raw')
    if (open.length === 0) throw closed('Эти значения уже проверены')
    await assertChosen(tx, open)
    await advance(inner, open, {
      status: 'technical',
      idTechnical: actor.id,
      technicalAt: new Date().toISOString(),
    })
    return { count: open.length }
  }),
)

/** @throws HttpError 409 if a tube has several values and none is chosen */
async function assertChosen(tx: Tx, rows: readonly ResultRow[]): Promise<void> {
  const several = await tx.one<{ name: string }>(sql`select a."name" from laboratory_results m
    join laboratory_results o on o."idItem" = m."idItem" and o."idAnalyte" = m."idAnalyte" and not o."isMain" and o."status" = 'raw'
    join laboratory_analytes a on a."id" = m."idAnalyte"
    where m."id" = any (${rows.map(({ id }) => id)}::bigint[]) limit 1`)
  if (several) throw closed(`Прибор прислал разные значения «${several.name}»: выберите одно`)
}

export const medical = operation(laboratoryCalls.medical, ({ records, actor, body }) =>
  records.tx(async (inner, tx) => {
    const rows = await heldResults(inner, tx, body.ids)
    const open = rows.filter(({ isMain, status }) => isMain && (status === 'raw' || status === 'technical'))
    if (open.length === 0) throw closed('Эти значения уже подтверждены')
    const raws = open.filter(({ status }) => status === 'raw')
    if (raws.length) throw closed('Сначала значение проверяют технически')
    const uncalled = open.find(({ flag, calledAt }) => isCritical(flag) && calledAt === null)
    if (uncalled) throw closed('Критическое значение: сначала запишите, кому о нём сообщили')
    const held = await tx.one<{ name: string }>(sql`select a."name" from laboratory_results r
      join laboratory_analytes a on a."id" = r."idAnalyte"
      where r."id" = any (${open.map(({ id }) => id)}::bigint[]) and ${heldByControlSql(raw('r'))} limit 1`)
    if (held) throw closed(`«${held.name}»: контроль качества не принят, результаты задержаны`)
    await advance(inner, open, { status: 'medical', idMedical: actor.id, medicalAt: new Date().toISOString() })
    await finishItems(
      inner,
      tx,
      open.map(({ idItem }) => idItem),
    )
    return { count: open.length }
  }),
)

/** Completes lines whose analytes all have a published value. */
export async function finishItems(records: Records, tx: Tx, idItems: readonly number[]): Promise<void> {
  await records.asSystem.updateWhere(
    LabOrderItem,
    ({ row }) => sql`${row}."id" = any (${[...new Set(idItems)]}::bigint[]) and ${row}."status" <> 'cancelled'
      and ${row}."status" <> 'done'
      and not exists (select 1 from laboratory_components k where k."idTest" = ${row}."idTest" and not k."deleted"
        and k."idAnalyte" is not null and not exists (select 1 from laboratory_results r where r."idItem" = ${row}."id"
          and r."idAnalyte" = k."idAnalyte" and r."isMain" and r."status" in ('medical', 'corrected')))`,
    { status: 'done', doneAt: raw('now()') },
  )
  const orders = await tx.query<{ id: number; idDoctor: number | null; number: string | null }>(sql`
    select distinct o."id", o."idDoctor", o."number" from laboratory_orders o join laboratory_order_items i on i."idOrder" = o."id"
    where i."id" = any (${[...new Set(idItems)]}::bigint[]) order by 1`)
  for (const { id, idDoctor, number } of orders) {
    const status = await settleOrder(records, tx, id)
    if (status === 'done' && idDoctor)
      await notify({ actor: records.actor, tx, records }, [idDoctor], {
        kind: 'laboratory.done',
        title: `Анализы готовы: заказ ${number}`,
        path: LabOrder.path,
        idEntity: id,
        link: `/laboratory/orders/${id}`,
      })
  }
}

export const back = operation(laboratoryCalls.back, ({ records, body }) =>
  records.tx(async (inner, tx) => {
    const rows = await heldResults(inner, tx, body.ids)
    const open = rows.filter(({ isMain, status }) => isMain && status === 'technical')
    if (open.length === 0) throw closed('Вернуть можно проверенное технически и ещё не подтверждённое')
    await advance(inner, open, { status: 'raw', idTechnical: null, technicalAt: null })
    return { count: open.length }
  }),
)

export const repeat = operation(laboratoryCalls.repeat, ({ records, body }) =>
  records.tx(async (inner, tx) => {
    const rows = await heldResults(inner, tx, body.ids)
    const open = rows.filter(({ isMain, status }) => isMain && (status === 'raw' || status === 'technical'))
    if (open.length === 0) throw closed('Измерить заново можно то, что ещё не подтверждено')
    await advance(inner, open, { status: 'dropped', isMain: false, reason: body.reason ?? 'Повтор измерения' })
    // Formulas lack an input until the repeat arrives.
    for (const idOrder of await holdOf(
      inner,
      tx,
      open.map(({ idItem }) => idItem),
    ))
      await reckonDerived(inner, tx, idOrder)
    return { count: open.length }
  }),
)

export const choose = operation(laboratoryCalls.choose, ({ records, params }) =>
  records.tx(async (inner, tx) => {
    const [row] = (await heldResults(inner, tx, [params.id])) as [ResultRow]
    if (row.status !== 'raw') throw closed('Выбирают между значениями, которые ещё не проверены')
    const published = await tx.one(sql`select 1 from laboratory_results where "idItem" = ${row.idItem}
      and "idAnalyte" = ${row.idAnalyte} and "isMain" and "status" in ('medical', 'corrected')`)
    if (published) throw closed('Значение уже подтверждено врачом')
    await inner.asSystem.updateWhere(
      LabResult,
      ({ row: other }) => sql`${other}."idItem" = ${row.idItem} and ${other}."idAnalyte" = ${row.idAnalyte}
        and ${other}."id" <> ${row.id} and ${other}."status" in ('raw', 'technical')`,
      { status: 'dropped', isMain: false },
    )
    await inner.asSystem.update(LabResult, row.id, { isMain: true })
    for (const idOrder of await holdOf(inner, tx, [row.idItem])) await reckonDerived(inner, tx, idOrder)
    return { count: 1 }
  }),
)

export const correct = operation(laboratoryCalls.correct, ({ records, actor, params, body }) =>
  records.tx(async (inner, tx) => {
    const [row] = (await heldResults(inner, tx, [params.id])) as [ResultRow]
    if (!row.isMain || (row.status !== 'medical' && row.status !== 'corrected'))
      throw closed('Исправляют опубликованное значение; остальное вводят заново')
    if (row.value === body.value.trim())
      throw new ValidationError([{ field: 'value', message: 'Значение то же самое' }])
    const line = (await linesOf(tx, [row.idItem])).get(row.idItem) as Line
    const analyte = (await analytesOf(tx, [row.idAnalyte])).get(row.idAnalyte) as Analyte
    const value = body.value.trim()
    await inner.asSystem.update(LabResult, row.id, { isMain: false, status: 'corrected' })
    const now = new Date().toISOString()
    const made = await inner.asSystem.create(LabResult, {
      idItem: row.idItem,
      idAnalyte: row.idAnalyte,
      idCustomer: row.idCustomer,
      takenAt: row.takenAt,
      value,
      valueNum: numberOf(value),
      unit: row.unit,
      ...(await judge(tx, line, analyte, value)),
      status: 'corrected',
      idFormer: row.id,
      reason: body.reason,
      idTechnical: row.idTechnical,
      technicalAt: row.technicalAt,
      idMedical: actor.id,
      medicalAt: now,
    })
    const order = await inner.asSystem.row(LabOrder, line.idOrder)
    if (order.idDoctor)
      await notify({ actor, tx, records: inner }, [order.idDoctor], {
        kind: 'laboratory.corrected',
        title: `Результат исправлен: заказ ${order.number}`,
        text: `${analyte.name}: причина — ${body.reason}`,
        path: LabOrder.path,
        idEntity: order.id,
        link: `/laboratory/orders/${order.id}`,
      })
    return { id: made.id }
  }),
)

export const critical = operation(laboratoryCalls.critical, ({ records, actor, params, body }) =>
  records.tx(async (inner, tx) => {
    const [row] = (await heldResults(inner, tx, [params.id])) as [ResultRow]
    if (!isCritical(row.flag)) throw closed('Это значение не критическое')
    if (row.calledAt !== null) throw closed('О значении уже сообщили')
    if (Date.parse(body.at) > Date.now() + 60_000)
      throw new ValidationError([{ field: 'at', message: 'Звонок не может быть в будущем' }])
    await inner.asSystem.update(LabResult, row.id, {
      calledTo: body.to,
      calledAt: body.at,
      readBack: true,
      idCaller: actor.id,
    })
    return { count: 1 }
  }),
)
