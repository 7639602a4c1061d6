/** Readers of a news item, those who have not read it, and reminders to them. */
import { newsCalls, type Reader } from '@ordinator/model/areas/news/calls'
import { News, NewsRead } from '@ordinator/model/areas/news/news'
import sql, { raw } from 'sql-template-tag'
import { fioSql, shortFioSql } from '#areas/staff/index.ts'
import type { Queryable } from '#platform/db.ts'
import { badRequest, notFound, tooMany } from '#platform/errors.ts'
import { withRight } from '#records/actor.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { notifyOfNews, working } from './notices.ts'

/** Milliseconds between two reminders of one news item. */
const REMIND_AGAIN = 3_600_000
/** Maximum number of news on the desktop. */
const SHOWN = 5

/** The actor as a reader of news: for calls open to everyone, which show active items only. */
const asReader = (records: Records): Records => records.as(withRight(records.actor, News.access.view))

const latest = operation(newsCalls.latest, ({ records }) =>
  asReader(records).list(News, {
    'filter[active]': 'true',
    sort: '-isPinned,-dateActive,-dateCreate,-id',
    fields: 'title,source,isPinned,isRead,dateActive,dateCreate',
    limit: String(SHOWN),
  }),
)

const open = operation(newsCalls.open, async ({ records, params }) => {
  const news = await asReader(records).view(News, params.id, { expand: 'images.file,user' })
  if (!JSON.parse(news).active) throw notFound()
  return news
})

const markRead = operation(newsCalls.markRead, async ({ records, actor, params }) => {
  await asReader(records).row(News, params.id)
  // The user's own mark, by the scope of marks.
  await records.asSystem.createMany(NewsRead, [{ idNews: params.id, idUser: actor.id }], { skipTaken: true })
})

const readers = operation(newsCalls.readers, async ({ app, records, params }) => {
  await records.row(News, params.id)
  return {
    read: await app.db.query<{ user: Reader; dateRead: string }>(sql`
        select ${brief} as user,
          d."dateRead"
        from news_reads d join users u on u."id" = d."idUser"
        where d."idNews" = ${params.id} and not d."deleted" order by d."dateRead" desc, d."id" desc`),
    unread: (await unreadBy(app.db, params.id)).map(({ user }) => user),
  }
})

const remind = operation(newsCalls.remind, ({ records, actor, params }) =>
  records.tx(async (inside, tx) => {
    // Serializes concurrent reminders: the second is refused as too early.
    await tx.query(sql`select 1 from news where "id" = ${params.id} for update`)
    const news = await inside.row(News, params.id)
    if (!news.active) throw badRequest('Новость не опубликована: её никто не видит')
    const since = news.dateReminded === null ? REMIND_AGAIN : Date.now() - Date.parse(news.dateReminded)
    if (since < REMIND_AGAIN) throw tooMany((REMIND_AGAIN - since) / 1000, 'Напоминать о новости можно раз в час')
    await inside.asSystem.update(News, news.id, { dateReminded: new Date().toISOString() })
    const to = (await unreadBy(tx, news.id)).map(({ user }) => user.id).filter((id) => id !== actor.id)
    const recipients = await notifyOfNews({ actor, tx, records: inside }, news, {
      event: 'remind',
      title: 'Прочитайте новость',
      to,
    })
    return { count: recipients.length }
  }),
)

export const readOperations = [latest, open, markRead, readers, remind]

/** SQL of user `u` as shown in lists of readers. */
const brief = sql`json_build_object('id', u."id", 'fio', ${fioSql(raw('u'))}, 'shortFio', ${shortFioSql(raw('u'))}, 'avatar', u."avatar")`

const unreadBy = (db: Queryable, idNews: number): Promise<{ user: Reader }[]> =>
  db.query<{ user: Reader }>(sql`
    select ${brief} as user from users u
    where ${working} and not exists (
      select 1 from news_reads d where d."idNews" = ${idNews} and d."idUser" = u."id" and not d."deleted"
    ) order by u."surname", u."name", u."id"`)
