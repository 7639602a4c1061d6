import { News } from '@ordinator/model/areas/news/news'
import type { Row } from '@ordinator/model/entity'
import sql, { raw, type Sql } from 'sql-template-tag'
import { holdsSql } from '../../auth/index.ts'
import type { WriteContext } from '../../records/define.ts'
import { notify } from '../notifications/index.ts'

/** SQL: user `u` may come in. */
export const working: Sql = raw('not u."deleted" and not u."isBlocked"')

/** SQL: user `u` writes news. */
export const writesNews: Sql = holdsSql(raw('u."id"'), 'editNews')

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
  const asked = to ? sql`u."id" = any(${[...to]}::bigint[])` : writesNews
  const seen = news.active ? raw('true') : writesNews
  const people = await context.tx.query<{ id: number }>(
    sql`select u."id" from users u where ${working} and ${asked} and ${seen} order by u."id"`,
  )
  const told = people.map(({ id }) => id)
  await notify(context, told, {
    kind: `news.${event}`,
    title,
    text: (text ?? news.title).slice(0, 1000),
    path: News.path,
    idEntity: news.id,
    link: `/news/${news.id}`,
  })
  return told
}
