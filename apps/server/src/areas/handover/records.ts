/** The folder «записи»: every record of the branch as JSON lines, with the names of what they refer to. */

import type { Entity } from '@ordinator/model/entity'
import { isStored } from '@ordinator/model/fields/field'
import { isRef } from '@ordinator/model/fields/ref'
import sql, { join, raw } from 'sql-template-tag'
import type { StreamedFile } from '#platform/zipStream.ts'
import { systemActor } from '#records/actor.ts'
import type { Definition } from '#records/define.ts'
import { name } from '#records/plan.ts'
import { windows } from './files.ts'
import type { Source } from './portions.ts'
import { doesStay, goesSql } from './whose.ts'

/** Names read at once; the engine's lists have no more rows. */
const AT_ONCE = 500

/** Rows in memory together. */
const ROWS = 1_000

/** @param count is called with the number of records of each portion */
export async function* recordFiles(source: Source, count: (more: number) => void): AsyncGenerator<StreamedFile> {
  const { app } = source
  const { definitions } = app.registry
  const stage = source.stage('Записи', 66, 98, definitions.length)
  const titles = new Set<string>()
  /** Records that rows refer to and that do not go themselves: employees, services, lists. */
  const named = new Map<Definition, Set<number>>()
  for (const d of definitions) {
    stage.done(1)
    const goes = doesStay(d) ? undefined : goesSql(app.registry, d, raw('r'), source)
    if (!goes) continue
    const rows = rowsOf(source, d, goes, named)
    // An entity without rows makes no file.
    const first = await rows.next()
    if (first.done) continue
    yield {
      name: `записи/${fileTitle(titles, d.entity)}.jsonl`,
      content: (async function* () {
        for (let next: IteratorResult<unknown[]> = first; !next.done; next = await rows.next()) {
          count(next.value.length)
          yield `${next.value.map((row) => JSON.stringify(row)).join('\n')}\n`
        }
      })(),
    }
  }
  for (const [d, ids] of named)
    yield {
      name: `записи/названия/${fileTitle(titles, d.entity)}.jsonl`,
      content: namesOf(
        source,
        d,
        [...ids].toSorted((a, b) => a - b),
      ),
    }
}

function fileTitle(titles: Set<string>, { label, path }: Entity): string {
  const title = label[2] ?? label[0]
  const own = titles.has(title) ? `${title} (${path.replaceAll('/', ' ')})` : title
  titles.add(own)
  return own
}

async function* rowsOf(
  source: Source,
  { entity }: Definition,
  goes: ReturnType<typeof sql>,
  named: Map<Definition, Set<number>>,
): AsyncGenerator<Record<string, unknown>[], void> {
  const { app } = source
  const fields = Object.entries(entity.fields).filter(([, f]) => isStored(f))
  const columns = join(['id', ...fields.map(([field]) => field)].map((field) => sql`r.${name(field)}`))
  const others = fields.flatMap(([field, f]) => {
    const target = isRef(f) ? app.registry.find(f.to) : undefined
    const isNamed =
      target && !target.entity.upload && !goesSql(app.registry, target, raw('t'), source) && target.entity.title
    return isNamed ? [{ field, target }] : []
  })
  for await (const { after, until } of windows(source, entity)) {
    for (let last = after; ; ) {
      const rows = await app.db.query<{
        row: Record<string, unknown> & { id: number }
      }>(sql`select to_jsonb(q) as row from (
        select ${columns} from ${name(entity.table)} r where r."id" > ${last} and r."id" <= ${until}
          ${raw(entity.soft ? 'and not r."deleted"' : '')} and ${goes} order by r."id" limit ${ROWS}) q`)
      const found = rows.map(({ row }) => row)
      for (const { field, target } of others) {
        const ids = named.get(target) ?? new Set()
        for (const row of found) if (row[field] !== null) ids.add(Number(row[field]))
        if (ids.size > 0) named.set(target, ids)
      }
      if (found.length > 0) yield found
      if (found.length < ROWS) break
      last = (found.at(-1) as { id: number }).id
    }
  }
}

/** Names alone: lists of the network are no data of the branch. */
async function* namesOf(source: Source, { entity }: Definition, ids: readonly number[]): AsyncGenerator<string> {
  const records = source.app.engine.for({ ...systemActor, timeZone: source.zone })
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    await source.next()
    const list = await records.list(entity, {
      'filter[id][in]': ids.slice(at, at + AT_ONCE).join(','),
      fields: `id,${entity.title}`,
      limit: String(AT_ONCE),
      sort: 'id',
    })
    for (const item of JSON.parse(list).items as Record<string, unknown>[])
      yield `${JSON.stringify({ id: item.id, name: item[entity.title as string] })}\n`
  }
}
