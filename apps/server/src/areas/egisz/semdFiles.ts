/** Files of documents and their signatures: stored apart from the records, not in lists, exports and history. */
import { createHash } from 'node:crypto'
import type { SignerRole } from '@ordinator/model/areas/egisz/semd'
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'

export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export const keepContent = (db: Queryable, idSemd: number, xml: string | null) =>
  xml === null
    ? db.query(sql`delete from egisz_semd_contents where "idSemd" = ${idSemd}`)
    : db.query(sql`insert into egisz_semd_contents ("idSemd", "body") values (${idSemd}, ${Buffer.from(xml)})
        on conflict ("idSemd") do update set "body" = excluded."body"`)

export const contentOf = async (db: Queryable, idSemd: number): Promise<Buffer | undefined> =>
  (await db.one<{ body: Buffer }>(sql`select "body" from egisz_semd_contents where "idSemd" = ${idSemd}`))?.body

export interface StoredSignature {
  role: SignerRole
  owner: string
  thumbprint: string
  kind: 'qualified' | 'unqualified' | 'test'
  state: 'valid' | 'invalid' | 'unknown'
  words: string
  date: string
  body: Buffer
}

export const signaturesOf = (db: Queryable, idSemd: number): Promise<StoredSignature[]> =>
  db.query<StoredSignature>(sql`select "role", "owner", "thumbprint", "kind", "state", "words", "date", "body"
    from egisz_signatures where "idSemd" = ${idSemd} order by "id"`)
