import { Customer } from '@ordinator/model/areas/customers/customer'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import { type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { doingOf, percentOf } from './process.ts'
import { readTicket, trainingSecret, writeTicket } from './ticket.ts'

/** Making the training clinic is a whole start of the program on a busy machine. */
const MAKING_MS = 600_000

let clinic: Clinic
let origin: string
/** The result of making it. */
const doings = new Set<string>()
let usedTicket = ''

beforeAll(async () => {
  clinic = await testApp({
    // Its demo data are those of every demo clinic: they take long to make, and prove nothing here.
    env: { TRAINING_DEMO: '0' },
    prepare: async (app) => {
      await addPerson(app, 'head', ['editUsers', 'mainSettings'])
      await addPerson(app, 'desk', ['viewCustomers'])
    },
  })
  origin = await clinic.listen()
}, 900_000)
afterAll(() => clinic.close(), 60_000)

/** Enters the training clinic as a role: calls of a session there. */
async function trainee(login: string, role: string) {
  let ticket: string | null = null
  await expect
    .poll(
      async () => {
        const answer = await clinic.as(login).post('/staff-training/enter', { role })
        expect(answer.body.reason).toBeNull()
        if (answer.body.doing) doings.add(answer.body.doing)
        ticket = answer.body.ticket
        return answer.body.state
      },
      { timeout: MAKING_MS, interval: 500 },
    )
    .toBe('ready')
  const session = await fetch(`${origin}/training/staff-training/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ticket }),
  })
  expect(session.status).toBe(200)
  usedTicket = ticket ?? ''
  const { accessToken } = (await session.json()) as { accessToken: string }
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${origin}/training${path}`, {
      method,
      headers: { authorization: `Bearer ${accessToken}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    return { status: answer.status, body: text ? JSON.parse(text) : undefined, headers: answer.headers }
  }
  return { call, accessToken, cookies: session.headers.getSetCookie() }
}

/** Contents of a schema without sign-ins: rows of each table by their number and their content. */
async function contentOf(schema: string): Promise<Record<string, string>> {
  const tables = await clinic.db.query<{ name: string }>(sql`
    select tablename as name from pg_tables where schemaname = ${schema}
      and tablename not in ('sessions', 'users', 'training_done', 'login_attempts', 'known_devices')
      and tablename not like 'access%' order by 1`)
  const found: Record<string, string> = {}
  for (const { name } of tables) {
    const row = await clinic.db.one<{ sum: string }>({
      text: `select count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) as sum from "${schema}"."${name}" t`,
    })
    found[name] = row?.sum ?? ''
  }
  return found
}

const structureOf = (schema: string) =>
  clinic.db.query(
    sql`select table_name, column_name, data_type from information_schema.columns where table_schema = ${schema} and table_name !~ '_20[0-9]{4}$' order by 1, 2`,
  )

test('writes in one clinic never appear in the other; done tasks are ticked', async () => {
  const [before, structure] = [await contentOf('public'), await structureOf('public')]
  const { call, cookies, accessToken } = await trainee('desk', 'registrar')
  expect([...doings].join()).toMatch(/Запускаем программу|Готовим базу данных: \d+ из \d+/)
  // Its making changes nothing of the clinic.
  expect(await structureOf('public')).toEqual(structure)
  expect(await structureOf('training')).toEqual(structure)

  // The session is below the training clinic and is worth nothing in the clinic.
  expect(cookies.every((one) => /_training=/.test(one) && /Path=\/training/i.test(one))).toBe(true)
  expect((await clinic.withToken(accessToken).get('/customers?limit=1')).status).toBe(401)
  const own = await clinic.as('desk').token()
  const strange = await fetch(`${origin}/training/customers?limit=1`, { headers: { authorization: `Bearer ${own}` } })
  expect(strange.status).toBe(401)

  const account = await call('POST', '/common/get-account', {})
  expect(account.body.common.training).toBe(true)
  expect((await call('GET', '/staff-training/tasks')).body).toEqual({ role: 'registrar', done: [] })
  const made = await call('POST', '/customers', { surname: 'Учебный', name: 'Пациент', phone: '+79990001122' })
  expect(made.status).toBe(201)
  expect((await call('GET', '/staff-training/tasks')).body).toEqual({ role: 'registrar', done: ['customer'] })
  expect(await contentOf('public')).toEqual(before)

  // The other way round.
  const there = await contentOf('training')
  await clinic.context.engine.for(systemActor).create(Customer, { surname: 'Настоящий', name: 'Пациент' })
  const after = await contentOf('training')
  expect(after.customers).toBe(there.customers)
  const found = await call('GET', `/customers?filter[surname]=${encodeURIComponent('Настоящий')}`)
  expect(found.body.items).toEqual([])

  // The manager sees the done tasks; they stay when the training clinic is made anew.
  const people = async () => {
    const { body } = await clinic.as('head').get('/staff-training/people')
    return body.items.filter(({ done }: { done: unknown[] }) => done.length > 0)
  }
  const [one] = await people()
  expect(one.done).toMatchObject([{ role: 'registrar', task: 'customer' }])
  expect((await clinic.as('desk').get('/staff-training/people')).status).toBe(403)
  // Each sees the own progress in the clinic; the training clinic has none of its own.
  const look = async (login: string) => good(await clinic.as(login).get('/staff-training'))
  expect(await look('desk')).toMatchObject({ state: 'ready', done: [{ role: 'registrar', task: 'customer' }] })
  expect((await look('head')).done).toEqual([])
  expect((await call('GET', '/staff-training')).status).toBe(404)

  // Nothing needs no session there: no site, no patient portal, no sign-in with the demo passwords.
  for (const path of ['/site', '/portal', '/live-assist/widget.js', '/live-assist/demo'])
    expect((await fetch(`${origin}/training${path}`, { redirect: 'manual' })).status, path).toBeGreaterThanOrEqual(400)
  const login = await call('POST', '/auth/login', { login: 'admin', password: 'demo' })
  expect(login.status).toBe(404)

  // From outside, with another spelling of a closed path and anything for a sign-in: no session, no page, no file.
  const attack = (path: string, init: RequestInit = {}) =>
    fetch(`${origin}/training${path}`, { redirect: 'manual', ...init })
  const json = { 'content-type': 'application/json', authorization: 'Bearer x' }
  const guess = { method: 'POST', headers: json, body: JSON.stringify({ login: 'admin', password: 'demo' }) }
  for (const path of ['/auth/%6cogin', '/%61uth/login', '//auth/login', '/auth//login', '/auth/./login'])
    expect((await attack(path, guess)).status, path).toBeGreaterThanOrEqual(400)
  for (const path of ['/%73ite', '/%70ortal', '/customers', '/../customers', '/..%2fcustomers', '/%2e%2e/customers'])
    expect((await attack(path, { headers: json })).status, path).toBeGreaterThanOrEqual(400)
  // A session of the clinic and its files are worth nothing there, and a ticket opens one session.
  const passes: Record<string, string>[] = [
    { authorization: `Bearer ${own}` },
    { cookie: `ordinator_files_training=${own}` },
  ]
  for (const headers of passes) expect((await attack('/customers', { headers })).status).toBe(401)
  const again = await attack('/staff-training/session', {
    ...guess,
    body: JSON.stringify({ ticket: usedTicket }),
  })
  expect(again.status).toBe(401)

  // Made anew: the patient is gone, the tick is not.
  expect((await clinic.as('desk').post('/staff-training/reset')).status).toBe(403)
  expect((await clinic.as('head').post('/staff-training/reset')).body.state).toBe('making')
  const left = async () => {
    const table = await clinic.db.one<{ is: boolean }>(sql`select to_regclass('training.customers') is not null as is`)
    if (!table?.is) return 0
    return (await clinic.db.query(sql`select 1 from training.customers where "surname" = 'Учебный'`)).length
  }
  await expect.poll(left, { timeout: 60_000 }).toBe(0)
  expect((await people())[0].done).toMatchObject([{ role: 'registrar', task: 'customer' }])
}, 1_500_000)

test('the progress of a start grows from stage to stage and is never whole before the clinic answers', () => {
  const percents = [percentOf('migrations', 0, 200), percentOf('migrations', 200, 200)]
  percents.push(percentOf('demo', 1, 40), percentOf('demo', 40, 40))
  expect(percents).toEqual([0, 20, 22, 99])
  expect(doingOf({ stage: 'migrations', done: 3, total: 200 })).toBe('Готовим базу данных: 3 из 200')
  expect(doingOf({ stage: 'demo', done: 1, total: 40, next: 'Пациенты' })).toBe('Заполняем: пациенты')
})

test('a ticket is good for a minute, and only with its own signature', () => {
  const secret = trainingSecret('a secret of the clinic, long enough')
  const who = { id: 7, surname: 'Иванова', name: 'Анна', middleName: '', role: 'doctor' } as const
  const ticket = writeTicket(who, secret, 1_000_000)
  expect(readTicket(ticket, secret, 1_000_000)).toEqual(who)
  expect(readTicket(ticket, secret, 1_061_000)).toBeUndefined()
  expect(readTicket(ticket, trainingSecret('another'), 1_000_000)).toBeUndefined()
  expect(readTicket(`${ticket.slice(1)}`, secret, 1_000_000)).toBeUndefined()
})
