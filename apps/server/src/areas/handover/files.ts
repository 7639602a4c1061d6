/** Stored files: those of patients as the moving-in takes them, and those of records. */

import { MAX_MOVE_ARCHIVE } from '@ordinator/model/areas/moving/tables'
import type { Entity } from '@ordinator/model/entity'
import { isRef } from '@ordinator/model/fields/ref'
import sql, { raw } from 'sql-template-tag'
import { type StreamedFile, zipStream } from '#platform/zipStream.ts'
import type { Definition } from '#records/define.ts'
import { name } from '#records/plan.ts'
import { linesOf, type Written } from './csv.ts'
import { patientsOf, type Source } from './portions.ts'
import { doesStay, goesSql } from './whose.ts'

/** Files and bytes of one archive; the moving-in takes MAX_MOVE_FILES and MAX_MOVE_ARCHIVE, with the table. */
const MAX_FILES = 20_000
const MAX_BYTES = MAX_MOVE_ARCHIVE * 0.8
/** Rows of a table looked at by one statement. */
const WINDOW = 20_000

export interface Stored {
  id: number
  key: string
  title: string
  size: number
  /** The patient of an attachment. */
  idCustomer?: number
}

/** Files that the storage does not have. */
export interface Lost {
  count: number
}

const pathOf = ({ id, title }: Stored): string => `файлы/${id} ${title.replace(/[\\/:*?"<>|\p{Cc}]/gu, '_')}`

/** Archives of files of patients, each with the table that says whose they are. */
export async function* patientZips(
  source: Source,
  written: Written,
  lost: Lost,
): AsyncGenerator<AsyncGenerator<Buffer>> {
  const { head, line } = linesOf(source.app, 'files')
  for await (const part of partsOf(attachments(source))) {
    const files = await present(source, part, lost)
    if (files.length === 0) continue
    written.rows += files.length
    written.files++
    yield zipStream(
      (async function* (): AsyncGenerator<StreamedFile> {
        yield {
          name: 'список.csv',
          content: (async function* () {
            yield `\uFEFF${head}`
            for (const file of files)
              yield line({
                Файл: pathOf(file),
                'Код пациента': `${source.mark}-${file.idCustomer}`,
                Название: file.title,
              })
          })(),
        }
        yield* contents(source, files)
      })(),
    )
  }
}

/** Archives of files that records name: papers, pictures of examinations, messages. */
export async function* recordZips(source: Source, lost: Lost): AsyncGenerator<AsyncGenerator<Buffer>> {
  for await (const part of partsOf(behindRecords(source))) {
    const files = await present(source, part, lost)
    if (files.length > 0) yield zipStream(contents(source, files))
  }
}

/** The content comes from the storage when its turn has come. */
async function* contents(source: Source, files: readonly Stored[]): AsyncGenerator<StreamedFile> {
  for (const file of files) {
    await source.next()
    yield { name: pathOf(file), content: await source.app.files.get(file.key) }
  }
}

async function present({ app }: Source, files: readonly Stored[], lost: Lost): Promise<Stored[]> {
  const there: Stored[] = []
  for (const file of files)
    if (await app.files.stat(file.key)) there.push(file)
    else lost.count++
  return there
}

async function* partsOf(files: AsyncGenerator<Stored>): AsyncGenerator<Stored[]> {
  let part: Stored[] = []
  let bytes = 0
  for await (const file of files) {
    if (part.length > 0 && (part.length >= MAX_FILES || bytes + file.size > MAX_BYTES)) {
      yield part
      part = []
      bytes = 0
    }
    part.push(file)
    bytes += file.size
  }
  if (part.length > 0) yield part
}

/** Files hung at cards of patients who were nowhere else: at a card no file says which branch it is of. */
async function* attachments(source: Source): AsyncGenerator<Stored> {
  const stage = source.stage('Файлы пациентов', 2, 20, source.patients)
  for await (const ids of patientsOf(source, true)) {
    yield* await source.app.db.query<Stored>(sql`select f."id"::int as id, f."key", f."name" as title, f."size",
        a."idCustomer"::int as "idCustomer" from customers_attachments a join customers_files f on f."id" = a."idFile"
      where a."idCustomer" = any (${ids}::bigint[]) and not a."deleted" and not f."deleted" order by a."idCustomer", a."id"`)
    stage.done(ids.length)
  }
}

/** Of a file that several records name each names it once more: it comes once for each entity. */
async function* behindRecords(source: Source): AsyncGenerator<Stored> {
  const { app } = source
  const { definitions } = app.registry
  const stage = source.stage('Файлы записей', 20, 30, definitions.length)
  for (const d of definitions) {
    stage.done(1)
    if (doesStay(d) || d.entity.path === 'customers/attachments') continue
    for (const { by, target } of uploadsOf(source, d)) {
      const row = raw('r')
      const goes = goesSql(app.registry, d, row, source)
      if (!goes) continue
      for await (const { after, until } of windows(source, d.entity))
        yield* await app.db.query<Stored>(sql`select distinct on (f."id") f."id"::int as id, f."key", f."name" as title, f."size"
          from ${name(d.entity.table)} r join ${name(target.table)} f on f."id" = r.${name(by)}
          where r."id" > ${after} and r."id" <= ${until} ${raw(d.entity.soft ? 'and not r."deleted"' : '')} and ${goes} order by f."id"`)
    }
  }
}

const uploadsOf = ({ app }: Source, { entity }: Definition): { by: string; target: Entity }[] =>
  Object.entries(entity.fields).flatMap(([by, f]) => {
    const target = isRef(f) && !f.options.virtual && !f.options.computed ? app.registry.at(f.to).entity : undefined
    return target?.upload ? [{ by, target }] : []
  })

/** Bounds of ids of an entity's table, so that no statement reads more than WINDOW rows. */
export async function* windows(source: Source, { table }: Entity): AsyncGenerator<{ after: number; until: number }> {
  for (let after = 0; ; ) {
    await source.next()
    const found = await source.app.db.one<{ until: number | null }>(sql`select max(w."id")::int as until from (
      select "id" from ${name(table)} where "id" > ${after} order by "id" limit ${WINDOW}) w`)
    if (!found?.until) return
    yield { after, until: found.until }
    after = found.until
  }
}
