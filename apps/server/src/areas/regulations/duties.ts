/** Duties to read a version in force: created from its audience, dropped with it, reminded of near their due date. */
import { type Regulation, RegulationRead } from '@ordinator/model/areas/regulations/regulation'
import type { Row } from '@ordinator/model/entity'
import { formatDay } from '@ordinator/model/format'
import sql, { raw, type Sql } from 'sql-template-tag'
import { clinicToday, clinicZone } from '#areas/settings/index.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import type { WriteContext } from '#records/define.ts'
import { oneByOne } from '#records/oneByOne.ts'
import { notifyOfRegulation } from './notices.ts'
import { isAudience } from './scope.ts'

/** Days before the due date from which an unread duty is reminded of daily. */
const REMIND_DAYS = 2

type Context = Pick<WriteContext, 'actor' | 'tx' | 'records'>
type RemindedRegulation = Pick<Row<typeof Regulation>, 'id' | 'name' | 'idUser' | 'idResponsibleUser'>

/**
 * Brings the duties to read a version in line with its audience: missing ones are created with a notice, unread ones of
 * people no longer in it are dropped. A version not in force has no audience.
 */
export async function assignReads(context: Context, idRegulation: number): Promise<void> {
  const { records, tx } = context
  const regulation = await tx.one<RemindedRegulation>(sql`
    select "id", "name", "idUser", "idResponsibleUser" from regulations where "id" = ${idRegulation} for no key update`)
  if (!regulation) return
  await records.asSystem.deleteWhere(
    RegulationRead,
    ({ row }) => sql`${row}."idRegulation" = ${idRegulation} and ${row}."dateRead" is null and not exists (
      select 1 from users u join regulations r on r."id" = ${row}."idRegulation" where u."id" = ${row}."idUser" and ${mustRead})`,
  )
  const assigned = await records.asSystem.createFrom(
    RegulationRead,
    sql`regulations r, users u where r."id" = ${idRegulation} and ${mustRead} order by u."id"`,
    { idRegulation, idUser: raw('u."id"'), dateDue: sql`${clinicToday} + r."readDays"` },
    { fields: ['idUser', 'dateDue'], skipTaken: true },
  )
  if (assigned[0])
    await notifyOfRegulation(context, regulation, {
      event: 'read',
      title: `Ознакомьтесь с регламентом до ${formatDay(assigned[0].dateDue)}`,
      to: assigned.map(({ idUser }) => idUser),
    })
}

/**
 * Marks unread duties as reminded of and notifies their people.
 * @returns their number
 * @param which SQL over the duty `d` and its user `u`
 */
export async function remindOf(context: Context, regulation: RemindedRegulation, which: Sql): Promise<number> {
  const { records, tx } = context
  const reminded = await records.asSystem.updateWhere(
    RegulationRead,
    {
      rows: sql`select d."id" from regulations_reads d join users u on u."id" = d."idUser"
        where d."idRegulation" = ${regulation.id} and not d."deleted" and d."dateRead" is null
          and ${working} and ${which}
        order by d."id" for update of d skip locked`,
    },
    { dateReminded: raw('now()') },
    { fields: ['idUser', 'dateDue'] },
  )
  if (reminded.length === 0) return 0
  const { day } = (await tx.one<{ day: string }>(sql`select ${clinicToday} as day`)) as { day: string }
  for (const [title, rows] of Map.groupBy(reminded, ({ dateDue }) =>
    dateDue !== null && dateDue < day
      ? `Вы не ознакомились с регламентом: срок был ${formatDay(dateDue)}`
      : `Ознакомьтесь с регламентом до ${formatDay(dateDue)}`,
  ))
    await notifyOfRegulation(context, regulation, { event: 'read', title, to: rows.map(({ idUser }) => idUser) })
  return reminded.length
}

/** The job `regulations.reads`: duties of new people, and daily reminders of duties nearly due or overdue. */
export function startReadJob(app: AppContext): void {
  app.jobs.register('regulations.reads', {
    cron: '0 8 * * *',
    handler: (_, { signal }) => renewReads(app, signal),
  })
}

async function renewReads(app: AppContext, signal: AbortSignal): Promise<void> {
  const { db, engine } = app
  const active = await db.query<RemindedRegulation>(sql`
    select "id", "name", "idUser", "idResponsibleUser" from regulations
    where "status" = 'active' and not "deleted" order by "id"`)
  const renew = (regulation: RemindedRegulation) =>
    engine.for(systemActor).tx(async (records, tx) => {
      const context = { actor: systemActor, tx, records }
      await assignReads(context, regulation.id)
      await remindOf(context, regulation, isDue)
    })
  await oneByOne(app, 'regulations.reads', active, renew, signal)
}

/** The day of a moment in the clinic's time zone. */
const dayOf = (moment: Sql): Sql => sql`(${moment} at time zone ${clinicZone})::date`

/** Nearly due or overdue, and neither reminded of nor assigned today. */
const isDue = sql`d."dateDue" <= ${clinicToday} + ${REMIND_DAYS}::integer
  and greatest(${dayOf(raw('d."dateReminded"'))}, ${dayOf(raw('d."dateCreate"'))}) < ${clinicToday}`

/** SQL condition: user `u` is active. */
const working = raw('not u."deleted" and not u."isBlocked"')

/** SQL condition: user `u` must read the regulation `r`. */
const mustRead = sql`${working} and r."status" = 'active' and not r."deleted" and ${isAudience(raw('r'), raw('u."id"'))}`
