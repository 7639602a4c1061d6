/** Figures of campaigns over a period; each is computed by its own query, and payments by the ledger. */
import { type CampaignFacts, lawChecks, returns } from '@ordinator/model/areas/advertising/attribution'
import { advertisingCalls, type CampaignFigures } from '@ordinator/model/areas/advertising/calls'
import { AdCampaign } from '@ordinator/model/areas/advertising/campaign'
import { rubles } from '@ordinator/model/areas/money/rules'
import { plusDays } from '@ordinator/model/zone'
import sql, { raw, type Sql } from 'sql-template-tag'
import { clinicZone } from '#areas/settings/index.ts'
import type { Queryable } from '#platform/db.ts'
import { badRequest } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'

/** Maximum number of days of a period. */
const MAX_DAYS = 731

interface Asked {
  from: string
  to: string
  touch: 'last' | 'first'
  filial?: number | undefined
}
type Facts = CampaignFacts & { clicks: number }
const nothing = (): Facts => ({
  spend: 0,
  clicks: 0,
  appeals: 0,
  bookings: 0,
  visits: 0,
  newPatients: 0,
  paid: 0,
})

interface Counted extends Partial<Facts> {
  idCampaign: number | null
}

const moment = (day: string, later = 0): Sql =>
  sql`((${day}::date + ${later}::int)::timestamp at time zone ${clinicZone})`

async function factsOf(db: Queryable, { from, to, touch, filial }: Asked): Promise<Map<number, Facts>> {
  const campaign = raw(touch === 'last' ? 'v."idLast"' : 'v."idFirst"')
  const here = filial === undefined ? raw('true') : sql`v."idFilial" = ${filial}`
  const parts = await Promise.all([
    db.query<Counted>(sql`
      select c."idCampaign", (sum(c."cost") * 100)::float8 as spend, coalesce(sum(c."clicks"), 0)::int as clicks
      from advertising_costs c join advertising_campaigns p on p."id" = c."idCampaign"
      where not c."deleted" and c."localDate" between ${from} and ${to}
        and ${filial === undefined ? raw('true') : sql`p."idFilial" = ${filial}`} group by 1`),
    db.query<Counted>(sql`
      select ${campaign} as "idCampaign", count(*) filter (where v."kind" = 'appeal')::int as appeals,
        count(*) filter (where v."kind" = 'booking')::int as bookings
      from advertising_conversions v where v."dateConversion" >= ${moment(from)} and v."dateConversion" < ${moment(to, 1)} and ${here}
      group by 1`),
    db.query<Counted>(sql`
      with held as (
        select a."id", a."idCustomer", a."dateFrom", ${campaign} as campaign
        from appointments a join advertising_conversions v on v."idAppointment" = a."id" and v."kind" = 'booking'
        where a."visitStatus" = 'completed' and not a."deleted" and a."localDate" between ${from} and ${to} and ${here}
      ), money as (
        select h."id", sum(k."allocated") as paid from held h join coupons c on c."idAppointment" = h."id"
          join coupon_services l on l."idCoupon" = c."id" join ledger_lines k on k."idLine" = l."id" group by 1
      )
      select h.campaign as "idCampaign", count(*)::int as visits, count(*) filter (where not exists (
          select 1 from appointments b where b."idCustomer" = h."idCustomer" and b."visitStatus" = 'completed'
            and not b."deleted" and b."dateFrom" < h."dateFrom"))::int as "newPatients",
        coalesce(sum(m.paid), 0)::float8 as paid
      from held h left join money m on m."id" = h."id" group by 1`),
  ])
  const all = new Map<number, Facts>()
  for (const { idCampaign, ...counted } of parts.flat()) {
    const facts = all.get(idCampaign ?? 0) ?? nothing()
    all.set(idCampaign ?? 0, Object.assign(facts, counted))
  }
  return all
}

function figuresOf(
  facts: Facts,
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

export const report = operation(advertisingCalls.report, async ({ app, query }) => {
  const { from, to, touch, filial } = query
  if (from > to) throw badRequest('Параметр to: последний день раньше первого')
  if (plusDays(from, MAX_DAYS) < to) throw badRequest('Период не длиннее двух лет')
  const db = app.db.reads
  const [facts, campaigns, days] = await Promise.all([
    factsOf(db, { from, to, touch, filial }),
    db.query<{ id: number; name: string; channel: string; status: string; budget: number | null; runs: boolean }>(sql`
      select "id", "name", "channel", "status", "budget"::float8 as budget,
        "status" <> 'draft' and "dateFrom" <= ${to} and ("dateTo" is null or "dateTo" >= ${from}) and not "deleted" as runs
      from advertising_campaigns where ${filial === undefined ? raw('true') : sql`("idFilial" = ${filial} or "idFilial" is null)`}
      order by "name" limit 2000`),
    daysOf(db, { from, to, touch, filial }),
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
      ...total,
      spend: rubles(total.spend),
      paid: rubles(total.paid),
    },
    days,
  }
})

async function daysOf(db: Queryable, { from, to, touch, filial }: Asked) {
  const campaign = raw(touch === 'last' ? 'v."idLast"' : 'v."idFirst"')
  return db.query<{ day: string; spend: number; appeals: number }>(sql`
    select to_char(day, 'YYYY-MM-DD') as day, sum(spend)::float8 as spend, sum(appeals)::int as appeals from (
      select c."localDate" as day, c."cost" as spend, 0 as appeals from advertising_costs c
        join advertising_campaigns p on p."id" = c."idCampaign"
      where not c."deleted" and c."localDate" between ${from} and ${to}
        and ${filial === undefined ? raw('true') : sql`p."idFilial" = ${filial}`}
      union all
      select (v."dateConversion" at time zone ${clinicZone})::date, 0, 1 from advertising_conversions v
      where v."kind" = 'appeal' and ${campaign} is not null and v."dateConversion" >= ${moment(from)}
        and v."dateConversion" < ${moment(to, 1)} and ${filial === undefined ? raw('true') : sql`v."idFilial" = ${filial}`}
    ) x group by day order by day`)
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
