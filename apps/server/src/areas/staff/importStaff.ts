/** Employees from a table: one per row, with a generated login, the role, the speciality and the branches. */
import { can } from '@ordinator/model/access'
import { proposedLogin } from '@ordinator/model/areas/staff/login'
import { UserRole } from '@ordinator/model/areas/staff/role'
import { Speciality, User } from '@ordinator/model/areas/staff/user'
import type { Create } from '@ordinator/model/entity'
import { phonesIn, phoneText } from '@ordinator/model/phone'
import { nameParts } from '@ordinator/model/spelling'
import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import {
  byNames,
  type Cells,
  type Checked,
  columnsFor,
  given,
  type ImportContext,
  type Importer,
  offerImporter,
  plainName,
  rowReader,
} from '#areas/imports/index.ts'
import { forbidden } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'

const columns = columnsFor(User, [
  {
    name: 'ФИО',
    field: 'surname',
    required: true,
    also: ['сотрудник', 'фамилия имя отчество', 'имя'],
    examples: ['Иванова Анна Петровна', 'Петров Игорь Олегович'],
  },
  { name: 'Роль', field: 'roles', also: ['роли'], examples: ['Врач', 'Регистратор'] },
  { field: 'post', examples: ['Врач-терапевт', 'Администратор'] },
  { field: 'idSpeciality', examples: ['Терапевт', ''] },
  { name: 'Филиал', field: 'filials', also: ['филиалы'], examples: ['На Садовой', ''] },
  { field: 'phone', examples: ['+7 900 000-00-01', ''] },
  {
    name: 'Почта',
    field: 'email',
    also: ['email', 'e-mail', 'электронная почта'],
    examples: ['ivanova@example.ru', ''],
  },
  { field: 'login', required: false, examples: ['ivanova.a', ''] },
])

interface Named {
  id: number
  name: string
}

interface Ready {
  roles: Map<string, Named[]>
  specialities: Map<string, Named[]>
  filials: Map<string, Named[]>
  /** Taken logins, including earlier rows. */
  logins: Set<string>
  /** Employees that rows are known to be of. */
  own: ReadonlyMap<Cells, number>
}

interface Values {
  user: Create<typeof User>
  roles: number[]
  /** Created with the first row that has it. */
  speciality: string
  /** The employee that the row changes. */
  idKnown?: number
}

const importStaff: Importer<Record<never, never>, Cells, Ready, Values> = {
  kind: 'users',
  label: 'Сотрудники',
  access: 'editUsers',
  params: z.strictObject({}),
  columns,
  open,
  check,
  write,
  keyed: {
    entity: User,
    body: ({ user }) => user as Record<string, unknown>,
    idOf: ({ idKnown }, made) => idKnown ?? made.find(({ path }) => path === User.path)?.id,
  },
  changes: [User],
}

export const offerStaff = (app: AppContext): void => offerImporter(app, importStaff)

async function open({ records, tx, own }: ImportContext<unknown>): Promise<Ready> {
  if (!can(records.actor, 'create', User)) throw forbidden('Вам нельзя добавлять сотрудников')
  const named = async (rows: Sql) => byNames(await tx.query<Named>(rows), ({ name }) => [name])
  const logins = await tx.query<{ login: string }>(sql`select lower("login") as login from users`)
  return {
    roles: await named(sql`select "id"::int as id, "name" from roles order by "id"`),
    specialities: await named(sql`select "id"::int as id, "name" from specialities where not "deleted" order by "id"`),
    filials: byNames(
      await tx.query<Named & { short: string | null }>(sql`select "id"::int as id, "nameFilial" as name,
        "shortFilialName" as short from filials where "active" and not "deleted" order by "id"`),
      ({ name, short }) => [name, short],
    ),
    logins: new Set(logins.map(({ login }) => login)),
    own: own ?? new Map(),
  }
}

const listed = (text: string): string[] =>
  text
    .split(/[;,]/)
    .map((part) => part.trim())
    .filter(Boolean)

function check(ready: Ready, cells: Cells): Checked<Values> {
  const row = rowReader(columns, cells)
  const { errors, text, refuse } = row
  const idsOf = (column: string, there: Map<string, Named[]>, none: string): number[] =>
    listed(text(column)).flatMap((name) => row.named(column, there, none, undefined, name)?.id ?? [])
  const { surname, name, middleName } = nameParts(text('ФИО'))
  const filials = idsOf('Филиал', ready.filials, 'такого филиала нет')
  const roles = idsOf('Роль', ready.roles, 'такой роли нет')
  const speciality = text('Специальность')
  const idKnown = ready.own.get(cells)
  // A login is given once: later files change the person and not how they sign in.
  const login = idKnown ? '' : text('Логин') || freeLogin(proposedLogin(surname, name) || 'user', ready.logins)
  const [known] = ready.specialities.get(plainName(speciality)) ?? []
  const { phones, note } = phonesIn(text('Телефон'))
  const user = row.check(
    User,
    given({
      ...row.fields(),
      surname,
      name: name || undefined,
      middleName: middleName || undefined,
      login: login || undefined,
      // The employee's own phone; an extension or a second number stays in the table.
      phone: phones[0] ?? (text('Телефон') || undefined),
      idSpeciality: known?.id,
      filials: filials.length ? filials : undefined,
      roles: undefined,
    }),
    idKnown ? 'update' : 'create',
    'ФИО',
  )
  if (login && ready.logins.has(login.toLowerCase())) refuse('Логин', `«${login}» уже занят`)
  if (speciality && !known) row.check(Speciality, { name: speciality }, 'create', 'Специальность')
  if (errors.length || !user) return { errors }
  if (login) ready.logins.add(login.toLowerCase())
  const shown = {
    ...Object.fromEntries(columns.map((column) => [column.name, text(column.name)])),
    ФИО: [surname, name, middleName].filter(Boolean).join(' '),
    Логин: login,
    ...(phones[0] && { Телефон: phoneText(phones[0]) }),
    ...(speciality && !known && { Специальность: `${speciality} (новая)` }),
  }
  const left = [...phones.slice(1).map(phoneText), note].filter(Boolean).join(', ')
  const notes = phones[0] && left ? [{ field: 'Телефон', message: `«${left}» в карточку не входит` }] : []
  return {
    values: {
      user: user as unknown as Values['user'],
      roles,
      speciality: known ? '' : speciality,
      ...(idKnown && { idKnown }),
    },
    shown,
    notes,
  }
}

/** The login with the lowest free number. */
function freeLogin(login: string, taken: ReadonlySet<string>): string {
  let free = login
  for (let number = 2; taken.has(free); number += 1) free = `${login}${number}`
  return free
}

async function write({ records }: ImportContext<unknown>, ready: Ready, { user, roles, speciality, idKnown }: Values) {
  const made: { path: string; id: number }[] = []
  const there = ready.specialities.get(plainName(speciality))?.[0]
  let idSpeciality = there?.id
  if (speciality && !there) {
    idSpeciality = (await records.create(Speciality, { name: speciality })).id
    ready.specialities.set(plainName(speciality), [{ id: idSpeciality, name: speciality }])
    made.push({ path: Speciality.path, id: idSpeciality })
  }
  if (idKnown) {
    const changed = { ...user, ...(idSpeciality !== undefined && { idSpeciality }) }
    if (Object.keys(changed).length > 0) await records.update(User, idKnown, changed)
    return made
  }
  const { id } = await records.create(User, { ...user, ...(idSpeciality !== undefined && { idSpeciality }) })
  for (const idRole of roles) await records.create(UserRole, { idUser: id, idRole })
  return [...made, { path: User.path, id }]
}
