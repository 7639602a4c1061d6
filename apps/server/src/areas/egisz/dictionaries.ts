/**
 * Dictionaries of НСИ: the API of nsi.rosminzdrav.ru (`/passport`, paged `/data`). A version is loaded completely and
 * then activated; a missing page keeps the former version active.
 */
import { egiszCalls } from '@ordinator/model/areas/egisz/calls'
import { NsiDictionary } from '@ordinator/model/areas/egisz/setUp'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { AdapterFault } from '#platform/adapter.ts'
import { HttpError } from '#platform/errors.ts'
import type { JobRun } from '#platform/jobs.ts'
import type { Remote } from '#platform/remote.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { records } from '#records/define.ts'
import { operation } from '#records/operation.ts'
import { exclusively } from '#records/run.ts'
import { nsiConnection } from './connection.ts'
import { logEvent } from './log.ts'

export const LOAD = 'egisz.dictionary'
/** Seconds that a load takes at most. */
const LOAD_S = 1_800
const PAGE = 500
/** Maximum number of rows of a dictionary. */
const MAX_ROWS = 500_000
const MOST_TERMS = 50

export const dictionaries = records(NsiDictionary, {
  hooks: {
    async afterDelete({ tx }, { id }) {
      await tx.query(sql`delete from egisz_terms where "idDictionary" = ${id}`)
    },
  },
})

const passport = z.object({
  result: z.string().optional(),
  resultText: z.string().nullish(),
  version: z.string().min(1).max(32),
  rowsCount: z.coerce.number().int().nonnegative().max(MAX_ROWS),
  publishDate: z.string().max(32).nullish(),
  keys: z.array(z.object({ field: z.string(), type: z.string() })).nullish(),
})
const page = z.object({
  result: z.string().optional(),
  total: z.coerce.number().int().nonnegative(),
  list: z.array(z.array(z.object({ column: z.string(), value: z.string().nullable() }))),
})

/** Queued, so that a large dictionary blocks nothing. */
const load = operation(egiszCalls.loadDictionary, async ({ app, records: engine, params }) => {
  const { id } = await engine.row(NsiDictionary, params.id)
  return { isQueued: (await app.jobs.send(LOAD, { id }, { key: `dictionary-${id}` })) !== null }
})

const terms = operation(egiszCalls.terms, async ({ app, records: engine, params, query }) => {
  const { id, version } = await engine.row(NsiDictionary, params.id)
  const like = `%${(query.q ?? '').replace(/[\\%_]/g, '\\$&')}%`
  const items = await app.db.reads.query<{ code: string; name: string }>(sql`select "code", "name" from egisz_terms
    where "idDictionary" = ${id} and "version" = ${version} and ("code" ilike ${like} or "name" ilike ${like})
    order by length("code"), "code" limit ${MOST_TERMS}`)
  return { items }
})

export const dictionaryCalls = [load, terms]

export function startDictionaries(app: AppContext): void {
  app.jobs.register<{ id: number }>(LOAD, {
    // Two loads at once would mix the pages of one version.
    handler: ({ id }, job) => exclusively(app, LOAD, id, LOAD_S, () => loadOne(app, id, job)),
    retries: 2,
    timeout: LOAD_S,
  })
  app.jobs.register('egisz.dictionaries', {
    cron: '20 4 * * *',
    async handler() {
      const all = await app.db.query<{ id: number }>(
        sql`select "id"::int as id from egisz_dictionaries where "active" and not "deleted" and "version" is not null`,
      )
      for (const { id } of all) await app.jobs.send(LOAD, { id }, { key: `dictionary-${id}` })
    },
  })
}

/** The job `egisz.dictionary`. */
export async function loadOne(app: AppContext, id: number, { signal }: Pick<JobRun, 'signal'>): Promise<void> {
  const system = app.engine.for(systemActor).asSystem
  const dictionary = await app.db.one<{
    oid: string
    version: string | null
    codeColumn: string | null
    nameColumn: string | null
    name: string
  }>(sql`
    select "oid", "version", nullif("codeColumn", '') as "codeColumn", nullif("nameColumn", '') as "nameColumn", "name"
    from egisz_dictionaries where "id" = ${id} and not "deleted"`)
  if (!dictionary) return
  const { remote, key } = await nsiConnection(app)
  const ask = asker(remote, key, dictionary.oid)
  try {
    const about = passport.parse(await ask('passport', {}))
    if (about.version === dictionary.version) {
      await system.update(NsiDictionary, id, { state: 'loaded', error: null })
      return
    }
    await system.update(NsiDictionary, id, { state: 'loading', progress: 0, error: null })
    // Rows of an earlier attempt at this version are loaded again.
    await app.db.query(
      sql`delete from egisz_terms where "idDictionary" = ${id} and "version" is distinct from ${dictionary.version}`,
    )
    const columns = {
      code: dictionary.codeColumn ?? about.keys?.find(({ type }) => type === 'PRIMARY')?.field ?? 'ID',
      name: dictionary.nameColumn ?? 'NAME',
    }
    const rows = await takePages(app, id, ask, about, columns, signal)
    if (rows !== about.rowsCount)
      throw new AdapterFault(`Пришло строк ${rows}, а в паспорте ${about.rowsCount}: оставлена прежняя версия`)
    await app.engine.for(systemActor).tx(async (own, tx) => {
      const stored = await tx.one<{ count: number }>(sql`select count(*)::int as count from egisz_terms
        where "idDictionary" = ${id} and "version" = ${about.version}`)
      if (stored?.count !== rows)
        throw new AdapterFault(`Записано строк ${stored?.count}, а пришло ${rows}: оставлена прежняя версия`)
      await own.asSystem.update(NsiDictionary, id, {
        version: about.version,
        rows,
        progress: rows,
        datePublished: about.publishDate ?? null,
        dateLoaded: new Date().toISOString(),
        state: 'loaded',
        error: null,
      })
      await tx.query(sql`delete from egisz_terms where "idDictionary" = ${id} and "version" <> ${about.version}`)
      await logEvent(tx, {
        kind: 'dictionary',
        text: `Справочник «${dictionary.name}»: версия ${about.version}, строк ${rows}`,
      })
    })
  } catch (error) {
    if (signal.aborted) throw error
    const words =
      error instanceof AdapterFault || error instanceof HttpError
        ? error.message
        : error instanceof z.ZodError
          ? 'Ответ НСИ не читается'
          : undefined
    if (words === undefined) throw error
    await system.update(NsiDictionary, id, { state: 'failed', error: words.slice(0, 500) })
    await logEvent(app.db, {
      kind: 'dictionary',
      level: 'error',
      text: `Справочник «${dictionary.name}» не загружен: ${words}`,
    })
  }
}

type Ask = (what: 'passport' | 'data', more: Record<string, string>) => Promise<unknown>

const asker =
  (remote: Remote, key: string, identifier: string): Ask =>
  async (what, more) => {
    const query = new URLSearchParams({ ...(key && { userKey: key }), identifier, ...more })
    const { status, bytes } = await remote.ask(
      { operation: what === 'passport' ? 'Паспорт справочника' : 'Страница справочника' },
      { path: `/${what}?${query}` },
    )
    if (status >= 400) throw new AdapterFault(`НСИ ответила ${status}`)
    try {
      const answer = JSON.parse(bytes.toString('utf8')) as { result?: string; resultText?: string }
      if (answer.result && answer.result !== 'OK')
        throw new AdapterFault(`НСИ отказала: ${String(answer.resultText ?? answer.result).slice(0, 200)}`)
      return answer
    } catch (error) {
      if (error instanceof SyntaxError) throw new AdapterFault('Ответ НСИ не читается')
      throw error
    }
  }

async function takePages(
  app: AppContext,
  id: number,
  ask: Ask,
  { version, rowsCount }: { version: string; rowsCount: number },
  columns: { code: string; name: string },
  signal: AbortSignal,
): Promise<number> {
  let taken = 0
  for (let number = 1; taken < rowsCount; number++) {
    if (signal.aborted) throw new Error('the server stops')
    const { list } = page.parse(await ask('data', { version, page: String(number), size: String(PAGE) }))
    if (list.length === 0) break
    const rows = list.map((row) => Object.fromEntries(row.map(({ column, value }) => [column, value])))
    const kept = rows.map((row) => ({
      code: String(row[columns.code] ?? row.ID ?? '').slice(0, 128),
      name: String(row[columns.name] ?? row.NAME ?? row.S_NAME ?? '').slice(0, 1000),
      data: row,
    }))
    await app.db.query(sql`insert into egisz_terms ("idDictionary", "version", "code", "name", "data")
      select ${id}, ${version}, r.code, r.name, r.data from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) as r(code text, name text, data jsonb)`)
    taken += rows.length
    await app.engine.for(systemActor).asSystem.update(NsiDictionary, id, { progress: taken })
  }
  return taken
}
