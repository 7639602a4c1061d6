/** «Неразобранное»: what people make of values that were put aside. */
import { laboratoryCalls } from '@ordinator/model/areas/laboratory/calls'
import { LabDeviceWord, LabStray } from '@ordinator/model/areas/laboratory/device'
import { readValue } from '@ordinator/model/areas/laboratory/reading'
import { tubeFaults, wrongTube } from '@ordinator/model/areas/laboratory/states'
import { plainUnit } from '@ordinator/model/areas/laboratory/units'
import type { Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { rereadMessage } from './intake.ts'
import { type Analyte, analytesOf, type Standing } from './judging.ts'
import { codeAt, converted, isUnit, linesOf, targetsOf, tubesOf } from './placing.ts'
import { writeValues } from './resultValues.ts'
import { unitOf } from './wire/message.ts'

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
    const analyte = (await analytesOf(tx, [body.idAnalyte])).get(body.idAnalyte)
    if (!analyte) throw wrong('idAnalyte', 'Такого показателя нет')
    const items = await linesAt(tx, body.barcode, analyte.id)
    const reading = await attachedValue(tx, analyte, found, body.value)
    const fates = await writeValues(
      inner,
      tx,
      items.map((idItem) => ({
        ...{ idItem, idAnalyte: analyte.id, value: reading.value, reading, reason: body.reason as string },
        ...{ said: found.value as string, preliminary: found.preliminary },
        ...(found.idDevice && { idDevice: found.idDevice }),
        ...(found.idMessage && { idMessage: found.idMessage }),
      })),
      'device',
    )
    const row = await tx.one<{ id: number }>(sql`select "id" from laboratory_results where "idItem" = ${items[0]}
      and "idAnalyte" = ${analyte.id} and "value" = ${reading.value} order by "id" desc limit 1`)
    if (!row || fates.includes('cancelled') || fates.includes('tube'))
      throw wrong('barcode', 'Исследование этой пробирки отменено')
    await inner.asSystem.update(LabStray, found.id, {
      ...{ status: 'done', idResult: row.id, why: body.reason },
      ...(actor.id !== 0 && { idSettler: actor.id }),
    })
    return { status: 'done' }
  }),
)

/**
 * The lines that a measurement of a tube fills, the tube's own first; the order is locked.
 * @throws ValidationError at `barcode`
 */
async function linesAt(tx: Tx, barcode: string, idAnalyte: number): Promise<number[]> {
  const tube = (await tubesOf(tx, [{ tube: barcode }])).get(barcode.toLowerCase())
  const targets =
    tube && tube.orderStatus !== 'draft' && tube.orderStatus !== 'cancelled'
      ? linesOf(await targetsOf(tx, tube, idAnalyte))
      : []
  if (!tube || !targets.some(({ isOwn }) => isOwn)) throw wrong('barcode', 'В этой пробирке такого показателя нет')
  const fault = wrongTube(tube.status, true)
  if (fault) throw wrong('barcode', `${tubeFaults[fault]}: значение к ней не относят`)
  return targets.map(({ idItem }) => idItem)
}

/**
 * What a person attaches: a typed value in the analyte's unit, else the device's own, converted by its code.
 * @throws ValidationError at `value` where it is no value of the analyte, or its unit is another one
 */
async function attachedValue(
  tx: Tx,
  analyte: Analyte,
  { value, unit, idCode }: Row<typeof LabStray>,
  typed: string | undefined,
): Promise<Standing> {
  const known = idCode === null ? undefined : await codeAt(tx, idCode)
  const code = known?.idAnalyte === analyte.id ? known : undefined
  const reading = readValue(analyte, typed ?? value ?? '', code?.meanings)
  if (reading.kind === 'aside') throw wrong('value', `«${analyte.name}»: нужно число или слово из списка показателя`)
  if (typed !== undefined || reading.kind !== 'number') return reading
  const sentUnit = unit ?? ''
  const isKnown = code
    ? isUnit(code, unitOf(sentUnit, sentUnit.split('^')[0] as string))
    : sentUnit === '' || plainUnit(sentUnit) === plainUnit(analyte.unit ?? '')
  if (!isKnown)
    throw wrong('value', `Прибор прислал «${sentUnit}»: пересчитайте в единицу показателя «${analyte.unit ?? ''}»`)
  return code ? converted(reading, code) : reading
}

/** Messages read again after a word got its meaning. */
const MAX_REREAD = 100

export const mean = operation(laboratoryCalls.mean, ({ records, params, body }) =>
  records.tx(async (inner, tx) => {
    const found = await heldStray(inner, tx, params.id)
    const { idCode, value: sent } = found
    if (idCode === null || sent === null || found.reason !== 'form')
      throw new HttpError(409, 'Здесь неизвестно не слово', { code: 'transition' })
    await inner.create(LabDeviceWord, {
      ...{
        idCode,
        said: sent.slice(0, 255),
        value: body.none ? null : (body.value ?? null),
        isNone: body.none ?? false,
      },
    })
    const messages = await tx.query<{ id: number }>(sql`select distinct "idMessage" as id from laboratory_strays
      where "status" = 'open' and "idCode" = ${idCode} and lower("value") = lower(${sent}) and "idMessage" is not null
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
