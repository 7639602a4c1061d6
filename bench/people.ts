/**
 * Customers as their table grows: the front desk's frequent look-ups, over HTTP, one request at a time, by an employee
 * who may see customers. The access journal is written meanwhile; its cost is measured against a server without it. Also
 * 3,000 services with their prices.
 */
import { join } from 'node:path'
import autocannon from 'autocannon'
import { type BenchClinic, release, startClinic } from './clinic.ts'
import { type CopyRow, copyInto } from './copy.ts'
import { ownCpu } from './cpu.ts'
import { alone } from './growth.ts'
import { type Line, median, ms, type Part } from './table.ts'
import { personName, type Random, seeded } from './words.ts'

export const PEOPLE_SIZES = [10_000, 100_000, 1_000_000]
const LOGIN = 'bench-1'
const SERVICES = 3_000
/** Events in the timeline of one customer. */
const EVENTS = 5_000
/** Parts of the rarer surnames: 20 × 20 × 50 combinations. */
const HEADS = 'Бел,Вер,Гор,Дол,Жар,Зим,Кал,Лаг,Мар,Нев,Окл,Пет,Рог,Сав,Тар,Ул,Фед,Хар,Чер,Шам'.split(',')
const MIDDLES = 'ан,ар,ас,ат,ев,ед,ел,ен,ер,ет,ив,ик,ил,ин,ит,ол,ом,он,ор,от'.split(',')
const MAX_GROWTH = 1.5
/** Share of a view's throughput that the journal may cost. */
const JOURNAL_SHARE = 0.05
const CONNECTIONS = 32
const TURN_S = 4
const TURNS = 4

/** The customer that every look-up searches for. */
const SOUGHT = { phone: '+79160000777', birthday: '1987-03-05', snils: '11223344595' }

interface Read {
  what: string
  path(of: { idSought: number }): string
  /** Milliseconds at the largest size. */
  goal?: number
}

const list = '/customers?sort=surname,name'
const by = (...words: string[]) =>
  `${list}&limit=20&${
    words.length === 1
      ? `filter[text][ilike]=${encodeURIComponent(words[0] as string)}`
      : words.map((word, at) => `filter[and][${at}][text][ilike]=${encodeURIComponent(word)}`).join('&')
  }`

const reads: Read[] = [
  { what: 'a whole phone, of the mother', path: () => by(SOUGHT.phone), goal: 20 },
  { what: 'a birthday', path: () => by('05.03.1987'), goal: 20 },
  { what: 'a СНИЛС', path: () => by(SOUGHT.snils), goal: 20 },
  { what: 'Смирнов', path: () => by('Смирнов'), goal: 20 },
  { what: 'Смирнов Сергей', path: () => by('Смирнов', 'Сергей'), goal: 20 },
  { what: 'Смрнов, a slip', path: () => by('Смрнов'), goal: 20 },
  { what: 'seven digits of a phone', path: () => by('0000777'), goal: 20 },
  { what: 'list of 50, 2 expands, count', path: () => `${list}&limit=50&expand=tags,source&count=1` },
  { what: 'a card with its parts', path: ({ idSought }) => `/customers/${idSought}?expand=policies,tags,source` },
  {
    what: `thread of ${EVENTS.toLocaleString('en')} events, 50`,
    path: ({ idSought }) => `/customers/${idSought}/thread`,
    goal: 30,
  },
  { what: 'Ctrl+K: Смирнов', path: () => `/search?q=${encodeURIComponent('Смирнов')}`, goal: 60 },
  { what: 'Ctrl+K: a phone', path: () => `/search?q=${encodeURIComponent('+7 916 000-07-77')}`, goal: 60 },
  {
    what: `services: a word of ${SERVICES.toLocaleString('en')}`,
    path: () => `/services?limit=20&filter[nameService][ilike]=${encodeURIComponent('колен')}`,
  },
]

export async function measurePeople(sizes: number[]): Promise<Part> {
  const notes: string[] = []
  const times = reads.map((): Awaited<ReturnType<typeof alone>>[] => [])
  const lines: Line[] = []
  for (const size of sizes) {
    const began = performance.now()
    const clinic = await startClinic({ tasks: 2_000, durable: false })
    const idSought = await people(clinic, size)
    notes.push(`${size.toLocaleString('en')} customers in ${((performance.now() - began) / 1000).toFixed(0)} s`)
    const token = await clinic.signIn(LOGIN)
    for (const [i, { path }] of reads.entries()) times[i]?.push(await alone(clinic, path({ idSought }), token))
    await release()
  }
  for (const [i, { what, goal }] of reads.entries()) {
    const found = times[i] ?? []
    const [first, last] = [found[0], found.at(-1)]
    if (!first || !last) continue
    const growth = (last.server + last.postgres) / (first.server + first.postgres)
    lines.push({
      what,
      product: found.map(({ best }) => ms(best)).join(' / '),
      yardstick: found.map(({ server, postgres }) => `${server.toFixed(1)} + ${postgres.toFixed(1)}`).join(' / '),
      ratio: growth,
      goal: {
        text: [goal ? `≤ ${goal} ms` : [], `≤ ${MAX_GROWTH}×`].flat().join(', '),
        met: (!goal || last.best <= goal) && growth <= MAX_GROWTH,
      },
    })
    notes.push(`${what}: medians ${found.map(({ usual }) => ms(usual)).join(' / ')}`)
  }
  return {
    title: `Customers at ${sizes.map((size) => size.toLocaleString('en')).join(' / ')}: the best of 25 calls (product); the processor's ms, server + PostgreSQL (yardstick); its growth from the first to the last (ratio)`,
    lines,
    notes,
  }
}

/** Card views a second with and without the access journal, in turns, and the CPU time of one view. */
export async function measureJournal(): Promise<Part> {
  const size = PEOPLE_SIZES[0] as number
  const turns = async (nodeArgs: string[]) => {
    const clinic = await startClinic({ tasks: 2_000, nodeArgs })
    await people(clinic, size)
    const token = await clinic.signIn(LOGIN)
    const run = () => views(clinic.product.url, token, size)
    await run()
    const found: number[] = []
    let done = 0
    const spent = await ownCpu(clinic.product.pid, clinic.db)
    for (let turn = 0; turn < TURNS; turn++) {
      const { average, total } = await run()
      found.push(average)
      done += total
    }
    const { server, postgres } = spent()
    const [{ lines = 0, statements = 1 } = {}] = await clinic.db.query<{ lines: number; statements: number }>({
      text: 'select count(*)::int as lines, count(distinct xmin::text)::int as statements from access_log',
    })
    await release()
    const each = { server: server / done, postgres: postgres / done }
    return { perSecond: median(found), each, cpu: each.server + each.postgres, together: lines / statements }
  }
  const kept = await turns([])
  const without = await turns(['--import', join(import.meta.dirname, 'withoutJournal.ts')])
  const again = await turns([])
  const ratio = (kept.perSecond + again.perSecond) / 2 / without.perSecond
  return {
    title: `The journal of access: with it (product, twice) and without (yardstick), ${CONNECTIONS} connections`,
    lines: [
      {
        what: 'cards a second',
        product: `${kept.perSecond.toFixed(0)}, ${again.perSecond.toFixed(0)}`,
        yardstick: without.perSecond.toFixed(0),
        ratio,
        goal: { text: `≥ ${1 - JOURNAL_SHARE}`, met: ratio >= 1 - JOURNAL_SHARE },
      },
      {
        what: 'the processor for a card',
        product: `${ms(kept.cpu)}, ${ms(again.cpu)}`,
        yardstick: ms(without.cpu),
        ratio: (kept.cpu + again.cpu) / 2 / without.cpu,
      },
    ],
    notes: [
      `of the processor's time for a card, server + PostgreSQL: ${[kept, again, without].map(({ each }) => `${each.server.toFixed(2)} + ${each.postgres.toFixed(2)}`).join(', ')}`,
      `lines of one statement: ${kept.together.toFixed(1)}, ${again.together.toFixed(1)}`,
    ],
  }
}

function views(url: string, token: string, size: number): Promise<{ average: number; total: number }> {
  let next = 0
  return new Promise((resolve, reject) =>
    autocannon(
      {
        url,
        connections: CONNECTIONS,
        duration: TURN_S,
        timeout: 60,
        headers: { authorization: `Bearer ${token}` },
        requests: [
          {
            method: 'GET',
            setupRequest: (request: object) => ({ ...request, path: `/customers/${1 + (next++ % (size - 10))}` }),
          },
        ],
      },
      (error: Error | null, { requests, non2xx }: { requests: { average: number; total: number }; non2xx: number }) =>
        error || non2xx > 0 ? reject(error ?? new Error(`${non2xx} refused`)) : resolve(requests),
    ),
  )
}

/** Fills the clinic and grants the employee the right. @returns the customer that every look-up searches for */
async function people({ client, db, data }: BenchClinic, size: number): Promise<number> {
  const random = seeded(size)
  const columns = ['surname', 'name', 'middleName', 'phone', 'phoneMother', 'birthday', 'snils', 'cardNumber', 'gender']
  await copyInto(client, 'customers', columns, rowsOf(random, size))
  const [sought] = await db.query<{ id: number }>({
    text: `update customers set "phoneMother" = $1, "birthday" = $2, "snils" = $3 where "id" = (select max("id") - 5 from customers) returning "id"`,
    values: [SOUGHT.phone, SOUGHT.birthday, SOUGHT.snils],
  })
  const id = sought?.id ?? 0
  await db.query({
    text: `insert into calls ("callType", "contactPhone", "idCustomer", "dateCreate")
      select 1 + n % 3, $2, $1, now() - make_interval(hours => n) from generate_series(1, $3) n`,
    values: [id, SOUGHT.phone, EVENTS],
  })
  await db.query({
    text: `insert into services ("nameService", "priceService", "userCreate", "userChange")
      select (array['Приём', 'УЗИ', 'МРТ', 'Массаж', 'Анализ'])[1 + n % 5] || ' ' || (array['врача', 'коленного сустава', 'печени', 'спины', 'крови', 'шеи'])[1 + n % 6] || ' ' || n,
        100 + n, $1, $1 from generate_series(1, $2::int) n`,
    values: [data.idAdmin, SERVICES],
  })
  await db.query({
    text: `insert into "user_permissions" ("idUser", "permission") select $1, p from unnest($2::text[]) p on conflict do nothing`,
    values: [data.idUsers[0], ['viewCustomers', 'editCustomers', 'displayTableCalls', 'viewServices']],
  })
  for (const table of ['customers', 'customer_names', 'calls', 'services']) await db.query({ text: `analyze ${table}` })
  return id
}

/** Half of the customers have one of fifty surnames, the rest one of 20,000. */
function* rowsOf(random: Random, size: number): Generator<CopyRow> {
  const digits = (count: number) => Array.from({ length: count }, () => random.below(10)).join('')
  for (let i = 0; i < size; i++) {
    const { surname, name, middleName, sex } = personName(random)
    const rare = `${random.pick(HEADS)}${random.pick(MIDDLES)}${random.pick(MIDDLES)}${random.pick(['ов', 'ин', 'ский'])}`
    yield [
      random.chance(0.5) ? surname : sex === 'female' ? rare.replace(/ский$/, 'ская').replace(/(ов|ин)$/, '$1а') : rare,
      name,
      middleName,
      `+79${digits(9)}`,
      random.chance(0.2) ? `+79${digits(9)}` : null,
      `${1935 + random.below(88)}-${String(1 + random.below(12)).padStart(2, '0')}-${String(1 + random.below(28)).padStart(2, '0')}`,
      random.chance(0.6) ? digits(11) : null,
      String(i + 1),
      sex,
    ]
  }
}
