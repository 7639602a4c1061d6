/** The clinic of the load test of connections: its desks, its agent, one address of all servers. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type BenchClinic, freePort, hold, type Process } from './clinic.ts'
import { SALT } from './mangoCalls.ts'

export type Ask = (method: string, path: string, body?: unknown) => Promise<{ status: number; body: any }>

/** Retries until there is an answer: a killed server gives none, and a session ends during a long load. */
export function asker(url: string, first: string, signIn: () => Promise<string>): Ask {
  let token = first
  return async (method, path, body) => {
    for (let tries = 0; ; tries++) {
      try {
        const answer = await fetch(url + path, {
          method,
          headers: {
            authorization: `Bearer ${token}`,
            ...(body !== undefined && { 'content-type': 'application/json' }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(30_000),
        })
        const text = await answer.text()
        if (answer.status === 401 && tries < 200) {
          token = await signIn().catch(() => token)
          continue
        }
        if (answer.status < 500 && answer.status !== 429)
          return { status: answer.status, body: JSON.parse(text || 'null') }
        if (tries > 200) return { status: answer.status, body: text }
      } catch (error) {
        if (tries > 200) throw error
      }
      await sleep(200)
    }
  }
}

export const must = async (answer: Promise<{ status: number; body: any }>): Promise<any> => {
  const { status, body } = await answer
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

/** One address in front of the running servers, for pages, websockets and notifications. */
export async function openEntry(servers: () => readonly Process[]): Promise<string> {
  let turn = 0
  const server = createServer((inside) => {
    const all = servers()
    const { port } = new URL((all[turn++ % all.length] as Process).url)
    // Patients come from addresses of their own: the limits of one address are not what is measured.
    const localAddress = `127.${1 + (turn % 200)}.${1 + (Math.floor(turn / 200) % 200)}.1`
    const outside = connect({ port: Number(port), host: '127.0.0.1', localAddress })
    inside.on('error', () => outside.destroy())
    outside.on('error', () => inside.destroy())
    inside.pipe(outside).pipe(inside)
  })
  const port = await freePort()
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  hold(() => void server.close())
  return `http://127.0.0.1:${port}`
}

export interface Place {
  /** Desks with a register. */
  idDesks: number[]
  idOnline: number
  customers: number[]
  template: number
  agent: { folder: string; server: string; token: string }
}

export async function setUp({ client }: BenchClinic, ask: Ask, url: string, kkts: string[]): Promise<Place> {
  await must(
    ask('PUT', '/settings/common', {
      ...{ smsMode: 'prod', smsProvider: 'smsc', smsLogin: 'bench', smsKey: 'bench', smsLowBalance: 0 },
      ...{ telephonyProvider: 'mango', telephonyKey: SALT.key, telephonySecret: SALT.secret },
      messageHours: { start: '00:00', end: '23:59' },
      _versions: {},
    }),
  )
  const { rows: filials } = await client.query<{ id: number }>(
    `insert into filials ("nameFilial", "timeZone") values ('Замер', 'Europe/Moscow') returning "id"::int as id`,
  )
  const idFilial = filials[0]?.id
  const { id: idOrganization } = await must(
    ask('POST', '/organizations', { kind: 'own', shortName: 'ООО «Замер»', inn: '7707083893', taxSystem: 'usnIncome' }),
  )
  const { id: idAgent } = await must(ask('POST', '/desk-agents', { name: 'Замер' }))
  const { text } = await must(ask('POST', `/desk-agents/${idAgent}/file`))
  const token = /"token": "([\w-]+)"/.exec(text)?.[1] as string
  const folder = mkdtempSync(join(tmpdir(), 'ordinator-bench-agent-'))
  hold(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'agent.mjs'), text)
  writeFileSync(join(folder, 'agent.json'), JSON.stringify({ server: url }))
  const desk = (body: object) => must(ask('POST', '/cash-desks', { idFilial, idOrganization, refundLimit: 1, ...body }))
  const idDesks: number[] = []
  for (const [at, kktAddress] of kkts.entries())
    idDesks.push(
      (await desk({ name: `Касса ${at + 1}`, kktMode: 'atol', idAgent, kktAddress, terminalMode: 'none' })).id,
    )
  const { id: idOnline } = await desk({
    ...{ name: 'Ссылки', kktMode: 'none', terminalMode: 'yookassa', payShop: '1', paySecret: 'bench' },
  })
  const { rows } = await client.query<{ id: number }>(`insert into customers ("surname", "name", "phone")
    select 'Замер' || i, 'Иван', '+7916' || lpad(i::text, 7, '0') from generate_series(1, 200) i returning "id"::int as id`)
  const template = await must(
    ask('POST', '/message-templates', { name: 'Замер', event: 'custom', text: 'Ждём вас, {имя}', active: true }),
  )
  for (const idDesk of idDesks) await must(ask('POST', '/cash-shifts/open', { key: `bench-shift-${idDesk}`, idDesk }))
  return {
    idDesks,
    idOnline,
    customers: rows.map(({ id }) => id),
    template: template.id,
    agent: { folder, server: url, token },
  }
}

/** The agent as a process that can be killed and is restarted. */
export function keepAgent({ folder }: Place['agent']) {
  let child: ChildProcess
  let isStopped = false
  const start = () => {
    child = spawn(process.execPath, [join(folder, 'agent.mjs')], { stdio: 'ignore' })
    child.once('exit', () => !isStopped && start())
  }
  start()
  const stop = () => {
    isStopped = true
    child.kill('SIGKILL')
  }
  hold(stop)
  return { kill: () => void child.kill('SIGKILL'), stop }
}
