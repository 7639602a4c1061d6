/** Reviews: pages of branches that everyone is shown after the question about a visit, and the list of what is written. */
import { Appeal, AppealLink } from '@ordinator/model/areas/appeals/appeal'
import { reviewsReport } from '@ordinator/model/areas/outside/reports'
import { Review, ReviewRoute, reviewSites } from '@ordinator/model/areas/outside/review'
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { HttpError } from '#platform/errors.ts'
import { type Definition, records } from '#records/define.ts'
import type { Records } from '#records/records.ts'
import { dayAt, reportSource } from '#records/reports/source.ts'

const hours = sql`round((extract(epoch from r."dateAnswered" - r."dateReview") / 3600)::numeric, 1)`

export const reviewRecords: readonly Definition[] = [
  records(ReviewRoute),
  records(Review, {
    computed: {
      hoursToAnswer: ({ row }) =>
        sql`round((extract(epoch from ${row}."dateAnswered" - ${row}."dateReview") / 3600)::numeric, 1)::float8`,
    },
    hooks: {
      async beforeUpdate({ actor }, value, before) {
        const isFirst = value.answer && !before.answer
        if (isFirst)
          Object.assign(value, {
            ...{ dateAnswered: new Date().toISOString(), idAnswered: actor.id || null },
            ...(value.state === undefined && { state: 'answered' }),
          })
      },
    },
  }),
]

const TO_HEAD = 'Руководителю, после визита'

interface RouteShown {
  site: string
  url: string
}

/** Pages of a branch for its patients: the same ones whatever they have answered. */
export const routesOf = async (db: Queryable, idFilial: number): Promise<RouteShown[]> =>
  (
    await db.query<{ site: keyof typeof reviewSites; url: string }>(sql`
      select "site", "url" from review_routes where "idFilial" = ${idFilial} and "active" and not "deleted" order by "id" limit 10`)
  ).map(({ site, url }) => ({ site: reviewSites[site], url }))

interface Answered {
  idAppointment: number
  score: number
  comment: string | null
}

/** An answer with words goes to the list of reviews; its author is not named there. */
export async function noteAnswer({ asSystem }: Records, db: Queryable, answer: Answered): Promise<void> {
  if (!answer.comment) return
  const { idFilial, idUser } = await visitOf(db, answer.idAppointment)
  await asSystem.create(Review, {
    ...{ site: 'own', idFilial, idDoctor: idUser, score: answer.score, text: answer.comment },
    ...{ outerId: `visit-${answer.idAppointment}`, dateReview: new Date().toISOString() },
  })
}

/** What a patient writes to the head of the clinic after a visit: an appeal, which somebody must close. */
export async function writeToHead(
  { asSystem }: Records,
  db: Queryable,
  { idAppointment, text }: { idAppointment: number; text: string },
): Promise<void> {
  const written = await db.one(sql`
    select 1 from appeal_links l join appeals p on p."id" = l."idAppeal" where l."entityType" = 'appointments'
      and l."idEntity" = ${idAppointment} and p."description" like ${`${TO_HEAD}%`}`)
  if (written) throw new HttpError(409, 'Вы уже написали об этом визите: вам ответят', { code: 'given' })
  const { idFilial, idCustomer, localDate } = await visitOf(db, idAppointment)
  const { id: idAppeal } = await asSystem.create(Appeal, {
    ...{ idCustomer, idFilial, status: 'open' },
    description: `${TO_HEAD} ${localDate}:\n${text}`,
  })
  await asSystem.create(AppealLink, { idAppeal, entityType: 'appointments', idEntity: idAppointment })
}

const visitOf = async (db: Queryable, id: number) =>
  (await db.one<{ idFilial: number; idUser: number; idCustomer: number; localDate: string }>(sql`
    select "idFilial"::int as "idFilial", "idUser"::int as "idUser", "idCustomer"::int as "idCustomer",
      to_char("localDate", 'DD.MM.YYYY') as "localDate" from appointments where "id" = ${id}`)) as {
    idFilial: number
    idUser: number
    idCustomer: number
    localDate: string
  }

export const reviewFacts = reportSource(
  reviewsReport,
  ({ near }) => sql`
    select ${dayAt(sql`r."dateReview"`, sql`f."timeZone"`)} as "day", r."idFilial" as "filial", r."dateReview" as "at", r."site",
      r."idDoctor" as "doctor", case r."site" when 'own' then r."score" else r."score" * 2 end as "score", r."state",
      ${hours} as "hours", left(r."text", 200) as "text", r."id" as "review", r."dateAnswered" is not null as "isAnswered",
      r."score" is not null as "isScored"
    from reviews r join filials f on f."id" = r."idFilial" where not r."deleted" and ${near(sql`r."dateReview"`)}`,
)
