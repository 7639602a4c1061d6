/** Whether a referrer may be chosen, and who cannot be one. */
import sql, { raw } from 'sql-template-tag'
import { readCommonSettings } from '#areas/settings/index.ts'
import { fioSql } from '#areas/staff/index.ts'
import type { Queryable } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'

/**
 * Checks a referrer that somebody chooses for a visit or an appeal.
 * @param day of the visit; absent: any
 * @throws ValidationError at `idReferrer`
 */
export async function checkReferrer(db: Queryable, idReferrer: number, day?: string): Promise<void> {
  const wrong = (message: string) => new ValidationError([{ field: 'idReferrer', message }])
  if (!(await readCommonSettings(db)).referrersActive)
    throw wrong('Направившие выключены: их включают в «Настройки → Клиенты»')
  const found = await db.one<{ active: boolean; isCovered: boolean; idContractor: number }>(sql`
    select "active", "idContractor"::int as "idContractor",
      ${day ?? null}::date is null or (${day ?? null}::date >= "dateFrom" and ("dateTo" is null or ${day ?? null}::date <= "dateTo")) as "isCovered"
    from referrers where "id" = ${idReferrer} and not "deleted"`)
  if (!found) throw wrong('Запись не найдена')
  if (!found.active) throw wrong('Этого направившего больше не предлагают')
  if (!found.isCovered) throw wrong('В день визита договор с ним не действует')
  const employee = await employeeOf(db, found.idContractor)
  if (employee) throw wrong(isEmployee(employee))
}

export const isEmployee = (fio: string): string =>
  `${fio} — сотрудник клиники: направившим со стороны быть не может. Своим сотрудникам платят через зарплату`

/** The employee who hides behind a contractor: by ИНН, by phone, or by the full name in its title. */
export async function employeeOf(db: Queryable, idContractor: number): Promise<string | undefined> {
  const found = await db.one<{ fio: string }>(sql`
    select ${fioSql(raw('u'))} as fio from users u join organizations o on o."id" = ${idContractor}
    where not u."deleted" and (u."inn" = o."inn" or u."phone" = o."phone"
      or (length(${fioSql(raw('u'))}) > 8 and position(' ' in ${fioSql(raw('u'))}) > 0
        and strpos(lower(concat_ws(' ', o."shortName", o."fullName")), lower(${fioSql(raw('u'))})) > 0))
    order by u."id" limit 1`)
  return found?.fio
}
