/** Boards and tasks of the big data set. */

import type pg from 'pg'
import type { BenchFunnel } from './bigDeals.ts'
import type { CopyRow } from './copy.ts'
import { paragraph, seeded, tagNames, taskName } from './words.ts'

export interface Sizes {
  users: number
  boards: number
  tasks: number
}

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

export async function boards({ sizes, data, copy, firstId }: Making): Promise<void> {
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

export async function tasks(making: Making): Promise<void> {
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
