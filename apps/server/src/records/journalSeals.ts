/**
 * The access journal as a hash chain: changing, adding or removing a sealed line breaks it, and `npm run journal-check`
 * reports where. Sealed lines can be sent to a file or a syslog server; the last hash there protects the chain even
 * against somebody who rewrites the whole table.
 */
import { createSocket } from 'node:dgram'
import { appendFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import sql, { raw } from 'sql-template-tag'
import type { Db, Lane, Tx } from '#platform/db.ts'

/** Minutes after which no open transaction can still add an earlier line. */
const SETTLED_MINUTES = 5
const LINES_OF_SEAL = 5_000
/** Arbitrary number: one process seals at a time. */
const LOCK = 7_236_004_819
/** Bytes of a syslog message that every receiver must accept over UDP (RFC 5426 §3.2). */
const SYSLOG_BYTES = 2_048

/** Canonical text of a line, independent of columns added later. */
const lineSql =
  raw(`jsonb_build_array(l."id", l.dt at time zone 'UTC', l."idUser", l.ip, l.action, l."entityType", l."idEntity",
  l."idCustomer", l.fields, l.basis, l."requestId")::text`)

interface Seal {
  fromId: number
  toId: number
  lines: number
  hash: Buffer
}

/** Sends sealed lines elsewhere, in order; failed ones are sent again with the next seal. */
export type Outlet = (lines: readonly string[], seal: { toId: number; hash: string }) => Promise<void>

/** @param to `syslog://host:514` (UDP, RFC 5424), or a file to append to */
export function openOutlet(to: string): Outlet {
  const textOf = (lines: readonly string[], seal: { toId: number; hash: string }) => [
    ...lines,
    JSON.stringify({ seal: seal.toId, hash: seal.hash }),
  ]
  if (!to.startsWith('syslog:'))
    return (lines, seal) => appendFile(to, `${textOf(lines, seal).join('\n')}\n`, { mode: 0o600 })
  const { hostname: host, port } = new URL(to)
  return async (lines, seal) => {
    const socket = createSocket('udp4')
    try {
      for (const line of textOf(lines, seal)) {
        // Facility 13 is log audit, severity 6 informational.
        const message = `<${13 * 8 + 6}>1 ${new Date().toISOString()} ${hostname()} ordinator - access - ${line}`
        const bytes = Buffer.from(message).subarray(0, SYSLOG_BYTES)
        await new Promise<void>((resolve, reject) =>
          socket.send(bytes, Number(port) || 514, host, (error) => (error ? reject(error) : resolve())),
        )
      }
    } finally {
      socket.close()
    }
  }
}

/** Hash of the lines between two ids chained to the previous hash, and their number. */
async function hashOf(tx: Tx | Lane, before: Buffer | undefined, fromId: number, toId: number) {
  const row = await tx.one<{ hash: Buffer; lines: number }>(sql`
    select sha256(${before ?? Buffer.alloc(0)}::bytea || convert_to(coalesce(string_agg(${lineSql}, E'\n' order by l."id"), ''), 'UTF8')) as hash,
      count(*)::int as lines
    from access_log l where l."id" between ${fromId} and ${toId}`)
  return row as { hash: Buffer; lines: number }
}

/**
 * Seals lines that are final since the last seal.
 * @returns the number of sealed lines; 0: none were left
 */
export function sealJournal(db: Lane, outlet?: Outlet, settledMinutes = SETTLED_MINUTES): Promise<number> {
  return db.tx(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${LOCK})`)
    const last = await tx.one<Seal>(
      sql`select "fromId", "toId", "lines", "hash" from journal_seals order by "toId" desc limit 1`,
    )
    const fromId = (last?.toId ?? 0) + 1
    const next = await tx.one<{ toId: number | null }>(sql`
      select max(q."id") as "toId" from (select l."id" from access_log l
        where l."id" >= ${fromId} and l.dt < now() - make_interval(mins => ${settledMinutes}) order by l."id" limit ${LINES_OF_SEAL}) q`)
    const toId = next?.toId
    if (!toId) return 0
    const { hash, lines } = await hashOf(tx, last?.hash, fromId, toId)
    await tx.query(
      sql`insert into journal_seals ("fromId", "toId", "lines", "hash") values (${fromId}, ${toId}, ${lines}, ${hash})`,
    )
    if (outlet) {
      const texts = await tx.query<{ text: string }>(sql`
        select ${lineSql} as text from access_log l where l."id" between ${fromId} and ${toId} order by l."id"`)
      await outlet(
        texts.map(({ text }) => text),
        { toId, hash: hash.toString('hex') },
      )
    }
    return lines
  })
}

export interface Checked {
  seals: number
  lines: number
  /** Ids of the first broken seal; undefined: the chain is valid. */
  broken: { fromId: number; toId: number } | undefined
  /** Seals at the beginning whose monthly partitions were detached. */
  detached: number
  /** The last hash, to compare with the copy kept elsewhere. */
  hash: string | undefined
}

/** Verifies the whole chain. */
export async function checkJournal(db: Db): Promise<Checked> {
  const checked: Checked = { seals: 0, lines: 0, broken: undefined, detached: 0, hash: undefined }
  let before: Buffer | undefined
  let toId = 0
  for await (const seals of db.pages<Seal>(
    sql`select "fromId", "toId", "lines", "hash" from journal_seals order by "toId"`,
  ))
    for (const seal of seals) {
      const { hash, lines } = await hashOf(db, before, seal.fromId, seal.toId)
      const isGone = lines === 0 && checked.detached === checked.seals
      if (isGone) checked.detached++
      else if (seal.fromId !== toId + 1 || lines !== seal.lines || !hash.equals(seal.hash)) {
        checked.broken = { fromId: seal.fromId, toId: seal.toId }
        return checked
      }
      checked.seals++
      checked.lines += lines
      before = seal.hash
      toId = seal.toId
    }
  checked.hash = before?.toString('hex')
  return checked
}
