import { ShiftPattern } from '@ordinator/model/areas/visits/shift'
import { Desk } from '@ordinator/model/areas/visits/visit'
import sql, { raw, type Sql } from 'sql-template-tag'
import { clinicToday } from '#areas/settings/index.ts'
import type { Tx } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { demoNewcomers } from './demoNewcomers.ts'
import { demoLatePatients, demoPatients, pastPatients, seasons } from './demoPatients.ts'
import { demoEquipment, demoShifts, demoWaiting, places } from './demoShifts.ts'
import { demoGroups, demoScores, demoVisits } from './demoVisits.ts'

/** Days with shifts before and after today. */
const [BEHIND, AHEAD] = [60, 30]
/** Percent of 35-minute slots taken, which is 60 % of a shift; days after tomorrow have fewer. */
const LOAD = 84

/**
 * Shifts and visits before the demo's own days: fewer the earlier, more on Mondays than on Saturdays, with their own
 * patients, so that each month has new ones.
 * @param days first and last, as SQL
 */
export async function demoPast(records: Records, tx: Tx, days: readonly [Sql, Sql]): Promise<void> {
  await demoShifts(records, days)
  await demoPatients(records, days)
  const months = `(current_date - s."localDate") / 30`
  const load = raw(`${LOAD} * (90 - least(60, ${months} * 1.6)) / 100
    * (array[${seasons.join(', ')}])[extract(month from s."localDate")::int] / 100
    * (array[108, 102, 100, 98, 95, 78, 55])[extract(isodow from s."localDate")::int] / 100`)
  await demoVisits(records, tx, days, load, pastPatients('s."localDate"', 'w.seed'))
}

/** Shifts of all doctors, two months back and one ahead, with visits and their outcomes. */
export async function demo(records: Records, _app: AppContext, tx: Tx): Promise<void> {
  const system = records.asSystem
  await system.create(ShiftPattern, {
    name: 'Пятидневка, утро',
    cycle: 'week',
    rows: [0, 1, 2, 3, 4].map((day) => ({ day, from: '08:00', to: '14:00' })),
  })
  await system.create(ShiftPattern, {
    name: '2 через 2, полный день',
    cycle: 'two',
    rows: [0, 1].map((day) => ({ day, from: '08:00', to: '20:00' })),
  })
  // Desk staff of a branch sees its day.
  await system.createFrom(
    Desk,
    sql`jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as p("login" text, "role" text, "name" text)
      join users u on u."login" = p."login" join filials f on f."nameFilial" like '%' || p."name"
      where p."role" in ('registrar', 'operator', 'nurse') order by u."id"`,
    { idFilial: raw('f."id"'), idUser: raw('u."id"') },
  )
  const now = [sql`${clinicToday} - ${BEHIND}::int`, sql`${clinicToday} + ${AHEAD}::int`] as const
  await demoShifts(records, now)
  await demoVisits(
    records,
    tx,
    now,
    raw(`case when w."from" < now() + interval '2 days' then ${LOAD} else ${LOAD} / 2 end`),
  )
  await demoScores(records)
  await demoNewcomers(records, tx)
  await demoLatePatients(records, tx)
  await demoEquipment(records, tx)
  await demoGroups(records, tx)
  await demoWaiting(records)
}
