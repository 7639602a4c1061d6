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
import { type CopyRow, copyInto } from './copy.ts'
import { type Name, paragraph, personName, posts, seeded, tagNames, taskName } from './words.ts'

export const PASSWORD = 'bench-password'

export interface Sizes {
  users: number
  boards: number
  tasks: number
}
export const SIZES: Sizes = { users: 50, boards: 40, tasks: 200_000 }

/** Created records, for later sets and for the benchmarks. */
export interface BigData {
  idAdmin: number
  idUsers: number[]
  boards: BenchBoard[]
  /** 10 columns of 1,000 cards. */
  bigBoard: BenchBoard
  /** 10 columns of 10 cards. */
  smallBoard: BenchBoard
  /** 20,000 deals in six stages, and 200. */
  bigFunnel: BenchFunnel
  smallFunnel: BenchFunnel
  rows: number
  seconds: number
}

export interface BenchBoard {
  id: number
  idOwner: number
  idColumns: number[]
  members: { id: number; idUser: number }[]
}

export interface Making {
  client: pg.Client
  sizes: Sizes
  data: BigData
  copy(table: string, columns: string[], rows: Iterable<CopyRow>): Promise<void>
  /** The first id of a block of new ids: nothing else may write to the table meanwhile. */
  firstId(table: string): Promise<number>
}

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

const COLUMN_NAMES = [
  'Новые',
  'Разбор',
  'В работе',
  'Ждём пациента',
  'Ждём врача',
  'Ждём оплату',
  'На проверке',
  'Правки',
  'Завершённые',
  'Просроченные',
]
/** The first user's levels on the first eight boards: on most of them only own tasks are visible. */
const LEVELS = ['all', 'all', 'all', 'my', 'my', 'my', 'emptymy', 'emptymy'] as const
const MEMBERS = 12
const HAND = ['canCreateTask', 'canRelationBoard', 'canEditBoard', 'canEditColumn', 'canManuallyDragTask'] as const

async function boards({ sizes, data, copy, firstId }: Making): Promise<void> {
  const random = seeded(2)
  const [board, column, member] = [
    await firstId('tasks_management_boards'),
    await firstId('tasks_management_columns'),
    await firstId('tasks_management_members'),
  ]
  const boardRows: CopyRow[] = []
  const columnRows: CopyRow[] = []
  const memberRows: CopyRow[] = []
  const [reader] = data.idUsers as [number]
  const others = data.idUsers.slice(1)

  function add(name: string, width: number, crowd: { idUser: number; level: string; master: boolean }[]): BenchBoard {
    const id = board + boardRows.length
    const idOwner = random.pick(others)
    boardRows.push([id, name, '#228be6', idOwner])
    const idColumns = Array.from({ length: width }, (_, i) => {
      const idColumn = column + columnRows.length
      columnRows.push([idColumn, COLUMN_NAMES[i], i + 1, id])
      return idColumn
    })
    const all = [{ idUser: idOwner, level: 'all', master: true }, ...crowd.filter((one) => one.idUser !== idOwner)]
    const made = all.map(({ idUser, level, master }) => {
      const idMember = member + memberRows.length
      memberRows.push([idMember, idUser, id, level, level, level, level, ...HAND.map(() => master)])
      return { id: idMember, idUser }
    })
    return { id, idOwner, idColumns, members: made }
  }

  const crowd = (level: string) =>
    Array.from({ length: MEMBERS }, () => random.pick(others))
      .filter((idUser, i, list) => list.indexOf(idUser) === i)
      .map((idUser) => ({ idUser, level: random.chance(0.5) ? 'my' : level, master: random.chance(0.2) }))

  for (let i = 0; i < sizes.boards; i++) {
    const level = LEVELS[i]
    const people = crowd('all')
    if (level) people.push({ idUser: reader, level, master: true })
    data.boards.push(add(`Отделение ${i + 1}`, 4 + random.below(7), people))
  }
  const everyone = data.idUsers.map((idUser) => ({ idUser, level: 'all', master: true }))
  data.bigBoard = add('Замер: 10 × 1000', 10, everyone)
  data.smallBoard = add('Замер: 10 × 10', 10, everyone)

  await copy('tasks_management_boards', ['id', 'name', 'color', 'idUser'], boardRows)
  await copy('tasks_management_columns', ['id', 'name', 'order', 'idBoard'], columnRows)
  const levels = ['View', 'Edit', 'Assign', 'Delete'].map((right) => `permissionTo${right}Tasks`)
  await copy('tasks_management_members', ['id', 'idUser', 'idBoard', ...levels, ...HAND], memberRows)
}

const DAY = 86_400_000
/** Tasks created one by one; the rest is copied by PostgreSQL, which takes a tenth of the time. */
const BY_HAND = 200_000
/** Tasks and cards per column of a measured board. */
const BIG = 1_000
const SMALL = 10

async function tasks(making: Making): Promise<void> {
  const { sizes, data, copy, firstId } = making
  const task = await firstId('tasks_management_tasks')
  const places = [...placesOf(data, Math.min(sizes.tasks, BY_HAND))]
  const now = Date.now()
  const at = (ms: number) => new Date(ms).toISOString()

  await copy(
    'tasks_management_tasks',
    [
      'id',
      'name',
      'description',
      'importance',
      'isCompleted',
      'dateEnd',
      'dateCompleted',
      'dateExpired',
      'dateCreate',
      'dateChange',
      'idUser',
    ],
    (function* () {
      const random = seeded(3)
      for (const [i, { board }] of places.entries()) {
        const made = now - ((places.length - i) / places.length) * 700 * DAY - random.below(DAY)
        const completed = board !== data.bigBoard && random.chance(0.6)
        const description = random.chance(0.7) ? `<p>${paragraph(random)}</p>` : null
        const end = random.chance(0.8) ? at(made + random.below(30 * DAY)) : null
        // As in a running clinic: otherwise the job for expired tasks would process them all during the benchmark.
        const expired = !completed && end !== null && Date.parse(end) < now ? end : null
        const done = completed ? at(made + random.below(20 * DAY)) : null
        const creator = random.pick(board.members).idUser
        yield [
          task + i,
          taskName(random),
          description,
          1 + random.below(10),
          completed,
          end,
          done,
          expired,
          at(made),
          at(made),
          creator,
        ]
      }
    })(),
  )
  const card = await firstId('tasks_management_assigned')
  const orders = new Map<number, number>()
  await copy(
    'tasks_management_assigned',
    ['id', 'idTask', 'idColumn', 'order'],
    places.map(({ idColumn }, i) => {
      const order = (orders.get(idColumn) ?? 0) + 1
      orders.set(idColumn, order)
      return [card + i, task + i, idColumn, order]
    }),
  )
  for (const [table, seed, most] of [
    ['executors', 4, 3],
    ['responsible', 5, 1],
  ] as const) {
    const id = await firstId(`tasks_management_${table}`)
    await copy(
      `tasks_management_${table}`,
      ['id', 'idTask', 'idMember'],
      (function* () {
        const random = seeded(seed)
        let n = 0
        for (const [i, { board }] of places.entries()) {
          const from = random.below(board.members.length)
          const count = Math.min(random.below(most + 1), board.members.length)
          for (let k = 0; k < count; k++) {
            yield [id + n++, task + i, (board.members[(from + k) % board.members.length] as { id: number }).id]
          }
        }
      })(),
    )
  }
  const tag = await firstId('tasks_management_tags')
  await copy(
    'tasks_management_tags',
    ['id', 'name', 'color', 'idTask'],
    (function* () {
      const random = seeded(6)
      let n = 0
      for (let i = 0; i < places.length; i++) {
        const from = random.below(tagNames.length)
        for (let k = random.below(3); k > 0; k--) {
          yield [tag + n++, tagNames[(from + k) % tagNames.length], '#12b886', task + i]
        }
      }
    })(),
  )
  if (sizes.tasks > BY_HAND) await copyTasks(making, task)
}

const PARTS = ['assigned', 'executors', 'responsible', 'tags']

/** Copies the tasks of the growing boards, with cards, people and tags, up to the requested number. */
async function copyTasks({ client, sizes, data }: Making, first: number): Promise<void> {
  const from = first + 10 * (BIG + SMALL)
  const span = first + BY_HAND - from
  const repeat = async (table: string, idTask: string, step: number) => {
    const { rows } = await client.query<{ name: string }>(
      `select quote_ident(attname) as name from pg_attribute
        where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
      [table],
    )
    const values = rows.map(({ name }) => {
      if (name === 'id') return `"id" + n * ${step}`
      if (name === idTask) return `${name} + n * ${span}`
      // Positions after existing cards; slightly later times, so that the copies mix.
      if (name === '"order"') return `${name} + n * ${BY_HAND}`
      return name === '"dateCreate"' ? `${name} + n * interval '1 second'` : name
    })
    const id = idTask === 'id' ? '"id"' : idTask
    const { rowCount } = await client.query(`insert into ${table} (${rows.map(({ name }) => name)})
      overriding system value
      select ${values} from generate_series(1, ${Math.ceil(sizes.tasks / span)}) n cross join ${table}
      where ${id} between ${from} and ${first + BY_HAND - 1} and ${id} + n * ${span} < ${first + sizes.tasks}`)
    data.rows += rowCount ?? 0
  }
  await repeat('tasks_management_tasks', 'id', span)
  for (const part of PARTS) {
    const table = `tasks_management_${part}`
    const { rows } = await client.query(
      `select max("id") - min("id") + 1 as step from ${table} where "idTask" >= ${first}`,
    )
    await repeat(table, '"idTask"', Number(rows[0].step))
  }
}

/** The place of each task's card: the measured boards first, the rest over all boards, some far busier than others. */
function* placesOf(data: BigData, count: number): Generator<{ board: BenchBoard; idColumn: number }> {
  const random = seeded(7)
  let left = count
  const measured = [
    [data.bigBoard, BIG],
    [data.smallBoard, SMALL],
  ] as const
  for (const [board, height] of measured) {
    for (const idColumn of board.idColumns) {
      for (let i = 0; i < height && left > 0; i++, left--) yield { board, idColumn }
    }
  }
  for (; left > 0; left--) {
    const board = data.boards[Math.floor((random.below(1000) / 1000) ** 1.5 * data.boards.length)] as BenchBoard
    yield { board, idColumn: random.pick(board.idColumns) }
  }
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
