/**
 * Chats with a growing number of messages: the requests of an operator's page over HTTP, one at a time. One clinic whose
 * chats grow, so that each size is compared with the previous one.
 */
import { type BenchClinic, startClinic } from './clinic.ts'
import { alone } from './growth.ts'
import { type Line, ms, type Part } from './table.ts'

export const CHAT_SIZES = [100_000, 1_000_000]
/** Messages per chat, and active chats: these do not grow with the years. */
const OF_CHAT = 10
const ACTIVE = 2_000
const LOGIN = 'bench-admin'
const MAX_GROWTH = 1.5

interface Read {
  what: string
  path(of: { me: number; idChat: number }): string
}

const CHATS = '/live-assist?expand=user&limit=30'
const LATEST = 'sort=-dateLast,-id'
const sought = (text: string) =>
  `/live-assist/messages?filter[message][ilike]=${encodeURIComponent(text)}&expand=chat&sort=-id&limit=30`

const reads: Read[] = [
  {
    what: 'tab «Мои»',
    path: ({ me }) => `${CHATS}&filter[status]=active&filter[handler]=human&filter[idUser]=${me}&${LATEST}`,
  },
  { what: 'tab «Ничьи»', path: () => `${CHATS}&filter[status]=active&filter[handler]=none&${LATEST}` },
  { what: 'tab «Завершённые»', path: () => `${CHATS}&filter[status]=completed&${LATEST}` },
  { what: 'tab «Все»', path: () => `${CHATS}&${LATEST}` },
  {
    what: 'journal of chats, count',
    path: () => '/live-assist?expand=user,outcome,customer&sort=-dateCreate,-id&limit=25&count=1',
  },
  { what: 'numbers of the tabs', path: () => '/live-assist/counts' },
  { what: 'the shift', path: () => '/live-assist/shift' },
  {
    what: 'a thread, 40 lines',
    path: ({ idChat }) =>
      `/live-assist/messages?filter[idLiveAssist]=${idChat}&expand=user,files.file&sort=-seq&limit=40`,
  },
  { what: 'search: a word of one message in ten', path: () => sought('анализ') },
  { what: 'search: a word of one in 2,000', path: () => sought('Ильина') },
  { what: 'search: two words', path: () => sought('Ильина анализ') },
  { what: 'search: what is not there', path: () => sought('ыъыъыъ') },
]

export async function measureChats(sizes: number[]): Promise<Part> {
  const clinic = await startClinic({ tasks: 2_000, durable: false })
  const notes: string[] = []
  const times = reads.map((): Awaited<ReturnType<typeof alone>>[] => [])
  const of = { me: clinic.data.idUsers[0] as number, idChat: ACTIVE / 2 }
  let made = 0
  for (const size of sizes) {
    const began = performance.now()
    await grow(clinic, made, size)
    made = size
    notes.push(`${size.toLocaleString('en')} messages: made in ${((performance.now() - began) / 1000).toFixed(0)} s`)
    // Creating them may take longer than a token lives.
    const token = await clinic.signIn(LOGIN)
    for (const [i, { path }] of reads.entries()) times[i]?.push(await alone(clinic, path(of), token))
  }
  const lines = reads.map(({ what }, i): Line => {
    const found = times[i] as Awaited<ReturnType<typeof alone>>[]
    const [first, last] = [found[0], found.at(-1)] as [(typeof found)[0], (typeof found)[0]]
    const growth = (last.server + last.postgres) / (first.server + first.postgres)
    return {
      what,
      product: found.map(({ best }) => ms(best)).join(' / '),
      yardstick: found.map(({ server, postgres }) => `${server.toFixed(1)} + ${postgres.toFixed(1)}`).join(' / '),
      ratio: growth,
      goal: { text: `≤ ${MAX_GROWTH}×`, met: growth <= MAX_GROWTH },
    }
  })
  return {
    title: `Chats at ${sizes.map((size) => size.toLocaleString('en')).join(' / ')} messages: the best of 25 calls (product); the processor's ms, server + PostgreSQL, the median call (yardstick); its growth from the first to the last (ratio)`,
    lines,
    notes,
  }
}

/** Words of the messages: eight in each, and a ninth in one of ten and one of 2,000. */
const WORDS =
  'запись приём врач время завтра сегодня утро вечер справка результат телефон адрес спасибо можно нужно перенести отменить цена услуга ребёнок взрослый кабинет этаж филиал договор оплата карта скидка полис паспорт зуб колено глаз сердце спина живот голова рука нога ухо горло нос кашель боль температура давление рецепт таблетки укол массаж узи рентген мрт кровь моча прививка осмотр повторно первый раз срочно'

/** By insert-select: reproducible rows, the oldest first. */
async function grow({ client, data }: BenchClinic, from: number, to: number): Promise<void> {
  const [firstChat, lastChat] = [from / OF_CHAT + 1, to / OF_CHAT]
  await client.query('begin')
  await client.query('set local session_replication_role = replica')
  await client.query(`set local maintenance_work_mem = '1GB'; set local work_mem = '256MB'`)
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(`
    select i.indexname as name, i.indexdef as definition from pg_indexes i
    where i.schemaname = 'public' and i.tablename in ('live_assist', 'live_assist_messages', 'live_assist_visitors')
      and not exists (select 1 from pg_constraint c where c.conname = i.indexname)`)
  for (const { name } of indexes) await client.query(`drop index "${name}"`)
  await client.query(
    `insert into live_assist_visitors ("id", "name", "phone")
     select n, 'Гость ' || n, '+7916' || lpad((n % 10000000)::text, 7, '0') from generate_series($1::bigint, $2::bigint) n`,
    [firstChat, lastChat],
  )
  // The first ones are active, equally many per person; later ones are closed.
  await client.query(
    `insert into live_assist ("id", "name", "phone", "status", "handler", "idUser", "lastUser", "idVisitor", "source",
       "sourceName", "lastMessage", "dateLast", "queuedAt", "lastSeq", "inCount", "readIn", "outCount", "dateCreate")
     select n, 'Гость ' || n, '+7916' || lpad((n % 10000000)::text, 7, '0'),
       case when n <= $3 then 'active' when n % 20 = 0 then 'completed' else 'archive' end,
       case when n <= $3 and n % 20 = 0 then 'none' else 'human' end,
       case when n <= $3 and n % 20 = 0 then null else $4::bigint + n % $5 end, $4::bigint + n % $5, n, 'widget', 'Сайт',
       'Спасибо', at, case when n <= $3 and n % 20 = 0 then at end, ${OF_CHAT}, ${OF_CHAT / 2}, ${OF_CHAT / 2},
       ${OF_CHAT / 2}, at
     from generate_series($1::bigint, $2::bigint) n,
       lateral (select now() - make_interval(mins => case when n <= $3 then n::int % 600 else 600 + (n % 1000000)::int end) as at) a`,
    [firstChat, lastChat, ACTIVE, data.idUsers[0], data.idUsers.length],
  )
  await client.query(
    `with words as (select string_to_array('${WORDS}', ' ') as w)
     insert into live_assist_messages ("id", "idLiveAssist", "seq", "no", "kind", "clientId", "message", "idUser", "dateCreate")
     select m, chat, seq, (seq + 1) / 2, case when seq % 2 = 1 then 'visitor' else 'staff' end, 'c' || m,
       concat_ws(' ', case when m % 10 = 3 then 'анализ' end, case when m % 2000 = 13 then 'Ильина' end,
         w[1 + h % n], w[1 + h / 7 % n], w[1 + h / 61 % n], w[1 + h / 433 % n], w[1 + h / 3001 % n],
         w[1 + h / 20011 % n], w[1 + h / 140009 % n]),
       case when seq % 2 = 0 then $3::bigint + chat % $4 end, now() - make_interval(mins => (chat % 1000000)::int)
     from words, generate_series($1::bigint, $2::bigint) m,
       lateral (select (m - 1) / ${OF_CHAT} + 1 as chat, ((m - 1) % ${OF_CHAT} + 1)::int as seq,
         (hashint8(m) & 1073741823) as h, array_length(w, 1) as n) x`,
    [from + 1, to, data.idUsers[0], data.idUsers.length],
  )
  for (const { definition } of indexes) await client.query(definition)
  await client.query('commit')
  for (const table of ['live_assist', 'live_assist_messages', 'live_assist_visitors']) {
    await client.query(`select setval(pg_get_serial_sequence('${table}', 'id'), (select max("id") from ${table}))`)
    await client.query(`vacuum analyze ${table}`)
  }
}
