/**
 * Employees from a table: one per row, with a generated login, the role, the speciality and the branches. An employee who is
 * here already is found by the name, and gets what the row adds.
 */
import { can } from '@ordinator/model/access'
import { proposedLogin } from '@ordinator/model/areas/staff/login'
import { UserRole } from '@ordinator/model/areas/staff/role'
import { Speciality, User } from '@ordinator/model/areas/staff/user'
import type { Create } from '@ordinator/model/entity'
import { phonesIn, phoneText } from '@ordinator/model/phone'
import { nameParts } from '@ordinator/model/spelling'
import sql, { raw, type Sql } from 'sql-template-tag'
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
  type RowReader,
  rowReader,
} from '#areas/imports/index.ts'
import { type FieldError, forbidden } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import { standardRoles } from './standardRoles.ts'
import { fioSql } from './user.ts'

const columns = columnsFor(User, [
  {
    name: 'ФИО',
    field: 'surname',
    required: true,
    also: ['сотрудник', 'фамилия имя отчество', 'имя'],
    examples: ['Иванова Анна Петровна', 'Петров Игорь Олегович'],
  },
  { name: 'Роль', field: 'roles', also: ['роли', 'права', 'доступ'], examples: ['Врач', 'Регистратор'] },
  { field: 'post', also: ['должности', 'позиция'], examples: ['Врач-терапевт', 'Администратор'] },
  { field: 'idSpeciality', also: ['специализация', 'специальности', 'профиль'], examples: ['Терапевт', ''] },
  { name: 'Филиал', field: 'filials', also: ['филиалы'], examples: ['На Садовой', ''] },
  {
    field: 'phone',
    also: ['телефон сотрудника', 'номер телефона', 'мобильный', 'контактный телефон'],
    examples: ['+7 900 000-00-01', ''],
  },
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

interface Role extends Named {
  permissions: readonly string[]
}

interface Standing {
  id: number
  /** Words of the name. */
  fio: string
  phone: string | null
  email: string | null
}

const params = z.strictObject({
  /** An employee of the same name: extended, or made once more. */
  twins: z.enum(['update', 'create']).default('update'),
  /** Role ids for words of the table; null: no role. */
  roles: z.record(z.string(), z.int().positive().nullable()).default({}),
})
type Params = z.output<typeof params>

interface Ready extends Params {
  rolesByName: Map<string, Role[]>
  /** Employees of the clinic, and of earlier rows (id 0), by name. */
  people: Map<string, Standing[]>
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
  /** The employee was found by the name, not by an id of the table. */
  isFound?: true
}

const importStaff: Importer<Params, Cells, Ready, Values> = {
  kind: 'users',
  label: 'Сотрудники',
  access: 'editUsers',
  params,
  columns,
  open,
  check,
  write,
  keyed: {
    entity: User,
    body: ({ user }) => user as Record<string, unknown>,
    idOf: ({ idKnown }, made) => idKnown ?? made.find(({ path }) => path === User.path)?.id,
    isDuplicate: ({ isFound }) => isFound === true,
  },
  changes: [User],
}

export const offerStaff = (app: AppContext): void => offerImporter(app, importStaff)

async function open({ records, tx, own, params: given }: ImportContext<Params>): Promise<Ready> {
  if (!can(records.actor, 'create', User)) throw forbidden('Вам нельзя добавлять сотрудников')
  const named = async (rows: Sql) => byNames(await tx.query<Named>(rows), ({ name }) => [name])
  const logins = await tx.query<{ login: string }>(sql`select lower("login") as login from users`)
  const people =
    await tx.query<Standing>(sql`select "id"::int as id, ${fioSql(raw('u'))} as fio, "phone", lower("email") as email
    from users u where not "deleted" order by "id"`)
  const roles = await tx.query<Role>(sql`select "id"::int as id, "name", "permissions" from roles order by "id"`)
  return {
    ...given,
    rolesByName: byNames(roles, ({ name }) => [name]),
    people: byNames(people, ({ fio }) => [fio]),
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
  const roles = rolesOf(ready, listed(text('Роль')), row)
  const speciality = text('Специальность')
  const fio = [surname, name, middleName].filter(Boolean).join(' ')
  const { phones, note } = phonesIn(text('Телефон'))
  const own = ready.own.get(cells)
  const duplicate =
    own === undefined && ready.twins === 'update' ? duplicateOf(ready, fio, phones, text('Почта')) : undefined
  if (duplicate === 'several') refuse('ФИО', 'Сотрудников с этим именем несколько: укажите телефон или почту')
  if (typeof duplicate === 'object' && duplicate.id === 0)
    return { isSkipped: true, notes: [{ field: 'ФИО', message: 'Повторяет строку выше: строка пропускается' }] }
  const idKnown = own ?? (typeof duplicate === 'object' ? duplicate.id : undefined)
  // A login is given once: later files change the person and not how they sign in.
  const login = idKnown ? '' : text('Логин') || freeLogin(proposedLogin(surname, name) || 'user', ready.logins)
  const [known] = ready.specialities.get(plainName(speciality)) ?? []
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
  if (errors.length || !user) return { errors, unknown: roles.unknown }
  if (login) ready.logins.add(login.toLowerCase())
  const shown = {
    ...Object.fromEntries(columns.map((column) => [column.name, text(column.name)])),
    ФИО: [surname, name, middleName].filter(Boolean).join(' '),
    Логин: login,
    ...(phones[0] && { Телефон: phoneText(phones[0]) }),
    ...(speciality && !known && { Специальность: `${speciality} (новая)` }),
  }
  const left = [...phones.slice(1).map(phoneText), note].filter(Boolean).join(', ')
  const notes = [
    ...roles.notes,
    ...(phones[0] && left ? [{ field: 'Телефон', message: `«${left}» в карточку не входит` }] : []),
    ...(typeof duplicate === 'object'
      ? [{ field: 'ФИО', message: `Уже есть «${duplicate.fio}»: карточка дополнится, роли и вход останутся` }]
      : []),
  ]
  if (!idKnown) {
    const key = plainName(fio)
    ready.people.set(key, [...(ready.people.get(key) ?? []), { id: 0, fio, phone: phones[0] ?? null, email: null }])
  }
  return {
    values: {
      user: user as unknown as Values['user'],
      // Rights are given to a new employee alone.
      roles: idKnown ? [] : roles.ids,
      speciality: known ? '' : speciality,
      ...(idKnown && { idKnown }),
      ...(typeof duplicate === 'object' && { isFound: true as const }),
    },
    shown,
    notes,
    unknown: idKnown ? [] : roles.unknown,
  }
}

/** The employee of a name; another phone or mail means a namesake. */
function duplicateOf(
  ready: Ready,
  fio: string,
  phones: readonly string[],
  mail: string,
): Standing | 'several' | undefined {
  const there = ready.people.get(plainName(fio)) ?? []
  const email = mail.trim().toLowerCase()
  const isSame = (own: string | null, given: string | undefined) => own !== null && given !== undefined && own === given
  const sure = there.filter((one) => isSame(one.phone, phones[0]) || isSame(one.email, email || undefined))
  if (sure.length === 1) return sure[0]
  const likely = there.filter(
    (one) => !(one.phone && phones[0] && one.phone !== phones[0]) && !(one.email && email && one.email !== email),
  )
  return likely.length > 1 ? 'several' : likely[0]
}

/** Words for roles in tables of clinics, where «Администратор» is the receptionist. */
const meanings: readonly [RegExp, string][] = [
  [/^(администратор|админ|ресепш|регистра|старший администратор|reception)/, standardRoles.registrar.name],
  [/^(оператор|колл|call|диспетчер)/, standardRoles.operator.name],
  [/^(врач|доктор|терапевт|хирург|стоматолог|специалист|мастер|doctor|.*олог$|.*иатр$)/, standardRoles.doctor.name],
  [/^(медсестра|медицинская сестра|медбрат|сестра|ассистент|фельдшер|nurse)/, standardRoles.nurse.name],
  [/^(директор|руководитель|управляющ)/, standardRoles.manager.name],
]

/** Rights that give rights: no table gives them. */
const POWERS: readonly string[] = ['editUsers', 'mainSettings']

/**
 * Roles of the words of a cell: the chosen one, the one of this name, the likely one of this meaning. A role with rights over
 * rights is never given.
 */
function rolesOf(ready: Ready, words: readonly string[], { refuse }: RowReader) {
  const ids: number[] = []
  const notes: FieldError[] = []
  const unknown: { kind: 'roles'; name: string }[] = []
  const note = (message: string) => notes.push({ field: 'Роль', message })
  for (const word of words) {
    const choice = ready.roles[word]
    if (choice === null) continue
    const all = [...ready.rolesByName.values()].flat()
    const named =
      choice === undefined ? ready.rolesByName.get(plainName(word))?.[0] : all.find(({ id }) => id === choice)
    const meant = meanings.find(([pattern]) => pattern.test(plainName(word)))?.[1]
    const role = named ?? (meant === undefined ? undefined : ready.rolesByName.get(plainName(meant))?.[0])
    if (!role) {
      unknown.push({ kind: 'roles', name: word.slice(0, 200) })
      refuse('Роль', `«${word.slice(0, 60)}»: такой роли нет`)
    } else if (role.permissions.some((one) => POWERS.includes(one)))
      note(`«${role.name}» даёт права на настройки и сотрудников: таблицей не выдаётся, выдайте в карточке`)
    else {
      ids.push(role.id)
      if (named) continue
      unknown.push({ kind: 'roles', name: word.slice(0, 200) })
      note(`«${word.slice(0, 60)}» → «${role.name}»? Если роль другая, впишите её название`)
    }
  }
  return { ids: [...new Set(ids)], notes, unknown }
}

/** The login with the lowest free number. */
function freeLogin(login: string, taken: ReadonlySet<string>): string {
  let free = login
  for (let number = 2; taken.has(free); number += 1) free = `${login}${number}`
  return free
}

async function write({ records }: ImportContext<Params>, ready: Ready, { user, roles, speciality, idKnown }: Values) {
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
