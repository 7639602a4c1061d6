/** Set-up progress of a new clinic: one statement checks for each step whether its data exist. */
import { startCalls } from '@ordinator/model/areas/start/calls'
import { clinicWorks, type StartKey, type StartState, startKeys } from '@ordinator/model/areas/start/steps'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { waysOf } from '#areas/messages/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import { shortFioSql } from '#areas/staff/index.ts'
import type { Queryable } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'

/** Upper limit of counting per step. */
const MOST = 1_000

/** Steps checked by the settings, without a table. */
type Outside = 'messages' | 'telephony' | 'portal'

/** The counted rows of each step, from the word `from` on. A step with any is done. */
const counts: Readonly<Record<Exclude<StartKey, Outside>, Sql>> = {
  organization: sql`organizations where "kind" = 'own' and "active" and not "deleted" and coalesce("inn", '') <> ''`,
  branch: sql`filials f where f."active" and not f."deleted"
    and exists (select 1 from filials_rooms r where r."idFilial" = f."id" and not r."deleted")`,
  /** Besides the first administrator. */
  staff: sql`users u where not u."deleted" and not u."isBlocked" and u."login" <> 'admin'
    and exists (select 1 from user_roles r where r."idUser" = u."id")`,
  services: sql`services s where s."active" and not s."deleted" and s."serviceCategory" = 0 and (s."priceService" is not null
    or exists (select 1 from service_prices p where p."idService" = s."id" and not p."deleted"))`,
  performers: sql`services s where s."active" and not s."deleted" and s."serviceCategory" = 0
    and exists (select 1 from service_doctors d join users u on u."id" = d."idUser" and not u."deleted" and not u."isBlocked"
      and u."login" <> 'admin' where d."idService" = s."id")`,
  schedule: sql`staff_events e where e."type" = 'shift' and not e."deleted" and e."dateTo" > now()`,
  desk: sql`cash_desks where "active" and not "deleted"`,
  /** With what a lawful contract and act name: they come ready, and are printed with the organization's requisites. */
  papers: sql`print_templates p where p."isActive" and not p."deleted"
    and exists (select 1 from organizations o join organizations_signatories s on s."idOrganization" = o."id" and not s."deleted"
      where o."kind" = 'own' and not o."deleted" and coalesce(o."fullName", '') <> '' and coalesce(o."ogrn", '') <> ''
        and coalesce(o."legalAddress", '') <> '' and coalesce(o."licenceNumber", '') <> '' and o."licenceDate" is not null
        and coalesce(o."licenceIssuer", '') <> '')
    and exists (select 1 from consents_versions v join consents_templates t on t."id" = v."idTemplate" and not t."deleted")`,
  site: sql`client_pages where "publishedNumber" is not null and not "deleted"`,
  /** A visit that was removed again, or a real one. */
  trial: sql`appointments where "deleted" or "visitStatus" in ('cancelled', 'completed')`,
}
const counted = Object.entries(counts) as [keyof typeof counts, Sql][]

const countsSql = sql`select ${join(
  counted.map(
    ([key, from]) => sql`(select count(*)::int from (select 1 from ${from} limit ${MOST}) q) as ${raw(`"${key}"`)}`,
  ),
)}, (select count(*)::int from (select 1 from appointments where "visitStatus" = 'completed' and not "deleted" limit 1) q) as "visits"`

interface Mark {
  key: StartKey
  state: StartState
  by: { id: number; shortFio: string } | null
  at: string
}

/** Employees who sign in to empty pages: without any right, or at a desk of no branch. */
const idleSql = sql`select u."id"::int as id, ${shortFioSql(raw('u'))} as "shortFio",
    case when p.permissions is null then 'roles' else 'desk' end as why
  from users u left join lateral (select array_agg(distinct x) as permissions from (
      select unnest(r."permissions") as x from user_roles ur join roles r on r."id" = ur."idRole" where ur."idUser" = u."id"
      union select up."permission" from user_permissions up where up."idUser" = u."id") q) p on true
  where not u."deleted" and not u."isBlocked" and u."login" <> 'admin' and (p.permissions is null
    or (('viewCashDesk' = any (p.permissions) and not 'viewAllCashDesks' = any (p.permissions)
        or 'editAppointments' = any (p.permissions) and not 'viewAllAppointments' = any (p.permissions))
      and not exists (select 1 from filials_desks d where d."idUser" = u."id" and not d."deleted")))
  order by 2, 1 limit 20`

async function progressOf(app: AppContext) {
  const [found, { sms, mailer, order }, marks, idle, { telephonyProvider, portalActive }] = await Promise.all([
    app.db.one<Record<keyof typeof counts | 'visits', number>>(countsSql),
    waysOf(app),
    app.db.query<Mark>(sql`select m."key", m."state", m."at",
        case when u."id" is not null then jsonb_build_object('id', u."id", 'shortFio', ${shortFioSql(raw('u'))}) end as by
      from start_marks m left join users u on u."id" = m."idUser"`),
    app.db.query<{ id: number; shortFio: string; why: 'roles' | 'desk' }>(idleSql),
    readCommonSettings(app.db),
  ])
  const ways = [sms, mailer].filter((one) => one !== undefined).length
  const outside: Record<Outside, number> = {
    messages: order.length ? ways : 0,
    telephony: Number(app.config.amiUrl !== undefined || telephonyProvider !== 'off'),
    portal: Number(portalActive),
  }
  const all = { ...(found as NonNullable<typeof found>), ...outside }
  const steps = startKeys.map((key) => {
    const mark = marks.find((one) => one.key === key)
    return {
      key,
      done: all[key] > 0,
      count: all[key],
      state: mark?.state ?? null,
      by: mark?.by ?? null,
      at: mark?.at ?? null,
    }
  })
  return { steps, works: clinicWorks(steps, all.visits > 0), idle }
}

export const progress = operation(startCalls.progress, ({ app }) => progressOf(app))

export const mark = operation(startCalls.mark, async ({ app, actor, params: { key }, body: { state } }) => {
  await keepMark(app.db, key, state, actor.id)
  return progressOf(app)
})

async function keepMark(db: Queryable, key: StartKey, state: StartState | null, idUser: number): Promise<void> {
  await db.query(
    state === null
      ? sql`delete from start_marks where "key" = ${key}`
      : sql`insert into start_marks ("key", "state", "idUser") values (${key}, ${state}, ${idUser})
          on conflict ("key") do update set "state" = excluded."state", "idUser" = excluded."idUser", "at" = now()`,
  )
}
