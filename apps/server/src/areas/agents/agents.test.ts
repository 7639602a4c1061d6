/** The agent of a desk: its permissions, its journal, and no repeated action after a kill. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { openJournal, perform } from './agent.ts'
import { AgentFault, askAgent, digestOf, fateOf } from './lines.ts'

let clinic: Clinic
let keeper: Caller
let server: string
let dir: string
let child: ChildProcess | undefined

beforeAll(async () => {
  clinic = await testApp({ prepare: (app) => addPerson(app, 'keeper', ['mainSettings']) })
  keeper = clinic.as('keeper')
  server = await clinic.listen()
  dir = mkdtempSync(join(tmpdir(), 'ordinator-agents-'))
})
afterAll(async () => {
  child?.kill('SIGKILL')
  await clinic.close()
  rmSync(dir, { recursive: true, force: true })
})

describe('standalone', () => {
  it('contacts only its own computer and allowed addresses, and runs only listed programs', async () => {
    const ask = (url: string) =>
      perform({ kind: 'http', method: 'GET', url, timeout: 500 }, { addresses: ['http://192.168.7.7:16732'] })
    const refused = expect.objectContaining({
      ok: false,
      isCertain: true,
      error: expect.stringContaining('не разрешён'),
    })
    for (const url of [
      'http://10.0.0.1/',
      'http://127.0.0.1.evil.test/',
      'file:///etc/passwd',
      'http://192.168.7.7:1673/',
      'https://example.com',
    ])
      expect([url, await ask(url)]).toEqual([url, refused])
    const command = {
      kind: 'command',
      program: '/bin/echo',
      args: ['x'],
      files: [],
      encoding: 'utf-8',
      timeout: 5_000,
    } as const
    expect(await perform(command, {})).toMatchObject({ ok: false, isCertain: true })
    expect(await perform(command, { programs: ['/bin/echo'] })).toMatchObject({ ok: true, status: 0, text: 'x\n' })
    expect(await perform({ ...command, files: ['../../etc/passwd'] }, { programs: ['/bin/echo'] })).toMatchObject({
      ok: false,
    })
  })

  it('keeps results until delivered, and treats a started task as unknown after a crash', () => {
    const file = join(dir, 'journal')
    const first = openJournal(file)
    first.begin('one')
    first.begin('two')
    first.end('two', { ok: true, status: 0, text: 'готово' })
    first.refuse('three')
    first.close()
    // A killed writer leaves half a line.
    writeFileSync(file, `${readFileSync(file, 'utf8')}{"key":"fo`)
    const second = openJournal(file)
    expect(second.waiting()).toEqual([
      ['one', expect.objectContaining({ ok: false, isCertain: false })],
      ['two', { ok: true, status: 0, text: 'готово' }],
    ])
    expect(second.of('three')).toMatchObject({ isRefused: true })
    second.taken('two')
    second.close()
    expect(
      openJournal(file)
        .waiting()
        .map(([key]) => key),
    ).toEqual(['one'])
  })
})

const made = async (name: string) => good(await keeper.post('/desk-agents', { name }), 201).id as number
const online = (id: number) =>
  expect.poll(async () => good(await keeper.get(`/desk-agents/${id}`)).isOnline, { timeout: 60_000 }).toBe(true)

it("killed at any moment runs the bank's program once per operation, and reports unknown outcomes", async () => {
  const id = await made('Убиваемый')
  good(await keeper.put(`/desk-agents/${id}`, { programs: process.execPath }))
  const { text } = good(await keeper.post(`/desk-agents/${id}/file`))
  // The unchanged file that a clinic downloads.
  const file = join(dir, 'ordinator-agent.mjs')
  writeFileSync(file, text.replace(/"server": "[^"]+"(?=,\n)/, `"server": "${server}"`))
  const done = join(dir, 'done')
  const script = `const fs=require('fs');fs.appendFileSync(${JSON.stringify(done)},process.argv[1]+'\\n');setTimeout(()=>console.log('0,OK'),60)`
  const ran = (operation: string) =>
    existsSync(done)
      ? readFileSync(done, 'utf8')
          .split('\n')
          .filter((line) => line === operation).length
      : 0
  const start = () => {
    child = spawn(process.execPath, [file], { stdio: 'ignore' })
    return online(id)
  }
  const kill = () =>
    new Promise<void>((gone) => {
      child?.once('exit', () => gone())
      child?.kill('SIGKILL')
    })
  await start()
  const outcomes = new Set<string>()
  for (let turn = 0; turn < 8; turn++) {
    const key = `bank-operation-${turn}`
    const task = {
      kind: 'command',
      program: process.execPath,
      args: ['-e', script, key],
      files: [],
      encoding: 'utf-8',
      timeout: 1_500,
    } as const
    const first = askAgent(clinic.context, id, { key, task }).then(
      () => 'answered',
      (error: unknown) => (error instanceof AgentFault ? 'fault' : Promise.reject(error)),
    )
    // From before the task arrives until after its result.
    await new Promise((next) => setTimeout(next, turn * 25))
    await kill()
    await start()
    await first
    const fate = await fateOf(clinic.context, id, key).then(
      (isDone) => (isDone ? 'done' : 'never'),
      (error: unknown) => (error instanceof AgentFault && !error.isCertain ? 'unknown' : Promise.reject(error)),
    )
    outcomes.add(fate)
    if (fate === 'never') expect([key, ran(key)]).toEqual([key, 0])
    if (fate === 'done') expect([key, ran(key)]).toEqual([key, 1])
    expect(ran(key)).toBeLessThan(2)
    // A repeat by its key does not run it again, whatever its outcome.
    await askAgent(clinic.context, id, { key, task }).catch((error: unknown) => {
      if (!(error instanceof AgentFault)) throw error
    })
    expect(ran(key)).toBeLessThan(2)
  }
  await kill()
  expect(outcomes.size).toBeGreaterThan(1)
})

it('loses its line with its key: given anew, revoked, switched off or deleted; and cannot return by it', async () => {
  const id = await made('Отозванный')
  const key = async (): Promise<string> => {
    const { text } = good(await keeper.post(`/desk-agents/${id}/file`))
    return /"token": "([\w-]+)"/.exec(text)?.[1] ?? ''
  }
  const dial = (token: string) =>
    new WebSocket(`${server.replace('http', 'ws')}/agent/ws`, { headers: { authorization: `Bearer ${token}` } })
  /** A line that has been welcomed: the code it is closed with. */
  const come = async (token: string): Promise<() => number | undefined> => {
    const line = dial(token)
    let code: number | undefined
    line.once('close', (given) => {
      code = given
    })
    await once(line, 'message')
    return () => code
  }
  const ended = (code: () => number | undefined) => expect.poll(code, { timeout: 60_000 }).toBe(4001)
  const refusal = (token: string) =>
    new Promise<number | undefined>((resolve) => {
      const line = dial(token)
      line.on('error', () => undefined)
      line.once('open', () => resolve(undefined))
      line.once('unexpected-response', (_, { statusCode }) => {
        resolve(statusCode)
        line.terminate()
      })
    })
  const first = await key()
  const given = await come(first)
  const second = await key()
  await ended(given)
  expect(await refusal(first)).toBe(401)

  const revoked = await come(second)
  good(await keeper.post(`/desk-agents/${id}/revoke`), 204)
  await ended(revoked)
  expect(await refusal(second)).toBe(401)

  const third = await key()
  const off = await come(third)
  good(await keeper.put(`/desk-agents/${id}`, { active: false }))
  await ended(off)
  expect(await refusal(third)).toBe(401)
  expect((await keeper.post(`/desk-agents/${id}/file`)).status).toBe(409)

  // Switched on again it comes by the key that it has.
  good(await keeper.put(`/desk-agents/${id}`, { active: true }))
  const deleted = await come(third)
  await online(id)
  good(await keeper.delete(`/desk-agents/${id}`), 204)
  await ended(deleted)
  expect(await refusal(third)).toBe(401)
})

it('handles 300 agents, each with its own results', async () => {
  const ids = (
    await clinic.db.query<{ id: number }>(
      sql`insert into desk_agents ("name", "dateToken") select 'Место ' || n, now() from generate_series(1, 300) n returning "id"::int as id`,
    )
  ).map(({ id }) => id)
  for (const id of ids)
    await clinic.db.query(
      sql`insert into desk_agent_lines ("idAgent", "tokenHash") values (${id}, ${digestOf(`token-of-the-agent-${id}`)})`,
    )
  const lines = ids.map((id) => {
    const line = new WebSocket(`${server.replace('http', 'ws')}/agent/ws`, {
      headers: { authorization: `Bearer token-of-the-agent-${id}` },
    })
    line.on('message', (data) => {
      const word = JSON.parse(String(data))
      if (word.type === 'task')
        line.send(
          JSON.stringify({ type: 'answer', key: word.key, answer: { ok: true, status: 200, text: String(id) } }),
        )
    })
    return line
  })
  const count = async () =>
    (
      await clinic.db.one<{ count: number }>(
        sql`select count(*)::int as count from desk_agent_lines where "holder" is not null`,
      )
    )?.count
  await expect.poll(count, { timeout: 60_000 }).toBeGreaterThanOrEqual(300)
  const before = process.memoryUsage().heapUsed
  for (let turn = 0; turn < 3; turn++) {
    const answers = await Promise.all(
      ids.map((id) => askAgent(clinic.context, id, { task: { kind: 'ping', timeout: 20_000 } })),
    )
    expect(answers.map(({ text }) => Number(text))).toEqual(ids)
  }
  // Nothing is kept of confirmed results.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(100 * 1024 * 1024)
  for (const line of lines) line.close()
  await expect.poll(count, { timeout: 60_000 }).toBe(0)
})
