/** The settings of `deploy/network`: every placeholder is filled, and the programs themselves accept them. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { need } from '@ordinator/model/testing/needs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Network } from './network/network.ts'
import { PACKAGES, type Part, partsOf } from './network/parts.ts'
import { PORTS } from './network/ports.ts'
import { fill, type Settings, TEMPLATES } from './network/settings.ts'

const secrets = { superuser: 's', replication: 'r', base: 'b', server: 'x'.repeat(32), metrics: 'm'.repeat(16) }
/** Shipped for real machines alone: loopback has no address to move. */
const keepalived: Settings = {
  template: 'keepalived.conf',
  values: {
    INTERFACE: Object.keys(networkInterfaces()).find((name) => name !== 'lo') ?? 'lo',
    KEEPALIVED_PASSWORD: 'secret12',
    VIRTUAL_ADDRESS: '10.0.0.2/24',
  },
}

let root: string
let network: Network
let parts: Part[]
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'network-'))
  parts = partsOf(root, secrets, process.execPath)
  network = new Network(root, parts, undefined)
  for (const { name } of parts) network.write(name)
  writeFileSync(join(root, 'keepalived.conf'), fill(keepalived), { mode: 0o600 })
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const templates = () => parts.flatMap(({ files }) => Object.values(files)).filter((one) => typeof one !== 'string')

test('every file of deploy/network is filled, and explained in docs/network.md', () => {
  const used = new Set([...templates(), keepalived].map(({ template }) => template))
  expect([...used].sort()).toEqual(readdirSync(TEMPLATES).sort())
  const text = readFileSync(join(import.meta.dirname, '../docs/network.md'), 'utf8')
  expect([...used].filter((name) => !text.includes(`\`${name}\``))).toEqual([])
})

test('a placeholder without a value, or a value without a placeholder, is refused', () => {
  const { INTERFACE: _, ...values } = keepalived.values
  expect(() => fill({ ...keepalived, values })).toThrow('INTERFACE has no value')
  expect(() => fill({ ...keepalived, values: { ...keepalived.values, OTHER: '1' } })).toThrow('OTHER stand nowhere')
})

test('no port is declared twice', () => {
  const ports = Object.values(PORTS).flat()
  expect(new Set(ports).size).toBe(ports.length)
})

interface Check {
  commands: readonly (readonly [file: string, ...args: string[]])[]
  /** Complaints that come from loopback, from a network that runs meanwhile, or from a user who is not root. */
  but?: RegExp
}

/** Messages of each program about its settings, by package. */
const checks: Record<string, Check> = {
  haproxy: {
    commands: [
      ['/usr/sbin/haproxy', '-c', '-f', 'balancer-base/haproxy-base.cfg'],
      ['/usr/sbin/haproxy', '-c', '-f', 'balancer-web/haproxy-web.cfg'],
    ],
  },
  keepalived: {
    commands: [['/usr/sbin/keepalived', '--config-test', '--use-file', 'keepalived.conf']],
    but: /loopback|Unknown interface|insecure/,
  },
  prometheus: { commands: [['/usr/bin/promtool', 'check', 'config', 'prometheus/prometheus.yml']] },
  pgbackrest: { commands: [['/usr/bin/pgbackrest', '--config=base-1/pgbackrest.conf', '--stanza=ordinator', 'info']] },
  patroni: {
    commands: [['/usr/bin/patroni', '--validate-config', 'base-1/patroni.yml']],
    // It looks for pg_hba under bootstrap alone.
    but: /127\.0\.0\.1|already in use|bootstrap\.pg_hba/,
  },
}
describe.each(Object.entries(checks))('%s', (name, { commands, but = /^$/ }) => {
  const file = PACKAGES.find((one) => one.name === name)?.file ?? ''
  const program = need(`Настройки сети (${name}: установит npm run network)`, existsSync(file))
  test.runIf(program.there)('accepts its settings', program.options, () => {
    for (const [command, ...args] of commands) {
      const { status, stdout, stderr } = spawnSync(command, args.map(rooted), { cwd: root, encoding: 'utf8' })
      const output = `${stdout}${stderr}`.split('\n').filter((line) => line !== '' && !but.test(line))
      if (status !== 0) expect({ args, output }).toEqual({ args, output: [] })
    }
  })
})

/** pgBackRest takes absolute paths alone. */
const rooted = (arg: string): string => arg.replace('--config=', `--config=${root}/`)
