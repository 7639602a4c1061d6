/** Scores of visits by the link of a message: without sign-in, once. */
import { portalCalls } from '@ordinator/model/areas/portal/calls'
import { SCORE_DAYS, VisitScore } from '@ordinator/model/areas/visits/visitScore'
import sql, { raw } from 'sql-template-tag'
import { visitOfScoreLink } from '#areas/messages/index.ts'
import { noteAnswer, routesOf, writeToHead } from '#areas/outside/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import { shortFioSql } from '#areas/staff/index.ts'
import { HttpError } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'

interface Asked {
  id: number
  idFilial: number
  localDate: string
  doctor: string
  filial: string
  score: number | null
}

/** The visit of a link. @throws HttpError 410 if it is invalid, did not take place, or is too long ago */
async function asked(app: AppContext, token: string): Promise<Asked> {
  const id = (await readCommonSettings(app.db)).portalActive ? visitOfScoreLink(app, token) : undefined
  const visit =
    id === undefined
      ? undefined
      : await app.db.one<Asked>(sql`
        select a."id"::int as id, a."idFilial"::int as "idFilial", a."localDate"::text as "localDate", ${shortFioSql(raw('u'))} as doctor,
          coalesce(f."shortFilialName", f."nameFilial") as filial, s."score"::int as score
        from appointments a join users u on u."id" = a."idUser" join filials f on f."id" = a."idFilial"
          left join appointments_scores s on s."idAppointment" = a."id"
        where a."id" = ${id} and not a."deleted" and a."visitStatus" = 'completed'
          and coalesce(a."dateCompleted", a."dateTo") > now() - make_interval(days => ${SCORE_DAYS})`)
  if (!visit)
    throw new HttpError(410, `Оценить визит можно ${SCORE_DAYS} дней после него: эта ссылка уже не действует`, {
      code: 'gone',
    })
  return visit
}

const scoreByLink = operation(portalCalls.scoreByLink, async ({ app, body }) => {
  const { id: _, idFilial, ...visit } = await asked(app, body.token)
  const { clinicName } = await readCommonSettings(app.db)
  // The same pages for every score: maps remove reviews of those who were chosen.
  return { clinicName, ...visit, routes: visit.score === null ? [] : await routesOf(app.db, idFilial) }
})

const giveScore = operation(portalCalls.giveScore, async ({ app, body }) => {
  const { id } = await asked(app, body.token)
  await app.engine.for(systemActor).tx(async (records, tx) => {
    // Serializes concurrent answers of one link.
    await tx.query(sql`select 1 from appointments where "id" = ${id} for update`)
    if (await tx.one(sql`select 1 from appointments_scores where "idAppointment" = ${id}`))
      throw new HttpError(409, 'Оценка этого визита уже есть. Спасибо!', { code: 'given' })
    await records.asSystem.create(VisitScore, {
      idAppointment: id,
      score: body.score,
      comment: body.comment || null,
    })
    await noteAnswer(records, tx, { idAppointment: id, score: body.score, comment: body.comment || null })
  })
})

const writeHead = operation(portalCalls.writeHead, async ({ app, body }) => {
  const { id } = await asked(app, body.token)
  await app.engine.for(systemActor).tx(async (records, tx) => {
    await tx.query(sql`select 1 from appointments where "id" = ${id} for update`)
    await writeToHead(records, tx, { idAppointment: id, text: body.text })
  })
})

export const scoreCalls = [scoreByLink, giveScore, writeHead]
