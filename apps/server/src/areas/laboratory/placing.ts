/** Where a value of a device belongs: its code, its tube and the lines of that tube; or why nowhere. */
import type { StrayReason } from '@ordinator/model/areas/laboratory/device'
import { type Meaning, type Measurable, readValue } from '@ordinator/model/areas/laboratory/reading'
import { type SampleStatus, wrongTube } from '@ordinator/model/areas/laboratory/states'
import { plainUnit } from '@ordinator/model/areas/laboratory/units'
import { withDecimals } from '@ordinator/model/areas/laboratory/values'
import sql, { type Sql } from 'sql-template-tag'
import { labItemCountsSql } from '#areas/counted/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import type { Standing } from './judging.ts'
import type { Given } from './resultValues.ts'
import type { MessageWork } from './strays.ts'
import type { Measurement } from './wire/message.ts'

export interface Code extends Measurable {
  id: number
  code: string
  idAnalyte: number | null
  unit: string | null
  factor: number
  ignored: boolean
  decimals: number | null
  meanings: Meaning[]
}

/** The single code of the device for these names; undefined if not mapped. */
export async function codeOf(
  tx: Queryable,
  device: MessageWork['device'],
  names: readonly string[],
): Promise<Code | undefined> {
  const found = await codesWhere(
    tx,
    sql`c."idDevice" = ${device.id} and lower(c."code") = any (${names.map((name) => name.toLowerCase())}::text[])`,
  )
  const analytes = new Set(found.map(({ idAnalyte, ignored }) => (ignored ? 0 : idAnalyte)))
  // Two names that map to different analytes are ambiguous.
  return analytes.size === 1 ? found[0] : undefined
}

export const codeAt = async (tx: Queryable, id: number): Promise<Code | undefined> =>
  (await codesWhere(tx, sql`c."id" = ${id}`))[0]

const codesWhere = (tx: Queryable, which: Sql): Promise<Code[]> =>
  tx.query<Code>(sql`select c."id", c."code", c."idAnalyte", c."unit", c."factor"::float8 as factor, c."ignored",
      a."decimals", a."type", a."choices", coalesce((select jsonb_agg(jsonb_build_object('said', w."said", 'value',
        case when not w."isNone" then w."value" end)) from laboratory_device_words w where w."idCode" = c."id" and not w."deleted"), '[]') as meanings
    from laboratory_device_codes c left join laboratory_analytes a on a."id" = c."idAnalyte"
    where ${which} and not c."deleted"`)

export const isUnit = (code: Code, { units }: Pick<Measurement, 'units'>): boolean =>
  units.some((unit) => plainUnit(unit) === plainUnit(code.unit ?? ''))
export const expectedUnit = (code: Code): string => `Ожидалась ${code.unit ? `«${code.unit}»` : 'без единицы'}`

export interface Tube {
  id: number
  /** The tube that the order's lines name: a test in several tubes names the first. */
  idLine: number
  idOrder: number
  orderStatus: string
  status: SampleStatus
  biomaterial: string
}

/** The tubes of a message by lower-case bar code, their orders locked in the order of ids. */
export async function tubesOf(tx: Tx, results: readonly Pick<Measurement, 'tube'>[]): Promise<Map<string, Tube>> {
  const codes = [...new Set(results.flatMap(({ tube }) => tube?.toLowerCase() ?? []))]
  if (codes.length === 0) return new Map()
  await tx.query(sql`select 1 from laboratory_orders where "id" in (
    select "idOrder" from laboratory_samples where lower("barcode") = any (${codes}::text[]) and not "deleted") order by "id" for update`)
  const found = await tx.query<
    Tube & { barcode: string }
  >(sql`select s."id", coalesce(s."idFirst", s."id") as "idLine", s."idOrder",
      o."status" as "orderStatus", s."status", s."biomaterial", lower(s."barcode") as barcode from laboratory_samples s
    join laboratory_orders o on o."id" = s."idOrder" and not o."deleted"
    where lower(s."barcode") = any (${codes}::text[]) and not s."deleted"`)
  return new Map(found.map((tube) => [tube.barcode, tube]))
}

interface Target {
  idItem: number
  isOwn: boolean
  /** Its tube may have values, and holds the same material. */
  isSameTube: boolean
}

/** Lines of the tube's order that measure the analyte, those of the tube itself first. */
export const targetsOf = (tx: Queryable, tube: Tube, idAnalyte: number): Promise<Target[]> =>
  tx.query<Target>(sql`select i."id" as "idItem", i."idSample" = ${tube.idLine} as "isOwn",
      coalesce(s."biomaterial" = ${tube.biomaterial} and s."status" not in ('planned', 'rejected', 'disposed'), false) as "isSameTube"
    from laboratory_order_items i join laboratory_components k on k."idTest" = i."idTest" and not k."deleted"
      left join laboratory_samples s on s."id" = i."idSample"
    where i."idOrder" = ${tube.idOrder} and k."idAnalyte" = ${idAnalyte} and ${labItemCountsSql()}
    order by i."idSample" = ${tube.idLine} desc, i."id"`)

/** One measurement fills each line of the order that asks for it. */
export const linesOf = (targets: readonly Target[]): Target[] =>
  targets.filter(({ isOwn, isSameTube }) => isOwn || isSameTube)

/** Where a measurement goes: into lines, or why nowhere. */
export type Placed = { idCode?: number } & ({ lines: Given[] } | { why: StrayReason; note?: string })

export async function placeOf(
  { tx, device, id, same, isReread }: MessageWork,
  tubes: ReadonlyMap<string, Tube>,
  one: Measurement,
): Promise<Placed | undefined> {
  const code = await codeOf(tx, device, one.codes)
  if (!code) return { why: 'code' }
  if (code.ignored || code.idAnalyte === null) return undefined
  const aside = (why: StrayReason, note?: string): Placed => ({ why, idCode: code.id, ...(note && { note }) })
  if (!one.tube) return aside('tube', 'Прибор не назвал пробирку')
  const tube = tubes.get(one.tube.toLowerCase())
  if (!tube) return aside('tube')
  if (tube.orderStatus === 'cancelled' || tube.orderStatus === 'draft') return aside('cancelled')
  const fault = wrongTube(tube.status, true)
  if (fault) return aside(fault)
  const targets = await targetsOf(tx, tube, code.idAnalyte)
  if (targets.length === 0) return aside('notOrdered')
  if (!targets.some(({ isOwn }) => isOwn)) return aside('wrongTube')
  if (one.reported === 'impossible') return aside('noResult', 'Прибор: измерить не удалось')
  if (one.reported === 'withdrawn') return aside('noResult', 'Прибор отозвал значение')
  const reading = readValue(code, one.value, code.meanings)
  if (reading.kind === 'aside') return aside(reading.why)
  if (reading.kind === 'number' && !isUnit(code, one)) return aside('unit', expectedUnit(code))
  const standing = converted(reading, code)
  return {
    idCode: code.id,
    lines: linesOf(targets).map(({ idItem }) => ({
      ...{ idItem, idAnalyte: code.idAnalyte as number, value: standing.value, reading: standing, said: one.value },
      ...{ idDevice: device.id, idMessage: id, deviceFlags: one.flags, measuredText: one.at },
      ...{ preliminary: one.reported === 'preliminary', corrected: one.reported === 'corrected' },
      ...{ sameMessages: same, isReread },
    })),
  }
}

/** Applies the factor of the code to a number; its bound stays. */
export function converted(reading: Standing, { factor, decimals }: Code): Standing {
  if (factor === 1 || reading.kind !== 'number') return reading
  const number = withDecimals(reading.number * factor, decimals ?? 2)
  return { ...reading, value: `${reading.bound ?? ''}${number}`, number: Number(number) }
}
