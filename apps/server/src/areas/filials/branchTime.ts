import type { Holiday, WorkingHours } from '@ordinator/model/hours'
import { ALWAYS, timeOfBranch, type WorkingTime } from '@ordinator/model/workingTime'
import sql from 'sql-template-tag'
import { clinicToday, clinicZone } from '#areas/settings/index.ts'
import type { Queryable } from '#platform/db.ts'

/** Working hours of a branch; always, without a branch or without hours. */
export async function branchTime(db: Queryable, idFilial: number | null): Promise<WorkingTime> {
  const row = await db.one<{ week: WorkingHours | null; timeZone: string; days: Holiday[] }>(sql`
    select f."workingHours" as week, coalesce(f."timeZone", ${clinicZone}) as "timeZone",
      coalesce((select jsonb_agg(jsonb_build_object('day', h."day", 'start', h."start", 'end', h."end"))
        from filials_holidays h where h."idFilial" = f."id" and not h."deleted" and h."day" >= ${clinicToday} - 31), '[]') as days
    from filials f where f."id" = ${idFilial} and not f."deleted"`)
  return row?.week ? timeOfBranch(row.week, row.days, row.timeZone) : ALWAYS
}
