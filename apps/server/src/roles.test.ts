/** Processes of one clinic that do different things: `ROLE` and `DB_CONNECTIONS`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anotherServer, killOthers } from '#testing/anotherServer.ts'
import { type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { jobsSchema } from './platform/jobs.ts'
import { connectionsOf, LEAST_CONNECTIONS, laneSizes } from './platform/laneSizes.ts'

const DEPLOY = join(import.meta.dirname, '../../../deploy')

let clinic: Clinic
beforeAll(async () => {
  clinic = await testApp()
  await addPerson(clinic.context, 'keeper', ['mainSettings'])
})
afterAll(async () => {
  killOthers()
  await clinic.close()
})

const rows = <R>(text: string, ...values: unknown[]) => clinic.context.db.query<R>({ text, values })
const stateOf = async (id: string) =>
  (await rows<{ state: string }>(`select state from ${jobsSchema(clinic.context.db.url)}.job where id = $1`, id))[0]
    ?.state
const lives = (role: string) => rows('select 1 from server_lives where "role" = $1', role)
const servers = async () => {
  const { items } = (await clinic.as('keeper').get('/health-report')).body
  return items.find(({ key }: { key: string }) => key === 'servers')
}

test('a process for people takes no job, one for jobs takes them, on time when they were delayed', async () => {
  const web = await anotherServer(clinic, { ROLE: 'web', DB_CONNECTIONS: String(LEAST_CONNECTIONS) })
  await expect.poll(() => lives('web')).toHaveLength(1)
  expect((await fetch(`${web.url}/health`)).status).toBe(200)
  const id = (await clinic.context.jobs.send('webhooks.collect')) as string
  expect(await servers()).toMatchObject({ state: 'bad', words: expect.stringContaining('никто не выполняет') })
  // The beat of the process has gone on meanwhile: it has lived long enough to take the job.
  const beat = async () => Number((await rows<{ beat: string }>(`select beat from server_lives`))[0]?.beat)
  const before = await beat()
  await expect.poll(beat).toBeGreaterThan(before + 1)
  expect(await stateOf(id)).toBe('created')

  await anotherServer(clinic, { ROLE: 'jobs', DB_CONNECTIONS: String(LEAST_CONNECTIONS) })
  await expect.poll(() => stateOf(id)).toBe('completed')
  expect(await servers()).toMatchObject({
    state: 'good',
    words: expect.stringMatching(/^2\s+сервера, соединений с базой до 42 из/),
  })
})

test('an operator reads metrics with the token: requests, connections, jobs, messages, and no records', async () => {
  const token = 'a token of the metrics'
  const { url } = await anotherServer(clinic, { METRICS_TOKEN: token, ROLE: 'web' })
  const ask = (authorization?: string) => fetch(`${url}/metrics`, { headers: authorization ? { authorization } : {} })
  expect([(await ask()).status, (await ask('Bearer another')).status]).toEqual([401, 401])
  await fetch(`${url}/customers/12345`)
  // Reads the database for what waits: the next answer has measured it.
  await ask(`Bearer ${token}`)
  const text = await (await ask(`Bearer ${token}`)).text()
  expect(text).toMatch(
    /ordinator_request_seconds_count\{role="web",method="GET",route="\/customers\/:id",status="4xx"\} 1\n/,
  )
  expect(text).toMatch(/ordinator_connections\{pool="main",state="waiting",role="web"\} 0\n/)
  expect(text).toMatch(/ordinator_statement_seconds_count\{role="web",pool="\w+"\} [1-9]/)
  // What alerts and dashboards ask for is there.
  const asked = ['prometheus/alerts.yml', 'grafana/ordinator.json'].flatMap(
    (file) => readFileSync(join(DEPLOY, file), 'utf8').match(/\b(?:ordinator|nodejs|process)_\w+/g) ?? [],
  )
  expect(asked.length).toBeGreaterThan(20)
  // Those of a replica are there with one (replica.test.ts).
  for (const name of new Set(asked.filter((one) => !one.startsWith('ordinator_replica'))))
    expect(text).toContain(`# HELP ${name.replace(/_(?:bucket|sum|count)$/, '')} `)
  expect(text).not.toContain('12345')
  // Without the setting there is no such page.
  expect((await clinic.anonymous.get('/metrics')).status).toBe(404)
})

test('the shares of the pools keep the budget, and none is below what it works with', () => {
  expect(connectionsOf(undefined)).toBe(connectionsOf(1_000))
  for (let budget = LEAST_CONNECTIONS; budget < 80; budget++) {
    expect(connectionsOf(budget)).toBeLessThanOrEqual(budget)
    expect(Math.min(...Object.values(laneSizes(budget)))).toBeGreaterThan(0)
  }
  expect(connectionsOf(LEAST_CONNECTIONS)).toBe(LEAST_CONNECTIONS)
})
