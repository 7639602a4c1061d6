import { imageSizes, News, NewsFile, NewsImage } from '@ordinator/model/areas/news/news'
import type { Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { asPerson, fetchImage } from '#areas/files/index.ts'
import { HttpError } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import type { IncomingImage } from './incoming.ts'
import { notifyOfNews } from './notices.ts'

export const IMAGE_JOB = 'news.image'

/** Seconds until each retry. After one more failure the picture is given up. */
const AGAIN = [60, 600]
/** Maximum number of concurrent downloads per process. */
const AT_ONCE = 3

interface Wanted extends IncomingImage {
  idNews: number
  /** From 1. */
  attempt: number
}

/** Registers the job that downloads pictures of news items from outside; editors of news are notified of a failure. */
export function startImageJob(app: AppContext): void {
  app.jobs.register<Wanted>(IMAGE_JOB, {
    concurrency: AT_ONCE,
    async handler(wanted) {
      const actor = await authorOf(app, wanted)
      if (actor === undefined) return
      const records = app.engine.for({ ...systemActor, id: actor })
      const sender = { ...asPerson(app, { id: actor }), who: 'intake of news' }
      try {
        await attach(records, wanted, await fetchImage(app, records, NewsFile, { url: wanted.url, sender }))
      } catch (error) {
        if (!(error instanceof HttpError)) throw error
        const startAfter = AGAIN[wanted.attempt - 1]
        if (startAfter === undefined) await notifyOfFailure(app, wanted, error.message)
        else await app.jobs.send(IMAGE_JOB, { ...wanted, attempt: wanted.attempt + 1 }, { startAfter })
      }
    },
  })
}

/** The author of the news item; undefined if the item is deleted, or has this picture already. */
async function authorOf({ db }: AppContext, { idNews, url }: Wanted): Promise<number | undefined> {
  const news = await db.one<{ idUser: number }>(sql`select "idUser" from news n where "id" = ${idNews} and not "deleted"
    and not exists (select 1 from news_images i where i."idNews" = n."id" and i."urlExternal" = ${url})`)
  return news?.idUser
}

/** The sizes of one picture share the key of its file. */
function attach(records: Records, { idNews, url, idExternal }: Wanted, file: Row<typeof NewsFile>): Promise<unknown> {
  const create = Object.keys(imageSizes).map((size) => ({
    idNews,
    idFileRegister: file.id,
    key: file.key,
    size,
    urlExternal: url,
    idExternal: idExternal ?? null,
  }))
  return records.batch(NewsImage, { create })
}

function notifyOfFailure(app: AppContext, { idNews, url }: Wanted, reason: string): Promise<unknown> {
  return app.engine.for(systemActor).tx(async (records, tx) => {
    const news = await records.row(News, idNews)
    await notifyOfNews({ actor: systemActor, tx, records }, news, {
      event: 'image',
      title: 'Не удалось загрузить изображение',
      text: `${news.title.slice(0, 300)}\n${url.slice(0, 300)}\n${reason}`,
    })
  })
}
