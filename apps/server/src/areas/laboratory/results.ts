/** Results: intake, approval, publication, repeats and corrections. */

import { laboratoryCalls } from '@ordinator/model/areas/laboratory/calls'
import { LabOrder, LabOrderItem } from '@ordinator/model/areas/laboratory/order'
import { LabResult } from '@ordinator/model/areas/laboratory/result'
import type { ItemStatus } from '@ordinator/model/areas/laboratory/states'
import { isCritical } from '@ordinator/model/areas/laboratory/values'
import type { Row } from '@ordinator/model/entity'
import sql, { raw } from 'sql-template-tag'
import { notify } from '#areas/notifications/index.ts'
import type { Tx } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { heldOrder, settleOrder } from './orders.ts'
import { heldByControlSql } from './quality.ts'
import {
  type Analyte,
  analytesOf,
  type Given,
  judge,
  type Line,
  linesOf,
  numberOf,
  reckonDerived,
  writeValues,
} from './resultValues.ts'

type ResultRow = Row<typeof LabResult>

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
