/** All data of a sheet for its rules, its parts and its message. */

import type { Around, Cared, Fault } from '@ordinator/model/areas/eln/faults'
import { faultsOf } from '@ordinator/model/areas/eln/faults'
import type { Leave, Limits, Period } from '@ordinator/model/areas/eln/rules'
import { byDays, daysOf } from '@ordinator/model/areas/eln/rules'
import { CaredPerson, SickPeriod } from '@ordinator/model/areas/eln/sickLeave'
import type { Row } from '@ordinator/model/entity'
import sql, { raw } from 'sql-template-tag'
import { readCommonSettings } from '#areas/settings/index.ts'
import { fioSql } from '#areas/staff/index.ts'
import type { Queryable } from '#platform/db.ts'
import type { Records } from '#records/records.ts'
import { dateFromSql, dateToSql } from './derived.ts'
import { type Lpu, limitsOf, lpuOf } from './limits.ts'
import type { LeaveRow } from './sickLeaves.ts'

export interface Patient {
  surname: string
  name: string | null
  middleName: string | null
  fio: string
  snils: string | null
  /** YYYY-MM-DD */
  birthday: string | null
  gender: 'none' | 'female' | 'male'
}

export interface Doctor {
  id: number
  fio: string
  post: string | null
  snils: string | null
}

export interface Facts {
  leave: LeaveRow
  periods: Row<typeof SickPeriod>[]
  cared: Row<typeof CaredPerson>[]
  patient: Patient
  doctors: ReadonlyMap<number, Doctor>
  lpu: Lpu | undefined
  limits: Limits
  hidden: readonly string[]
  around: Around
}

/** Maximum number of a patient's sheets checked for overlaps. */
const MAX_OTHERS = 200

export async function factsOf(db: Queryable, records: Records, leave: LeaveRow): Promise<Facts> {
  const system = records.asSystem
  const of = { 'filter[idSickLeave]': leave.id, limit: 20 }
  const periods = byDays(await system.rows(SickPeriod, { ...of, sort: 'dateFrom,id' }))
  const cared = await system.rows(CaredPerson, { ...of, sort: 'id' })
  const patient =
    (await db.one<Patient>(sql`select c."surname", c."name", c."middleName", ${fioSql(raw('c'))} as fio, c."snils",
      c."birthday"::text as birthday, c."gender" from customers c where c."id" = ${leave.idCustomer}`)) as Patient
  const ids = [
    ...new Set([leave.idDoctor, ...periods.flatMap(({ idDoctor, idChairman }) => [idDoctor, idChairman ?? idDoctor])]),
  ]
  const doctors = new Map(
    (
      await db.query<Doctor>(sql`select u."id"::int as id, ${fioSql(raw('u'))} as fio, u."post", u."snils"
        from users u where u."id" = any (${ids}::bigint[])`)
    ).map((one) => [one.id, one]),
  )
  const row = raw('l')
  const others = await db.query<Around['others'][number]>(sql`
    select l."id"::int as id, l."lnCode", l."workType", l."employer", ${dateFromSql(row)}::text as "dateFrom", ${dateToSql(row)}::text as "dateTo",
      (select ${fioSql(raw('u'))} from users u where u."id" = l."idDoctor") as "doctor"
    from eln l where l."idCustomer" = ${leave.idCustomer} and l."id" <> ${leave.id} and not l."deleted"
      and l."stateSfr" is distinct from '090' and coalesce(l."lnCode", '') <> coalesce(${leave.formerLnCode}, '-')
      and ${dateFromSql(row)} is not null order by l."id" desc limit ${MAX_OTHERS}`)
  const previous = leave.idPrevious
    ? await db.one<{ lnCode: string | null; dateTo: string | null; dateFrom: string | null; daysBefore: number }>(sql`
        select l."lnCode", ${dateToSql(row)}::text as "dateTo", ${dateFromSql(row)}::text as "dateFrom", l."daysBefore"
        from eln l where l."id" = ${leave.idPrevious}`)
    : undefined
  const settings = await readCommonSettings(db)
  const limits = limitsOf(settings)
  return {
    ...{ leave, periods, cared, patient, doctors, limits },
    lpu: await lpuOf(db),
    hidden: settings.elnHiddenDiagnoses,
    around: {
      limits,
      patient,
      doctors: new Map([...doctors].map(([id, { fio, snils }]) => [id, { fio, hasSnils: snils !== null }])),
      others,
      previous: previous
        ? {
            lnCode: previous.lnCode,
            dateTo: previous.dateTo,
            began: previous.dateFrom ? minusDays(previous.dateFrom, previous.daysBefore) : '',
          }
        : null,
    },
  }
}

const minusDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10)

export const faults = ({ leave, periods, cared, around }: Facts): Fault[] =>
  faultsOf(leave as Leave, periods as Period[], cared as Cared[], around)

/** Days of the whole case. */
export const daysAll = ({ leave, periods }: Facts): number => {
  const [first, last] = [periods[0], periods.at(-1)]
  return leave.daysBefore + (first && last ? Math.max(0, daysOf(first.dateFrom, last.dateTo)) : 0)
}
