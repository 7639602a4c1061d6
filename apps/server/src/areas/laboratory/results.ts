/** Results: intake, approval, publication, repeats and corrections. The writing itself is `settleValue`. */

import { laboratoryCalls } from '@ordinator/model/areas/laboratory/calls'
import { sourcesOf } from '@ordinator/model/areas/laboratory/derived'
import { LabOrder, LabOrderItem } from '@ordinator/model/areas/laboratory/order'
import { readValue } from '@ordinator/model/areas/laboratory/reading'
import {
  type ItemStatus,
  isPublished,
  type SampleStatus,
  tubeFaults,
  wrongTube,
} from '@ordinator/model/areas/laboratory/states'
import { isCritical } from '@ordinator/model/areas/laboratory/values'
import sql, { raw } from 'sql-template-tag'
import { notify } from '#areas/notifications/index.ts'
import type { Tx } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import type { ResultRow } from './change.ts'
import { type Analyte, analytesOf, type Standing } from './judging.ts'
import { heldOrder, settleOrder } from './orders.ts'
import { heldByControlSql } from './quality.ts'
import { rejudgeItems } from './rejudge.ts'
import { type Given, writeValues } from './resultValues.ts'
import { resultRows, settleValue, settleValues } from './settle.ts'

/** Locks the orders of these lines, in the order of ids. @throws HttpError 404 if one is outside the actor's scope */
export async function holdOf(records: Records, tx: Tx, idItems: readonly number[]): Promise<number[]> {
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
    const names = await assertExpected(tx, body.values)
    const fates = await writeValues(inner, tx, body.values, 'hand')
    if (fates.includes('closed'))
      throw new HttpError(409, 'Значение уже подтверждено врачом: его исправляют с указанием причины', {
        code: 'transition',
      })
    const aside = fates.indexOf('aside')
    if (aside >= 0) throw noNumber(names[aside] as string)
    return { count: fates.filter((fate) => fate === 'taken').length }
  }),
)

const noNumber = (name: string, field = 'values') =>
  new ValidationError([
    {
      field,
      message: `«${name}»: нужно число или слово из списка показателя. Если измерить не удалось, отметьте «Нет результата»`,
    },
  ])

/**
 * @returns names of the analytes
 * @throws ValidationError if a line lacks the analyte, a formula computes it, or its tube has no values
 */
async function assertExpected(tx: Tx, values: readonly Given[]): Promise<string[]> {
  const known = await tx.query<{
    idItem: number
    idAnalyte: number
    formula: string | null
    status: ItemStatus
    tube: SampleStatus | null
    name: string
  }>(
    sql`select i."id" as "idItem", k."idAnalyte", a."formula", i."status", s."status" as tube, a."name" from laboratory_order_items i
      join laboratory_components k on k."idTest" = i."idTest" and not k."deleted" join laboratory_analytes a on a."id" = k."idAnalyte"
      left join laboratory_samples s on s."id" = i."idSample"
      where i."id" = any (${values.map(({ idItem }) => idItem)}::bigint[]) and not i."deleted"`,
  )
  return values.map(({ idItem, idAnalyte }) => {
    const found = known.find((one) => one.idItem === idItem && one.idAnalyte === idAnalyte)
    const wrong = (message: string) => new ValidationError([{ field: 'values', message }])
    if (!found) throw wrong('Такого показателя в исследовании нет')
    if (found.formula) throw wrong(`«${found.name}» считается по формуле`)
    if (found.status === 'planned' || found.tube === 'planned') throw wrong('Биоматериал ещё не взят')
    if (found.status === 'cancelled') throw wrong('Исследование отменено')
    const fault = found.tube && wrongTube(found.tube, true)
    if (fault) throw wrong(tubeFaults[fault])
    return found.name
  })
}

/**
 * Result rows, locked with their orders, with their duplicates: the same measurement in another line of the order.
 * @throws HttpError 404
 */
async function heldResults(records: Records, tx: Tx, ids: readonly number[]): Promise<ResultRow[]> {
  const items = await tx.query<{ id: number; idItem: number }>(
    sql`select "id", "idItem" from laboratory_results where "id" = any (${ids}::bigint[])`,
  )
  if (items.length !== new Set(ids).size) throw new HttpError(404, 'Результат не найден')
  await holdOf(
    records,
    tx,
    items.map(({ idItem }) => idItem),
  )
  const duplicates = await tx.query<{ id: number }>(sql`select distinct t."id" from laboratory_results r
    join laboratory_order_items i on i."id" = r."idItem" join laboratory_samples s on s."id" = i."idSample"
    join laboratory_order_items j on j."idOrder" = i."idOrder" and j."id" <> i."id" and not j."deleted"
    join laboratory_samples z on z."id" = j."idSample" and z."biomaterial" = s."biomaterial"
    join laboratory_results t on t."idItem" = j."id" and t."idAnalyte" = r."idAnalyte" and t."value" = r."value" and t."kind" = r."kind"
      and t."isMain" = r."isMain" and t."status" = r."status"
    where r."id" = any (${ids}::bigint[]) and t."id" <> all (${ids}::bigint[]) order by 1`)
  const all = [...new Set(ids), ...duplicates.map(({ id }) => id)]
  return resultRows(records, all)
}

/** The asked row first, then its duplicates. */
async function heldResult(records: Records, tx: Tx, id: number): Promise<[ResultRow, ...ResultRow[]]> {
  const rows = await heldResults(records, tx, [id])
  const own = rows.find((row) => row.id === id) as ResultRow
  return [own, ...rows.filter((row) => row.id !== id)]
}

const closed = (message: string) => new HttpError(409, message, { code: 'transition' })

/** Judges these values by the current data, in a transaction of its own: what it asks for stays. */
const judgedAnew = (records: Records, ids: readonly number[]): Promise<void> =>
  records.tx(async (inner, tx) => {
    const rows = await heldResults(inner, tx, ids)
    await rejudgeItems(
      { records: inner, tx },
      rows.map(({ idItem }) => idItem),
    )
  })

export const technical = operation(laboratoryCalls.technical, async ({ records, body }) => {
  await judgedAnew(records, body.ids)
  return records.tx(async (inner, tx) => {
    const rows = await heldResults(inner, tx, body.ids)
    const open = rows.filter(({ isMain, status }) => isMain && status === 'raw')
    if (open.length === 0) throw closed('Эти значения уже проверены')
    await assertSettled(tx, open)
    await settleValue({ records: inner, tx }, { how: 'check', rows: open })
    return { count: open.length }
  })
})

/** @throws HttpError 409 if a value is not the only one, not final, or no value of its test */
async function assertSettled(tx: Tx, rows: readonly ResultRow[]): Promise<void> {
  const several = await tx.one<{ name: string }>(sql`select a."name" from laboratory_results m
    join laboratory_results o on o."idItem" = m."idItem" and o."idAnalyte" = m."idAnalyte" and not o."isMain" and o."status" = 'raw'
    join laboratory_analytes a on a."id" = m."idAnalyte"
    where m."id" = any (${rows.map(({ id }) => id)}::bigint[]) limit 1`)
  if (several) throw closed(`Прибор прислал разные значения «${several.name}»: выберите одно`)
  const analytes = await analytesOf(tx, [...new Set(rows.map(({ idAnalyte }) => idAnalyte))])
  for (const { idAnalyte, kind, value, preliminary } of rows) {
    const analyte = analytes.get(idAnalyte) as Analyte
    if (preliminary)
      throw closed(`«${analyte.name}»: значение предварительное. Дождитесь окончательного или введите его вручную`)
    if (kind !== 'none' && analyte.type === 'number' && readValue(analyte, value).kind === 'aside')
      throw closed(`«${analyte.name}»: «${value}» — не число. Введите число или отметьте «Нет результата»`)
  }
}

export const medical = operation(laboratoryCalls.medical, async ({ records, body }) => {
  await judgedAnew(records, body.ids)
  return records.tx(async (inner, tx) => {
    const rows = await heldResults(inner, tx, body.ids)
    const open = rows.filter(({ isMain, status }) => isMain && (status === 'raw' || status === 'technical'))
    if (open.length === 0) throw closed('Эти значения уже подтверждены')
    const raws = open.filter(({ status }) => status === 'raw')
    if (raws.length) throw closed('Сначала значение проверяют технически')
    await rejudgeItems(
      { records: inner, tx },
      open.map(({ idItem }) => idItem),
    )
    await assertSettled(tx, open)
    const uncalled = await tx.one(sql`select 1 from laboratory_results
      where "id" = any (${open.map(({ id }) => id)}::bigint[]) and "callDue" limit 1`)
    if (uncalled) throw closed('Критическое значение: сначала запишите, кому о нём сообщили')
    const held = await tx.one<{ name: string }>(sql`select a."name" from laboratory_results r
      join laboratory_analytes a on a."id" = r."idAnalyte"
      where r."id" = any (${open.map(({ id }) => id)}::bigint[]) and ${heldByControlSql(raw('r'))} limit 1`)
    if (held) throw closed(`«${held.name}»: контроль качества не принят, результаты задержаны`)
    const ready = await withSources(tx, open)
    if (ready.length === 0) throw closed('Сначала подтвердите показатели, из которых оно посчитано')
    await settleValue({ records: inner, tx }, { how: 'publish', rows: ready })
    await finishItems(
      inner,
      tx,
      ready.map(({ idItem }) => idItem),
    )
    return { count: ready.length }
  })
})

/** Without derived values of which a source is neither published nor among the rows. */
async function withSources(tx: Tx, rows: readonly ResultRow[]): Promise<ResultRow[]> {
  const ids = rows.map(({ id }) => id)
  const derived = await tx.query<{
    id: number
    idOrder: number
    formula: string
  }>(sql`select r."id", i."idOrder", a."formula"
    from laboratory_results r join laboratory_analytes a on a."id" = r."idAnalyte" and a."formula" is not null
      join laboratory_order_items i on i."id" = r."idItem" where r."id" = any (${ids}::bigint[])`)
  if (derived.length === 0) return [...rows]
  const open = await tx.query<{
    idOrder: number
    code: string
  }>(sql`select distinct i."idOrder", lower(a."code") as code
    from laboratory_results r join laboratory_order_items i on i."id" = r."idItem" join laboratory_analytes a on a."id" = r."idAnalyte"
    where i."idOrder" = any (${derived.map(({ idOrder }) => idOrder)}::bigint[]) and r."isMain" and r."status" in ('raw', 'technical')
      and r."id" <> all (${ids}::bigint[])`)
  const waits = new Set(
    derived
      .filter(({ idOrder, formula }) => {
        const sources = sourcesOf(formula)
        return open.some((one) => one.idOrder === idOrder && sources.has(one.code))
      })
      .map(({ id }) => id),
  )
  return rows.filter(({ id }) => !waits.has(id))
}

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
    await settleValue({ records: inner, tx }, { how: 'back', rows: open })
    return { count: open.length }
  }),
)

export const repeat = operation(laboratoryCalls.repeat, ({ records, body }) =>
  records.tx(async (inner, tx) => {
    const rows = await heldResults(inner, tx, body.ids)
    const open = rows.filter(({ isMain, status }) => isMain && (status === 'raw' || status === 'technical'))
    if (open.length === 0) throw closed('Измерить заново можно то, что ещё не подтверждено')
    const beside = await tx.query<{ id: number }>(sql`select o."id" from laboratory_results m join laboratory_results o
      on o."idItem" = m."idItem" and o."idAnalyte" = m."idAnalyte" and not o."isMain" and o."status" = 'raw'
      where m."id" = any (${open.map(({ id }) => id)}::bigint[])`)
    const others = beside.length
      ? await heldResults(
          inner,
          tx,
          beside.map(({ id }) => id),
        )
      : []
    await settleValues({ records: inner, tx }, async (settle) => {
      for (const row of [...open, ...others])
        await settle({ how: 'drop', row, why: 'anew', reason: body.reason ?? null })
    })
    return { count: open.length }
  }),
)

export const choose = operation(laboratoryCalls.choose, ({ records, params }) =>
  records.tx(async (inner, tx) => {
    const rows = await heldResult(inner, tx, params.id)
    const [row] = rows
    if (row.status !== 'raw' && row.status !== 'technical')
      throw closed('Выбирают между значениями, которые ещё не подтверждены')
    const published = await tx.one(sql`select 1 from laboratory_results where "idItem" = ${row.idItem}
      and "idAnalyte" = ${row.idAnalyte} and "isMain" and "status" in ('medical', 'corrected')`)
    if (published) throw closed('Значение уже подтверждено врачом')
    await settleValues({ records: inner, tx }, async (settle) => {
      for (const one of rows) await settle({ how: 'choose', row: one })
    })
    return { count: 1 }
  }),
)

export const correct = operation(laboratoryCalls.correct, ({ records, params, body }) =>
  records.tx(async (inner, tx) => {
    const rows = await heldResult(inner, tx, params.id)
    const [row] = rows
    if (!row.isMain || !isPublished(row.status))
      throw closed('Исправляют опубликованное значение; остальное вводят заново')
    const analyte = (await analytesOf(tx, [row.idAnalyte])).get(row.idAnalyte) as Analyte
    const text = body.value.trim()
    const reading = body.noResult ? ({ kind: 'none', value: text } as const) : readValue(analyte, text)
    if (reading.kind === 'aside') throw noNumber(analyte.name, 'value')
    // A number of a rejected tube is not replaced by another one before its approver has decided about the tube.
    if (reading.kind !== 'none' && rows.some((one) => one.review?.why === 'tube'))
      throw closed('Пробирка этого значения отклонена: сначала решите о ней в «Пересмотреть»')
    if (row.value === reading.value && row.kind === reading.kind)
      throw new ValidationError([{ field: 'value', message: 'Значение то же самое' }])
    const [made] = await corrected(inner, tx, rows, reading, body.reason)
    return { id: (made as ResultRow).id }
  }),
)

const corrected = (
  records: Records,
  tx: Tx,
  rows: readonly ResultRow[],
  reading: Standing,
  reason: string,
): Promise<ResultRow[]> =>
  settleValues({ records, tx }, async (settle) => {
    const made: ResultRow[] = []
    for (const row of rows) made.push(await settle({ how: 'correct', row, reading, reason }))
    return made
  })

export const review = operation(laboratoryCalls.review, ({ records, params, body }) =>
  records.tx(async (inner, tx) => {
    const [row, ...duplicates] = await heldResult(inner, tx, params.id)
    const asked = row.review
    if (!asked || !row.isMain || !isPublished(row.status)) throw closed('Это значение пересматривать не просят')
    return settleValues({ records: inner, tx }, async (settle) => {
      if (!body.accept) {
        for (const one of [row, ...duplicates]) {
          if (!one.review) continue
          for (const other of await resultRows(inner, one.review.idOther ? [one.review.idOther] : []))
            await settle({ how: 'drop', row: other, why: 'review', reason: body.reason })
          const left = await settle({ how: 'review', row: one, review: null })
          await settle({ how: 'judge', row: left, why: 'card' })
        }
        return { id: row.id }
      }
      const analyte = (await analytesOf(tx, [row.idAnalyte])).get(row.idAnalyte) as Analyte
      const reading = reviewed(analyte, row, body.reason)
      let id = row.id
      for (const one of [row, ...duplicates.filter((duplicate) => duplicate.review)]) {
        const made = await settle({ how: 'correct', row: one, reading, reason: body.reason, idDevice: one.idDevice })
        if (one === row) id = made.id
      }
      return { id }
    })
  }),
)

/** What an accepted review leaves: the other value, the same one judged anew, or no result. */
function reviewed(analyte: Analyte, { kind, value, review: asked }: ResultRow, reason: string): Standing {
  if (asked?.why === 'tube' || asked?.why === 'withdrawn') return { kind: 'none', value: reason }
  if (asked?.value === undefined && asked?.why !== 'card') return { kind: 'none', value: reason }
  const text = asked?.value ?? value
  const reading = readValue(analyte, text)
  if (asked?.value === undefined && kind === 'none') return { kind, value }
  return reading.kind === 'aside' ? { kind: 'word', value: text } : reading
}

/** Minutes by which a written time of a call may precede the value: fields are of minutes. */
const CALL_SLACK_MS = 60_000

export const critical = operation(laboratoryCalls.critical, ({ records, params, body }) =>
  records.tx(async (inner, tx) => {
    const rows = await heldResult(inner, tx, params.id)
    const [row] = rows
    if (!isCritical(row.flag)) throw closed('Это значение не критическое')
    if (row.calledAt !== null) throw closed('О значении уже сообщили')
    const at = Date.parse(body.at)
    const wrong = (message: string) => new ValidationError([{ field: 'at', message }])
    if (at > Date.now() + CALL_SLACK_MS) throw wrong('Звонок не может быть в будущем')
    if (at < Date.parse(row.dateCreate) - CALL_SLACK_MS) throw wrong('Звонок не может быть раньше самого значения')
    await settleValues({ records: inner, tx }, async (settle) => {
      for (const one of rows)
        if (isCritical(one.flag) && one.calledAt === null)
          await settle({ how: 'call', row: one, to: body.to, at: body.at })
    })
    return { count: 1 }
  }),
)
