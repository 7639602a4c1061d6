/**
 * Figures of a month, in processor time: reports, KPI and advertising of a clinic that has only this month, and of one
 * with 36 months behind the same month. Days are precomputed and closed months of KPI fixed, as in production.
 */
import { reports } from '@ordinator/model/reports'
import { dayIn, plusDays } from '@ordinator/model/zone'
import { fixMonths } from '../apps/server/src/areas/kpi/counts.ts'
import { type BenchClinic, release, startClinic } from './clinic.ts'
import { ownCpu } from './cpu.ts'
import { countDays, fill, lastingToken } from './reports.ts'
import { type Line, median, ms, type Part } from './table.ts'

/** Visits of a month, and months. */
export const FIGURE_SIZES = [3_000, 36]
const MONTH = 30
const REPEATS = 9
const MONTH_GOAL = 300
const GROWTH_GOAL = 1.5

/** @param sizes visits of a month, and months behind it */
export async function measureFigures([visits = 0, months = 0]: readonly number[]): Promise<Part> {
  const until = dayIn('Europe/Moscow', Date.now())
  const from = plusDays(until, 1 - MONTH)
  const asked = {
    'revenue by doctor': `/reports/revenue?from=${from}&until=${until}&by=doctor`,
    visits: `/reports/visits?from=${from}&until=${until}`,
    load: `/reports/load?from=${from}&until=${until}`,
    funnel: `/reports/funnel?from=${from}&until=${until}`,
    sources: `/reports/revenue-by-customer-sources?from=${from}&until=${until}`,
    'KPI of the clinic': `/reports/kpi-analysis?month=${until.slice(0, 7)}`,
    'KPI of people': `/reports/kpi-analysis/people?month=${until.slice(0, 7)}`,
    advertising: `/advertising/report?from=${from}&to=${until}`,
  }
  const alone = await measured(visits, MONTH, asked)
  const behind = await measured(visits * months, MONTH * months, asked)
  const lines = Object.keys(asked).flatMap((what): Line[] => {
    const [one, all] = [alone.get(what) ?? 0, behind.get(what) ?? 0]
    const growth = all / Math.max(one, 5)
    return [
      {
        what: `${what}: a month, ${months} months`,
        product: ms(all),
        goal: { text: `≤ ${MONTH_GOAL} ms`, met: all <= MONTH_GOAL },
      },
      {
        what: `${what}: against the month alone (${ms(one)})`,
        product: `${growth.toFixed(2)} ×`,
        goal: { text: `≤ ${GROWTH_GOAL} ×`, met: growth <= GROWTH_GOAL },
      },
    ]
  })
  return { title: `Figures of a month of ${visits.toLocaleString('en')} visits, processor time`, lines }
}

/** Median CPU milliseconds of the server and PostgreSQL per request. */
async function measured(visits: number, days: number, asked: Record<string, string>): Promise<Map<string, number>> {
  const clinic = await startClinic({ tasks: 2_000, durable: false })
  await fill(clinic, visits, days)
  await plans(clinic)
  const tokenNow = lastingToken(clinic)
  await countDays(clinic, tokenNow, days)
  await fixMonths({ db: clinic.db, config: { demoYears: false } })
  // As the server's own upkeep leaves tables that have grown.
  await clinic.client.query('vacuum analyze')
  const found = new Map<string, number>()
  for (const [what, path] of Object.entries(asked)) {
    const times: number[] = []
    for (let at = 0; at < REPEATS; at++) {
      const token = await tokenNow()
      const spent = await ownCpu(clinic.product.pid, clinic.db)
      const answer = await fetch(`${clinic.product.url}${path}`, { headers: { authorization: `Bearer ${token}` } })
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${(await answer.text()).slice(0, 300)}`)
      await answer.text()
      const { server, postgres } = spent()
      if (at > 1) times.push(server + postgres)
    }
    found.set(what, median(times))
  }
  await release()
  return found
}

/** A KPI and a plan of each doctor, so that people are counted. */
async function plans({ client, data }: BenchClinic): Promise<void> {
  await client.query({
    text: `insert into user_permissions ("idUser", "permission") select $1, p from unnest($2::text[]) p on conflict do nothing`,
    values: [data.idUsers[0], ['viewAdvertising', ...new Set(reports.flatMap(({ any }) => [...any]))]],
  })
  await client.query(`insert into kpi_definitions ("name", "code", "formula", "order")
    values ('Доходимость', 'came', '100 * визиты / записи', 1), ('Выручка', 'revenue', 'выручка', 2)`)
  await client.query({
    text: `insert into kpi_plans ("month", "idKpi", "idUser", "plan")
      select date_trunc('month', now())::date, k."id", u, 50 from kpi_definitions k, unnest($1::bigint[]) u`,
    values: [data.idUsers.slice(0, 30)],
  })
}
