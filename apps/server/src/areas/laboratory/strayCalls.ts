/** «Неразобранное»: what people make of values that were put aside. */
import { laboratoryCalls } from '@ordinator/model/areas/laboratory/calls'
import { LabDeviceWord, LabStray } from '@ordinator/model/areas/laboratory/device'
import { type Meaning, readValue } from '@ordinator/model/areas/laboratory/reading'
import { type SampleStatus, tubeFaults, wrongTube } from '@ordinator/model/areas/laboratory/states'
import type { Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { rereadMessage } from './intake.ts'
import { type Analyte, analytesOf, type Standing } from './judging.ts'
import { writeValues } from './resultValues.ts'

/** An open stray, locked. @throws HttpError 404, 409 */
async function heldStray(records: Records, tx: Tx, id: number): Promise<Row<typeof LabStray>> {
  await tx.query(sql`select 1 from laboratory_strays where "id" = ${id} for update`)
  const found = await records.row(LabStray, id)
  if (found.status !== 'open') throw new HttpError(409, 'Уже разобрано', { code: 'transition' })
  return found
}

const wrong = (field: string, message: string) => new ValidationError([{ field, message }])

export const settleStray = operation(laboratoryCalls.settleStray, ({ records, actor, params, body }) =>
  records.tx(async (inner, tx) => {
    const found = await heldStray(inner, tx, params.id)
    if (body.drop) {
      await inner.asSystem.update(LabStray, found.id, { status: 'dropped', why: body.reason ?? null })
      return { status: 'dropped' }
    }
    if (!body.barcode || !body.idAnalyte || !found.value)
      throw wrong(body.barcode ? 'idAnalyte' : 'barcode', 'Укажите пробирку и показатель')
    if (!body.reason) throw wrong('reason', 'Укажите, почему значение относится к этой пробирке')
    if (found.reason === 'unit' && !body.value)
      throw wrong('value', `Пересчитайте из «${found.unit}» в единицу показателя`)
    const idItem = await lineOf(tx, body.barcode, body.idAnalyte)
    const analyte = (await analytesOf(tx, [body.idAnalyte])).get(body.idAnalyte) as Analyte
    const reading = await read(tx, analyte, body.value ?? found.value, found.idCode)
    const [fate] = await writeValues(
      inner,
      tx,
      [
        {
          ...{
            idItem,
            idAnalyte: body.idAnalyte,
            value: reading.value,
            reading,
            reason: body.reason,
            said: found.value,
          },
          ...(found.idDevice && { idDevice: found.idDevice }),
          ...(found.idMessage && { idMessage: found.idMessage }),
        },
      ],
      'device',
    )
    const row = await tx.one<{ id: number }>(sql`select "id" from laboratory_results where "idItem" = ${idItem}
      and "idAnalyte" = ${body.idAnalyte} and "value" = ${reading.value} order by "id" desc limit 1`)
    if (!row || fate === 'cancelled' || fate === 'tube') throw wrong('barcode', 'Исследование этой пробирки отменено')
    await inner.asSystem.update(LabStray, found.id, {
      ...{ status: 'done', idResult: row.id, why: body.reason },
      ...(actor.id !== 0 && { idSettler: actor.id }),
    })
    return { status: 'done' }
  }),
)

/** The line of a tube that measures the analyte, its order locked. @throws ValidationError at `barcode` */
async function lineOf(tx: Tx, barcode: string, idAnalyte: number): Promise<number> {
  await tx.query(sql`select 1 from laboratory_orders where "id" in (select "idOrder" from laboratory_samples
    where lower("barcode") = lower(${barcode}) and not "deleted") for update`)
  const target = await tx.one<{ idItem: number; status: SampleStatus }>(sql`select i."id" as "idItem", s."status"
    from laboratory_samples s join laboratory_order_items i on i."idSample" = coalesce(s."idFirst", s."id") and not i."deleted"
        and i."status" <> 'cancelled'
      join laboratory_orders o on o."id" = s."idOrder" and o."status" not in ('draft', 'cancelled') and not o."deleted"
      join laboratory_components k on k."idTest" = i."idTest" and k."idAnalyte" = ${idAnalyte} and not k."deleted"
    where lower(s."barcode") = lower(${barcode}) and not s."deleted" order by i."id" limit 1`)
  if (!target) throw wrong('barcode', 'В этой пробирке такого показателя нет')
  const fault = wrongTube(target.status, true)
  if (fault) throw wrong('barcode', `${tubeFaults[fault]}: значение к ней не относят`)
  return target.idItem
}

async function read(tx: Tx, analyte: Analyte, text: string, idCode: number | null): Promise<Standing> {
  const meanings = await tx.query<Meaning>(sql`select "said", case when not "isNone" then "value" end as value
    from laboratory_device_words where "idCode" = ${idCode} and not "deleted"`)
  const reading = readValue(analyte, text, meanings)
  if (reading.kind === 'aside') throw wrong('value', `«${analyte.name}»: нужно число или слово из списка показателя`)
  return reading
}

/** Messages read again after a word got its meaning. */
const MAX_REREAD = 100

export const mean = operation(laboratoryCalls.mean, ({ records, params, body }) =>
  records.tx(async (inner, tx) => {
    const found = await heldStray(inner, tx, params.id)
    const { idCode, value: said } = found
    if (idCode === null || said === null) throw new HttpError(409, 'Здесь неизвестно не слово', { code: 'transition' })
    await inner.create(LabDeviceWord, {
      ...{
        idCode,
        said: said.slice(0, 255),
        value: body.none ? null : (body.value ?? null),
        isNone: body.none ?? false,
      },
    })
    const messages = await tx.query<{ id: number }>(sql`select distinct "idMessage" as id from laboratory_strays
      where "status" = 'open' and "idCode" = ${idCode} and lower("value") = lower(${said}) and "idMessage" is not null
      order by 1 limit ${MAX_REREAD}`)
    const sum = { results: 0, strays: 0 }
    for (const { id } of messages) {
      const taken = await rereadMessage(inner, tx, id)
      sum.results += taken?.results ?? 0
      sum.strays += taken?.strays ?? 0
    }
    return sum
  }),
)
