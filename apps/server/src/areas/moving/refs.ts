/** Resolves references in rows by codes, names and signs: patients, doctors, services, branches. */

import { Service } from '@ordinator/model/areas/catalogue/service'
import { serviceKey } from '@ordinator/model/areas/catalogue/serviceKey'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { User } from '@ordinator/model/areas/staff/user'
import sql, { raw } from 'sql-template-tag'
import { byNames, type Cells, plainName, shortNames } from '#areas/imports/index.ts'
import { fioSql, shortFioSql } from '#areas/staff/index.ts'
import type { FieldError } from '#platform/errors.ts'
import { partsOf } from './cellParts.ts'
import { cardsOf, hasNameAlone, isNameEnough, personOf, signColumns } from './persons.ts'
import type { Group, MovingContext, Person, UnknownName } from './table.ts'

/** Columns of codes with patients found by signs too. */
export const PATIENT = 'Код пациента'
export const BUYER = 'Код покупателя'
const SIGNED: readonly string[] = [PATIENT, BUYER]

/** Placeholder for records that a rehearsed table will make. */
export const SOON = 0

export interface Refs {
  /**
   * The card of a code, in the column of the patient also of two signs that agree; refuses at the column. A negative id is
   * a placeholder of `MovingContext.strangers`. A card found by its name alone is mentioned in `notes`.
   */
  customer(
    cells: Cells,
    column: string,
    errors: FieldError[],
    unknown?: UnknownName[],
    notes?: FieldError[],
  ): number | undefined
  /** The only card of a further person in the row; undefined: none, or several. */
  another(person: Person): number | undefined
  /** Names the patient of a row in sums. */
  who(cells: Cells): string
  /** Undefined if no record is found: `unknown` names it. null: it was chosen to leave it. */
  doctor(name: string, unknown: UnknownName[]): number | null | undefined
  service(name: string, unknown: UnknownName[]): number | null | undefined
  /** Names of the services of a cell: «Блокада, Кольпоскопия» is two, a known name with a comma is one. */
  services(cell: string): string[]
  filial(name: string): number | undefined
  /**
   * A room of the branch; undefined for an empty cell and for a room that is not there: `unknown` and `notes` name it.
   */
  room(name: string, idFilial: number, unknown: UnknownName[], notes: FieldError[]): number | undefined
  /** An own organization, that of the move for an empty cell; undefined where none is found: it is in `errors`. */
  organization(name: string, unknown: UnknownName[], notes: FieldError[], errors: FieldError[]): number | undefined
  /** Minutes of services by id. */
  minutes: ReadonlyMap<number, number>
}

interface Named {
  id: number
  names: (string | null)[]
}

/** The head of the column of an own organization, where one file has sums of several. */
export const ORGANIZATION = 'Организация'

interface Asked {
  /** Further persons in rows, besides the patient. */
  others?: readonly Person[]
}

/** @param columns that hold codes of patients */
export const openRefs = (
  context: MovingContext,
  groups: readonly Pick<Group, 'rows'>[],
  ...columns: string[]
): Promise<Refs> => openRefsWith(context, groups, {}, ...columns)

export async function openRefsWith(
  context: MovingContext,
  groups: readonly Pick<Group, 'rows'>[],
  { others = [] }: Asked,
  ...columns: string[]
): Promise<Refs> {
  const { move } = context
  const signed = columns.find((one) => SIGNED.includes(one))
  const bySigns = signed !== undefined
  const wanted = [...new Set(codesOf(groups, ...columns, ...(bySigns ? [signColumns.name] : [])).filter(Boolean))]
  const byCode = await cardsByCode(context, wanted)
  const codeOf = (cells: Cells, column: string): string => {
    const code = (cells[column] ?? '').trim()
    // A head «Пациент» may be of codes.
    return code || column !== signed
      ? code
      : byCode.has((cells[signColumns.name] ?? '').trim())
        ? (cells[signColumns.name] ?? '').trim()
        : ''
  }
  const persons = bySigns
    ? groups.flatMap(({ rows: [row] }) =>
        row && signed && !codeOf(row.cells, signed) ? (personOf(row.cells) ?? []) : [],
      )
    : []
  const cardsBySigns = await cardsOf(context, [...persons, ...others])
  const { doctors, services, filialsByName, rooms, organizations, minutes } = await thingsOf(context)
  const choices = move.choices ?? {}
  return {
    customer(cells, column, errors, unknown, notes) {
      const code = codeOf(cells, column)
      const id = byCode.get(code)
      if (id !== undefined) return id
      const person = !code && column === signed ? personOf(cells) : undefined
      if (person) return stranger(context, cardsBySigns.get(person.label) ?? [], person, errors, unknown, notes)
      errors.push({
        field: column,
        message: code
          ? `Пациента с кодом «${code.slice(0, 60)}» нет: сначала загрузите пациентов`
          : 'Нет ни кода пациента, ни двух примет: телефона, ФИО, даты рождения, номера карты',
      })
      return undefined
    },
    another(person) {
      const [first, ...more] = cardsBySigns.get(person.label) ?? []
      return more.length === 0 ? first : undefined
    },
    who: (cells) => (signed ? codeOf(cells, signed) : '') || (personOf(cells)?.label ?? ''),
    doctor: (name, unknown) => found('doctors', doctors, choices.doctors, name, unknown),
    service: (name, unknown) => found('services', services, choices.services, name, unknown),
    services: (cell) => partsOf(cell, (name) => isKnown(services, choices.services, name)),
    filial: (name) => (name ? filialsByName.get(plainName(name))?.[0]?.id : move.idFilial),
    room(name, idFilial, unknown, notes) {
      const own = rooms.filter((one) => one.idFilial === idFilial)
      const id = alike(choices, 'rooms', own, roomKey, name, { field: 'Кабинет', unknown, notes })
      if (id === undefined && name.trim())
        notes.push({ field: 'Кабинет', message: `«${name.slice(0, 60)}»: такого здесь нет, встанет в кабинет смены` })
      return id ?? undefined
    },
    organization(name, unknown, notes, errors) {
      if (!name.trim()) return move.idOrganization
      const id = alike(choices, 'organizations', organizations, organizationKey, name, {
        field: ORGANIZATION,
        unknown,
        notes,
      })
      if (id == null) errors.push({ field: ORGANIZATION, message: missing(name, id) })
      return id ?? undefined
    },
    minutes,
  }
}

/** Cards by their codes of the source; in a rehearsal, those that the move's file of patients will make, as `SOON`. */
async function cardsByCode(
  { tx, source, move, isRehearsal }: MovingContext,
  wanted: readonly string[],
): Promise<Map<string, number>> {
  // A card that was merged into another counts as it.
  const cards = await tx.query<{ code: string; id: number }>(sql`
    select e."externalId" as code, c."id"::int as id from external_ids e
      left join lateral (select m."idKept" from customers_merges m where m."idMerged" = e."idEntity" and m."dateUndone" is null
        order by m."id" desc limit 1) m on true
      join customers c on c."id" in (e."idEntity", m."idKept") and not c."deleted"
    where e."source" = ${source} and e."path" = ${Customer.path} and e."externalId" = any (${wanted as string[]}::text[])`)
  const byCode = new Map(cards.map(({ code, id }) => [code, id]))
  if (isRehearsal) {
    const missing = wanted.filter((code) => !byCode.has(code))
    const soon = await tx.query<{ key: string }>(sql`select distinct r."key" from moving_files f
      join moving_rows r on r."idFile" = f."id" and r."key" = any (${missing}::text[])
      where f."idMove" = ${move.id} and f."table" = 'customers' and not f."deleted"
        and f."state" not in ('reverted', 'failed') and r."fate" is distinct from 'wrong'`)
    for (const { key } of soon) byCode.set(key, SOON)
  }
  return byCode
}

/** What rows name besides patients, with its names. */
async function thingsOf(context: MovingContext) {
  const { tx } = context
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
  const rooms = await tx.query<Named & { idFilial: number }>(sql`
    select r."id"::int as id, array[r."name"] as names, r."idFilial"::int as "idFilial" from filials_rooms r
    where not r."deleted" order by r."id"`)
  const organizations = await tx.query<Named>(sql`
    select o."id"::int as id, array[o."shortName", o."fullName", o."inn"] as names from organizations o
    where o."kind" = 'own' and not o."deleted" order by o."id"`)
  const minutes = await tx.query<{
    id: number
    minutes: number
  }>(sql`select "idService"::int as id, min("minutes")::int as minutes
    from service_durations where not "deleted" and "idUser" is null group by 1`)
  return {
    ...{ doctors, services, rooms, organizations },
    filialsByName: byNames(filials, ({ names }) => names),
    minutes: new Map(minutes.map(({ id, minutes: length }) => [id, length])),
  }
}

type Choices = NonNullable<MovingContext['move']['choices']>

/**
 * A record by its name, or by the rest of the name without words of its kind, which is a doubt.
 * @returns null: chosen to leave; undefined: not found, `unknown` names it
 */
function alike(
  choices: Choices,
  kind: 'rooms' | 'organizations',
  things: readonly Named[],
  keyOf: (name: string) => string,
  name: string,
  { field, unknown, notes }: { field: string; unknown: UnknownName[]; notes: FieldError[] },
): number | null | undefined {
  const written = name.trim()
  if (!written) return undefined
  const by = (key: (name: string) => string) =>
    things.filter(({ names }) => names.some((one) => one && key(one) === key(written)))
  const exact = by(plainName)
  if (exact.length === 1) return exact[0]?.id
  const label = written.slice(0, 200)
  const choice = choices[kind]?.[label]
  if (choice === null || (choice && things.some(({ id }) => id === choice))) {
    unknown.push({ kind, name: label })
    return choice
  }
  const near = exact.length > 0 || !keyOf(written) ? exact : by(keyOf)
  if (near.length === 1) {
    notes.push({ field, message: `«${written.slice(0, 60)}»: взято «${near[0]?.names[0]}»` })
    return near[0]?.id
  }
  unknown.push({ kind, name: label })
  return undefined
}

/** The card of a person without a code: the only one of the `cards` that agree, the chosen one, or a new one. */
function stranger(
  { file, move, isRehearsal, strangers }: MovingContext,
  cards: readonly number[],
  person: Person,
  errors: FieldError[],
  unknown?: UnknownName[],
  notes?: FieldError[],
): number | undefined {
  const [first, ...more] = cards
  if (first !== undefined && more.length === 0) {
    if (hasNameAlone(person))
      notes?.push({
        field: signColumns.name,
        message: `«${person.label.slice(0, 80)}»: карта найдена по одному имени, она здесь одна такая`,
      })
    return first
  }
  const choice = move.choices?.patients?.[person.label]
  if (choice) return choice
  const named = `«${person.label.slice(0, 80)}»`
  const refuse = (message: string): undefined => void errors.push({ field: signColumns.name, message })
  if (choice === null) return refuse(`${named}: по выбору не загружается`)
  if (first === undefined && file.strangers === 'create' && person.words.length > 0)
    return isRehearsal ? SOON : strangers.of(person)
  unknown?.push({ kind: 'patients', name: person.label })
  return refuse(
    first === undefined
      ? `${named}: ${isNameEnough(file.table) ? 'такой карты нет' : 'карты с двумя общими приметами нет'}`
      : `${named}: подходит несколько карт, выберите одну`,
  )
}

const missing = (name: string, chosen: null | undefined): string =>
  chosen === null
    ? `«${name.slice(0, 60)}»: по выбору не загружается`
    : `«${name.slice(0, 60)}»: такого здесь нет, выберите замену`

/** Distinguishing part of a room's name: «каб. 12» and «Кабинет №12» are one. */
const roomKey = (name: string): string =>
  plainName(name)
    .replace(/(?<!\p{L})(кабинет|каб|к)(?!\p{L})\.?/gu, '')
    .replace(/[№#"'«».\s]/g, '')

/** Distinguishing part of an organization's name: without the form of ownership and quotes. */
const organizationKey = (name: string): string =>
  plainName(name)
    .replace(
      /(?<!\p{L})(общество с ограниченной ответственностью|индивидуальный предприниматель|акционерное общество|ооо|ип|ао|зао|пао|нао)(?!\p{L})\.?/gu,
      '',
    )
    .replace(/["'«»“”„,.\s]/g, '')

const isKnown = (
  there: ReadonlyMap<string, number>,
  chosen: Readonly<Record<string, number | null>> | undefined,
  name: string,
): boolean => there.has(plainName(name)) || there.has(serviceKey(name)) || chosen?.[name.slice(0, 200)] !== undefined

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
