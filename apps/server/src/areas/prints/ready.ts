/** Standard templates: a clinic can add the missing ones at any time. */
import { printCalls } from '@ordinator/model/areas/prints/calls'
import { PrintTemplate } from '@ordinator/model/areas/prints/printTemplate'
import sql from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { readyTemplates } from './readyTemplates.ts'

export const addReady = operation(printCalls.addReady, ({ records }) =>
  records.tx(async (own, tx) => ({ added: await addMissing(own, tx) })),
)

/**
 * Creates standard templates without a counterpart of that name.
 * @param given the author, if there is no user
 * @returns their number
 */
export async function addMissing(records: Records, tx: Tx, given: { idEditor?: number } = {}): Promise<number> {
  // A concurrent request finds the templates of this one.
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${PrintTemplate.path}, 0))`)
  const there = await tx.query<{ name: string }>(
    sql`select lower("name") as name from print_templates where not "deleted"`,
  )
  const names = new Set(there.map(({ name }) => name))
  const missing = readyTemplates.filter(({ name }) => !names.has(name.toLowerCase()))
  const sequences = await tx.query<{ id: number; code: string }>(
    sql`select "id"::int as id, "code" from sequences where not "deleted" order by "id" desc`,
  )
  const idByCode = new Map(sequences.map(({ code, id }) => [code, id]))
  for (const { sequence, ...template } of missing)
    await records.create(PrintTemplate, {
      ...template,
      ...(sequence && { idSequence: idByCode.get(sequence) ?? null }),
      ...given,
    })
  return missing.length
}
