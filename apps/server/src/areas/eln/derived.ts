/** SQL of derived fields of a sheet: its days, and the next action. Must agree with the model's rules. */
import { commonSettings } from '@ordinator/model/areas/settings/commonSettings'
import sql, { type Sql } from 'sql-template-tag'
import { clinicToday, settingSql } from '#areas/settings/index.ts'

const periods = (row: Sql): Sql => sql`eln_periods p where p."idSickLeave" = ${row}."id" and not p."deleted"`

export const dateFromSql = (row: Sql): Sql => sql`(select min(p."dateFrom") from ${periods(row)})`
export const dateToSql = (row: Sql): Sql => sql`(select max(p."dateTo") from ${periods(row)})`
export const daysSql = (row: Sql): Sql =>
  sql`coalesce((select max(p."dateTo") - min(p."dateFrom") + 1 from ${periods(row)}), 0)::int`
export const hasChairmanSql = (row: Sql): Sql =>
  sql`exists (select from ${periods(row)} and p."idChairman" is not null)`

export const isClosedSql = (row: Sql): Sql =>
  sql`(${row}."workFrom" is not null or coalesce(${row}."resultCode", '') <> '')`

const shortPosts = sql`coalesce((select "value" from common_settings where "name" = 'elnFeldsherPosts'),
  ${JSON.stringify(commonSettings.elnFeldsherPosts.byDefault)}::jsonb)`

/** The day after which the doctor of the last period needs the commission; null: never, or there is no period. */
export const aloneUntilSql = (row: Sql): Sql => sql`case when ${row}."reason" is distinct from '05' then
  (select min(p."dateFrom") - ${row}."daysBefore" - 1 + case when exists (
      select from jsonb_array_elements_text(${shortPosts}) as word
      where word <> '' and lower((array_agg(p."post" order by p."dateFrom" desc, p."id" desc))[1]) like '%' || lower(word) || '%')
    then ${settingSql('elnFeldsherDays')} else ${settingSql('elnDoctorDays')} end from ${periods(row)}) end`

/** Its duplicate was accepted, and it is still valid at the Social Fund. */
const isReplacedSql = (
  row: Sql,
): Sql => sql`(${row}."lnCode" is not null and coalesce(${row}."stateSfr", '090') <> '090'
  and exists (select from eln d where d."idCustomer" = ${row}."idCustomer" and d."formerLnCode" = ${row}."lnCode" and d."isDuplicate" and d."stateSfr" is not null
    and d."stateSfr" <> '090' and not d."deleted"))`

export const dueSql = (row: Sql): Sql => sql`case
  when ${row}."localStatus" in ('dispute', 'rejected') then ${row}."localStatus"
  when ${row}."localStatus" <> 'sent' and ${isReplacedSql(row)} then 'former'
  when coalesce(${row}."stateSfr", '010') in ('010', '020', '040', '050') and not ${isClosedSql(row)}
    and ${dateToSql(row)} < ${clinicToday} then 'overdue'
  when coalesce(${row}."stateSfr", '010') in ('010', '020', '040', '050') and not ${isClosedSql(row)}
    and ${dateToSql(row)} = ${clinicToday} then case when ${aloneUntilSql(row)} <= ${clinicToday} then 'chairman' else 'today' end
  when ${row}."localStatus" = 'toSign' then 'sign' else 'none' end`
