/** Statistics of the exchange with the register for a period: documents, messages and events. */
import { egiszCalls } from '@ordinator/model/areas/egisz/calls'
import { type EgiszEvent, LATE_HOURS, Semd, type SemdStatus } from '@ordinator/model/areas/egisz/semd'
import { type ExchangeStatus, failedStatuses } from '@ordinator/model/areas/exchange/exchangeMessage'
import type { Row } from '@ordinator/model/entity'
import sql, { raw, type Sql } from 'sql-template-tag'
import { ofOpenCard } from '#areas/customers/index.ts'
import { withinDays } from '#areas/settings/index.ts'
import type { Queryable } from '#platform/db.ts'
import type { ServerActor } from '#records/actor.ts'
import { inOwnBranch, recordInOwnBranch } from '#records/branches.ts'
import { countedCall } from '#records/countedCall.ts'
import { operation } from '#records/operation.ts'

const MOST_REFUSALS = 10
/** Maximum number of journal lines counted: the newest of the period. */
const MOST_LINES = 20_000

const share = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 1000) / 10

async function figuresOf(db: Queryable, { from, to }: { from: string; to: string }, actor: ServerActor) {
  const own = inOwnBranch(actor, sql`"idFilial"`)
  const ofDocument = sql`${withinDays(sql`"dateDocument"`, from, to)} and ${own}`
  const ofSigning = withinDays(sql`e."dateSigned"`, from, to)
  const byStatus = await db.query<{
    status: SemdStatus
    count: number
  }>(sql`select "status", count(*)::int as count from egisz_semds
    where ${ofDocument} group by "status" order by count(*) desc`)
  const refusals = await db.query<{ code: string; message: string; count: number }>(sql`
    select coalesce(f->>'code', '') as code, min(f->>'message') as message, count(*)::int as count
    from egisz_semds s cross join jsonb_array_elements(s."findings") f
    where ${ofDocument} and f->>'source' = 'register'
    group by 1 order by count(*) desc limit ${MOST_REFUSALS}`)
  const rest = (await db.one<{ median: number | null; late: number; signed: number; covered: number }>(sql`
    select (select percentile_cont(0.5) within group (order by extract(epoch from "dateRegistered" - "dateSent"))
        from egisz_semds where ${ofDocument} and "dateRegistered" is not null) as median,
      (select count(*)::int from egisz_semds where "status" = 'accepted' and "dateSent" < now() - make_interval(hours => ${LATE_HOURS}) and ${own}) as late,
      (select count(*)::int from examinations e join examination_templates t on t."id" = e."idTemplate"
        where e."status" = 'signed' and not e."deleted" and ${ofSigning}
          and exists (select from egisz_documents k where not k."deleted" and k."active"
            and (k."idTemplate" = e."idTemplate" or (k."idTemplate" is null and t."semdKind" <> '')))) as signed,
      (select count(*)::int from examinations e where e."status" = 'signed' and not e."deleted" and ${ofSigning}
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
    registeredShare: share(registered, registered + rejected),
    refusals: refusals.map(({ message, ...one }) => ({ ...one, message: message.slice(0, 300) })),
    medianSeconds: rest.median === null ? null : Math.round(Number(rest.median)),
    late: rest.late,
    coverage: share(rest.covered, rest.signed),
    toSend: countOf('validated') + countOf('signedDoctor') + countOf('signedOrg'),
  }
}

export const figures = countedCall(egiszCalls.figures, {
  asked: ({ query }) => query,
  count: figuresOf,
  empty: () => ({
    ...{ total: 0, byStatus: [], registered: 0, rejected: 0, registeredShare: null, refusals: [], medianSeconds: null },
    ...{ late: 0, coverage: null, toSend: 0 },
  }),
})

interface Counted {
  total: number
  incoming: number
  repeated: number
  medianMs: number | null
  slowMs: number | null
  byStatus: { status: ExchangeStatus; count: number }[]
  errors: { code: string; text: string; count: number }[]
}

export const messageFigures = operation(egiszCalls.messageFigures, async ({ app, query: { from, to } }) => {
  // Each adapter has a partial index, so that other exchanges cost nothing here.
  const of = (
    adapter: string,
  ): Sql => sql`(select "id", "direction", "status", "attempts", "durationMs", "errorCode", "errorText"
    from exchange_messages where "adapter" = ${adapter} and ${withinDays(sql`"dateCreate"`, from, to)} order by "id" desc limit ${MOST_LINES + 1})`
  const found =
    (await app.db.broad.one<Counted>(sql`with lines as materialized (select * from (${of('egisz')} union all ${of('nsi')}) l order by "id" desc limit ${MOST_LINES + 1})
    select count(*)::int as total, (count(*) filter (where "direction" = 'in'))::int as incoming,
      (count(*) filter (where "attempts" > 1))::int as repeated,
      round(percentile_cont(0.5) within group (order by "durationMs"))::int as "medianMs",
      round(percentile_cont(0.95) within group (order by "durationMs"))::int as "slowMs",
      coalesce((select json_agg(s order by s."count" desc) from (
        select "status", count(*)::int as "count" from lines group by 1) s), '[]') as "byStatus",
      coalesce((select json_agg(e order by e."count" desc) from (
        select coalesce("errorCode", '') as "code", left(coalesce(min("errorText"), ''), 300) as "text", count(*)::int as "count"
        from lines where "status" in ('rejected', 'network_error', 'dead') group by 1 order by 3 desc limit ${MOST_REFUSALS}) e), '[]') as "errors"
    from lines`)) as Counted
  const countOf = (statuses: readonly ExchangeStatus[]) =>
    found.byStatus.reduce((sum, { status, count }) => sum + (statuses.includes(status) ? count : 0), 0)
  const failed = countOf(failedStatuses)
  return {
    ...found,
    isCut: found.total > MOST_LINES,
    failed,
    failedShare: share(failed, found.total),
    waiting: countOf(['queued', 'sent', 'accepted']),
  }
})

type Event = Row<typeof EgiszEvent>

export const eventFigures = operation(egiszCalls.eventFigures, async ({ app, actor, query: { from, to } }) => {
  const own = recordInOwnBranch(app.registry, actor, Semd.path, raw('e."idSemd"'))
  const rows = await app.db.broad.query<{ kind: Event['kind']; level: Event['level']; count: number }>(sql`
    select "kind", "level", count(*)::int as count from (
      select "kind", "level" from egisz_events e where ${withinDays(sql`"dateCreate"`, from, to)} and ${own} order by "id" desc limit ${MOST_LINES + 1}) l
    group by 1, 2`)
  const lastError = await app.db.broad.one<{ text: string; date: Date }>(sql`
    select e."text", e."dateCreate" as "date" from egisz_events e where e."level" = 'error'
      and ${withinDays(sql`e."dateCreate"`, from, to)} and ${own} and (e."idSemd" is null or exists (
        select from egisz_semds s where s."id" = e."idSemd" and ${ofOpenCard({ row: raw('s'), me: sql`${actor.id}::bigint` })}))
    order by e."id" desc limit 1`)
  const sum = (some: readonly { count: number }[]) => some.reduce((all, { count }) => all + count, 0)
  const most = <T extends { count: number }>(some: T[]): T[] => some.sort((one, other) => other.count - one.count)
  return {
    total: sum(rows),
    isCut: sum(rows) > MOST_LINES,
    byLevel: most([...Map.groupBy(rows, ({ level }) => level)].map(([level, own]) => ({ level, count: sum(own) }))),
    byKind: most(
      [...Map.groupBy(rows, ({ kind }) => kind)].map(([kind, own]) => ({
        kind,
        count: sum(own),
        wrong: sum(own.filter(({ level }) => level !== 'info')),
      })),
    ),
    lastError: lastError ? { text: lastError.text, date: new Date(lastError.date).toISOString() } : null,
  }
})
