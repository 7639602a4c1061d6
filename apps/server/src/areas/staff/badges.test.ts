/** Counts of the menu's badges, recomputed by plain SQL over the demo clinic, for each role. */
import { afterAll, beforeAll, expect, it, test } from 'vitest'
import { good } from '#testing/good.ts'
import { type Clinic, testApp } from '#testing/harness.ts'
import { demoLogins } from './demoStaff.ts'

let clinic: Clinic
beforeAll(async () => {
  clinic = await testApp({ demo: true })
})
afterAll(() => clinic.close())

/** By menu page; `right`, or one of `any`: without it the page is hidden. $1 is the user. */
const counted: Readonly<Record<string, { right?: string; any?: readonly string[]; sql: string }>> = {
  notifications: { sql: `select 1 from notifications where "idUser" = $1 and "dateRead" is null and not deleted` },
  myTasks: {
    right: 'viewTasksManagement',
    sql: `select 1 from tasks_management_tasks t where not t.deleted and not "isCompleted" and not "isArchive"
      and not "isTemplate" and not "isWaitCheck" and "dateEnd" < now()
      and exists (select 1 from tasks_management_assigned a join tasks_management_columns c on c.id = a."idColumn"
        join tasks_management_boards b on b.id = c."idBoard"
        where a."idTask" = t.id and not a."isArchive" and not a.deleted and not c.deleted and not b.deleted)
      and exists (select 1 from (select "idTask", "idMember" from tasks_management_executors where not deleted
          union all select "idTask", "idMember" from tasks_management_responsible where not deleted) p
        join tasks_management_members m on m.id = p."idMember" and not m.deleted
        where p."idTask" = t.id and m."idUser" = $1)`,
  },
  deals: {
    right: 'viewSalesManagement',
    sql: `select 1 from sales_management_leads l join sales_management_stages s on s.id = l."idStage"
      where not l.deleted and s."idType" = 1 and l."dateNextStep" < now()
      and exists (select 1 from sales_management_responsible r where r."idLead" = l.id and r."idUser" = $1)`,
  },
  dealRequests: {
    right: 'viewSalesManagement',
    sql: `select 1 from sales_management_requests where not deleted and "state" = 'new' and $1 > 0`,
  },
  liveAssist: {
    right: 'supportOperator',
    sql: `select 1 from live_assist c where not deleted and "status" = 'active' and "inCount" > "readIn"
      and ("snoozedUntil" is null or "snoozedUntil" < now())
      and ("idUser" = $1 or "handler" = 'none' and ("idGroup" is null
        or exists (select 1 from live_assist_groups g where g.id = c."idGroup" and $1 = any (g.users))))`,
  },
  appeals: {
    right: 'viewAppeals',
    sql: `select 1 from appeals where not deleted and "idOwner" = $1 and "status" in ('draft', 'open')`,
  },
  attachment: {
    right: 'check_applications',
    sql: `select 1 from attachment_applications where not deleted and "status" in ('new', 'check') and $1 > 0`,
  },
  labResults: {
    any: ['enterLabResults', 'approveLabResults'],
    sql: `select 1 from laboratory_results where "flag" in ('LL', 'HH') and "calledAt" is null
      and case when "isMain" then "status" <> 'dropped' else "status" = 'raw' end and $1 > 0`,
  },
  sickLeaves: {
    right: 'viewElnList',
    // By the clinic's hours. An open sheet on its last day is pending, with or without the commission; a closed one
    // waits
    // for the Social Fund's reply, or for a signature.
    sql: `select 1 from eln l
      left join lateral (select max(p."dateTo") as last from eln_periods p
        where p."idSickLeave" = l.id and not p.deleted) p on true
      where not l.deleted and l."idDoctor" = $1 and (l."localStatus" in ('dispute', 'rejected', 'toSign')
        or (l."stateSfr" is null or l."stateSfr" in ('010', '020', '040', '050'))
          and l."workFrom" is null and (l."resultCode" is null or l."resultCode" = '')
          and p.last <= (now() at time zone (select coalesce((select value #>> '{}' from common_settings
            where name = 'timeZone'), 'Europe/Moscow')))::date)`,
  },
  news: {
    sql: `select 1 from news n where "active" and not deleted
      and not exists (select 1 from news_reads r where r."idNews" = n.id and r."idUser" = $1 and not r.deleted)`,
  },
  regulations: {
    sql: `select 1 from regulations_reads d join regulations r on r.id = d."idRegulation" and not r.deleted
      where not d.deleted and d."idUser" = $1 and d."dateRead" is null and r."status" = 'active'`,
  },
}

it('every badge is recomputed here', () => {
  const awaited = clinic.context.registry.definitions.flatMap(({ awaiting }) => awaiting?.page ?? [])
  expect([...awaited, 'notifications'].toSorted()).toEqual(Object.keys(counted).toSorted())
})

const seen = new Set<string>()

test.each(demoLogins)('%s', async (login) => {
  const { user } = good(await clinic.as(login).post('/common/get-account', {}))
  const expected: Record<string, number> = {}
  for (const [page, { right, any = right ? [right] : [], sql }] of Object.entries(counted)) {
    if (any.length > 0 && !any.some((one) => user.permissions[one])) continue
    const rows = await clinic.db.query({ text: `select 1 from (${sql} limit 100) x`, values: [user.identity.id] })
    expected[page] = rows.length
  }
  const badges = Object.fromEntries(Object.keys(expected).map((page) => [page, user.badges[page] ?? 0]))
  expect(badges).toEqual(expected)
  expect(Object.keys(user.badges).filter((page) => !(page in expected))).toEqual([])
  expect(good(await clinic.as(login).get('/common/badges'))).toEqual(user.badges)
  for (const page of Object.keys(expected)) if (expected[page]) seen.add(page)
})

it('the demo clinic has records for nearly each badge, so that zeros are not compared with zeros', () => {
  expect(Object.keys(counted).filter((page) => !seen.has(page))).toEqual([])
})
