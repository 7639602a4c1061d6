/** Restores the database at a moment into a spare folder by pgBackRest, beside the network. */
import { spawn, spawnSync } from 'node:child_process'
import { chownSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { until } from './network.ts'
import { BIN, type Secrets } from './parts.ts'
import { HOST } from './ports.ts'
import { clusterOf } from './roles.ts'

const RESTORE_MS = 120_000
/** Of its socket alone. */
const PORT = 5432

/**
 * @param root folder of the network
 * @param uid user of the engines
 * @param work gets a connection to the restored database, which ends afterwards
 */
export async function atMoment<T>(
  { root, moment, uid, secrets }: { root: string; moment: Date; uid: number; secrets: Secrets },
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const spare = join(root, 'spare')
  const data = join(spare, 'data')
  for (const folder of [spare, data]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chownSync(folder, uid, 0)
  }
  await archiveAll(secrets)
  const config = join(root, 'base-1/pgbackrest.conf')
  const target = moment.toISOString().replace('T', ' ').replace('Z', '+00')
  const args = [`--config=${config}`, '--stanza=ordinator', `--pg1-path=${data}`, `--lock-path=${spare}`]
  const restored = spawnSync(
    '/usr/bin/pgbackrest',
    [...args, '--type=time', `--target=${target}`, '--target-action=promote', 'restore'],
    { uid, cwd: spare, encoding: 'utf8' },
  )
  if (restored.status !== 0) throw new Error(`pgbackrest restore: ${restored.stdout}${restored.stderr}`)
  const settings = {
    listen_addresses: '',
    unix_socket_directories: spare,
    hba_file: join(data, 'pg_hba.conf'),
    ident_file: join(data, 'pg_ident.conf'),
    port: PORT,
    archive_mode: 'off',
    // Its replicas are those of the network, which do not follow it.
    synchronous_standby_names: '',
  }
  const server = spawn(
    join(BIN, 'postgres'),
    ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    { uid, cwd: spare, stdio: 'ignore' },
  )
  const ended = new Promise((resolve) => server.once('exit', resolve))
  try {
    let client: pg.Client | undefined
    await until(
      'the restored database',
      async () => {
        client = new pg.Client({
          host: spare,
          port: PORT,
          user: 'ordinator',
          password: secrets.base,
          database: 'ordinator',
        })
        await client.connect()
        const { rows } = await client.query<{ is: boolean }>('select not pg_is_in_recovery() as is')
        if (!rows[0]?.is) await client.end()
        return rows[0]?.is
      },
      RESTORE_MS,
    )
    const found = await work(client as pg.Client)
    await client?.end()
    return found
  } finally {
    server.kill('SIGINT')
    await ended
  }
}

/** Waits until everything written so far is in the archive. */
async function archiveAll({ superuser }: Secrets): Promise<void> {
  const leader = (await clusterOf()).find(({ role }) => role === 'leader')
  const client = new pg.Client({ host: HOST, port: leader?.port, user: 'postgres', password: superuser })
  await client.connect()
  try {
    const { rows } = await client.query<{ file: string }>('select pg_walfile_name(pg_switch_wal()) as file')
    const archived = async () => {
      const text = 'select "last_archived_wal" >= $1 as is from pg_stat_archiver'
      return (await client.query<{ is: boolean }>(text, [rows[0]?.file])).rows[0]?.is
    }
    await until('the archive', archived, RESTORE_MS)
  } finally {
    await client.end()
  }
}
