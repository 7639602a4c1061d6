/** Templates and schemas of documents: built-in ones, and files of the clinic. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { egiszCalls, MAX_SCHEMA_FILES } from '@ordinator/model/areas/egisz/calls'
import {
  DocumentTemplateError,
  MAX_DOCUMENT_TEMPLATE,
  readDocumentTemplate,
} from '@ordinator/model/areas/egisz/documentTemplate'
import { EgiszEdition } from '@ordinator/model/areas/egisz/setUp'
import type { Row } from '@ordinator/model/entity'
import sql, { type raw } from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import { schematronOf } from '#platform/xml/schematron.ts'
import type { XsdSchema } from '#platform/xml/xml.ts'
import { records } from '#records/define.ts'
import { operation } from '#records/operation.ts'
import { logEvent } from './log.ts'

const FOLDER = new URL('./templates/', import.meta.url)
const textOf = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8')
let known: Readonly<Record<string, string>> | undefined

/** Shared template parts, for built-in and clinic templates. */
export const templateParts = (): Readonly<Record<string, string>> =>
  (known ??= Object.fromEntries(
    readdirSync(new URL('parts/', FOLDER)).map((file) => [file.replace('.xml', ''), textOf(`parts/${file}`)]),
  ))

const MAIN_SCHEMA = 'CDA.xsd'

const countOf = (row: ReturnType<typeof raw>, kind: string) =>
  sql`(select count(*)::int from egisz_edition_files f where f."idEdition" = ${row}."id" and f."kind" = ${kind})`

export const editions = records(EgiszEdition, {
  computed: {
    hasTemplate: ({ row }) => sql`${countOf(row, 'template')} > 0`,
    schemaFiles: ({ row }) => countOf(row, 'xsd'),
    schematronRules: ({ row }) =>
      sql`(select f."rules" from egisz_edition_files f where f."idEdition" = ${row}."id" and f."kind" = 'schematron' limit 1)`,
  },
})

export interface Edition {
  row: Row<typeof EgiszEdition>
  template: string | undefined
  schema: XsdSchema | undefined
  schematron: string | undefined
}

interface StoredFile {
  kind: 'template' | 'xsd' | 'schematron'
  name: string
  body: Buffer
}

/** Schemas are cached by hash, so that the checker reuses a compiled one. */
const schemas = new Map<string, XsdSchema>()
const MAX_SCHEMAS = 20

function schemaOf(files: readonly StoredFile[]): XsdSchema | undefined {
  if (!files.some(({ name }) => name === MAIN_SCHEMA)) return undefined
  const hash = createHash('sha256')
  for (const { name, body } of files) hash.update(name).update(body)
  const key = hash.digest('hex')
  const there = schemas.get(key)
  if (there) return there
  const made = {
    main: MAIN_SCHEMA,
    files: Object.fromEntries(files.map(({ name, body }) => [name, new Uint8Array(body)])),
  }
  schemas.set(key, made)
  for (const oldest of schemas.keys()) {
    if (schemas.size <= MAX_SCHEMAS) break
    schemas.delete(oldest)
  }
  return made
}

/** The edition that generates and validates documents of a code. */
export async function editionOf(db: Queryable, code: string): Promise<Edition | undefined> {
  const row = await db.one<
    Row<typeof EgiszEdition>
  >(sql`select "id"::int as id, "code", "name", "typeCode", "typeName", "templateId", "ready"
    from egisz_editions where "code" = ${code} and not "deleted"`)
  if (!row) return undefined
  const files = await db.query<StoredFile>(
    sql`select "kind", "name", "body" from egisz_edition_files where "idEdition" = ${row.id} order by "name"`,
  )
  const own = files.find(({ kind }) => kind === 'template')?.body.toString('utf8')
  return {
    row,
    template: own ?? (row.ready && row.ready !== 'none' ? textOf(`${row.ready}.xml`) : undefined),
    schema: schemaOf(files.filter(({ kind }) => kind === 'xsd')),
    schematron: files.find(({ kind }) => kind === 'schematron')?.body.toString('utf8'),
  }
}

const filesOf = (db: Queryable, id: number) =>
  db.query<{ kind: string; name: string; size: number }>(
    sql`select "kind", "name", octet_length("body")::int as size from egisz_edition_files where "idEdition" = ${id} order by "kind", "name"`,
  )

const files = operation(egiszCalls.editionFiles, async ({ app, records: engine, params }) => {
  const { id } = await engine.row(EgiszEdition, params.id)
  return { items: await filesOf(app.db, id) }
})

const refuse = (message: string) => new ValidationError([{ field: 'content', message }])

const put = operation(egiszCalls.putEditionFile, async ({ app, records: engine, actor, params, body }) => {
  const { id, code } = await engine.row(EgiszEdition, params.id)
  const bytes = Buffer.from(body.content, 'base64')
  const text = bytes.toString('utf8')
  let rules: number | null = null
  if (body.kind === 'template') {
    if (text.length > MAX_DOCUMENT_TEMPLATE) throw refuse('Шаблон слишком велик')
    try {
      readDocumentTemplate(text, templateParts())
    } catch (error) {
      if (error instanceof DocumentTemplateError) throw refuse(error.message)
      throw error
    }
  } else if (/<!DOCTYPE/i.test(text)) throw refuse('В файле есть DOCTYPE: такие файлы не принимаются')
  else if (body.kind === 'schematron') {
    rules = await schematronOf(app)
      .count(text, actor.id)
      .catch((error: Error) => {
        throw refuse(`Схематрон не читается: ${error.message.slice(0, 200)}`)
      })
    if (rules === 0) throw refuse('В файле нет ни одного правила: нужен схематрон (.sch)')
  } else if (!/<(?:\w+:)?schema[\s>]/.test(text)) throw refuse('Это не схема XSD')
  await app.db.tx(async (tx) => {
    await tx.query(sql`select 1 from egisz_editions where "id" = ${id} for update`)
    if (body.kind !== 'xsd')
      await tx.query(sql`delete from egisz_edition_files where "idEdition" = ${id} and "kind" = ${body.kind}`)
    await tx.query(sql`insert into egisz_edition_files ("idEdition", "kind", "name", "body", "rules")
      values (${id}, ${body.kind}, ${body.name}, ${bytes}, ${rules})
      on conflict ("idEdition", "kind", "name") do update set "body" = excluded."body", "rules" = excluded."rules"`)
    const count = await tx.one<{ n: number }>(
      sql`select count(*)::int as n from egisz_edition_files where "idEdition" = ${id} and "kind" = 'xsd'`,
    )
    if ((count?.n ?? 0) > MAX_SCHEMA_FILES) throw refuse(`Файлов схемы не больше ${MAX_SCHEMA_FILES}`)
    if (body.kind !== 'xsd')
      await logEvent(tx, {
        kind: 'settings',
        text: `Документ ${code}: загружен ${body.kind === 'template' ? 'шаблон' : 'схематрон'} ${body.name}`,
        idUser: actor.id,
      })
  })
  return { items: await filesOf(app.db, id) }
})

const remove = operation(egiszCalls.removeEditionFiles, async ({ app, records: engine, params, body }) => {
  const { id } = await engine.row(EgiszEdition, params.id)
  await app.db.query(sql`delete from egisz_edition_files where "idEdition" = ${id} and "kind" = ${body.kind}`)
})

export const editionCalls = [files, put, remove]
