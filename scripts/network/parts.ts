/** The parts of the network: their programs, settings and ports. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { at, HOST, PORTS } from './ports.ts'
import type { Settings, Values } from './settings.ts'

export type Kind = 'etcd' | 'base' | 'pooler' | 'balancer' | 'redis' | 'sentinel' | 's3' | 'server' | 'prometheus'

/** Debian packages with the programs, and a program of each by which it is found. */
export const PACKAGES = [
  { name: 'postgresql-15', file: '/usr/lib/postgresql/15/bin/postgres' },
  { name: 'etcd-server', file: '/usr/bin/etcd' },
  { name: 'patroni', file: '/usr/bin/patroni' },
  { name: 'python3-etcd', file: '/usr/lib/python3/dist-packages/etcd' },
  { name: 'pgbouncer', file: '/usr/sbin/pgbouncer' },
  { name: 'pgbackrest', file: '/usr/bin/pgbackrest' },
  { name: 'haproxy', file: '/usr/sbin/haproxy' },
  { name: 'redis-server', file: '/usr/bin/redis-server' },
  { name: 'redis-sentinel', file: '/usr/bin/redis-sentinel' },
  { name: 'keepalived', file: '/usr/sbin/keepalived' },
  { name: 'prometheus', file: '/usr/bin/prometheus' },
  { name: 'nftables', file: '/usr/sbin/nft' },
] as const

const ROOT = join(import.meta.dirname, '../..')
/** Debian's programs of PostgreSQL. */
export const BIN = '/usr/lib/postgresql/15/bin'
const NUMBERS = [1, 2, 3] as const
/** Connections of the base, of which PgBouncer gives so many to the servers. */
const MAX_CONNECTIONS = 200
const POOL_SIZE = 180
/** Of each server: three of them take less than the pool. */
const SERVER_CONNECTIONS = 50

export interface Secrets {
  superuser: string
  replication: string
  /** Of the role of the servers. */
  base: string
  server: string
  metrics: string
}

export interface Part {
  name: string
  kind: Kind
  /** For the page. */
  label: string
  command: readonly [file: string, ...args: string[]]
  /** By path, relative to the folder of the part: what fills them, or their text. */
  files: Readonly<Record<string, Settings | string>>
  /** The file whose variables are the environment. */
  environment?: string
  /** The port at which the part answers. */
  port: number
  /** Ours, run by Node; the others run as the user of PostgreSQL. */
  isOurs?: true
}

const numbered = (name: string, addresses: readonly (string | number)[]): Values =>
  Object.fromEntries(addresses.map((address, index) => [`${name}_${index + 1}`, address]))

/**
 * @param root folder with a folder for each part, absolute
 * @param node the program of Node
 */
export function partsOf(root: string, secrets: Secrets, node: string): Part[] {
  const own = (name: string, file = '') => join(root, name, file)
  const pgbackrest = (n: number) => own(`base-${n}`, 'pgbackrest.conf')
  const etcd = numbered('ETCD', PORTS.etcd.map(at))
  const [firstRedis, ...otherRedis] = PORTS.redisNodes

  const etcds = NUMBERS.map((n, index): Part => {
    const name = `etcd-${n}`
    const values = {
      NAME: name,
      DATA: own(name, 'data'),
      ADDRESS: at(PORTS.etcd[index] as number),
      PEER_ADDRESS: at(PORTS.etcdPeers[index] as number),
      ...numbered('ETCD_PEER', PORTS.etcdPeers.map(at)),
    }
    return {
      name,
      kind: 'etcd',
      label: `etcd ${n}`,
      command: ['/usr/bin/etcd', '--config-file', own(name, 'etcd.yml')],
      files: { 'etcd.yml': { template: 'etcd.yml', values } },
      port: PORTS.etcd[index] as number,
    }
  })

  const bases = NUMBERS.map((n, index): Part => {
    const name = `base-${n}`
    const port = PORTS.bases[index] as number
    const data = own(name, 'data')
    return {
      name,
      kind: 'base',
      label: `База ${n} (Patroni и PostgreSQL)`,
      command: ['/usr/bin/patroni', own(name, 'patroni.yml')],
      files: {
        'patroni.yml': {
          template: 'patroni.yml',
          values: {
            NAME: name,
            REST: at(PORTS.patroni[index] as number),
            ADDRESS: at(port),
            ...etcd,
            MAX_CONNECTIONS,
            WATCHDOG: 'off',
            BIN,
            DATA: data,
            RUN: own(name),
            SUPERUSER_PASSWORD: secrets.superuser,
            REPLICATION_PASSWORD: secrets.replication,
            BASE_NETWORK: `${HOST}/32`,
            SHARED_BUFFERS: '256MB',
            CACHE_SIZE: '1GB',
            PGBACKREST_CONF: pgbackrest(n),
          },
        },
        'pgbackrest.conf': {
          template: 'pgbackrest.conf',
          values: {
            REPOSITORY: own('repository'),
            LOG: own(name),
            RUN: own(name),
            DATA: data,
            BASE_PORT: port,
            BASE_SOCKET: own(name),
          },
        },
        'base.sql': { template: 'base.sql', values: { PASSWORD: secrets.base } },
      },
      port,
    }
  })

  const poolers = NUMBERS.map((n, index): Part => {
    const name = `pooler-${n}`
    const values = {
      BASE_SOCKET: own(`base-${n}`),
      BASE_PORT: PORTS.bases[index] as number,
      HOST,
      PORT: PORTS.poolers[index] as number,
      USERS: own(name, 'users.txt'),
      POOL_SIZE,
    }
    return {
      name,
      kind: 'pooler',
      label: `PgBouncer ${n}`,
      command: ['/usr/sbin/pgbouncer', own(name, 'pgbouncer.ini')],
      files: {
        'pgbouncer.ini': { template: 'pgbouncer.ini', values },
        'users.txt': { template: 'pgbouncer-users.txt', values: { PASSWORD: secrets.base } },
      },
      port: PORTS.poolers[index] as number,
    }
  })

  const balancer = (name: string, label: string, template: string, port: number, values: Values): Part => ({
    name,
    kind: 'balancer',
    label,
    command: ['/usr/sbin/haproxy', '-db', '-f', own(name, template)],
    files: { [template]: { template, values } },
    port,
  })
  const baseBalancer = balancer('balancer-base', 'HAProxy для базы и Redis', 'haproxy-base.cfg', PORTS.primary, {
    RUN: own('balancer-base'),
    PRIMARY: at(PORTS.primary),
    REPLICA: at(PORTS.replica),
    REDIS: at(PORTS.redis),
    METRICS: at(PORTS.baseMetrics),
    ...numbered('POOLER', PORTS.poolers.map(at)),
    ...numbered('REST_PORT', PORTS.patroni),
    ...numbered('REDIS', PORTS.redisNodes.map(at)),
  })
  const webBalancer = balancer('balancer-web', 'HAProxy для людей', 'haproxy-web.cfg', PORTS.web, {
    WEB: at(PORTS.web),
    METRICS: at(PORTS.webMetrics),
    ...numbered('SERVER', PORTS.servers.map(at)),
  })

  const redises = PORTS.redisNodes.map((port, index): Part => {
    const name = `redis-${index + 1}`
    const values = {
      HOST,
      PORT: port,
      DATA: own(name),
      REPLICA_OF: otherRedis.includes(port as never) ? `replicaof ${HOST} ${firstRedis}` : '',
    }
    return {
      name,
      kind: 'redis',
      label: `Redis ${index + 1}`,
      command: ['/usr/bin/redis-server', own(name, 'redis.conf')],
      files: { 'redis.conf': { template: 'redis.conf', values } },
      port,
    }
  })

  const sentinels = PORTS.sentinels.map((port, index): Part => {
    const name = `sentinel-${index + 1}`
    const values = { HOST, PORT: port, DATA: own(name), MASTER_HOST: HOST, MASTER_PORT: firstRedis }
    return {
      name,
      kind: 'sentinel',
      label: `Sentinel ${index + 1}`,
      command: ['/usr/bin/redis-sentinel', own(name, 'sentinel.conf')],
      files: { 'sentinel.conf': { template: 'sentinel.conf', values } },
      port,
    }
  })

  const s3: Part = {
    name: 's3',
    kind: 's3',
    label: 'Имитатор S3',
    command: [node, join(import.meta.dirname, 's3.ts'), String(PORTS.s3), own('s3', 'objects')],
    files: {},
    port: PORTS.s3,
    isOurs: true,
  }

  const servers = NUMBERS.map((n, index): Part => {
    const name = `server-${n}`
    const port = PORTS.servers[index] as number
    const values = {
      HOST,
      PORT: port,
      PUBLIC_URL: `http://${at(PORTS.web)}`,
      BALANCER: HOST,
      DATA: own(name, 'data'),
      PASSWORD: secrets.base,
      PRIMARY: at(PORTS.primary),
      CONNECTIONS: SERVER_CONNECTIONS,
      REDIS: at(PORTS.redis),
      FILES: `s3://clinic/files?endpoint=http://${at(PORTS.s3)}`,
      // The simulator takes any.
      S3_KEY: 'network',
      S3_SECRET: secrets.server,
      SECRET: secrets.server,
      METRICS_TOKEN: secrets.metrics,
      DEMO: 1,
    }
    return {
      name,
      kind: 'server',
      label: `Сервер ${n}`,
      command: [node, 'apps/server/src/main.ts'],
      files: { 'server.env': { template: 'server.env', values } },
      environment: 'server.env',
      port,
      isOurs: true,
    }
  })

  const prometheus: Part = {
    name: 'prometheus',
    kind: 'prometheus',
    label: 'Prometheus',
    command: [
      '/usr/bin/prometheus',
      `--config.file=${own('prometheus', 'prometheus.yml')}`,
      `--storage.tsdb.path=${own('prometheus', 'data')}`,
      `--web.listen-address=${at(PORTS.prometheus)}`,
      '--storage.tsdb.retention.time=1d',
      '--log.level=warn',
    ],
    files: {
      'prometheus.yml': {
        template: 'prometheus.yml',
        values: {
          ALERTS: own('prometheus', 'alerts.yml'),
          TOKEN_FILE: own('prometheus', 'token'),
          ...numbered('SERVER', PORTS.servers.map(at)),
          ...numbered('REST', PORTS.patroni.map(at)),
          ...etcd,
          BASE_METRICS: at(PORTS.baseMetrics),
          WEB_METRICS: at(PORTS.webMetrics),
        },
      },
      'alerts.yml': readFileSync(join(ROOT, 'deploy/prometheus/alerts.yml'), 'utf8'),
      token: secrets.metrics,
    },
    port: PORTS.prometheus,
  }

  return [
    ...etcds,
    ...bases,
    ...poolers,
    baseBalancer,
    ...redises,
    ...sentinels,
    s3,
    ...servers,
    webBalancer,
    prometheus,
  ]
}
