/** Intakes of news: public endpoints for outside sources. An accepted item is kept even without its pictures. */
import { newsCalls } from '@ordinator/model/areas/news/calls'
import { News, NewsIntake } from '@ordinator/model/areas/news/news'
import type { Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { notFound } from '#platform/errors.ts'
import { isWebhookKey, newWebhookKey, oncePerSender, openSecret, readSigned, renewSecret } from '#platform/webhook.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { records } from '#records/define.ts'
import { operation } from '#records/operation.ts'
import { IMAGE_JOB } from './imageJob.ts'
import { type Incoming, incoming } from './incoming.ts'
import { notifyOfNews } from './notices.ts'

const SECRETS = 'news_intake_secrets'

export const newsIntakes = records(NewsIntake, {
  computed: {
    hasSecret: ({ row }) => sql`exists (select 1 from news_intake_secrets s where s."idIntake" = ${row}."id")`,
  },
  hooks: {
    beforeCreate(_context, value) {
      Object.assign(value, { key: newWebhookKey() })
    },
  },
})

const makeSecret = operation(newsCalls.makeSecret, async ({ app, records, params }) => {
  const { id } = await records.row(NewsIntake, params.id)
  return { secret: await renewSecret(app.db, SECRETS, id) }
})

const takeNews = operation(newsCalls.takeNews, async ({ app, params, request }) => {
  const intake = await intakeAt(app.db, params.key)
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const { payload, idExternal } = readSigned(intake.secret, request.headers, bytes)
  return { ok: true as const, repeated: await take(app, intake, incoming(payload, intake.source), idExternal) }
})

/**
 * Stores a post from another area as news, through its configured intake, once per id; a disabled intake accepts
 * nothing, and a post without text and pictures is ignored.
 */
export async function takePost(
  app: AppContext,
  idIntake: number,
  payload: Readonly<Record<string, unknown>>,
  idExternal: string,
): Promise<void> {
  const intake = await app.db.one<Intake>(sql`select i."id", i."source", i."publish", i."idUser", null as "secret"
    from news_intakes i where i."id" = ${idIntake} and i."isActive" and not i."deleted"`)
  if (intake) await take(app, intake, incoming(payload, intake.source), idExternal)
}

export const intakeOperations = [makeSecret, takeNews]

type Intake = Pick<Row<typeof NewsIntake>, 'id' | 'source' | 'publish' | 'idUser'> & { secret: string | null }

/** A disabled intake and an unknown one get the same response. */
async function intakeAt(db: Queryable, key: string): Promise<Intake> {
  const intake = isWebhookKey(key)
    ? await db.one<Intake>(sql`select i."id", i."source", i."publish", i."idUser", s."secret"
        from news_intakes i left join news_intake_secrets s on s."idIntake" = i."id"
        where i."key" = ${key} and i."isActive" and not i."deleted"`)
    : undefined
  if (!intake) throw notFound('Приём новостей не найден')
  return { ...intake, secret: openSecret(db, SECRETS, intake.id, intake.secret) }
}

/** Stores a news item once, also if it was deleted; its pictures follow by jobs. @returns whether it existed */
function take(
  app: AppContext,
  { id: idIntake, source, publish, idUser }: Intake,
  { images, left, ...fields }: Incoming,
  idExternal: string,
): Promise<boolean> {
  return app.engine.for({ ...systemActor, id: idUser }).tx(async (records, tx) => {
    await oncePerSender(tx, `news ${source} ${idExternal}`)
    if (await tx.one(sql`select 1 from news where "source" = ${source} and "idExternal" = ${idExternal}`)) return true
    const news = await records.asSystem.create(News, { ...fields, source, active: publish, idExternal, idIntake })
    for (const image of images) await app.jobs.send(IMAGE_JOB, { idNews: news.id, ...image, attempt: 1 }, { tx })
    const missed = left > 0 && `Картинок не взято: ${left}`
    if (!publish || missed)
      await notifyOfNews({ actor: systemActor, tx, records }, news, {
        event: 'incoming',
        title: publish ? 'Пришла новость' : 'Новость ждёт публикации',
        text: [news.title.slice(0, 900), missed].filter(Boolean).join('\n'),
      })
    return false
  })
}
