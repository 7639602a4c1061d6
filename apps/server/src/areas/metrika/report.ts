import {
  MAX_REPORT_DAYS,
  type MetrikaFigures,
  type MetrikaReport,
  metrikaCalls,
} from '@ordinator/model/areas/metrika/calls'
import { type CrmEvent, MetrikaCounter, MetrikaGoal } from '@ordinator/model/areas/metrika/metrika'
import type { CountedPage } from '@ordinator/model/areas/reports/mailing'
import type { Row } from '@ordinator/model/entity'
import { formatDay } from '@ordinator/model/format'
import { plusDays } from '@ordinator/model/zone'
import sql, { raw } from 'sql-template-tag'
import { countPage } from '#areas/reports/index.ts'
import { AdapterFault } from '#platform/adapter.ts'
import type { Queryable } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'
import type { PageCount } from '#records/pageCount.ts'
import { bookedSql, paidSql, touchesSql } from './chain.ts'
import { MAX_GOALS, metrikaOf } from './client.ts'
import { tokenOf } from './counters.ts'
import type { StatRow } from './simulated.ts'

type By = 'day' | 'source' | 'campaign' | 'goal'
type Chain = Pick<MetrikaFigures, 'appeals' | 'appointments' | 'came' | 'paid'>

const UNMARKED = 'Без метки'
const nothing = (): MetrikaFigures => ({ visits: 0, reaches: 0, appeals: 0, appointments: 0, came: 0, paid: 0 })

/** @throws ValidationError that names the invalid end */
export function assertPeriod(from: string, to: string): void {
  if (from > to) throw new ValidationError([{ field: 'to', message: 'Конец периода раньше начала' }])
  if (plusDays(from, MAX_REPORT_DAYS) < to)
    throw new ValidationError([{ field: 'to', message: `Период не длиннее ${MAX_REPORT_DAYS} дней` }])
}

export const report = operation(metrikaCalls.report, async ({ app, actor, records, query }): Promise<MetrikaReport> => {
  const { from, to, by, idCounter } = query
  assertPeriod(from, to)
  const counters = await records.rows(MetrikaCounter, {
    'filter[active]': 'true',
    ...(idCounter && { 'filter[id]': idCounter }),
    limit: 20,
  })
  const goals = await records.rows(MetrikaGoal, {
    'filter[idCounter][in]': counters.map(({ id }) => id).join() || '0',
    'filter[active]': 'true',
    limit: 200,
  })
  const idFilial = idCounter ? (counters[0]?.idFilial ?? null) : null
  const { figures: chain, run } = await countPage(app, actor, chainCount, { from, to, by, idFilial })
  if (!chain) return { rows: [], total: nothing(), asked: null, trouble: null, unmarked: 0, run }
  const stat = await statOf(app, counters, goals, { from, to, by })
  const total = { ...nothing(), ...chain.total }
  for (const { visits, reaches } of stat.rows) {
    total.visits += visits
    total.reaches += reaches.reduce((sum, one) => sum + one, 0)
  }
  const rows = by === 'goal' ? goalRows(stat, chain.total) : joined(by, stat.rows, new Map(chain.rows))
  return { rows, total, asked: stat.asked, trouble: stat.trouble, unmarked: chain.unmarked }
})

interface ChainAsked {
  from: string
  to: string
  by: By
  idFilial: number | null
}

const chainCount: PageCount<ChainAsked, Awaited<ReturnType<typeof chainOf>>> = {
  key: 'metrika/report' satisfies CountedPage,
  count: chainOf,
}
export const metrikaCounts = [chainCount]

interface Stat {
  rows: StatRow[]
  goals: Row<typeof MetrikaGoal>[]
  asked: string | null
  trouble: string | null
}

/** Figures of the counters; one that does not respond is omitted, and reported. */
async function statOf(
  app: AppContext,
  counters: Row<typeof MetrikaCounter>[],
  goals: Row<typeof MetrikaGoal>[],
  asked: { from: string; to: string; by: By },
): Promise<Stat> {
  if (counters.length === 0) return { rows: [], goals: [], asked: null, trouble: 'Счётчик не подключён' }
  const fetched: { row: StatRow; own: Row<typeof MetrikaGoal>[] }[] = []
  const troubles: string[] = []
  await Promise.all(
    counters.map(async ({ id, number, name }) => {
      const own = goals.filter(({ idCounter }) => idCounter === id).slice(0, MAX_GOALS)
      try {
        const metrika = await metrikaOf(app, number, await tokenOf(app.db, id))
        if (!metrika) throw new AdapterFault('Метрика выключена в «Подключениях»')
        const rows = await metrika.stat({ ...asked, goals: own.map(({ goalId }) => goalId) })
        fetched.push(...rows.map((row) => ({ row, own })))
        await app.exchanged({ adapter: 'metrika', operation: 'Отчёт по целям', status: 'done' })
      } catch (error) {
        if (!(error instanceof AdapterFault)) throw error
        troubles.push(`${name}: ${error.message}`)
        await app.exchanged({
          adapter: 'metrika',
          operation: 'Отчёт по целям',
          status: 'rejected',
          error: error.message,
        })
      }
    }),
  )
  // Each goal has its own column over several counters.
  const rows = fetched.map(({ row, own }) => ({
    ...row,
    reaches: goals.map((goal) => row.reaches[own.indexOf(goal)] ?? 0),
  }))
  return { rows, goals, asked: fetched.length ? new Date().toISOString() : null, trouble: troubles.join('. ') || null }
}

/** The clinic's figure for a goal. */
const figureOf: Record<CrmEvent, keyof Chain | null> = {
  none: null,
  appeal: 'appeals',
  appointment: 'appointments',
  visit: 'came',
  payment: 'paid',
}

function goalRows({ rows, goals }: Stat, chain: Chain): MetrikaReport['rows'] {
  const visits = rows.reduce((sum, row) => sum + row.visits, 0)
  return goals.map(({ id, name, crmEvent }, at) => {
    const figure = figureOf[crmEvent]
    const reaches = rows.reduce((sum, row) => sum + (row.reaches[at] ?? 0), 0)
    return { key: String(id), label: name, ...nothing(), visits, reaches, ...(figure && { [figure]: chain[figure] }) }
  })
}

function joined(by: By, stat: readonly StatRow[], chain: ReadonlyMap<string, Chain>): MetrikaReport['rows'] {
  const rows = new Map<string, MetrikaFigures>()
  const rowAt = (key: string) => {
    const row = rows.get(key) ?? nothing()
    rows.set(key, row)
    return row
  }
  for (const { key, visits, reaches } of stat) {
    const row = rowAt(by === 'source' ? key.toLowerCase() : key)
    row.visits += visits
    row.reaches += reaches.reduce((sum, one) => sum + one, 0)
  }
  for (const [key, figures] of chain) Object.assign(rowAt(key), figures)
  return [...rows]
    .map(([key, figures]) => ({ key, label: key === '' ? UNMARKED : by === 'day' ? formatDay(key) : key, ...figures }))
    .toSorted((a, b) => (by === 'day' ? b.key.localeCompare(a.key) : b.visits - a.visits || b.appeals - a.appeals))
}

/** The clinic's own figures of the period, by row key and in total; each total is counted and not summed. */
async function chainOf(db: Queryable, asked: ChainAsked, actor: ServerActor) {
  const { from, to, by, idFilial } = asked
  const key = { day: raw('"day"::text'), source: raw('source'), campaign: raw('campaign'), goal: raw('nothing') }[by]
  const found = await db.query<Chain & { key: string; whole: boolean; unmarked: number }>(sql`
    with touches as materialized (select * from ${touchesSql} t
      where t."day" >= ${from}::date - 90 and t."day" <= ${to}::date + 90),
    booked as materialized ${bookedSql(actor, idFilial)}, paid as materialized ${paidSql(actor, idFilial)},
    cohort as (select t.*, ''::text as nothing, b.booked, b.came, p.paid from touches t
      left join (select touch, count(*)::int as booked, count(came)::int as came from booked group by touch) b on b.touch = t."id"
      left join (select touch, sum(sum) as paid from paid group by touch) p on p.touch = t."id"
      where t."day" between ${from}::date and ${to}::date)
    select coalesce(${key}, '') as key, grouping(${key}) = 1 as whole, count(*)::int as appeals,
      coalesce(sum(booked), 0)::int as appointments, coalesce(sum(came), 0)::int as came,
      coalesce(sum(paid), 0)::float8 as paid, (count(*) filter (where source = ''))::int as unmarked
    from cohort group by grouping sets ((${key}), ()) limit 10001`)
  const whole = found.find((row) => row.whole)
  const figures = ({ appeals = 0, appointments = 0, came = 0, paid = 0 }: Partial<Chain> = {}): Chain => ({
    appeals,
    appointments,
    came,
    paid,
  })
  return {
    rows: found.filter((row) => !row.whole).map((row): [string, Chain] => [row.key, figures(row)]),
    total: figures(whole),
    unmarked: whole?.unmarked ?? 0,
  }
}
