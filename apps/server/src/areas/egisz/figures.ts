/** The figures of the exchange with the register for a period. */
import { egiszCalls } from '@ordinator/model/areas/egisz/calls'
import { LATE_HOURS, type SemdStatus } from '@ordinator/model/areas/egisz/semd'
import sql from 'sql-template-tag'
import { operation } from '../../records/operation.ts'
import { clinicZone } from '../settings/index.ts'

const MOST_REFUSALS = 10

export const figures = operation(egiszCalls.figures, async ({ app, query: { from, to } }) => {
  const start = sql`(${from}::date::timestamp at time zone ${clinicZone})`
  const end = sql`((${to}::date + 1)::timestamp at time zone ${clinicZone})`
  const db = app.db.reads
  const byStatus = await db.query<{
    status: SemdStatus
    count: number
  }>(sql`select "status", count(*)::int as count from egisz_semds
    where "dateDocument" >= ${start} and "dateDocument" < ${end} group by "status" order by count(*) desc`)
  const refusals = await db.query<{ code: string; message: string; count: number }>(sql`
    select coalesce(f->>'code', '') as code, min(f->>'message') as message, count(*)::int as count
    from egisz_semds s cross join jsonb_array_elements(s."findings") f
    where s."dateDocument" >= ${start} and s."dateDocument" < ${end} and f->>'source' = 'register'
    group by 1 order by count(*) desc limit ${MOST_REFUSALS}`)
  const rest = (await db.one<{ median: number | null; late: number; signed: number; covered: number }>(sql`
    select (select percentile_cont(0.5) within group (order by extract(epoch from "dateRegistered" - "dateSent"))
        from egisz_semds where "dateDocument" >= ${start} and "dateDocument" < ${end} and "dateRegistered" is not null) as median,
      (select count(*)::int from egisz_semds where "status" = 'accepted' and "dateSent" < now() - make_interval(hours => ${LATE_HOURS})) as late,
      (select count(*)::int from examinations e join examination_templates t on t."id" = e."idTemplate"
        where e."status" = 'signed' and not e."deleted" and e."dateSigned" >= ${start} and e."dateSigned" < ${end}
          and exists (select from egisz_documents k where not k."deleted" and k."active"
            and (k."idTemplate" = e."idTemplate" or (k."idTemplate" is null and t."semdKind" <> '')))) as signed,
      (select count(*)::int from examinations e where e."status" = 'signed' and not e."deleted" and e."dateSigned" >= ${start} and e."dateSigned" < ${end}
          and exists (select from egisz_semds s where s."idExamination" = e."id" and s."status" = 'registered')) as covered`)) as {
    median: number | null
    late: number
    signed: number
    covered: number
  }
  const countOf = (status: SemdStatus) => byStatus.find((one) => one.status === status)?.count ?? 0
  const registered = countOf('registered') + countOf('replaced')
  const rejected = countOf('rejected')
  return {
    total: byStatus.reduce((sum, { count }) => sum + count, 0),
    byStatus,
    registered,
    rejected,
    registeredShare:
      registered + rejected === 0 ? null : Math.round((registered / (registered + rejected)) * 1000) / 10,
    refusals: refusals.map(({ message, ...one }) => ({ ...one, message: message.slice(0, 300) })),
    medianSeconds: rest.median === null ? null : Math.round(Number(rest.median)),
    late: rest.late,
    coverage: rest.signed === 0 ? null : Math.round((rest.covered / rest.signed) * 1000) / 10,
    toSend: countOf('validated') + countOf('signedDoctor') + countOf('signedOrg'),
  }
})
