/** XML schemas of МДЛП that the clinic has loaded. */
import { mdlpCalls } from '@ordinator/model/areas/warehouse/mdlpCalls'
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { badRequest } from '#platform/errors.ts'
import { type XmlFault, type XsdSchema, xmlOf } from '#platform/xml/xml.ts'
import { checkedZip } from '#platform/zip.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'

const schemaSets = new WeakMap<AppContext, Map<string, XsdSchema>>()

/** Validates by the clinic's schema set for the version; without one there are no errors. */
export async function faultsBySchema(
  app: AppContext,
  db: Queryable,
  xml: string,
  version: string,
  who: number,
): Promise<XmlFault[]> {
  const stored = await db.one<{ files: Record<string, string>; stamp: string }>(sql`
    select "files", "dateCreate"::text as stamp from mdlp_schema_sets where "version" = ${version}`)
  if (!stored) return []
  const kept = schemaSets.get(app) ?? new Map<string, XsdSchema>()
  schemaSets.set(app, kept)
  const key = `${version} ${stored.stamp}`
  const schema = kept.get(key) ?? {
    main: 'documents.xsd',
    files: Object.fromEntries(Object.entries(stored.files).map(([name, text]) => [name, Buffer.from(text)])),
  }
  kept.clear()
  kept.set(key, schema)
  return xmlOf(app).validate(Buffer.from(xml), schema, { who })
}

const MAX_XSD = 8 * 1024 * 1024

export const schemas = operation(mdlpCalls.schemas, async ({ app, query, request }) => {
  const bytes = request.body as Buffer | undefined
  if (!bytes?.length) throw badRequest('Файл пуст')
  const zip = checkedZip(bytes, { maxBytes: MAX_XSD, maxEntries: 500 })
  const files: Record<string, string> = {}
  for (const [path, content] of zip)
    if (path.endsWith('.xsd')) files[path.split('/').at(-1) as string] = content.toString('utf8').replace(/^\uFEFF/, '')
  if (!files['documents.xsd']) throw badRequest('В архиве нет documents.xsd: нужен набор схем МДЛП')
  const schema = {
    main: 'documents.xsd',
    files: Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])),
  }
  await xmlOf(app)
    .validate(Buffer.from('<documents/>'), schema, { who: 'schemas' })
    .catch((error: Error) => {
      throw badRequest(error.message.slice(0, 300))
    })
  await app.db.query(sql`insert into mdlp_schema_sets ("version", "files") values (${query.version}, ${JSON.stringify(files)}::jsonb)
    on conflict ("version") do update set "files" = excluded."files", "dateCreate" = now()`)
  return { version: query.version, files: Object.keys(files).length }
})
