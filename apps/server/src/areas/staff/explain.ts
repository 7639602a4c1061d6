import type { Action } from '@ordinator/model/access'
import { staffCalls, type Verdict } from '@ordinator/model/areas/staff/calls'
import {
  actionLabels,
  type Obstacle,
  obstacle,
  obstacleText,
  wantedPermissions,
} from '@ordinator/model/areas/staff/explain'
import { isDeskRole } from '@ordinator/model/areas/staff/role'
import { User } from '@ordinator/model/areas/staff/user'
import { entities, entityAt } from '@ordinator/model/entities'
import type { Entity } from '@ordinator/model/entity'
import { type Page, pageSections } from '@ordinator/model/page'
import { pageRefusal, pages } from '@ordinator/model/pages'
import { type Permission, permissionLabel } from '@ordinator/model/permissions'
import sql from 'sql-template-tag'
import { actorOfUser } from '#auth/index.ts'
import { badRequest, HttpError, notFound } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'

interface RoleRights {
  id: number
  name: string
  permissions: Permission[]
  held: boolean
}

export const explainOperation = operation(staffCalls.explain, async ({ app, query, records }) => {
  const user = await records.row(User, query.idUser)
  const person = await actorOfUser(app.db, user.id)
  if (!person) throw notFound()
  if (query.id !== undefined && !query.entity) throw badRequest('Параметр id: укажите и entity')
  const roles = await rolesFor(app, user.id)
  const desk = await app.db.one(sql`select 1 from filials_desks where "idUser" = ${user.id} and not "deleted"`)
  const granted = (Object.keys(person.permissions) as Permission[]).filter((name) => person.permissions[name])
  const explain = { person, roles, isActive: user.isActive, isDeskless: isDeskRole(granted) && !desk }
  return {
    user: { id: user.id, shortFio: user.shortFio, isActive: user.isActive },
    verdicts: [
      ...(query.entity ? [] : pagesAsked(query.page).map((page) => pageVerdict(explain, page))),
      ...(await Promise.all(
        (query.page ? [] : entitiesAsked(query.entity)).flatMap((entity) =>
          (query.action ? [query.action] : (Object.keys(actionLabels) as Action[])).map((action) =>
            actionVerdict(explain, entity, action, query.id === undefined ? undefined : { records, id: query.id }),
          ),
        ),
      )),
    ],
  }
})

interface Explained {
  person: ServerActor
  roles: RoleRights[]
  isActive: boolean
  /** Works at a desk by rights, and is at the desk of no branch. */
  isDeskless: boolean
}

function pagesAsked(key: string | undefined): Page[] {
  const found = (pages as readonly Page[]).filter((page) => !page.public && (key === undefined || page.key === key))
  if (found.length === 0) throw notFound('Нет такой страницы')
  return found
}

function entitiesAsked(path: string | undefined): Entity[] {
  if (path === undefined) return entities as unknown as Entity[]
  const found = entityAt(path)
  if (!found) throw notFound('Нет такого раздела')
  return [found]
}

function pageVerdict(explained: Explained, page: Page): Verdict {
  return verdict(
    explained,
    pageRefusal(page, explained.person),
    { any: page.any ?? [], every: page.every ?? [] },
    {
      kind: 'page',
      key: page.key,
      title: page.title,
      section: page.section ? pageSections[page.section] : null,
      action: null,
    },
  )
}

async function actionVerdict(
  explained: Explained,
  entity: Entity,
  action: Action,
  one: { records: Records; id: number } | undefined,
): Promise<Verdict> {
  const found = obstacle(explained.person, action, entity)
  const by = action === 'export' ? (entity.access.export ?? entity.access.view) : entity.access[action]
  const any =
    by === undefined || by === 'signed-in' ? [] : typeof by === 'string' ? [by as Permission] : (by as Permission[])
  const made = verdict(
    explained,
    found,
    { any, every: [] },
    {
      kind: 'action',
      key: entity.path,
      title: entity.label[0],
      section: null,
      action: actionLabels[action],
    },
  )
  if (!one || !made.open) return made
  return { ...made, ...(await rowVerdict(explained.person, entity, action, one)) }
}

/** Evaluates with that person's rights: the result equals what the person would get. */
async function rowVerdict(
  person: ServerActor,
  entity: Entity,
  action: Action,
  { records, id }: { records: Records; id: number },
): Promise<Partial<Verdict>> {
  const closed = (reason: string, text: string) => ({ open: false, reason, text })
  const theirs = records.as(person)
  if (!(await exists(records.asSystem, entity, id))) return closed('missing', 'Такой записи нет или она удалена')
  if (!(await exists(theirs, entity, id))) {
    const { onlyFilials, ...unlimited } = person
    return onlyFilials && (await exists(records.as(unlimited), entity, id))
      ? closed('row', 'Право есть, но это запись другого филиала, а сотрудник видит только свои')
      : closed('row', 'Право есть, но эта запись вне того, что сотруднику видно')
  }
  if (action !== 'update' && action !== 'delete') return { text: 'Запись видна' }
  const allowed = await mayWrite(theirs, entity, action, id)
  return allowed ? { text: 'Можно' } : closed('row', 'Запись видна, но менять её сотрудник не может')
}

async function exists(records: Records, entity: Entity, id: number): Promise<boolean> {
  try {
    await records.view(entity, id, { fields: 'id' })
    return true
  } catch (error) {
    if (error instanceof HttpError && (error.status === 404 || error.status === 403)) return false
    throw error
  }
}

class Undo extends Error {}

/** Tries the write in a transaction that is rolled back. */
async function mayWrite(records: Records, entity: Entity, action: 'update' | 'delete', id: number): Promise<boolean> {
  try {
    await records.tx(async (inner) => {
      if (action === 'delete') await inner.remove(entity, id)
      else await inner.update(entity, id, {})
      throw new Undo()
    })
  } catch (error) {
    if (error instanceof Undo) return true
    if (error instanceof HttpError) return error.status !== 403 && error.status !== 404
    throw error
  }
  return true
}

function verdict(
  { person, roles, isActive, isDeskless }: Explained,
  found: Obstacle | undefined,
  gate: { any: readonly Permission[]; every: readonly Permission[] },
  about: Pick<Verdict, 'kind' | 'key' | 'title' | 'section' | 'action'>,
): Verdict {
  const wanted = found
    ? wantedPermissions(found)
    : { names: gate.every.length ? gate.every : gate.any, every: gate.every.length > 0 }
  const gives = (role: RoleRights) =>
    wanted.every
      ? wanted.names.every((name) => role.permissions.includes(name))
      : wanted.names.some((name) => role.permissions.includes(name))
  const giving = wanted.names.length ? roles.filter(gives) : []
  const shared = {
    ...about,
    permissions: wanted.names.map((name) => ({ name, label: permissionLabel(name) })),
    every: wanted.every,
  }
  if (found) {
    const suggested = giving.map(({ id, name, held }) => ({ id, name, held }))
    return { ...shared, open: false, reason: found.reason, text: obstacleText(found), roles: suggested }
  }
  const held = giving.filter((role) => role.held)
  const text = [
    openText(person, wanted.names, held),
    ...(isDeskless && deskPages.has(about.key)
      ? ['но в регистратуре ни одного филиала сотрудника нет: страница пуста']
      : []),
  ].join(', ')
  const named = held.map(({ id, name }) => ({ id, name, held: true }))
  if (!isActive) return { ...shared, open: false, reason: 'blocked', text: 'Вход сотруднику закрыт', roles: named }
  return { ...shared, open: true, reason: null, text, roles: named }
}

/** Pages that show only what is of the user's desks. */
const deskPages: ReadonlySet<string> = new Set(['calendar', 'daySheet', 'waitingList', 'cash'])

function openText(person: ServerActor, names: readonly Permission[], held: readonly RoleRights[]): string {
  if (names.length === 0) return 'Доступно каждому, кто вошёл'
  if (held.length === 1) return `Даёт роль «${held[0]?.name}»`
  if (held.length > 1) return `Дают роли ${held.map((role) => `«${role.name}»`).join(', ')}`
  const own = names.filter((name) => person.permissions[name]).map((name) => `«${permissionLabel(name)}»`)
  return own.length === 1 ? `Есть право ${own[0]}` : `Есть права ${own.join(', ')}`
}

function rolesFor(app: AppContext, idUser: number): Promise<RoleRights[]> {
  return app.db.query<RoleRights>({
    text: `select r.id, r.name, r.permissions, exists (select 1 from user_roles ur where ur."idRole" = r.id and ur."idUser" = $1) as held
      from roles r order by r.name`,
    values: [idUser],
  })
}
