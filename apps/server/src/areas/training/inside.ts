/** The process of the training clinic itself. */
import { UserPermission, UserRole } from '@ordinator/model/areas/staff/role'
import { User } from '@ordinator/model/areas/staff/user'
import { BoardMember } from '@ordinator/model/areas/tasks/board'
import { trainingCalls } from '@ordinator/model/areas/training/calls'
import type { TrainingRoleKey } from '@ordinator/model/areas/training/tasks'
import { Desk } from '@ordinator/model/areas/visits/visit'
import sql from 'sql-template-tag'
import { playPatients } from '#areas/centre/index.ts'
import { standardRoles } from '#areas/staff/index.ts'
import { openSessionOf } from '#auth/index.ts'
import type { Tx } from '#platform/db.ts'
import { HttpError, notFound } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { ownDone } from './progress.ts'
import { readTicket, spendTicket, type Trainee } from './ticket.ts'

/** Rights beyond the role, so that nothing of the demo clinic is hidden from a trainee. */
const wider = ['viewAllAppointments', 'viewAllWarehouses', 'viewAllCashDesks'] as const
/** Roles that get messages and calls of patients. */
const answering: ReadonlySet<TrainingRoleKey> = new Set(['operator', 'registrar'])

const loginOf = (idEmployee: number): string => `ucheba${idEmployee}`

export const session = operation(trainingCalls.session, async ({ app, body, request, reply }) => {
  if (!app.config.training) throw notFound()
  const trainee = readTicket(body.ticket, app.config.secret)
  if (!trainee || !spendTicket(body.ticket))
    throw new HttpError(401, 'Пропуск устарел: войдите в учебную клинику ещё раз')
  const idUser = await app.engine.for(systemActor).tx((records, tx) => admit(records, tx, trainee))
  if (app.config.demo && answering.has(trainee.role)) await playPatients(app, idUser)
  return { accessToken: await openSessionOf(app, request, reply, idUser) }
})

/** The trainee as an employee of the training clinic, with one role: that of the first day. */
async function admit(records: Records, tx: Tx, trainee: Trainee): Promise<number> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${loginOf(trainee.id)}, 0))`)
  const { surname, name, middleName, role } = trainee
  const login = loginOf(trainee.id)
  const system = records.asSystem
  const known = await tx.one<{ id: number }>(sql`select "id"::int as id from users where "login" = ${login}`)
  const names = { surname, name: name || 'Ученик', middleName }
  const answers = answering.has(role) ? { isLiveAssist: true, sipPhone: String(20_000 + (trainee.id % 70_000)) } : {}
  const id = known?.id ?? (await system.create(User, { login, ...names })).id
  await system.update(User, id, { ...names, ...answers })
  const wanted = await tx.one<{ id: number }>(
    sql`select "id"::int as id from roles where "name" = ${standardRoles[role].name} limit 1`,
  )
  if (!wanted) throw new Error(`the demo clinic has no role ${role}`)
  const others = await tx.query<{ id: number }>(
    sql`select "id"::int as id from user_roles where "idUser" = ${id} and "idRole" <> ${wanted.id}`,
  )
  for (const other of others) await records.remove(UserRole, other.id)
  if (!(await tx.one(sql`select 1 from user_roles where "idUser" = ${id}`)))
    await system.create(UserRole, { idUser: id, idRole: wanted.id })
  if (!known) {
    for (const permission of wider)
      await system.create(UserPermission, { idUser: id, permission, reason: 'Учебная клиника' })
    for (const filial of await tx.query<{ id: number }>(
      sql`select "id"::int as id from filials where "active" and not "deleted" order by 1`,
    ))
      await system.create(Desk, { idFilial: filial.id, idUser: id })
    // A task is given on a board, where only its members may.
    const board = await tx.one<{ id: number }>(
      sql`select "id"::int as id from tasks_management_boards where not "deleted" order by 1 limit 1`,
    )
    if (board)
      await system.create(BoardMember, {
        ...{ idBoard: board.id, idUser: id, canCreateTask: true, canManuallyDragTask: true },
        ...{ permissionToViewTasks: 'all', permissionToEditTasks: 'all', permissionToAssignTasks: 'all' },
      })
  }
  await tx.query(sql`insert into training_entries ("idUser", "role", "idEmployee") values (${id}, ${role}, ${trainee.id})
    on conflict do nothing`)
  return id
}

export const tasks = operation(trainingCalls.tasks, async ({ app, actor }) => {
  if (!app.config.training) throw notFound()
  const entry = await app.db.one<{ role: TrainingRoleKey }>(sql`
    select e."role" from training_entries e join user_roles r on r."idUser" = e."idUser" join roles n on n."id" = r."idRole"
    where e."idUser" = ${actor.id} and n."name" = any(${Object.values(standardRoles).map(({ name }) => name)}::text[])
      and n."name" = (${sql`select x.name from jsonb_to_recordset(${roleNames}::jsonb) as x(role text, name text) where x.role = e."role"`})`)
  return entry ? { role: entry.role, done: await ownDone(app.db, actor.id, entry.role) } : { role: null, done: [] }
})

const roleNames = JSON.stringify(Object.entries(standardRoles).map(([role, { name }]) => ({ role, name })))

/** Paths of the public calls that a training clinic answers. */
const OPEN = /^\/(app|web|health|favicon\.svg|auth\/(refresh-token|logout)|staff-training\/session)([/?]|$)/

/**
 * Closes access without a session: the site, the patient portal, the widget, incoming exchanges, and the sign-in with
 * the public demo passwords. The URLs of files lead below the path of the training clinic, both ways.
 */
export function closeToOthers(app: AppContext): void {
  const { pathname } = new URL(app.config.publicUrl)
  const inward = new RegExp(`${pathname}(/(?:files|users/\\d+/avatar)/)`, 'g')
  app.server.addHook('onRequest', async (request) => {
    // The path of the route, not that of the request: «/%73ite» is the route «/site» too.
    const path = request.routeOptions.url ?? '/'
    if (!OPEN.test(path) && !isSignedIn(request.headers.authorization, request.headers.cookie))
      throw new HttpError(401, 'Войдите в учебную клинику из основной')
    if (CLOSED.test(path)) throw notFound('В учебной клинике этого нет')
  })
  app.server.addHook('preValidation', async (request) => {
    request.body = replaced(request.body, inward, '$1')
  })
  app.server.addHook('onSend', async (_request, _reply, payload) =>
    typeof payload === 'string' ? payload.replace(PICTURES, `"${pathname}$1`) : payload,
  )
}

/** URLs of files in an answer. */
const PICTURES = /"(\/(?:files|users\/\d+\/avatar)\/)/g

const CLOSED = /^\/(auth\/login|site|portal|intake|live-assist\/(widget|demo|visitor)|attachment|agents?)([/?]|$)/

const isSignedIn = (authorization: string | undefined, cookie: string | undefined): boolean =>
  authorization !== undefined || /ordinator_files_training=/.test(cookie ?? '')

/** Replaces matches in all texts of a JSON body. */
function replaced(value: unknown, what: RegExp, by: string): unknown {
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value
  const text = JSON.stringify(value)
  const other = text.replace(what, by)
  return other === text ? value : JSON.parse(other)
}
