/** The small network, where root or Debian's packages are missing: the embedded PostgreSQL, a replica, two servers. */
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { initialise } from '../../apps/server/src/platform/postgres/initialise.ts'
import { accountFor, binaries, reown } from '../../apps/server/src/platform/postgres/place.ts'
import { type Account, listens, type Network, until } from './network.ts'
import type { Part, Secrets } from './parts.ts'
import { at, HOST, PORTS } from './ports.ts'
import { isWell } from './start.ts'

/** What it lacks, for the operator. */
export const LEFT_OUT =
  'Малая сеть: главная база, её реплика и два сервера. Без etcd и Patroni (реплика не становится главной сама), PgBouncer, HAProxy, Redis, pgBackRest, S3 и Prometheus: для них нужен Debian и root.'

const ENGINE_MS = 60_000
const SERVER_MS = 15 * 60_000

export const smallAccount = (root: string): Account | undefined => accountFor(join(root, 'base-1/data'))

/** @param node the program of Node */
export function smallParts(root: string, secrets: Secrets, node: string): Part[] {
  const bin = binaries(smallAccount(root))
  const [primary, replica] = PORTS.bases
  const base = (name: string, label: string, port: number): Part => ({
    name,
    kind: 'base',
    label,
    command: [
      join(bin, 'postgres'),
      ...['-D', join(root, name, 'data'), '-p', String(port)],
      ...['-c', `listen_addresses=${HOST}`, '-c', 'unix_socket_directories=', '-c', 'max_connections=200'],
      ...['-c', 'log_min_error_statement=panic', '-c', 'log_error_verbosity=terse'],
    ],
    files: {},
    port,
  })
  const server = (n: number, port: number): Part => {
    const name = `server-${n}`
    const environment = {
      HOST,
      PORT: port,
      PUBLIC_URL: `http://${at(port)}`,
      DATA_DIR: join(root, name, 'data'),
      DATABASE_URL: `postgres://ordinator:${secrets.base}@${at(primary)}/ordinator`,
      FILES: join(root, 'files'),
      SECRET: secrets.server,
      LOG_LEVEL: 'warn',
      DEMO_YEARS: 0,
    }
    const text = Object.entries(environment).map(([key, value]) => `${key}=${value}`)
    return {
      name,
      kind: 'server',
      label: `Сервер ${n}`,
      command: [node, 'apps/server/src/main.ts'],
      files: { 'server.env': text.join('\n') },
      environment: 'server.env',
      port,
      isOurs: true,
    }
  }
  return [
    base('base-1', 'Главная база', primary),
    base('base-2', 'Реплика', replica),
    server(1, PORTS.servers[0]),
    server(2, PORTS.servers[1]),
  ]
}

/** Makes the primary, copies it before its first start, and starts everything. */
export async function startSmall(network: Network, secrets: Secrets): Promise<void> {
  const account = smallAccount(network.root)
  const [primary] = PORTS.bases
  const [data, copy] = ['base-1', 'base-2'].map((name) => {
    network.write(name)
    return join(network.folder(name), 'data')
  }) as [string, string]
  await initialise(binaries(account), data, { password: secrets.base, port: primary, made: false }, account, {})
  cpSync(data, copy, { recursive: true })
  writeFileSync(join(copy, 'standby.signal'), '')
  writeFileSync(
    join(copy, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${HOST} port=${primary} user=ordinator password=${secrets.base}'\n`,
  )
  if (account) reown(copy, account)
  for (const { part } of network.parts.filter(({ part }) => part.kind === 'base')) {
    network.start(part.name)
    await until(part.name, () => listens(part.port), ENGINE_MS)
  }
  for (const { part } of network.parts.filter(({ part }) => part.kind === 'server')) {
    network.write(part.name)
    network.start(part.name)
    await until(part.name, () => isWell(part.port), SERVER_MS)
  }
}
