/** Facts of the report on violations of regulations. */
import { violationsReport, violationWeights } from '@ordinator/model/areas/regulations/reports'
import sql, { join } from 'sql-template-tag'
import { clinicZone } from '#areas/settings/index.ts'
import { dayAt, reportSource } from '#records/reports/source.ts'

const pointsSql = sql`case v."level" ${join(
  Object.entries(violationWeights).map(([level, points]) => sql`when ${level} then ${points}::int`),
  ' ',
)} else 0 end`

export const violationFacts = reportSource(
  violationsReport,
  ({ near }) => sql`
    select ${dayAt(sql`v."dateCreate"`, clinicZone)} as "day", v."dateCreate" as "at", 'violation' as "what",
      v."idRegulation" as "regulation", s."title" as "step", v."idUser" as "user", v."level", v."source", v."description",
      v."state", v."explanation", case when v."state" = 'rejected' then 0 else ${pointsSql} end as "points",
      case when v."state" in ('confirmed', 'fixed') then coalesce(v."deduction", 0) else 0 end as "deduction",
      v."state" <> 'rejected' as "isViolation", v."state" in ('new', 'explained') as "isWaiting",
      v."state" in ('confirmed', 'fixed') as "isConfirmed", false as "isRun", false as "isClean"
    from regulations_violations v left join regulations_steps s on s."id" = v."idStep"
    where not v."deleted" and ${near(sql`v."dateCreate"`)}
    union all
    select ${dayAt(sql`r."dateEnd"`, clinicZone)}, r."dateEnd", 'run', r."idRegulation", null, r."idUser", null, null, null, null,
      null, 0, 0, false, false, false, true,
      not exists (select from regulations_violations v where v."idRun" = r."id" and not v."deleted" and v."state" <> 'rejected')
    from regulations_runs r where r."state" = 'finished' and not r."deleted" and ${near(sql`r."dateEnd"`)}`,
)
