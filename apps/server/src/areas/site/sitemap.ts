/** Sitemap in parts of PART addresses: each part costs the same with ten thousand pages as with a thousand. */
import sql, { raw } from 'sql-template-tag'
import { publicDoctor, publicFilial, publicGood, publicService } from '#areas/catalogue/index.ts'
import type { Queryable } from '#platform/db.ts'
import { fullAddress, type Place, serviceAddress } from './addresses.ts'
import { html } from './html.ts'
import { publicNews } from './reads.ts'

const PART = 2_000
/** Protocol limit of addresses in one index. */
const MAX_PARTS = 500

/** Kinds of addresses, each ordered by id, so that a part continues after the previous one. */
const all = sql`
  select 1 as "kind", v."idPage" as "id", coalesce(v."slug", '') as "at", v."dateCreate" as "moment"
    from client_versions v where v."isCurrent" and not v."noIndex"
  union all select 2, s."id", s."friendlyUrl", s."dateChange" from services s where ${publicService(raw('s'))}
  union all select 3, u."id", null, null from users u where ${publicDoctor(raw('u'))}
  union all select 4, f."id", null, f."dateChange" from filials f where ${publicFilial(raw('f'))}
  union all select 5, n."id", null, n."dateChange" from news n where ${publicNews(raw('n'))}
  union all select 6, s."id", s."friendlyUrl", s."dateChange" from services s where ${publicGood(raw('s'))}`

const pathOf = (kind: number, id: number, address: string | null): string => {
  if (kind === 1) return `/${address ?? ''}`
  if (kind === 2 || kind === 6) return serviceAddress({ id, friendlyUrl: address, isGood: kind === 6 })
  return `/${({ 3: 'doctors', 4: 'filials', 5: 'news' } as Record<number, string>)[kind]}/${id}`
}

/** The index, or the single list if everything fits. */
export async function sitemap(db: Queryable, place: Place): Promise<string | undefined> {
  const found = await db.one<{ total: number }>(
    sql`select count(*)::int as total from (select 1 from (${all}) a limit ${PART * MAX_PARTS}) x`,
  )
  const parts = Math.ceil((found?.total ?? 0) / PART)
  if (parts <= 1) return sitemapPart(db, place, 1)
  return html`<?xml version="1.0" encoding="UTF-8"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${Array.from(
    { length: parts },
    (_, at) => html`<sitemap><loc>${fullAddress(place, `/sitemap-${at + 1}.xml`)}</loc></sitemap>`,
  )}</sitemapindex>`.html
}

/** @param part from 1 */
export async function sitemapPart(db: Queryable, place: Place, part: number): Promise<string | undefined> {
  const rows = await db.query<{ kind: number; id: number; at: string | null; moment: Date | string | null }>(
    sql`select * from (${all}) a order by "kind", "id" limit ${PART} offset ${(part - 1) * PART}`,
  )
  if (rows.length === 0 && part > 1) return undefined
  const dayOf = (moment: Date | string | null) => (moment ? new Date(moment).toISOString() : undefined)
  return html`<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${rows.map(
    ({ kind, id, at, moment }) => {
      const changed = dayOf(moment)
      return html`<url><loc>${fullAddress(place, pathOf(kind, id, at))}</loc>${changed && html`<lastmod>${changed}</lastmod>`}</url>`
    },
  )}</urlset>`.html
}
