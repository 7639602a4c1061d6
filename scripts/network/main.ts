/** The network of `npm run network`, until Ctrl+C: the whole one, or the small one where root or packages are missing. */
import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installMissing, postgresAccount } from './debian.ts'
import { listens, Network } from './network.ts'
import { killAll } from './outage.ts'
import { openPage } from './page.ts'
import { partsOf, type Secrets } from './parts.ts'
import { at, PORTS } from './ports.ts'
import { LEFT_OUT, smallAccount, smallParts, startSmall } from './small.ts'
import { startAll } from './start.ts'

/** Outside the checkout: the engines run as another user, who may not enter it. */
const DIR = '/var/tmp/ordinator-network'

const say = (line: string) => console.log(line)
const word = (bytes = 16) => randomBytes(bytes).toString('hex')
const fail = (message: unknown): never => {
  console.error(message)
  process.exit(1)
}

const { values: asked } = parseArgs({
  options: { kill: { type: 'boolean' }, small: { type: 'boolean' }, only: { type: 'string' } },
})
const missing = asked.small ? [] : installMissing(say)
const account = asked.small || missing.length > 0 ? undefined : postgresAccount()
const notes = account ? [] : [LEFT_OUT, ...(missing.length > 0 ? [`Нет пакетов: ${missing.join(', ')}.`] : [])]
if (!account && asked.kill) fail(['Отказы проверяет только вся сеть.', ...notes].join('\n'))

/** Of the running network: its secrets, for `--kill` beside it. */
const KEPT = join(DIR, 'secrets.json')

if (account && asked.kill && (await listens(PORTS.page))) {
  const secrets = JSON.parse(readFileSync(KEPT, 'utf8'))
  process.exit((await killAll({ root: DIR, secrets, uid: account.uid, only: asked.only })) ? 0 : 1)
}

const secrets: Secrets = {
  superuser: word(),
  replication: word(),
  base: word(),
  server: word(32),
  metrics: word(),
}
const network = account
  ? new Network(DIR, partsOf(DIR, secrets, process.execPath), account)
  : new Network(DIR, smallParts(DIR, secrets, process.execPath), smallAccount(DIR))
const clinic = `http://${at(account ? PORTS.web : PORTS.servers[0])}/app`
const page = await openPage(network, { clinic, notes }).catch((error) =>
  fail(error.code === 'EADDRINUSE' ? `Сеть уже работает: http://${at(PORTS.page)}` : error),
)
let ending: Promise<void> | undefined
const end = () =>
  (ending ??= (async () => {
    say('Останавливаем…')
    await network.end()
    rmSync(DIR, { recursive: true, force: true })
    page.close()
  })())
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => void end().then(() => process.exit(0)))

try {
  await network.clear()
  writeFileSync(KEPT, JSON.stringify(secrets), { mode: 0o600 })
  for (const note of notes) say(note)
  say(`Части сети: http://${at(PORTS.page)}`)
  if (account) await startAll(network, { secrets, uid: account.uid }, say)
  else await startSmall(network, secrets)
  say(`Клиника: ${clinic} (admin, пароль demo)`)
  if (account && asked.kill) {
    const isWell = await killAll({ root: DIR, secrets, uid: account.uid, only: asked.only })
    await end()
    process.exit(isWell ? 0 : 1)
  }
} catch (error) {
  if (!ending) console.error(error)
  await end()
  process.exit(1)
}
