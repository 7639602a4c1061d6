/** What rows refer to by another program's codes and names: patients, doctors, services, branches. */

import { Service } from '@ordinator/model/areas/catalogue/service'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { User } from '@ordinator/model/areas/staff/user'
import sql, { raw } from 'sql-template-tag'
import { byNames, type Cells, plainName, shortNames } from '#areas/imports/index.ts'
import { fioSql, shortFioSql } from '#areas/staff/index.ts'
import type { FieldError } from '#platform/errors.ts'
import type { MovingContext, UnknownName } from './table.ts'

/** Stands for what a table that is rehearsed will make. */
export const SOON = 0

export interface Refs {
  /** The card of a code; refuses at the column. */
  customer(cells: Cells, column: string, errors: FieldError[]): number | undefined
  /** Undefined where nobody is found: `unknown` names it. null: it was chosen to leave it. */
  doctor(name: string, unknown: UnknownName[]): number | null | undefined
  service(name: string, unknown: UnknownName[]): number | null | undefined
  filial(name: string): number | undefined
  /** Minutes of services by id. */
  minutes: ReadonlyMap<number, number>
}

interface Named {
  id: number
  names: (string | null)[]
}

/** @param codes of patients that the rows name */
export async function openRefs(context: MovingContext, codes: readonly string[]): Promise<Refs> {
  const { tx, source, move, isRehearsal } = context
  const wanted = [...new Set(codes.filter(Boolean))]
  // A card that was joined to another stands for it.
  const cards = await tx.query<{ code: string; id: number }>(sql`
    select e."externalId" as code, c."id"::int as id from external_ids e
      left join lateral (select m."idKept" from customers_merges m where m."idMerged" = e."idEntity" and m."dateUndone" is null
        order by m."id" desc limit 1) m on true
      join customers c on c."id" in (e."idEntity", m."idKept") and not c."deleted"
    where e."source" = ${source} and e."path" = ${Customer.path} and e."externalId" = any (${wanted}::text[])`)
  const byCode = new Map(cards.map(({ code, id }) => [code, id]))
  if (isRehearsal) {
    const missing = wanted.filter((code) => !byCode.has(code))
    const soon = await tx.query<{ key: string }>(sql`select distinct r."key" from moving_files f
      join moving_rows r on r."idFile" = f."id" and r."key" = any (${missing}::text[])
      where f."idMove" = ${move.id} and f."table" = 'customers' and not f."deleted"
        and f."state" not in ('reverted', 'failed') and r."fate" is distinct from 'wrong'`)
    for (const { key } of soon) byCode.set(key, SOON)
  }
  const doctors = await named(
    context,
    User.path,
    sql`select u."id"::int as id, array[u."login", ${fioSql(raw('u'))}, ${shortFioSql(raw('u'))}] as names
      from users u where not u."deleted" order by u."id"`,
    'users',
  )
  const services = await named(
    context,
    Service.path,
    sql`select s."id"::int as id, array[s."code", s."nameService", s."shortNameService"] as names
      from services s where not s."deleted" order by s."id"`,
    'services',
  )
  const filials =
    await tx.query<Named>(sql`select f."id"::int as id, array[f."nameFilial", f."shortFilialName"] as names
    from filials f where not f."deleted" and f."active" order by f."id"`)
  const filialsByName = byNames(filials, ({ names }) => names)
  const minutes = await tx.query<{
    id: number
    minutes: number
  }>(sql`select "idService"::int as id, min("minutes")::int as minutes
    from service_durations where not "deleted" and "idUser" is null group by 1`)
  const choices = move.choices ?? {}
  return {
    customer(cells, column, errors) {
      const code = (cells[column] ?? '').trim()
      const id = byCode.get(code)
      if (id === undefined)
        errors.push({
          field: column,
          message: code
            ? `Пациента с кодом «${code.slice(0, 60)}» нет: сначала загрузите пациентов`
            : 'Кода пациента нет',
        })
      return id
    },
    doctor: (name, unknown) => found('doctors', doctors, choices.doctors, name, unknown),
    service: (name, unknown) => found('services', services, choices.services, name, unknown),
    filial: (name) => (name ? filialsByName.get(plainName(name))?.[0]?.id : move.idFilial),
    minutes: new Map(minutes.map(({ id, minutes: length }) => [id, length])),
  }
}

function found(
  kind: UnknownName['kind'],
  there: ReadonlyMap<string, number>,
  chosen: Readonly<Record<string, number | null>> | undefined,
  name: string,
  unknown: UnknownName[],
): number | null | undefined {
  const written = name.trim()
  if (!written) return undefined
  const id = there.get(plainName(written))
  if (id !== undefined) return id
  // A name that nobody here has stays on the list, whatever was chosen for it: the choice can be changed.
  unknown.push({ kind, name: written.slice(0, 200) })
  const choice = chosen?.[written.slice(0, 200)]
  return choice
}

/** Records by their codes in the other program, and by each name that only one of them has. */
async function named(
  { tx, source, move, isRehearsal }: MovingContext,
  path: string,
  rows: ReturnType<typeof sql>,
  table: 'users' | 'services',
): Promise<Map<string, number>> {
  const things = await tx.query<Named>(rows)
  const alive = new Set(things.map(({ id }) => id))
  const all = new Map<string, number>()
  if (isRehearsal) {
    const columns = table === 'users' ? ['ФИО', 'Логин'] : ['Название', 'Код']
    const soon = await tx.query<{ names: (string | null)[] }>(sql`
      select array[r."key", ${raw(columns.map((_, at) => `r."cells"->>((f."mapping"->>'${columns[at]}')::int)`).join(', '))}] as names
      from moving_files f join moving_rows r on r."idFile" = f."id"
      where f."idMove" = ${move.id} and f."table" = ${table} and not f."deleted" and f."state" in ('ready', 'checking', 'checked')
        and r."fate" is distinct from 'wrong'`)
    for (const { names } of soon) for (const name of names) if (name) all.set(plainName(name), SOON)
  }
  for (const [name, some] of byNames(things, ({ names }) =>
    names.flatMap((one) => (one ? [one, ...shortNames(one)] : [])),
  ))
    if (some.length === 1 && some[0]) all.set(name, some[0].id)
  const codes = await tx.query<{ code: string; id: number }>(
    sql`select "externalId" as code, "idEntity"::int as id from external_ids where "source" = ${source} and "path" = ${path}`,
  )
  for (const { code, id } of codes) if (alive.has(id)) all.set(plainName(code), id)
  return all
}

export const codesOf = (groups: readonly { rows: readonly { cells: Cells }[] }[], ...columns: string[]): string[] =>
  groups.flatMap(({ rows }) => rows.flatMap(({ cells }) => columns.map((column) => (cells[column] ?? '').trim())))
