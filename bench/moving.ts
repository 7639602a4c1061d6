/**
 * A clinic moves in: patients, five past visits and one and a half files of each, debts of one in twenty. Every table is
 * rehearsed and taken in over HTTP, as an administrator does; the goal is for 200,000 patients, and in proportion for fewer.
 */
import { packed } from '../apps/server/src/platform/zip.ts'
import { type BenchClinic, release, startClinic } from './clinic.ts'
import { ownCpu } from './cpu.ts'
import { type Mover, moverOf, patientsTable, visitsTable } from './mover.ts'
import type { Line, Part } from './table.ts'
import { seeded } from './words.ts'

const LOGIN = 'bench-1'
export const MOVING_PATIENTS = 200_000
const VISITS_OF_ONE = 5
const FILES_OF_ONE = 1.5
/** Seconds that the whole may take at MOVING_PATIENTS. */
const GOAL = 20 * 60
/** Rows of one file, and files of one archive. */
const TABLE_ROWS = 200_000
const ARCHIVE_FILES = 30_000

/** @param nodeArgs Node arguments of the server, such as --cpu-prof */
export async function measureMoving(patients: number, nodeArgs: string[] = []): Promise<Part> {
  const clinic = await startClinic({ tasks: 2_000, durable: false, nodeArgs })
  const lines: Line[] = []
  const { mover, move } = await openMove(clinic)
  const { below } = seeded(patients)
  const count = (number: number) => number.toLocaleString('en')
  let all = 0
  const take = async (table: string, what: string, files: Iterable<{ name: string; bytes: string | Buffer }>) => {
    const cpu = await ownCpu(clinic.product.pid, clinic.db)
    const began = performance.now()
    let rows = 0
    let wrong = 0
    let rehearsal = 0
    for (const { name, bytes } of files) {
      const taken = await mover.take(move, table, name, bytes)
      rows += taken.rows
      wrong += taken.wrong
      rehearsal += taken.rehearsal
    }
    const seconds = (performance.now() - began) / 1000
    const { server, postgres } = cpu()
    const each = (spent: number) => Math.round((spent * 1000) / rows)
    all += seconds
    lines.push({
      what: `${what}: ${count(rows)} rows, ${count(wrong)} left; the rehearsal ${(rehearsal / 1000).toFixed(0)} s`,
      product: `${seconds.toFixed(0)} s, ${count(Math.round(rows / seconds))} rows a second; CPU of a row ${each(server)} + ${each(postgres)} µs`,
    })
  }
  await take(
    'customers',
    'patients',
    parts(patients, (from, to) => patientsTable(from, to, below)),
  )
  await take(
    'balances',
    'balances',
    parts(Math.ceil(patients / 20), (from, to) =>
      [
        'Код пациента;Долг;Аванс',
        ...Array.from({ length: to - from }, (_, at) => {
          const i = from + at
          return `${i * 20};${i % 2 ? `${below(9_000)},50` : ''};${i % 2 ? '' : below(9_000)}`
        }),
      ].join('\n'),
    ),
  )
  await take(
    'visits',
    'past visits',
    parts(patients * VISITS_OF_ONE, (from, to) => visitsTable(from, to, patients, below)),
  )
  await take('files', 'files of patients', archives(Math.round(patients * FILES_OF_ONE), patients))
  const began = performance.now()
  await mover.call(`/moving/${move}/reconciliation`)
  lines.push({ what: 'the page of the sums', product: `${((performance.now() - began) / 1000).toFixed(1)} s` })
  const goal = (GOAL * patients) / MOVING_PATIENTS
  lines.push({
    what: `the whole move of ${count(patients)} patients`,
    product: `${all.toFixed(0)} s`,
    goal: { text: `≤ ${goal.toFixed(0)} s`, met: all <= goal },
  })
  await release()
  return { title: 'Moving in from another program', lines }
}

/** A table in parts, as a person divides it. */
function* parts(rows: number, table: (from: number, to: number) => string) {
  for (let from = 0; from < rows; from += TABLE_ROWS)
    yield { name: 'table.csv', bytes: table(from, Math.min(rows, from + TABLE_ROWS)) }
}

function* archives(count: number, patients: number) {
  for (let from = 0; from < count; from += ARCHIVE_FILES) {
    const rows = ['Файл;Код пациента;Название']
    const files = new Map<string, Buffer>()
    for (let i = from; i < Math.min(count, from + ARCHIVE_FILES); i++) {
      rows.push(`f/${i}.txt;${i % patients};Выписка ${i}`)
      files.set(`f/${i}.txt`, Buffer.from(`Выписка из карты, документ ${i}`))
    }
    yield { name: 'files.zip', bytes: packed(new Map([['table.csv', Buffer.from(rows.join('\n'))], ...files])) }
  }
}

/** An administrator with a move into a branch of the bench's clinic. */
async function openMove(clinic: BenchClinic): Promise<{ mover: Mover; move: number }> {
  const { db, data, product } = clinic
  await db.query({
    text: `insert into "user_permissions" ("idUser", "permission") select $1, p from unnest($2::text[]) p on conflict do nothing`,
    values: [data.idUsers[0], ['mainSettings', 'viewCustomers', 'editCustomers', 'editAccount']],
  })
  const one = async (text: string): Promise<number> =>
    Number((await db.query<{ id: number }>({ text, values: [] }))[0]?.id)
  const idFilial = await one(
    `insert into filials ("nameFilial", "timeZone") values ('Переезд', 'Europe/Moscow') returning "id"`,
  )
  const idOrganization = await one(
    `insert into organizations ("shortName", "kind") values ('Переезд', 'own') returning "id"`,
  )
  const token = await clinic.signIn(LOGIN)
  const mover = moverOf(product.url, token, () => clinic.signIn(LOGIN))
  const body = JSON.stringify({ name: 'Переезд', program: 'yclients', idFilial, idOrganization })
  return { mover, move: (await mover.call('/moving', { method: 'POST', body })).id }
}
