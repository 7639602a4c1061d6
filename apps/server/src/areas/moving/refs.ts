/** Resolves references in rows by codes, names and signs: patients, doctors, services, branches. */

import { Service } from '@ordinator/model/areas/catalogue/service'
import { serviceKey } from '@ordinator/model/areas/catalogue/serviceKey'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { User } from '@ordinator/model/areas/staff/user'
import sql, { raw } from 'sql-template-tag'
import { byNames, type Cells, plainName, shortNames } from '#areas/imports/index.ts'
import { fioSql, shortFioSql } from '#areas/staff/index.ts'
import type { FieldError } from '#platform/errors.ts'
import { cardsOf, personOf, signColumns } from './persons.ts'
import type { Group, MovingContext, Person, UnknownName } from './table.ts'

/** Column of the patient's code. */
export const PATIENT = 'Код пациента'

/** Stands for what a table that is rehearsed will make. */
export const SOON = 0

export interface Refs {
  /**
   * The card of a code, in the column of the patient also of two signs that agree; refuses at the column. A negative id is
   * a placeholder of `MovingContext.strangers`.
   */
  customer(cells: Cells, column: string, errors: FieldError[], unknown?: UnknownName[]): number | undefined
  /** Names the patient of a row in sums. */
  who(cells: Cells): string
  /** Undefined where nobody is found: `unknown` names it. null: it was chosen to leave it. */
  doctor(name: string, unknown: UnknownName[]): number | null | undefined
  service(name: string, unknown: UnknownName[]): number | null | undefined
  /** Names of the services of a cell: «Блокада, Кольпоскопия» is two, a known name with a comma is one. */
  services(cell: string): string[]
  filial(name: string): number | undefined
  /** Minutes of services by id. */
  minutes: ReadonlyMap<number, number>
}

interface Named {
  id: number
  names: (string | null)[]
}

/** @param columns that hold codes of patients */
export async function openRefs(
  context: MovingContext,
  groups: readonly Pick<Group, 'rows'>[],
  ...columns: string[]
): Promise<Refs> {
  const { tx, source, move, isRehearsal, strangers } = context
  const bySigns = columns.includes(PATIENT)
  const wanted = [...new Set(codesOf(groups, ...columns, ...(bySigns ? [signColumns.name] : [])).filter(Boolean))]
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
  const codeOf = (cells: Cells, column: string): string => {
    const code = (cells[column] ?? '').trim()
    // A head «Пациент» may be of codes.
    return code || column !== PATIENT
      ? code
      : byCode.has((cells[signColumns.name] ?? '').trim())
        ? (cells[signColumns.name] ?? '').trim()
        : ''
  }
  const persons = bySigns
    ? groups.flatMap(({ rows: [row] }) => (row && !codeOf(row.cells, PATIENT) ? (personOf(row.cells) ?? []) : []))
    : []
  const cardsBySigns = await cardsOf(context, persons)
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
    customer(cells, column, errors, unknown) {
      const code = codeOf(cells, column)
      const id = byCode.get(code)
      if (id !== undefined) return id
      const person = !code && column === PATIENT ? personOf(cells) : undefined
      if (person) return stranger(person, errors, unknown)
      errors.push({
        field: column,
        message: code
          ? `Пациента с кодом «${code.slice(0, 60)}» нет: сначала загрузите пациентов`
          : 'Нет ни кода пациента, ни двух примет: телефона, ФИО, даты рождения, номера карты',
      })
      return undefined
    },
    who: (cells) => codeOf(cells, PATIENT) || (personOf(cells)?.label ?? ''),
    doctor: (name, unknown) => found('doctors', doctors, choices.doctors, name, unknown),
    service: (name, unknown) => found('services', services, choices.services, name, unknown),
    services: (cell) => partsOf(cell, (name) => isKnown(services, choices.services, name)),
    filial: (name) => (name ? filialsByName.get(plainName(name))?.[0]?.id : move.idFilial),
    minutes: new Map(minutes.map(({ id, minutes: length }) => [id, length])),
  }

  /** The card of a person without a code: the only one that agrees, the chosen one, or a new one. */
  function stranger(person: Person, errors: FieldError[], unknown?: UnknownName[]): number | undefined {
    const [first, ...others] = cardsBySigns.get(person.label) ?? []
    if (first !== undefined && others.length === 0) return first
    const choice = choices.patients?.[person.label]
    if (choice) return choice
    const said = `«${person.label.slice(0, 80)}»`
    const refuse = (message: string): undefined => void errors.push({ field: signColumns.name, message })
    if (choice === null) return refuse(`${said}: по выбору не загружается`)
    if (first === undefined && context.file.strangers === 'create' && person.words.length > 0)
      return isRehearsal ? SOON : strangers.of(person)
    unknown?.push({ kind: 'patients', name: person.label })
    return refuse(
      first === undefined
        ? `${said}: карты с двумя общими приметами нет`
        : `${said}: подходит несколько карт, выберите одну`,
    )
  }
}

const isKnown = (
  there: ReadonlyMap<string, number>,
  chosen: Readonly<Record<string, number | null>> | undefined,
  name: string,
): boolean => there.has(plainName(name)) || there.has(serviceKey(name)) || chosen?.[name.slice(0, 200)] !== undefined

/** Separators of names in a cell. */
const SEPARATOR = /\s*[;,+\n]\s*/g

/** Splits a cell into known names, the longest first; a cell without any is one name. */
export function partsOf(cell: string, known: (name: string) => boolean): string[] {
  const whole = cell.trim()
  if (!whole || known(whole)) return whole ? [whole] : []
  const cuts = [...whole.matchAll(SEPARATOR)]
  if (cuts.length === 0) return [whole]
  const starts = [0, ...cuts.map((cut) => cut.index + cut[0].length)]
  const ends = [...cuts.map(({ index }) => index), whole.length]
  const parts: string[] = []
  let found = 0
  let rest: [from: number, to: number] | undefined
  const close = () => {
    if (rest) parts.push(whole.slice(rest[0], rest[1]).trim())
    rest = undefined
  }
  for (let at = 0; at < starts.length; ) {
    let end = ends.length - 1
    while (end >= at && !known(whole.slice(starts[at], ends[end]).trim())) end--
    if (end >= at) {
      close()
      parts.push(whole.slice(starts[at], ends[end]).trim())
      found++
      at = end + 1
    } else {
      rest = [rest?.[0] ?? (starts[at] as number), ends[at] as number]
      at++
    }
  }
  close()
  return found > 0 ? parts.filter(Boolean) : [whole]
}

function found(
  kind: 'doctors' | 'services',
  there: ReadonlyMap<string, number>,
  chosen: Readonly<Record<string, number | null>> | undefined,
  name: string,
  unknown: UnknownName[],
): number | null | undefined {
  const written = name.trim()
  if (!written) return undefined
  const id = there.get(plainName(written)) ?? (kind === 'services' ? there.get(serviceKey(written)) : undefined)
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
    for (const { names } of soon)
      for (const name of names)
        if (name) {
          all.set(plainName(name), SOON)
          if (table === 'services') all.set(serviceKey(name), SOON)
        }
  }
  for (const [name, some] of byNames(things, ({ names }) =>
    names.flatMap((one) => (one ? [one, ...shortNames(one)] : [])),
  ))
    if (some.length === 1 && some[0]) all.set(name, some[0].id)
  if (table === 'services') {
    const alike = Map.groupBy(
      things.flatMap(({ id, names }) => names.flatMap((name) => (name ? [{ id, key: serviceKey(name) }] : []))),
      ({ key }) => key,
    )
    for (const [key, some] of alike) {
      const ids = new Set(some.map(({ id }) => id))
      if (ids.size === 1 && some[0] && (all.get(key) ?? SOON) === SOON) all.set(key, some[0].id)
    }
  }
  const codes = await tx.query<{ code: string; id: number }>(
    sql`select "externalId" as code, "idEntity"::int as id from external_ids where "source" = ${source} and "path" = ${path}`,
  )
  for (const { code, id } of codes) if (alive.has(id)) all.set(plainName(code), id)
  return all
}

export const codesOf = (groups: readonly { rows: readonly { cells: Cells }[] }[], ...columns: string[]): string[] =>
  groups.flatMap(({ rows }) => rows.flatMap(({ cells }) => columns.map((column) => (cells[column] ?? '').trim())))
