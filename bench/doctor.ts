/**
 * A doctor's documents and lists over HTTP: a document of 20 pages, 100 prints at once beside a colleague who reads a list,
 * the search of МКБ-10 as bundled and complete, the search over all settings, a keystroke in an examination of 200 fields in
 * a real browser, and the cost of 20 webhooks for writes.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { commonSettingNames, commonSettings } from '@ordinator/model/areas/settings/commonSettings'
import { findSettings } from '@ordinator/model/areas/settings/findSettings'
import { freshWeb, openTab } from './browser.ts'
import { type BenchClinic, hold, release, startClinic } from './clinic.ts'
import { type Line, median, ms, type Part } from './table.ts'

const LOGIN = 'bench-admin'
const PAPER_GOAL = 2_000
const TERMS_GOAL = 20
/** Maximum milliseconds per keystroke, for smooth typing. */
const KEY_GOAL = 16
const FIELDS = 200
const AT_ONCE = 100
const HOOKS = 20
const REPEATS = 25
const WHOLE_LIST = 14_000
const WRITERS = 16
const TURN_S = 4
const TURNS = 3
/** Milliseconds between two writes of a writer, without pressure. */
const CALM_MS = 160
/** People who print at once. */
const PRINTERS = 20

type Call = (method: string, path: string, body?: object) => Promise<Response>

/** @param cases selection; absent: all */
export async function measureDoctor(cases?: readonly string[]): Promise<Part> {
  const isAsked = (name: string) => cases === undefined || cases.includes(name)
  if (isAsked('keys')) freshWeb()
  const clinic = await startClinic({
    tasks: 2_000,
    nodeArgs: ['--import', join(import.meta.dirname, 'loopbackReceivers.ts')],
  })
  const signIn = async (login: string): Promise<Call> => {
    const token = await clinic.signIn(login)
    return async (method, path, body) => {
      const answer = await fetch(clinic.product.url + path, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${(await answer.text()).slice(0, 300)}`)
      return answer
    }
  }
  const call = await signIn(LOGIN)
  const all: Record<string, () => Line[] | Promise<Line[]>> = {
    papers: () => papers(signIn, call),
    terms: () => terms(clinic, call),
    settings,
    hooks: () => hooks(clinic, call),
    // Last, since the browser's sign-in ends that of `call`.
    keys: () => keys(clinic, call),
  }
  const lines: Line[] = []
  for (const [name, measure] of Object.entries(all)) if (isAsked(name)) lines.push(...(await measure()))
  await release()
  return { title: 'The doctor: papers, МКБ-10, settings, keys, and writes beside 20 webhooks', lines }
}

const timed = async (run: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await run()
  return performance.now() - began
}

async function papers(signIn: (login: string) => Promise<Call>, call: Call): Promise<Line[]> {
  const text = 'Очень длинный договор на оказание платных медицинских услуг. '
  const made = await call('POST', '/print-templates', {
    name: 'Двадцать страниц',
    entity: 'users',
    header: '<p>{{ Клиника }}</p>',
    body: `<h2>Договор</h2>${`<p>{{ ФИО }}. ${text.repeat(11)}</p><table><tbody><tr><td><p>{{ Фамилия }}</p></td><td><p>${text}</p></td></tr></tbody></table>`.repeat(125)}`,
  })
  const { id: paper } = (await made.json()) as { id: number }
  const [{ id } = { id: 1 }] = ((await (await call('GET', '/users?limit=1')).json()) as { items: { id: number }[] })
    .items
  const people = await Promise.all(Array.from({ length: PRINTERS }, (_, at) => signIn(`bench-${at + 1}`)))
  const colleague = await signIn(`bench-${PRINTERS + 1}`)
  const print = async (by: Call = call) => (await by('GET', `/print-templates/${paper}/pdf?record=${id}`)).arrayBuffer()
  const pages = Buffer.from(await print())
    .toString('latin1')
    .match(/\/Type \/Page\b/g)?.length
  const alone: number[] = []
  for (let at = 0; at < 7; at++) alone.push(await timed(() => print()))
  const list = () => colleague('GET', '/users?limit=50').then((answer) => answer.text())
  const quiet: number[] = []
  for (let at = 0; at < 4 * REPEATS; at++) quiet.push(await timed(list))
  const beside: number[] = []
  let printing = true
  const began = performance.now()
  const all = Promise.allSettled(Array.from({ length: AT_ONCE }, (_, at) => print(people[at % PRINTERS]))).then(
    (done) => {
      printing = false
      return done.filter(({ status }) => status === 'rejected')
    },
  )
  while (printing) beside.push(await timed(list))
  const refused = await all
  const took = performance.now() - began
  const slowest = (times: number[]) => ms(times.toSorted((a, b) => b - a)[Math.floor(times.length / 100)] ?? 0)
  return [
    {
      what: `a paper of ${pages} pages: median of 7`,
      product: ms(median(alone)),
      goal: { text: `≤ ${PAPER_GOAL} ms`, met: median(alone) <= PAPER_GOAL },
    },
    {
      what: `${AT_ONCE} of them at once by ${PRINTERS} people: all, and how many were refused`,
      product: `${(took / 1000).toFixed(1)} s`,
      yardstick: `${refused.length}`,
    },
    {
      what: `  a colleague's list meanwhile, ${beside.length} times (product), and alone: median`,
      product: ms(median(beside)),
      yardstick: ms(median(quiet)),
      ratio: median(beside) / median(quiet),
    },
    { what: '  the slowest of a hundred', product: slowest(beside), yardstick: slowest(quiet) },
  ]
}

async function terms({ client }: BenchClinic, call: Call): Promise<Line[]> {
  const asked = ['J06', 'бронхит', 'острый бронхит неуточнённый', 'а', 'инфекция']
  const slowest = async () => {
    let worst = 0
    for (const q of asked) {
      const times: number[] = []
      for (let at = 0; at < REPEATS; at++)
        times.push(
          await timed(async () => (await call('GET', `/dictionaries/icd10/search?q=${encodeURIComponent(q)}`)).text()),
        )
      worst = Math.max(worst, median(times))
    }
    return worst
  }
  const line = (what: string, time: number): Line => ({
    what,
    product: ms(time),
    goal: { text: `≤ ${TERMS_GOAL} ms`, met: time <= TERMS_GOAL },
  })
  const { rows } = await client.query<{ count: number }>('select count(*)::int as count from dictionaries_terms')
  const bundled = await slowest()
  await client.query(`insert into dictionaries_terms ("idDictionary", "code", "name", "dateFrom")
    select d."id", chr(65 + n % 26) || lpad((n / 26 % 100)::text, 2, '0') || '.' || (10 + n / 2600), t."name" || ' ' || md5(n::text), '2000-01-01'
    from dictionaries d, generate_series(1, ${WHOLE_LIST}) n
      join lateral (select "name" from dictionaries_terms order by "id" offset n % 400 limit 1) t on true
    where d."code" = 'icd10'`)
  await client.query('analyze dictionaries_terms')
  return [
    line(
      `МКБ-10 as it comes, ${rows[0]?.count} codes: the slowest of ${asked.length} searches, median of ${REPEATS}`,
      bundled,
    ),
    line(`  with ${WHOLE_LIST.toLocaleString('en')} more`, await slowest()),
  ]
}

/** The search over all settings runs in the browser: each prefix of each setting's name, as it is typed. */
function settings(): Line[] {
  const typed = commonSettingNames.flatMap((name) => {
    const { label } = commonSettings[name]
    return Array.from({ length: label.length }, (_, at) => label.slice(0, at + 1))
  })
  for (const text of typed.slice(0, 200)) findSettings(text)
  const times = typed.map((text) => {
    const began = performance.now()
    findSettings(text)
    return performance.now() - began
  })
  const slowest = times.toSorted((a, b) => b - a)
  const worst = slowest[Math.floor(times.length / 100)] as number
  return [
    {
      what: `search over ${commonSettingNames.length} settings, ${typed.length} texts: the slowest of a hundred, and the median`,
      product: `${worst.toFixed(2)} ms`,
      yardstick: `${median(times).toFixed(2)} ms`,
      goal: { text: `≤ ${KEY_GOAL} ms`, met: worst <= KEY_GOAL },
    },
  ]
}

/** Cost of a keystroke in an examination of so many fields, including layout. */
async function keys(clinic: BenchClinic, call: Call): Promise<Line[]> {
  const idOf = async (path: string, body: object) =>
    ((await (await call('POST', path, body)).json()) as { id: number }).id
  const idCustomer = await idOf('/customers', { surname: 'Длинная', name: 'Анна' })
  const ids = new Map<number, number>()
  for (const count of [10, FIELDS]) {
    const fields = Array.from({ length: count }, (_, at) =>
      at % 10 === 9
        ? { key: `ф${at}`, label: `Формула ${at}`, type: 'calc', formula: `п${at - 1} * 2` }
        : { key: `п${at}`, label: `Поле ${at}`, type: at % 2 ? 'text' : 'number' },
    )
    const form = { sections: [{ title: 'Осмотр', fields }] }
    const idTemplate = await idOf('/examination-templates', { name: `Полей ${count}`, form })
    const id = await idOf('/examinations', { idCustomer, idTemplate })
    ids.set(count, id)
  }
  const { page, close } = await openTab(clinic, LOGIN)
  const costs: number[][] = []
  for (const [count, id] of ids) {
    await page.goto(`/app/examinations/${id}`)
    // One in the middle with an odd number: a text field.
    const field = page.getByRole('textbox', { name: `Поле ${2 * Math.floor(count / 4) + 1}`, exact: true })
    await field.click()
    costs.push(
      await field.evaluate(async (area) => {
        const input = area as HTMLTextAreaElement
        const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set
        const found: number[] = []
        for (let at = 0; at < 120; at++) {
          const begun = performance.now()
          set?.call(input, `${input.value}я`)
          input.dispatchEvent(new Event('input', { bubbles: true }))
          void input.offsetHeight
          found.push(performance.now() - begun)
          await new Promise((done) => setTimeout(done, 15))
        }
        return found.sort((a, b) => a - b)
      }),
    )
  }
  await close()
  const [few = [], many = []] = costs
  const slow = many[Math.floor(many.length * 0.95)] as number
  return [
    {
      what: `a key in an examination of ${FIELDS} fields, and of 10: median of ${many.length}`,
      product: `${median(many).toFixed(1)} ms`,
      yardstick: `${median(few).toFixed(1)} ms`,
      ratio: median(many) / median(few),
      goal: { text: `≤ ${KEY_GOAL} ms`, met: median(many) <= KEY_GOAL },
    },
    {
      what: '  the slowest of twenty',
      product: `${slow.toFixed(1)} ms`,
      yardstick: `${(few[Math.floor(few.length * 0.95)] as number).toFixed(1)} ms`,
      goal: { text: `≤ ${KEY_GOAL} ms`, met: slow <= KEY_GOAL },
    },
  ]
}

/** Writes per second without webhooks, with twenty for other events, and with twenty for each of them. */
async function hooks({ client }: BenchClinic, call: Call): Promise<Line[]> {
  let received = 0
  const receiver = createServer((request, reply) => {
    request.resume().on('end', () => {
      received++
      reply.end('ok')
    })
  })
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
  hold(() => receiver.close())
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  let made = 0
  const make = async (events: string[]) => {
    const ids: number[] = []
    for (let at = 0; at < HOOKS; at++) {
      const hook = await call('POST', '/webhooks', { name: `Вебхук ${++made}`, url, events, active: false })
      ids.push(((await hook.json()) as { id: number }).id)
    }
    return ids
  }
  const others = await make(['users.update', 'filials.update'])
  const same = await make(['customers.create', 'customers.update', 'customers.delete'])
  const switchAll = async (ids: readonly number[], active: boolean) => {
    for (const id of ids) await call('PUT', `/webhooks/${id}`, { active })
    // Queued messages are dropped, and reading starts from here.
    await sleep(1_500)
  }
  const body = { surname: 'Вебхукова', name: 'Анна' }
  /** As many as there are connections for, or so many per second. */
  const writes = async (each = 0) => {
    const times: number[] = []
    const until = performance.now() + TURN_S * 1_000
    const writer = async () => {
      while (performance.now() < until) {
        const time = await timed(async () => (await call('POST', '/customers', body)).text())
        times.push(time)
        if (each > 0) await sleep(Math.max(0, each - time))
      }
    }
    await Promise.all(Array.from({ length: WRITERS }, writer))
    return { perSecond: times.length / TURN_S, median: median(times) }
  }
  type Turn = Awaited<ReturnType<typeof writes>>
  const turns = { none: [] as Turn[], others: [] as Turn[], same: [] as Turn[] }
  const calm = { none: [] as Turn[], same: [] as Turn[] }
  await writes()
  for (let turn = 0; turn < TURNS; turn++) {
    turns.none.push(await writes())
    calm.none.push(await writes(CALM_MS))
    await switchAll(others, true)
    turns.others.push(await writes())
    await switchAll(others, false)
    await switchAll(same, true)
    turns.same.push(await writes())
    await switchAll(same, false)
    await switchAll(same, true)
    calm.same.push(await writes(CALM_MS))
    await switchAll(same, false)
  }
  const { rows } = await client.query<{ count: number }>(
    "select count(*)::int as count from exchange_messages where adapter = 'webhooks'",
  )
  const of = (all: readonly Turn[], key: keyof Turn) => median(all.map((one) => one[key]))
  const line = (what: string, all: readonly Turn[]): Line => ({
    what,
    product: of(all, 'perSecond').toFixed(0),
    yardstick: of(turns.none, 'perSecond').toFixed(0),
    ratio: of(all, 'perSecond') / of(turns.none, 'perSecond'),
  })
  return [
    line(`new cards a second beside ${HOOKS} webhooks for other events (product), and none`, turns.others),
    line(`  beside  for each card`, turns.same),
    {
      what: `a new card, ${of(calm.same, 'perSecond').toFixed(0)} a second, each sent to  (product), and to none: median`,
      product: ms(of(calm.same, 'median')),
      yardstick: ms(of(calm.none, 'median')),
      ratio: of(calm.same, 'median') / of(calm.none, 'median'),
    },
    { what: '  messages queued, and delivered meanwhile', product: `${rows[0]?.count}`, yardstick: `${received}` },
  ]
}
