/** Facts of the birthday report. */
import { birthdaysReport } from '@ordinator/model/areas/customers/reports'
import sql, { type Sql } from 'sql-template-tag'
import { clinicToday } from '#areas/settings/index.ts'
import { reportSource } from '#records/reports/source.ts'

/** Customers `p` with a birthday on day `d`; both sides match the index of customers. */
const isBirthday = sql`(extract(month from p."birthday"), extract(day from p."birthday")) = (extract(month from d.born), extract(day from d.born))`

const born = (who: 'patient' | 'staff', table: Sql, customer: Sql, user: Sql): Sql => sql`
  select d.day as "date", ${who}::text as "who", ${customer} as "customer", ${user} as "user",
    (extract(year from d.day) - extract(year from p."birthday"))::int as "years", d.day = d.today as "isToday",
    ${who === 'patient'}::boolean as "isPatient", ${who === 'staff'}::boolean as "isStaff"
  from days d join ${table} p on ${isBirthday}`

export const birthdays = reportSource(
  birthdaysReport,
  () => sql`
    with today as (select ${clinicToday} as day),
    week as (select (t.day + n)::date as day, t.day as today from today t cross join generate_series(0, 6) n),
    days as (
      select w.day, w.today, w.day as born from week w
      union all select w.day, w.today, date '2000-02-29' from week w
        where extract(month from w.day) = 3 and extract(day from w.day) = 1 and extract(day from w.day - 1) = 28
    )
    ${born('patient', sql`customers`, sql`p."id"`, sql`null::bigint`)} and not p."deleted" and p."dateDeath" is null
    union all
    ${born('staff', sql`users`, sql`null::bigint`, sql`p."id"`)} and not p."deleted" and not p."isBlocked"`,
)
