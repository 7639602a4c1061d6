import { News } from '@ordinator/model/areas/news/news'
import type { Row } from '@ordinator/model/entity'
import sql, { raw, type Sql } from 'sql-template-tag'
import { notify } from '#areas/notifications/index.ts'
import { holdsSql } from '#auth/index.ts'
import type { WriteContext } from '#records/define.ts'

/** SQL: user `u` may come in. */
export const working: Sql = raw('not u."deleted" and not u."isBlocked"')

/** SQL: user `u` writes news. */
export const writesNews: Sql = holdsSql(raw('u."id"'), 'editNews')

/** SQL: user `u` has the page of news. */
const readsNews: Sql = holdsSql(raw('u."id"'), 'displayTableNews')

interface NewsNotice {
  /** After the dot of the kind: `remind`, `comment`. */
  event: string
  title: string
  text?: string
  /** Absent: who writes news. */
  to?: readonly number[]
}

/** Tells people of a news item; who does not see it is not told. Answers who could be. */
export async function tellNews(
  context: Pick<WriteContext, 'actor' | 'tx' | 'records'>,
  news: Pick<Row<typeof News>, 'id' | 'title' | 'active'>,
  { event, title, text, to }: NewsNotice,
): Promise<number[]> {
  // Who reads news only on the desktop sees no discussion of them.
  const reads = event === 'remind' ? raw('true') : sql`(${readsNews} or ${writesNews})`
  const asked = to ? sql`u."id" = any(${[...to]}::bigint[])` : writesNews
  const seen = news.active ? raw('true') : writesNews
  const people = await context.tx.query<{ id: number; hasPage: boolean }>(
    sql`select u."id", (${readsNews} or ${writesNews}) as "hasPage" from users u where ${working} and ${asked} and ${reads} and ${seen} order by u."id"`,
  )
  const told = people.map(({ id }) => id)
  for (const [hasPage, some] of Map.groupBy(people, (one) => one.hasPage)) {
    await notify(
      context,
      some.map(({ id }) => id),
      {
        kind: `news.${event}`,
        title,
        text: (text ?? news.title).slice(0, 1000),
        path: News.path,
        idEntity: news.id,
        link: hasPage ? `/news/${news.id}` : `/?news=${news.id}`,
      },
    )
  }
  return told
}
