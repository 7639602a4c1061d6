/** Figures of campaigns over a period: those of the campaigns report (`reports.ts`). */
import { type CampaignFacts, lawChecks, returns } from '@ordinator/model/areas/advertising/attribution'
import { advertisingCalls, type CampaignFigures } from '@ordinator/model/areas/advertising/calls'
import { AdCampaign } from '@ordinator/model/areas/advertising/campaign'
import { campaignsReport } from '@ordinator/model/areas/advertising/reports'
import { rubles } from '@ordinator/model/areas/money/rules'
import type { CountedPage } from '@ordinator/model/areas/reports/mailing'
import { plusDays } from '@ordinator/model/zone'
import sql, { raw } from 'sql-template-tag'
import { countPage, readMeasures } from '#areas/reports/index.ts'
import type { Lane, Queryable } from '#platform/db.ts'
import { badRequest } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import { branchesToCount, inOwnBranch } from '#records/branches.ts'
import { operation } from '#records/operation.ts'
import type { PageCount } from '#records/pageCount.ts'
import { sourceAt } from '#records/reports/source.ts'

/** Maximum number of days of a period. */
const MAX_DAYS = 731

interface Asked {
  from: string
  to: string
  touch: 'last' | 'first'
  filial?: number | undefined
}
/** Additive measures of the campaigns report; those of advertising alone are sums over its campaigns. */
const measures = ['cost', 'clicks', 'appeals', 'bookings', 'visits', 'newcomers', 'paid', 'adAppeals'] as const

type Facts = CampaignFacts & { clicks: number; adAppeals: number }
const nothing = (): Facts => ({
  spend: 0,
  clicks: 0,
  appeals: 0,
  bookings: 0,
  visits: 0,
  newPatients: 0,
  paid: 0,
  adAppeals: 0,
})

/** Figures of the campaigns report by campaign (0: without one) or by day; kopecks for money. */
async function factsOf(
  db: Queryable | Lane,
  asked: Asked,
  actor: ServerActor,
): Promise<{ campaigns: Map<number, Facts>; days: Map<string, Facts> }> {
  // Both groupings are read from one snapshot.
  if ('tx' in db) return db.tx((tx) => factsOf(tx, asked, actor), { isolation: 'repeatable read', readOnly: true })
  const { from, to, touch, filial } = asked
  const filter = {
    from,
    until: to,
    filials: branchesToCount(actor, filial === undefined ? [] : [filial]),
    is: [],
    parameters: { touch },
  }
  const source = sourceAt(campaignsReport.key)
  const groups = (by: string) => readMeasures(db, source, filter, [by], measures)
  const [campaigns, days] = [await groups('campaign'), await groups('day')]
  const of = ({ values }: { values: Record<string, number | null> }): Facts => {
    const value = (name: (typeof measures)[number]) => values[name] ?? 0
    return {
      spend: Math.round(value('cost') * 100),
      clicks: value('clicks'),
      appeals: value('appeals'),
      bookings: value('bookings'),
      visits: value('visits'),
      newPatients: value('newcomers'),
      paid: Math.round(value('paid') * 100),
      adAppeals: value('adAppeals'),
    }
  }
  const own = campaigns.filter(({ level }) => level === 1)
  return {
    campaigns: new Map(own.map((one) => [Number(one.key[0] ?? 0), of(one)])),
    days: new Map(days.filter(({ level }) => level === 1).map((one) => [String(one.key[0]), of(one)])),
  }
}

function figuresOf(
  { adAppeals: _, ...facts }: Facts,
  campaign: Pick<CampaignFigures, 'idCampaign' | 'name' | 'channel' | 'status' | 'budget'>,
): CampaignFigures {
  const { cpl, cac, romi, toBooking, toVisit } = returns(facts)
  return {
    ...campaign,
    ...facts,
    spend: rubles(facts.spend),
    paid: rubles(facts.paid),
    cpl: cpl === null ? null : rubles(cpl),
    cac: cac === null ? null : rubles(cac),
    ...{ romi, toBooking, toVisit },
  }
}

export const reportCount: PageCount<Asked, Awaited<ReturnType<typeof counted>>> = {
  key: 'advertising/report' satisfies CountedPage,
  count: counted,
}

export const report = operation(advertisingCalls.report, async ({ app, actor, query }) => {
  const { from, to, filial } = query
  if (from > to) throw badRequest('Параметр to: последний день раньше первого')
  if (plusDays(from, MAX_DAYS) < to) throw badRequest('Период не длиннее двух лет')
  const { filial: _, ...asked } = query
  const found = await countPage(app, actor, reportCount, { ...asked, ...(filial !== undefined && { filial }) })
  if (found.figures) return found.figures
  const none = { idCampaign: null, name: 'Итого', channel: null, status: null, budget: null }
  return { rows: [], total: figuresOf(nothing(), none), days: [], run: found.run }
})

async function counted(db: Queryable | Lane, asked: Asked, actor: ServerActor) {
  const { from, to, filial } = asked
  const [{ campaigns: facts, days }, campaigns] = await Promise.all([
    factsOf(db, asked, actor),
    db.query<{ id: number; name: string; channel: string; status: string; budget: number | null; runs: boolean }>(sql`
      select "id", "name", "channel", "status", "budget"::float8 as budget,
        "status" <> 'draft' and "dateFrom" <= ${to} and ("dateTo" is null or "dateTo" >= ${from}) and not "deleted"
          and ${filial === undefined ? raw('true') : sql`("idFilial" = ${filial} or "idFilial" is null)`} as runs
      from advertising_campaigns where ${inOwnBranch(actor, sql`"idFilial"`)} order by "name" limit 2000`),
  ])
  const rows = campaigns.flatMap(({ id, name, channel, status, budget, runs }) => {
    const own = facts.get(id)
    return own || runs ? [figuresOf(own ?? nothing(), { idCampaign: id, name, channel, status, budget })] : []
  })
  const others = facts.get(0)
  if (others)
    rows.push(figuresOf(others, { idCampaign: null, name: 'Без рекламы', channel: null, status: null, budget: null }))
  const total = nothing()
  // Cost and return count only people from advertising.
  const advertised = nothing()
  for (const [id, own] of facts)
    for (const key of Object.keys(total) as (keyof Facts)[]) {
      total[key] += own[key]
      if (id !== 0) advertised[key] += own[key]
    }
  const { adAppeals: _, ...shownTotal } = total
  const budget = rows.reduce((sum, row) => sum + Math.round((row.budget ?? 0) * 100), 0)
  return {
    rows: rows.toSorted((a, b) => b.spend - a.spend || b.appeals - a.appeals),
    total: {
      ...figuresOf(advertised, {
        idCampaign: null,
        name: 'Итого',
        channel: null,
        status: null,
        budget: rubles(budget),
      }),
      ...shownTotal,
      spend: rubles(total.spend),
      paid: rubles(total.paid),
    },
    days: [...days]
      .filter(([, { spend, adAppeals }]) => spend !== 0 || adAppeals !== 0)
      .map(([day, { spend, adAppeals }]) => ({ day, spend: rubles(spend), appeals: adAppeals }))
      .toSorted((a, b) => (a.day < b.day ? -1 : 1)),
  }
}

export const checks = operation(advertisingCalls.checks, async ({ app, records, params: { id } }) => {
  const campaign = await records.row(AdCampaign, id)
  const creatives = await app.db.reads.query<{
    name: string
    text: string | null
    isOnline: boolean
    erid: string | null
  }>(sql`select "name", "text", "isOnline", "erid" from advertising_creatives
    where "idCampaign" = ${id} and not "deleted" order by "id" limit 200`)
  return {
    checks: lawChecks(
      { erid: campaign.erid, contract: campaign.idContractor !== null, creatives },
      await licenceOf(app.db.reads),
    ),
  }
})

async function licenceOf(db: Queryable): Promise<string | null> {
  const row = await db.one<{ number: string | null }>(sql`select "licenceNumber" as number from organizations
    where "kind" = 'own' and not "deleted" order by "licenceNumber" nulls last, "id" limit 1`)
  return row?.number ?? null
}
