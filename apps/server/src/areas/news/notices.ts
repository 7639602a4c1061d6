import { News } from '@ordinator/model/areas/news/news'
import type { Row } from '@ordinator/model/entity'
import sql, { raw, type Sql } from 'sql-template-tag'
import { notify } from '#areas/notifications/index.ts'
import { holdsSql } from '#auth/index.ts'
import type { WriteContext } from '#records/define.ts'

/** SQL condition: user `u` is active. */
export const working: Sql = raw('not u."deleted" and not u."isBlocked"')

/** SQL condition: user `u` edits news. */
export const writesNews: Sql = holdsSql(raw('u."id"'), 'editNews')

/** SQL condition: user `u` has the page of news. */
const readsNews: Sql = holdsSql(raw('u."id"'), 'displayTableNews')

interface NewsNotice {
  /** Second part of the kind: `remind`, `comment`. */
  event: string
  title: string
  text?: string
  /** Absent: editors of news. */
  to?: readonly number[]
}

/** Notifies people about a news item; users without access to it are skipped. @returns the notified ones */
export async function notifyOfNews(
  context: Pick<WriteContext, 'actor' | 'tx' | 'records'>,
  news: Pick<Row<typeof News>, 'id' | 'title' | 'active'>,
  { event, title, text, to }: NewsNotice,
): Promise<number[]> {
  // Readers on the desktop only do not see the discussion.
  const reads = event === 'remind' ? raw('true') : sql`(${readsNews} or ${writesNews})`
  const asked = to ? sql`u."id" = any(${[...to]}::bigint[])` : writesNews
  const mayRead = news.active ? raw('true') : writesNews
  const people = await context.tx.query<{ id: number; hasPage: boolean }>(
    sql`select u."id", (${readsNews} or ${writesNews}) as "hasPage" from users u where ${working} and ${asked} and ${reads} and ${mayRead} order by u."id"`,
  )
  const recipients = people.map(({ id }) => id)
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
  return recipients
}
