/**
 * Prints the SQL by which a database would meet the declared entities: a draft to be read, named and put into
 * migrations/. Usage: node apps/server/src/records/draftMigration.ts [DATABASE_URL]; without one: from nothing.
 */
import { entities } from '@ordinator/model/entities'
import pg from 'pg'
import { draft, presentSchema, presentSql, schemaOf } from './schema.ts'

const url = process.argv[2]
const present = url ? await read(url) : presentSchema([], [])
process.stdout.write(draft(schemaOf(entities), present))

async function read(connectionString: string) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const columns = await client.query(presentSql.columns)
  const names = await client.query(presentSql.names)
  await client.end()
  return presentSchema(columns.rows, names.rows)
}
