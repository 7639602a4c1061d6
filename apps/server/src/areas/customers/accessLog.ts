import { ALERT_CARDS, accessActions } from '@ordinator/model/areas/customers/access'
import { customerCalls } from '@ordinator/model/areas/customers/calls'
import sql, { join, raw } from 'sql-template-tag'
import { fioSql, ifFound } from '#areas/staff/index.ts'
import { operation } from '#records/operation.ts'
import { and } from '#records/plan.ts'

const DAYS = 7
/** Titles of journal lines about a patient's personal link. */
export const LINK_MADE = 'Личная ссылка в кабинет пациента'
export const LINK_OPENED = 'Пациент вошёл в личный кабинет по личной ссылке'
/** Exports of a day from which they may be unusual, and how many times more than usual. */
const [UNUSUAL_LEAST, UNUSUAL_TIMES] = [5, 3]
const MOST_ALERTS = 100
const actions = Object.keys(accessActions)

const iso = (column: string, fraction: 'MS' | 'US' = 'MS') =>
  raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.${fraction}"Z"')`)

/** Journal lines about patients' data, newest first; one index scan. */
export const accessLog = operation(customerCalls.accessLog, async ({ app, query }) => {
  await app.journal.settle()
  const { idCustomer, idUser, action, from, to, before, limit } = query
  const [beforeDt, beforeId] = before?.split('_') ?? []
  const condition = and([
    action ? sql`l.action = ${action}` : sql`l.action in (${join(actions)})`,
    // Sign-ins are in the same table.
    sql`l."entityType" is distinct from 'auth'`,
    ...(idCustomer ? [sql`l."idCustomer" = ${idCustomer}`] : []),
    ...(idUser ? [sql`l."idUser" = ${idUser}`] : []),
    ...(from ? [sql`l.dt >= ${from}::timestamptz`] : []),
    ...(to ? [sql`l.dt < ${to}::timestamptz`] : []),
    ...(before ? [sql`(l.dt, l.id) < (${beforeDt}::timestamptz, ${beforeId}::bigint)`] : []),
  ])
  const rows = await app.db.broad.query<Line & { at: string }>(sql`
    select l.id::int as id, ${iso('l.dt')} as dt, ${iso('l.dt', 'US')} as at, l.action, l."entityType", l."idEntity"::int as "idEntity",
      l."idCustomer"::int as "idCustomer", l."idUser"::int as "idUser", l.ip, l.basis, l."requestId",
      ${ifFound(raw('c'), fioSql)} as customer,
      ${ifFound(raw('u'), fioSql)} as "user"
    from (select * from access_log l where ${condition} order by l.dt desc, l.id desc limit ${raw(String(limit + 1))}) l
    left join customers c on c."id" = l."idCustomer" left join users u on u."id" = l."idUser"
    order by l.dt desc, l.id desc`)
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  const items = shown.map(({ entityType, at, ...line }) => ({ ...line, label: labelOf(entityType) }))
  return { items, next: last ? `${last.at}_${last.id}` : null }

  function labelOf(path: string | null): string | null {
    return app.registry.definitions.find(({ entity }) => entity.path === path)?.entity.label[0] ?? path
  }
})

interface Line {
  id: number
  dt: string
  action: string
  entityType: string | null
  idEntity: number | null
  idCustomer: number | null
  idUser: number | null
  ip: string | null
  basis: string | null
  requestId: string | null
  customer: string | null
  user: string | null
}

/**
 * Alerts for a supervisor: many cards within an hour, exports of cards, restricted cards opened with a reason, a
 * patient's link opened from its author's address, a patient's sign-in by a phone changed recently.
 */
export const accessAlerts = operation(customerCalls.accessAlerts, async ({ app }) => {
  await app.journal.settle()
  const since = raw(`now() - interval '${DAYS} days'`)
  const items = await app.db.broad.query<Alert>(sql`
    select a.kind, a."idUser"::int as "idUser", ${fioSql(raw('u'))} as "user", ${iso('a.dt')} as dt, a.count, a.what from (
      (select 'many'::text as kind, "idUser", date_trunc('hour', dt) as dt, count(distinct "idCustomer")::int as count, null::text as what
        from access_log where dt > ${since} and action = 'view' and "idCustomer" is not null and "idUser" is not null
        group by "idUser", date_trunc('hour', dt) having count(distinct "idCustomer") > ${ALERT_CARDS})
      union all
      (select 'export', "idUser", dt, 1, basis from access_log
        where dt > ${since} and action = 'export' and "entityType" = 'customers' and "idUser" is not null)
      union all
      (${unusualExports(since)})
      union all
      (select 'secret', l."idUser", l.dt, 1, concat_ws(': ', ${fioSql(raw('c'))}, l.basis) from access_log l
        join customers c on c."id" = l."idCustomer"
        where l.dt > ${since} and l.action = 'open' and l."idUser" is not null)
      union all
      (select 'link', made."idUser", opened.dt, 1, ${fioSql(raw('c'))} from access_log made
        join access_log opened on opened."idCustomer" = made."idCustomer" and opened.ip = made.ip
          and opened.basis like ${`${LINK_OPENED}%`} and opened.dt between made.dt and made.dt + interval '1 day'
        join customers c on c."id" = made."idCustomer"
        where made.dt > ${since} and made.basis = ${LINK_MADE} and made."idUser" is not null)
      union all
      (select 'phone', f."idUser", s."dateCreate", 1, ${fioSql(raw('c'))} from customer_phone_changes f
        join portal_sessions s on s."idCustomer" = f."idCustomer" and s."phone" is not null
          and s."dateCreate" between f."dateCreate" and f."dateCreate" + interval '72 hours'
        join customers c on c."id" = f."idCustomer" where f."dateCreate" > ${since})
    ) a join users u on u."id" = a."idUser" order by a.dt desc limit ${raw(String(MOST_ALERTS))}`)
  return { items }
})

/**
 * Days on which a person exported three times as often as people of the same roles usually do on a day with exports, and
 * at least five times.
 */
const unusualExports = (since: ReturnType<typeof raw>) => sql`
  with daily as (
    select "idUser", date_trunc('day', dt) as dt, count(*)::int as count from access_log
    where dt > ${since} and action = 'export' and "idUser" is not null group by 1, 2)
  select 'unusual'::text, d."idUser", d.dt, d.count, null::text from daily d
  where d.count >= ${UNUSUAL_LEAST} and d.count > ${UNUSUAL_TIMES} * coalesce((
    select percentile_cont(0.5) within group (order by o.count) from daily o
    where o."idUser" <> d."idUser" and exists (
      select 1 from user_roles mine join user_roles other on other."idRole" = mine."idRole"
      where mine."idUser" = d."idUser" and other."idUser" = o."idUser")), 0)`

interface Alert {
  kind: 'many' | 'export' | 'unusual' | 'secret' | 'link' | 'phone'
  idUser: number
  user: string
  dt: string
  count: number
  what: string | null
}
