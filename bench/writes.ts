/**
 * The cost of the tasks' visibility table per write, and the delay of a write's event. Each write is repeated many times
 * in its own transaction, which is rolled back, with and without the triggers that maintain the table, in turns; measured
 * by PostgreSQL's CPU time. An event is a change of a task over HTTP, delivered to a socket that subscribes to the cards
 * of its board as a member does.
 */
import { WebSocket } from 'ws'
import { type BenchClinic, hold, startClinic } from './clinic.ts'
import { spent } from './cpu.ts'
import { type Line, median, ms, type Part, percentile } from './table.ts'

const TIMES = 300
const TURNS = 5
const EVENTS = 100
const TASKS = 'tasks-management/tasks'

/** Tables whose `sights_…` triggers maintain the visibility table. */
const kept = ['tasks', 'assigned', 'executors', 'responsible'].map((name) => `tasks_management_${name}`)

interface Write {
  what: string
  /** Statements of one write, in PL/pgSQL; `i` is the counter. */
  body: string
}

export async function measureWrites(tasks: number): Promise<Part> {
  const clinic = await startClinic({ tasks })
  const lines: Line[] = []
  for (const write of writesOf(clinic)) {
    const found = { kept: [] as number[], bare: [] as number[] }
    for (let turn = 0; turn <= TURNS; turn++)
      for (const which of turn % 2 === 0 ? (['kept', 'bare'] as const) : (['bare', 'kept'] as const)) {
        const took = await run(clinic, write, which === 'kept')
        if (turn > 0) found[which].push(took)
      }
    const [product, yardstick] = [median(found.kept), median(found.bare)]
    lines.push({
      what: write.what,
      product: micro(product),
      yardstick: micro(yardstick),
      ratio: product / yardstick,
    })
  }
  const times = Float64Array.from(await events(clinic)).sort()
  lines.push({
    what: `a change of a task, until its event is there (${EVENTS}): median / p95`,
    product: `${ms(percentile(times, 0.5))} / ${ms(percentile(times, 0.95))}`,
  })
  return {
    title: `Writes at ${tasks.toLocaleString('en')} tasks: PostgreSQL’s processor for one, with the kept sight (product) and without (yardstick)`,
    lines,
  }
}

const micro = (value: number): string => `${Math.round(value * 1000)} µs`

function writesOf({ data }: BenchClinic): Write[] {
  const board = data.bigBoard
  const [first, second] = board.idColumns
  const task = `insert into tasks_management_tasks ("name", "idUser") values ('Замер ' || i, ${board.idOwner}) returning "id" into task`
  const card = `insert into tasks_management_assigned ("idTask", "idColumn", "order") values (task, ${first}, i) returning "id" into card`
  const person = `insert into tasks_management_executors ("idTask", "idMember") values (task, ${board.members[1]?.id})`
  return [
    { what: 'a task', body: `${task};` },
    { what: 'a task with its card', body: `${task}; ${card};` },
    { what: 'a task with its card and an executor', body: `${task}; ${card}; ${person};` },
    {
      what: 'the same, and the card moved to another column',
      body: `${task}; ${card}; ${person}; update tasks_management_assigned set "idColumn" = ${second} where "id" = card;`,
    },
    {
      what: 'a task, and its importance changed',
      body: `${task}; update tasks_management_tasks set "importance" = 2 where "id" = task;`,
    },
  ]
}

/** CPU time of one write, in milliseconds. */
async function run({ client }: BenchClinic, { body }: Write, isKept: boolean): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const { pid } = rows[0] as { pid: number }
  await client.query('begin')
  try {
    if (!isKept)
      for (const table of kept)
        for (const name of await triggersOf(client, table))
          await client.query(`alter table "${table}" disable trigger "${name}"`)
    const began = spent(pid)
    await client.query(
      `do $$ declare task bigint; card bigint; begin for i in 1..${TIMES} loop ${body} end loop; end $$`,
    )
    return (spent(pid) - began) / TIMES
  } finally {
    await client.query('rollback')
  }
}

async function triggersOf(client: BenchClinic['client'], table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select tgname as name from pg_trigger where tgrelid = $1::regclass and tgname like 'sights\\_%'`,
    [`"${table}"`],
  )
  return rows.map(({ name }) => name)
}

/** Milliseconds from the request of a change until a subscribed socket receives the event. */
async function events({ product, data, signIn }: BenchClinic): Promise<number[]> {
  const token = await signIn('bench-admin')
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const cards = await fetch(
    `${product.url}/tasks-management/assigned?filter[column.idBoard]=${data.bigBoard.id}&limit=1&fields=idTask`,
    { headers },
  )
  const [{ idTask }] = (await cards.json()).items
  const listener = await signIn('bench-2')
  const socket = new WebSocket(`${product.url.replace('http', 'ws')}/ws?token=${encodeURIComponent(listener)}`)
  hold(() => socket.terminate())
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const filter = { 'assigned.column.idBoard': data.bigBoard.id }
  socket.send(JSON.stringify({ controller: 'system', action: 'addListener', data: { path: TASKS, filter } }))
  const answer = await new Promise<Buffer>((resolve) => socket.once('message', resolve))
  if (answer.includes('"isError":true')) throw new Error(answer.toString())
  const times: number[] = []
  for (let i = 0; i < EVENTS; i++) {
    const arrived = new Promise<void>((resolve) => {
      const listen = (text: Buffer) => {
        if (!text.includes(`"id":${idTask},`)) return
        socket.off('message', listen)
        resolve()
      }
      socket.on('message', listen)
    })
    const began = performance.now()
    const body = JSON.stringify({ importance: 2 + (i % 8) })
    const response = await fetch(`${product.url}/${TASKS}/${idTask}`, { method: 'PUT', headers, body })
    if (!response.ok) throw new Error(await response.text())
    await arrived
    times.push(performance.now() - began)
  }
  socket.terminate()
  return times
}
