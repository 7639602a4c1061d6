/** Costs by day from the file of an advertising account: existing days are replaced. */
import { advertisingCalls } from '@ordinator/model/areas/advertising/calls'
import { AdCampaign, AdCost } from '@ordinator/model/areas/advertising/campaign'
import { readCosts } from '@ordinator/model/areas/advertising/costFile'
import { rubles } from '@ordinator/model/areas/money/rules'
import sql from 'sql-template-tag'
import { badRequest } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'

const MAX_SHOWN = 30

/** UTF-8, else windows-1251, which advertising systems use. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1251').decode(bytes)
  }
}

export const importCosts = operation(advertisingCalls.importCosts, ({ records, request, query }) => {
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  if (bytes.length === 0) throw badRequest('Файл пуст')
  const { rows, problems } = readCosts(decode(bytes))
  if (rows.length === 0) throw badRequest(problems[0] ?? 'В файле нет строк с расходами')
  return records.tx(async (inside, tx) => {
    if (query.campaign !== undefined) await inside.row(AdCampaign, query.campaign)
    const campaigns = await tx.query<{ id: number; name: string; utm: string | null }>(
      sql`select "id", lower(trim("name")) as name, lower(trim("utmCampaign")) as utm from advertising_campaigns
        where not "deleted" order by "id"`,
    )
    const named = new Map<string, number>()
    for (const { id, name, utm } of campaigns) {
      if (utm) named.set(utm, id)
      named.set(name, id)
    }
    const sums = new Map<
      string,
      { idCampaign: number; day: string; kopecks: number; clicks: number | null; impressions: number | null }
    >()
    const add = (a: number | null, b: number | null) => (a === null && b === null ? null : (a ?? 0) + (b ?? 0))
    for (const row of rows) {
      const idCampaign = query.campaign ?? named.get(row.campaign?.trim().toLowerCase() ?? '')
      if (idCampaign === undefined) {
        if (problems.length < MAX_SHOWN)
          problems.push(`Строка ${row.line}: нет кампании «${row.campaign ?? 'без названия'}»`)
        continue
      }
      const key = `${idCampaign}|${row.day}`
      const sum = sums.get(key) ?? { idCampaign, day: row.day, kopecks: 0, clicks: null, impressions: null }
      sums.set(key, {
        ...sum,
        kopecks: sum.kopecks + row.kopecks,
        clicks: add(sum.clicks, row.clicks),
        impressions: add(sum.impressions, row.impressions),
      })
    }
    const wanted = [...sums.values()]
    const there = await tx.query<{ id: number; key: string }>(sql`
      select c."id", c."idCampaign" || '|' || to_char(c."localDate", 'YYYY-MM-DD') as key from advertising_costs c
      where not c."deleted" and c."idCampaign" = any (${wanted.map(({ idCampaign }) => idCampaign)}::bigint[]) for update`)
    const known = new Map(there.map(({ id, key }) => [key, id]))
    const bodyOf = ({ idCampaign, day, kopecks, clicks, impressions }: (typeof wanted)[number]) => ({
      idCampaign,
      localDate: day,
      cost: rubles(kopecks),
      clicks,
      impressions,
    })
    const fresh = wanted.filter(({ idCampaign, day }) => !known.has(`${idCampaign}|${day}`))
    if (fresh.length > 0) await inside.asSystem.createMany(AdCost, fresh.map(bodyOf))
    let changed = 0
    for (const one of wanted) {
      const id = known.get(`${one.idCampaign}|${one.day}`)
      if (id === undefined) continue
      const { idCampaign: _, ...body } = bodyOf(one)
      await inside.asSystem.update(AdCost, id, body)
      changed++
    }
    return { added: fresh.length, changed, problems }
  })
})
