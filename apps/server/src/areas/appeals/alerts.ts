/** Notifies supervisors about overdue promises, once each. */
import { LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { counted } from '@ordinator/model/format'
import sql from 'sql-template-tag'
import { notify } from '#areas/notifications/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import { holdsSql } from '#auth/index.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { promisesSql } from './promiseSql.ts'

const JOB = 'appeals.alerts'
/** Promises per run; the next run continues. */
const MOST = 1_000
const SUPERVISORS = 200
/** Days for which notices are remembered; older overdue promises were announced before. */
const KEPT_DAYS = 90

export function startAlerts(app: AppContext): void {
  app.jobs.register(JOB, { cron: '*/5 * * * *', handler: () => notifyOverdue(app) })
}

/** Promises overdue by more than the clinic's limit. Another due date of the same record is another promise. */
async function notifyOverdue(app: AppContext): Promise<void> {
  const { promiseAlert } = await readCommonSettings(app.db)
  if (promiseAlert === 0) return
  const overdue = promisesSql(
    () => true,
    false,
    ({ kind, source }) => sql`where f.due < now() - make_interval(mins => ${promiseAlert})
      and f.due > now() - make_interval(days => ${KEPT_DAYS})
      and not exists (select from promise_alerts t where t."kind" = ${kind} and t."source" = ${source}
        and t."idEntity" = f."id" and t."dueAt" = f.due)
      order by f.due desc, f."id" limit ${MOST}`,
  )
  await app.engine.for(systemActor).tx(async (records, tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${JOB}, 0))`)
    const [found] = await tx.query<{ count: number }>(sql`
      with made as (insert into promise_alerts ("kind", "source", "idEntity", "dueAt")
        select f.what, f.source, f."id", f.due from (${overdue}) f on conflict do nothing returning 1)
      select count(*)::int as count from made`)
    await tx.query(sql`delete from promise_alerts where "dateCreate" < now() - make_interval(days => ${KEPT_DAYS * 2})`)
    if (!found?.count) return
    const to = await tx.query<{ id: number }>(sql`select u."id" from users u where not u."deleted" and not u."isBlocked"
      and ${holdsSql(sql`u."id"`, 'superviseLiveAssist')} order by u."id" limit ${SUPERVISORS}`)
    await notify(
      { actor: systemActor, tx, records },
      to.map(({ id }) => id),
      {
        kind: 'promise.overdue',
        title: `Просрочено: ${counted(found.count, ['обещание', 'обещания', 'обещаний'])}`,
        text: `Больше ${counted(promiseAlert, ['минуты', 'минут', 'минут'])} после срока: кто-то из пациентов ждёт`,
        path: LiveAssist.path,
        link: '/journal/promises',
      },
    )
  })
}
