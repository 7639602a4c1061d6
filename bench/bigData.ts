/**
 * A large clinic for benchmarks: rows by COPY, into a migrated database, beside existing data.
 *
 *   node_modules/.bin/node bench/bigData.ts [--tasks=200000] postgresql://…   fills a database of yours
 *
 * A data set is one function in `sets`; each uses the results of earlier ones. Every run creates the same rows.
 * People sign in as bench-admin (all permissions, `bypassTaskRights` too), bench-1, bench-2, … (tasks only); the
 * password is `PASSWORD`.
 */
import { permissionNames } from '@ordinator/model/permissions'
import type pg from 'pg'
import { hashPassword } from '../apps/server/src/auth/passwords.ts'
import { createDb } from '../apps/server/src/platform/db.ts'
import { type BenchFunnel, deals } from './bigDeals.ts'
import { type BenchBoard, type BigData, boards, type Making, type Sizes, tasks } from './bigTasks.ts'
import { copyInto } from './copy.ts'
import { type Name, personName, posts, seeded } from './words.ts'

export const PASSWORD = 'bench-password'
export const SIZES: Sizes = { users: 50, boards: 40, tasks: 200_000 }

const sets: Record<string, (making: Making) => Promise<void>> = { users, boards, tasks, deals }

export async function makeBigData(client: pg.Client, sizes: Sizes = SIZES): Promise<BigData> {
  const began = performance.now()
  const none: BenchBoard = { id: 0, idOwner: 0, idColumns: [], members: [] }
  const noFunnel: BenchFunnel = { id: 0, idStages: [], idDeals: [] }
  const data: BigData = {
    idAdmin: 0,
    idUsers: [],
    boards: [],
    bigBoard: none,
    smallBoard: none,
    bigFunnel: noFunnel,
    smallFunnel: noFunnel,
    rows: 0,
    seconds: 0,
  }
  const touched = new Set<string>()
  const making: Making = {
    client,
    sizes,
    data,
    async copy(table, columns, rows) {
      touched.add(table)
      data.rows += await copyInto(client, table, columns, rows)
    },
    async firstId(table) {
      const { rows } = await client.query(`select coalesce(max("id"), 0)::int8 + 1 as id from "${table}"`)
      return Number(rows[0].id)
    },
  }
  await client.query('begin')
  // The rows are valid by construction; checking each reference would take longer than writing them all.
  await client.query('set local session_replication_role = replica')
  // Settings of this session only: the measured server keeps its own.
  // Pages not yet on disk are not all-visible, and an index-only scan would have to read the table.
  await client.query(`set maintenance_work_mem = '1GB'; set work_mem = '256MB'; set synchronous_commit = on`)
  const indexes = await dropIndexes(client)
  for (const make of Object.values(sets)) await make(making)
  for (const definition of indexes) await client.query(definition)
  for (const table of touched) {
    const sequence = await client
      .query(`select pg_get_serial_sequence('"${table}"', 'id') as name`)
      .catch(() => undefined)
    const name = sequence?.rows[0]?.name
    if (name) await client.query(`select setval('${name}', (select max("id") from "${table}"))`)
  }
  await client.query('commit')
  for (const table of touched) await client.query(`vacuum analyze "${table}"`)
  await keepSights(client)
  data.seconds = (performance.now() - began) / 1000
  return data
}

/** No trigger has seen these rows: the visibility of tasks is computed once for all of them. */
async function keepSights(client: pg.Client): Promise<void> {
  await client.query('truncate tasks_management_sights')
  const indexes = await dropIndexes(client, 'tasks\\_management\\_sights')
  await client.query('insert into tasks_management_sights select * from tasks_management_sights_due')
  for (const definition of indexes) await client.query(definition)
  await client.query('vacuum analyze tasks_management_sights')
}

/** Creating an index is faster than maintaining it. Those of constraints stay. Returns the SQL to recreate them. */
async function dropIndexes(client: pg.Client, tables = 'tasks\\_management\\_%'): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `
    select i.indexname as name, i.indexdef as definition from pg_indexes i
    where i.schemaname = 'public' and i.tablename like $1
      and not exists (select 1 from pg_constraint c where c.conname = i.indexname)`,
    [tables],
  )
  for (const { name } of rows) await client.query(`drop index "${name}"`)
  return rows.map(({ definition }) => definition)
}

async function users({ client, sizes, data, copy, firstId }: Making): Promise<void> {
  const random = seeded(1)
  const first = await firstId('users')
  const passwordHash = await hashPassword(PASSWORD)
  data.idAdmin = first
  data.idUsers = Array.from({ length: sizes.users }, (_, i) => first + 1 + i)
  const ids = [data.idAdmin, ...data.idUsers]
  await copy(
    'users',
    ['id', 'surname', 'name', 'middleName', 'sex', 'post', 'login'],
    ids.map((id, i) => {
      const { surname, name, middleName, sex }: Name = personName(random)
      return [id, surname, name, middleName, sex, random.pick(posts), i === 0 ? 'bench-admin' : `bench-${i}`]
    }),
  )
  const secrets = ids.map((id) => [id, passwordHash])
  await copyInto(client, 'user_secrets', ['idUser', 'passwordHash'], secrets)
  const role = await firstId('roles')
  await copy(
    'roles',
    ['id', 'name', 'permissions'],
    [
      [role, `Замер: всё (${role})`, permissionNames],
      [role + 1, `Замер: задачи (${role})`, ['viewTasksManagement']],
    ],
  )
  const userRole = await firstId('user_roles')
  await copy(
    'user_roles',
    ['id', 'idUser', 'idRole'],
    ids.map((id, i) => [userRole + i, id, i === 0 ? role : role + 1]),
  )
}

if (import.meta.main) {
  const url = process.argv.find((arg) => /^postgres(ql)?:/.test(arg))
  if (!url) {
    console.error('Usage: bench/bigData.ts [--tasks=200000] postgresql://user@host/database')
    process.exit(2)
  }
  const tasksArg = process.argv.find((arg) => arg.startsWith('--tasks='))?.slice(8)
  const db = createDb({ url, log: console as never, max: 1 })
  const client = await db.connect()
  const made = await makeBigData(client, { ...SIZES, ...(tasksArg ? { tasks: Number(tasksArg) } : {}) })
  console.log(
    `${made.rows} rows in ${made.seconds.toFixed(1)} s; sign in as bench-admin or bench-1, password ${PASSWORD}`,
  )
  await client.end()
  await db.end()
}
