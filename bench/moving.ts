/**
 * A clinic moves in: patients, five past visits and one and a half files of each, debts of one in twenty. Every table is
 * rehearsed and taken in over HTTP, as an administrator does; the goal is for 200,000 patients, and in proportion for fewer.
 */
import { packed } from '../apps/server/src/platform/zip.ts'
import { type BenchClinic, release, startClinic } from './clinic.ts'
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
const POLL_MS = 500

export async function measureMoving(patients: number): Promise<Part> {
  const clinic = await startClinic({ tasks: 2_000, durable: false })
  const lines: Line[] = []
  const { call, move } = await openMove(clinic)
  const random = seeded(patients)
  let all = 0
  const take = async (table: string, what: string, contents: Iterable<{ name: string; bytes: string | Buffer }>) => {
    const began = performance.now()
    let rows = 0
    let wrong = 0
    let checking = 0
    for (const { name, bytes } of contents) {
      const form = new FormData()
      form.append('table', table)
      form.append('file', new File([bytes as BlobPart], name))
      const sent = await call(`/moving/${move}/files`, { method: 'POST', body: form })
      await wait(call, sent.id, 'ready')
      const before = performance.now()
      await call(`/moving/files/${sent.id}/rehearse`, { method: 'POST' })
      await wait(call, sent.id, 'checked')
      checking += performance.now() - before
      await call(`/moving/files/${sent.id}/run`, { method: 'POST' })
      const done = await wait(call, sent.id, 'done')
      rows += done.total
      wrong += done.wrong
    }
    const seconds = (performance.now() - began) / 1000
    all += seconds
    const count = (number: number) => number.toLocaleString('en')
    lines.push({
      what: `${what}: ${count(rows)} rows, ${count(wrong)} left; the rehearsal ${(checking / 1000).toFixed(0)} s`,
      product: `${seconds.toFixed(0)} s, ${count(Math.round(rows / seconds))} rows a second`,
    })
  }
  await take(
    'customers',
    'patients',
    tables(
      'ID клиента;Фамилия;Имя;Отчество;Дата рождения;Телефон',
      patients,
      (i) =>
        `${i};Переездов${i};${random.pick(['Анна', 'Иван', 'Олег', 'Ольга', 'Пётр'])};Петрович;${day(random.below(28), random.below(12), 1930 + random.below(90))};+79${String(100_000_000 + i).slice(-9)}`,
    ),
  )
  await take(
    'balances',
    'balances',
    tables(
      'Код пациента;Долг;Аванс',
      Math.ceil(patients / 20),
      (i) => `${i * 20};${i % 2 ? `${random.below(9_000)},50` : ''};${i % 2 ? '' : random.below(9_000)}`,
    ),
  )
  await take(
    'visits',
    'past visits',
    tables(
      'ID визита;Код пациента;Дата;Врач;Услуга;Сумма',
      patients * VISITS_OF_ONE,
      (i) =>
        `в${i};${i % patients};${day(random.below(28), random.below(12), 2020 + random.below(5))};Врач ${random.below(30)};Услуга ${random.below(300)};${random.below(5_000)}`,
    ),
  )
  await take('files', 'files of patients', archives(Math.round(patients * FILES_OF_ONE), patients))
  const began = performance.now()
  await call(`/moving/${move}/reconciliation`)
  lines.push({ what: 'the page of the sums', product: `${((performance.now() - began) / 1000).toFixed(1)} s` })
  const goal = (GOAL * patients) / MOVING_PATIENTS
  lines.push({
    what: `the whole move of ${patients.toLocaleString('en')} patients`,
    product: `${all.toFixed(0)} s`,
    goal: { text: `≤ ${goal.toFixed(0)} s`, met: all <= goal },
  })
  await release()
  return { title: 'Moving in from another program', lines }
}

const day = (date: number, month: number, year: number): string => `${1 + date}.${1 + month}.${year}`

function* tables(head: string, count: number, row: (i: number) => string) {
  for (let from = 0; from < count; from += TABLE_ROWS) {
    const rows = [head]
    for (let i = from; i < Math.min(count, from + TABLE_ROWS); i++) rows.push(row(i))
    yield { name: 'table.csv', bytes: rows.join('\n') }
  }
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

type Call = (path: string, init?: RequestInit) => Promise<any>

/** An administrator with a move into a branch of the bench's clinic. */
async function openMove(clinic: BenchClinic): Promise<{ call: Call; move: number }> {
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
  const call: Call = async (path, init = {}) => {
    const response = await fetch(product.url + path, {
      ...init,
      headers: {
        authorization: `Bearer ${token}`,
        ...(typeof init.body === 'string' ? { 'content-type': 'application/json' } : {}),
      },
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`)
    return JSON.parse(text)
  }
  const body = JSON.stringify({ name: 'Переезд', program: 'yclients', idFilial, idOrganization })
  return { call, move: (await call('/moving', { method: 'POST', body })).id }
}

/** The file once its step is over. */
async function wait(call: Call, id: number, state: string) {
  for (;;) {
    const file = await call(`/moving/files/${id}`)
    if (file.state === state) return file
    if (file.state === 'failed' || file.message) throw new Error(`${file.fileName}: ${file.state} ${file.message}`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
