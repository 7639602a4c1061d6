/** What a value is judged by: its line, tube, analyte and patient as they are now; norm, flag and delta from them. */
import type { Reading } from '@ordinator/model/areas/laboratory/reading'
import type { ItemStatus, SampleStatus } from '@ordinator/model/areas/laboratory/states'
import {
  ageInDays,
  type Choice,
  deltaOf,
  flagOf,
  type Norm,
  normFor,
  normText,
  type Patient,
  phaseOf,
} from '@ordinator/model/areas/laboratory/values'
import type { ValueType } from '@ordinator/model/areas/laboratory/words'
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { dayOfOrder } from './orders.ts'

/** A reading that is usable as a value. */
export type Standing = Exclude<Reading, { kind: 'aside' }>

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
  idSample: number | null
  sampleStatus: SampleStatus | null
  method: string | null
  /** ISO. */
  takenAt: string | null
  timeZone: string
  birthday: string | null
  gender: 'male' | 'female' | 'none' | null
  pregnancyWeeks: number | null
  cycleDay: number | null
  menopause: boolean
}

export const patientOf = (line: Line): Patient => ({
  sex: line.gender,
  ageDays: ageInDays(line.birthday, dayOfOrder(line.timeZone, line.takenAt ?? new Date().toISOString())),
  pregnancyWeeks: line.pregnancyWeeks,
  cyclePhase: phaseOf(line.cycleDay, line.menopause),
})

export const normsOf = (db: Queryable, idAnalyte: number): Promise<Norm[]> =>
  db.query<Norm>(sql`select "sex", "ageFrom", "ageTo", "trimester", "cyclePhase", "low"::float8 as low,
    "high"::float8 as high, "criticalLow"::float8 as "criticalLow", "criticalHigh"::float8 as "criticalHigh", "text",
    "idDevice", "method" from laboratory_norms where "idAnalyte" = ${idAnalyte} and not "deleted" order by "id"`)

export interface Judged {
  normText: string | null
  flag: ReturnType<typeof flagOf>
  delta: number | null
  judgedFor: Patient
}

/** Computes the norm, the flag and the delta of a value. @param idDevice that measured it */
export async function judge(
  db: Queryable,
  line: Line,
  analyte: Analyte,
  { kind, value }: Pick<Standing, 'kind' | 'value'>,
  idDevice: number | null,
): Promise<Judged> {
  const patient = patientOf(line)
  const norm = normFor(await normsOf(db, analyte.id), patient, { idDevice, method: line.method })
  const former = await db.one<{ value: string }>(sql`select r."value" from laboratory_results r
    where r."idCustomer" = ${line.idCustomer} and r."idAnalyte" = ${analyte.id} and r."isMain" and r."status" in ('medical', 'corrected')
      and r."idItem" <> ${line.id} and r."takenAt" <= ${line.takenAt ?? new Date().toISOString()} order by r."takenAt" desc limit 1`)
  const words =
    normText(norm, null) ??
    (analyte.type === 'enum' ? (analyte.choices ?? []).find(({ normal }) => normal)?.value : null)
  const delta = kind === 'number' ? deltaOf(value, former?.value ?? null) : null
  // A word of a numeric test is judged by its list.
  const type = kind === 'word' && analyte.type === 'number' ? 'enum' : analyte.type
  return {
    normText: words?.slice(0, 255) ?? null,
    flag: kind === 'none' ? null : flagOf(type, value, norm, analyte.choices ?? []),
    delta: delta !== null && Math.abs(delta) < 1e9 ? delta : null,
    judgedFor: patient,
  }
}

export async function linesOf(db: Queryable, ids: readonly number[]): Promise<Map<number, Line>> {
  const rows = await db.query<Line>(sql`select i."id", i."idOrder", o."idCustomer", i."status", i."idSample",
      s."status" as "sampleStatus", t."method", coalesce(s."takenAt", o."takenAt") as "takenAt",
      coalesce(nullif(f."timeZone", ''), 'Europe/Moscow') as "timeZone",
      to_char(c."birthday", 'YYYY-MM-DD') as birthday, c."gender", o."pregnancyWeeks", o."cycleDay", o."menopause"
    from laboratory_order_items i join laboratory_orders o on o."id" = i."idOrder" join customers c on c."id" = o."idCustomer"
      join laboratory_catalog t on t."id" = i."idTest"
      join filials f on f."id" = o."idFilial" left join laboratory_samples s on s."id" = i."idSample"
    where i."id" = any (${ids}::bigint[]) and not i."deleted"`)
  return new Map(rows.map((row) => [row.id, row]))
}

export async function analytesOf(db: Queryable, ids: readonly number[]): Promise<Map<number, Analyte>> {
  const rows = await db.query<Analyte>(sql`select "id", "name", "code", "type", "unit", "decimals", "choices", "formula"
    from laboratory_analytes where "id" = any (${ids}::bigint[])`)
  return new Map(rows.map((row) => [row.id, row]))
}
