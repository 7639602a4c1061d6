import { entities } from '@ordinator/model/entities'
import { expect, it } from 'vitest'
import { testDb } from '../testing/harness.ts'
import { draft, presentSchema, presentSql, schemaOf } from './schema.ts'

it('the migrations make the tables that the entities declare', async () => {
  const db = await testDb()
  const columns = await db.query<{ table: string; column: string; type: string }>({ text: presentSql.columns })
  const names = await db.query<{ name: string; kind: 'constraints' | 'indexes' }>({ text: presentSql.names })
  await db.end()
  const wanted = schemaOf(entities)
  expect(draft(wanted, presentSchema(columns, names))).toBe('')
  // A difference is seen at all.
  expect(
    draft(
      wanted,
      presentSchema(
        columns.filter((c) => c.column !== 'importance'),
        names,
      ),
    ),
  ).toContain('add column "importance"')
})
