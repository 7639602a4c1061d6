/** Search of the site: over data visible to visitors, limited in words and results. */
import sql, { raw } from 'sql-template-tag'
import { publicDoctor, publicGood, publicNameSql, publicService } from '#areas/catalogue/index.ts'
import type { Queryable } from '#platform/db.ts'
import { serviceAddress } from './addresses.ts'
import { publicNews } from './reads.ts'

export const MAX_WORDS = 100
const OF_EACH = 15

interface Found {
  kind: 'services' | 'goods' | 'doctors' | 'pages' | 'news'
  id: number
  title: string
  address: string | null
}

/** By a part of the name; a group of services also by its keywords. */
export async function findOnSite(db: Queryable, words: string): Promise<(Omit<Found, 'address'> & { path: string })[]> {
  const pattern = `%${words.replace(/[\\%_]/g, '\\$&')}%`
  const found = await db.query<Found>(sql`
    (select 'services' as "kind", s."id", ${publicNameSql(raw('s'))} as "title", s."friendlyUrl" as "address" from services s
      left join services_groups g on g."id" = s."idGroup" and not g."deleted"
      where ${publicService(raw('s'))} and (s."nameService" ilike ${pattern} or s."publicName" ilike ${pattern} or s."shortNameService" ilike ${pattern}
        or g."nameServiceGroup" ilike ${pattern} or g."groupKeywords" ilike ${pattern})
      order by s."nameService", s."id" limit ${OF_EACH})
    union all (select 'goods', s."id", ${publicNameSql(raw('s'))}, s."friendlyUrl" from services s
      left join services_groups g on g."id" = s."idGroup" and not g."deleted"
      where ${publicGood(raw('s'))} and (s."nameService" ilike ${pattern} or s."publicName" ilike ${pattern} or s."shortNameService" ilike ${pattern}
        or g."nameServiceGroup" ilike ${pattern} or g."groupKeywords" ilike ${pattern})
      order by s."nameService", s."id" limit ${OF_EACH})
    union all (select 'doctors', u."id", concat_ws(' ', u."surname", u."name", u."middleName") || coalesce(', ' || t."name", ''), null
      from users u left join specialities t on t."id" = u."idSpeciality" and not t."deleted"
      where ${publicDoctor(raw('u'))} and (concat_ws(' ', u."surname", u."name", u."middleName") ilike ${pattern}
        or t."name" ilike ${pattern} or u."post" ilike ${pattern})
      order by u."surname", u."id" limit ${OF_EACH})
    union all (select 'pages', v."idPage", v."title", v."slug" from client_versions v join client_pages p on p."id" = v."idPage"
      where v."isCurrent" and not v."noIndex" and not p."deleted" and v."title" ilike ${pattern}
      order by v."title", v."idPage" limit ${OF_EACH})
    union all (select 'news', n."id", left(n."title", 200), null from news n
      where ${publicNews(raw('n'))} and n."title" ilike ${pattern} order by n."dateActive" desc nulls last, n."id" desc limit ${OF_EACH})`)
  return found.map(({ address, ...one }) => ({ ...one, path: pathOf[one.kind](one.id, address) }))
}

const pathOf: Record<Found['kind'], (id: number, address: string | null) => string> = {
  services: (id, friendlyUrl) => serviceAddress({ id, friendlyUrl }),
  goods: (id, friendlyUrl) => serviceAddress({ id, friendlyUrl, isGood: true }),
  doctors: (id) => `/doctors/${id}`,
  pages: (_id, slug) => `/${slug ?? ''}`,
  news: (id) => `/news/${id}`,
}
