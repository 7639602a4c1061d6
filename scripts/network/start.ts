/** Starts the whole network in the order in which its parts need one another. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import pg from 'pg'
import { listens, type Network, until } from './network.ts'
import type { Kind, Part, Secrets } from './parts.ts'
import { at, HOST, PORTS } from './ports.ts'
import { clusterOf } from './roles.ts'
import { fill, type Settings } from './settings.ts'

const ENGINE_MS = 60_000
/** A start makes the demo clinic. */
const SERVER_MS = 15 * 60_000

/** @param say prints a line for the operator */
export async function startAll(
  network: Network,
  { secrets, uid }: { secrets: Secrets; uid: number },
  say: (line: string) => void,
): Promise<void> {
  const of = (...kinds: Kind[]) => network.parts.map(({ part }) => part).filter(({ kind }) => kinds.includes(kind))
  const begin = (parts: readonly Part[]) => {
    for (const { name } of parts) {
      network.write(name)
      network.start(name)
    }
  }
  const answer = (parts: readonly Part[]) =>
    Promise.all(parts.map(({ name, port }) => until(name, () => listens(port), ENGINE_MS)))
  const started = async (parts: readonly Part[]) => {
    begin(parts)
    await answer(parts)
  }

  say('etcd…')
  await started(of('etcd'))
  say('Patroni: главная база и две реплики…')
  begin(of('base'))
  await until('Patroni', async () => isWhole(await clusterOf()), 2 * ENGINE_MS)
  await makeBase(network, secrets)
  say('PgBouncer, HAProxy, Redis, Sentinel, S3…')
  await started(of('pooler', 'redis', 's3'))
  await started([...of('sentinel'), ...of('balancer').filter(({ name }) => name === 'balancer-base')])
  say('pgBackRest: архив и первая копия…')
  await backUp(network, uid)
  say('Серверы и демонстрационная клиника: это минута или две…')
  // The first one migrates and makes the demo clinic, for which the others would only wait.
  for (const servers of [of('server').slice(0, 1), of('server').slice(1)]) {
    begin(servers)
    await Promise.all(servers.map(({ name, port }) => until(name, () => isWell(port), SERVER_MS)))
  }
  begin(of('prometheus'))
  await started(of('balancer').filter(({ name }) => name === 'balancer-web'))
  await until('balancer-web', () => isWell(PORTS.web), ENGINE_MS)
}

/** True for one primary, one synchronous and one asynchronous replica, all working. */
export const isWhole = (members: Awaited<ReturnType<typeof clusterOf>>): boolean =>
  ['leader', 'sync_standby', 'replica'].every((role) =>
    members.some((one) => one.role === role && ['running', 'streaming'].includes(one.state)),
  )

/** True when a server or the balancer before them answers that all is well. */
export const isWell = async (port: number): Promise<boolean> =>
  (await fetch(`http://${at(port)}/health`, { signal: AbortSignal.timeout(5_000) })).ok

/** Runs base.sql on the primary. */
async function makeBase(network: Network, { superuser }: Secrets): Promise<void> {
  const primary = (await clusterOf()).find(({ role }) => role === 'leader')
  const part = network.parts.find(({ part }) => part.name === primary?.name)?.part
  if (!part) throw new Error('no primary')
  const client = new pg.Client({ host: HOST, port: part.port, user: 'postgres', password: superuser })
  await client.connect()
  try {
    const text = fill(part.files['base.sql'] as Settings).replace(/^--.*$/gm, '')
    // One by one: a database is not created in a transaction.
    for (const statement of text.split(';').filter((one) => one.trim() !== '')) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** The first full copy, made on the primary. */
async function backUp(network: Network, uid: number): Promise<void> {
  const primary = (await clusterOf()).find(({ role }) => role === 'leader')
  const folder = network.folder(primary?.name ?? '')
  for (const command of ['stanza-create', 'backup']) {
    const args = [`--config=${join(folder, 'pgbackrest.conf')}`, '--stanza=ordinator', command]
    const { status, stdout, stderr } = spawnSync('/usr/bin/pgbackrest', args, { uid, cwd: folder, encoding: 'utf8' })
    if (status !== 0) throw new Error(`pgbackrest ${command}: ${stdout}${stderr}`)
  }
}
