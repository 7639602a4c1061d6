import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join as joinPath } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { movingCalls } from '@ordinator/model/areas/moving/calls'
import { type ChoiceKind, isMoveBusy, Move, type MoveChoices, MoveFile } from '@ordinator/model/areas/moving/move'
import {
  MAX_MOVE_ARCHIVE,
  MAX_MOVE_TABLE,
  type MoveSum,
  type MoveTableKey,
  moveTableKeys,
} from '@ordinator/model/areas/moving/tables'
import { formatFileSize } from '@ordinator/model/format'
import { plainSpelling } from '@ordinator/model/spelling'
import type { FastifyRequest } from 'fastify'
import sql, { raw } from 'sql-template-tag'
import writeXlsxFile from 'write-excel-file/node'
import { asPerson, declaredBytes, withinQuota } from '#areas/files/index.ts'
import { rememberMapping } from '#areas/imports/index.ts'
import { fioSql } from '#areas/staff/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError, notFound, ValidationError } from '#platform/errors.ts'
import { paced } from '#platform/uploadRate.ts'
import { xlsxStream } from '#platform/xlsxStream.ts'
import { operation } from '#records/operation.ts'
import { type FileRow, fileOf, filesSql, titleOf } from './file.ts'
import { leftSheets } from './left.ts'
import { knownProfiles, matchColumns } from './matching.ts'
import type { UnknownName } from './table.ts'
import { movingTable } from './tables/index.ts'

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

const MAX_NAME = 255

export async function known(db: Queryable, id: number): Promise<FileRow> {
  const file = await fileOf(db, id)
  if (!file) throw notFound()
  return file
}

/** Locks a file in one of the states. @throws HttpError 404, 409 */
export async function lockFile(tx: Tx, id: number, states: readonly string[], refusal: string): Promise<FileRow> {
  const file = await tx.one<FileRow>(sql`${filesSql} where f."id" = ${id} and not f."deleted" for update of f`)
  if (!file) throw notFound()
  if (!states.includes(file.state)) throw new HttpError(409, refusal, { code: 'state' })
  return file
}

export const plan = operation(movingCalls.plan, async ({ app, records, params: { id } }) => {
  const move = await records.row(Move, id)
  const files = await app.db.query<
    FileRow & { created: number; updated: number; same: number; both: number; wrong: number; message: string | null }
  >(sql`select * from moving_files where "idMove" = ${id} and not "deleted" order by "id"`)
  const chosen: MoveChoices = move.choices ?? {}
  const unknown = await app.db.query<{ kind: UnknownName['kind']; name: string; rows: number }>(sql`
    select u."kind", u."name", sum(u."rows")::int as rows from moving_files f join moving_unknown u on u."idFile" = f."id"
    where f."idMove" = ${id} and not f."deleted" and f."state" <> 'reverted' group by 1, 2 order by 3 desc, 2 limit 200`)
  const ids = (kind: ChoiceKind) => Object.values(chosen[kind] ?? {}).filter((one) => one !== null)
  const names = new Map(
    (
      await app.db.query<{ key: string; name: string }>(sql`
        select 'doctors ' || u."id" as key, ${fioSql(raw('u'))} as name from users u where u."id" = any (${ids('doctors')}::bigint[])
        union all select 'services ' || s."id", s."nameService" from services s where s."id" = any (${ids('services')}::bigint[])
        union all select 'rooms ' || m."id", m."name" from filials_rooms m where m."id" = any (${ids('rooms')}::bigint[])
        union all select 'organizations ' || o."id", o."shortName" from organizations o where o."id" = any (${ids('organizations')}::bigint[])
        union all select 'patients ' || c."id", ${fioSql(raw('c'))} from customers c where c."id" = any (${ids('patients')}::bigint[])
        union all select 'roles ' || r."id", r."name" from roles r where r."id" = any (${ids('roles')}::bigint[])`)
    ).map(({ key, name }) => [key, name]),
  )
  return {
    tables: moveTableKeys.map((key) => {
      const own = files.filter((file) => file.table === key)
      const done = own.filter(({ state }) => state === 'done')
      const sum = (of: (file: (typeof own)[number]) => number) => done.reduce((all, file) => all + of(file), 0)
      return {
        key,
        loaded: sum(({ created, updated, same, both }) => created + updated + same + both),
        left: sum(({ wrong }) => wrong),
        files: own.map(({ id: idFile, fileName, state, total, done: rows, wrong, message }) => ({
          id: idFile,
          fileName,
          state,
          total,
          done: rows,
          wrong,
          message,
        })),
      }
    }),
    unknown: unknown.map((one) => {
      const choice = chosen[one.kind]?.[one.name]
      const chosenName = choice ? names.get(`${one.kind} ${choice}`) : undefined
      return { ...one, ...(choice !== undefined && { chosen: choice }), ...(chosenName && { chosenName }) }
    }),
    busy: files.some(({ state }) => isMoveBusy(state)),
  }
})

export const upload = operation(movingCalls.upload, ({ app, actor, records, request, params: { id } }) =>
  withinQuota(app, [asPerson(app, actor)], declaredBytes(request, MAX_MOVE_ARCHIVE), () =>
    app.scratch.use(async (folder) => {
      await records.row(Move, id)
      const { table, fileName, path } = await received(request, joinPath(folder, 'file'))
      const key = `moving/${randomBytes(16).toString('hex')}`
      await app.files.put(key, path)
      try {
        return await records.tx(async (inside, tx) => {
          const made = await inside.asSystem.create(MoveFile, {
            idMove: id,
            table,
            fileName,
            idUser: actor.id,
          })
          await tx.query(sql`insert into moving_stored ("idFile", "key") values (${made.id}, ${key})`)
          await app.jobs.send('moving.read', { id: made.id }, { tx })
          return made
        })
      } catch (error) {
        await app.files.remove(key)
        throw error
      }
    }),
  ),
)

/** The form's file on the disk; its fields may come before or after it. */
async function received(
  request: FastifyRequest,
  path: string,
): Promise<{ table: MoveTableKey; fileName: string; path: string }> {
  let fileName: string | undefined
  let table: string | undefined
  const limits = { fileSize: MAX_MOVE_ARCHIVE + 1, files: 1, fields: 5, fieldSize: 1_000 }
  for await (const part of request.parts({ limits, defParamCharset: 'utf8' } as Parameters<
    FastifyRequest['parts']
  >[0])) {
    if (part.type === 'field') {
      if (part.fieldname === 'table') table = String(part.value)
      continue
    }
    fileName = plainSpelling(part.filename || 'Файл').slice(-MAX_NAME)
    await pipeline(part.file, paced(request.who), createWriteStream(path, { mode: 0o600 }))
    if (part.file.truncated) throw tooLarge(MAX_MOVE_ARCHIVE)
  }
  if (fileName === undefined) throw new ValidationError([{ field: 'file', message: 'Выберите файл' }])
  const key = moveTableKeys.find((one) => one === table)
  if (!key) throw new ValidationError([{ field: 'table', message: 'Выберите таблицу переезда' }])
  const { size } = await stat(path)
  if (size === 0) throw new ValidationError([{ field: 'file', message: 'Файл пуст' }])
  const isArchive = /\.zip$/i.test(fileName)
  if (key === 'files' && !isArchive)
    throw new ValidationError([{ field: 'file', message: 'Нужен архив ZIP с файлами и таблицей' }])
  if (key !== 'files' && isArchive)
    throw new ValidationError([{ field: 'file', message: 'Нужна таблица XLSX или CSV' }])
  if (size > (key === 'files' ? MAX_MOVE_ARCHIVE : MAX_MOVE_TABLE))
    throw tooLarge(key === 'files' ? MAX_MOVE_ARCHIVE : MAX_MOVE_TABLE)
  return { table: key, fileName, path }
}

const tooLarge = (max: number) =>
  new HttpError(413, `Файл больше ${formatFileSize(max)}: разделите его`, { code: 'fileTooLarge' })

export const template = operation(movingCalls.template, async ({ app, params, reply }) => {
  const { columns } = movingTable(app, params.table)
  const head = columns.map(({ name, required }) => ({ value: required ? `${name}*` : name, fontWeight: 'bold' }))
  const rows = [0, 1].map((at) => columns.map(({ examples }) => ({ value: examples?.[at] ?? '', type: String })))
  const file = await xlsxOf([
    {
      sheet: titleOf(params.table),
      data: [head, ...rows],
      columns: columns.map(({ name }) => ({ width: Math.max(18, name.length + 4) })),
    },
  ])
  return reply.type(XLSX).header('content-disposition', `attachment; filename="${params.table}.xlsx"`).send(file)
})

interface Sheet {
  sheet: string
  data: unknown[][]
  columns: { width: number }[]
}

async function xlsxOf(sheets: readonly Sheet[]): Promise<Buffer> {
  // Excel cuts longer names of sheets.
  const named = sheets.map((one) => ({ ...one, sheet: one.sheet.slice(0, 31), stickyRowsCount: 1 }))
  return (await writeXlsxFile(named as never)).toBuffer()
}

/** Names of a row's parts in the texts of a screen. */
const fates = {
  new: sql`r."fate" in ('new', 'twin')`,
  changed: sql`r."fate" = 'changed'`,
  same: sql`r."fate" = 'same'`,
  both: sql`r."fate" = 'both'`,
  wrong: sql`r."fate" = 'wrong'`,
  twin: sql`r."fate" = 'twin'`,
  doubt: sql`r."fate" <> 'wrong' and r."notes" is not null`,
}

/** The kind of a note: its message without quoted values. */
const kindOf = sql`regexp_replace(m.message, '«[^»]*»', '«…»', 'g')`

export const fileRows = operation(movingCalls.file, async ({ app, records, params: { id }, query }) => {
  await records.view(MoveFile, id, { fields: 'id' })
  const file = await known(app.db, id)
  const table = movingTable(app, file.table)
  const mapping = file.mapping ?? {}
  const rows = await app.db.query<{
    row: number
    fate: string
    key: string | null
    cells: string[]
    notes: { field: string; message: string; error: boolean }[] | null
  }>(
    sql`select r."row", r."fate", r."key", r."cells", r."notes" from moving_rows r where r."idFile" = ${id} and r."fate" is not null
      and ${query.fate ? fates[query.fate] : raw('true')} and r."row" > ${query.after}
      and ${
        query.kind === undefined
          ? raw('true')
          : sql`exists (select from jsonb_to_recordset(r."notes") as m(field text, message text)
              where m.field = ${query.field ?? ''} and ${kindOf} = ${query.kind})`
      } order by r."row" limit ${query.limit + 1}`,
  )
  const isFirst = query.after === 0
  const reasons = !isFirst
    ? []
    : await app.db.query<{ field: string; kind: string; message: string; rows: number; isError: boolean }>(sql`
    select n.field, n.kind, case when count(distinct n.message) = 1 then min(n.message) else n.kind end as message,
      count(*)::int as rows, bool_or(n.error) as "isError" from moving_rows r
      cross join lateral (select m.*, ${kindOf} as kind
        from jsonb_to_recordset(r."notes") as m(field text, message text, error boolean)) n
    where r."idFile" = ${id} and r."notes" is not null and r."fate" is not null
    group by n.field, n.kind order by bool_or(n.error) desc, count(*) desc limit 50`)
  return {
    columns: table.columns.map(({ name, required, examples }) => ({ name, required, examples })),
    reasons,
    sums: isFirst ? await sumsOf(app.db, [id]) : [],
    hasMore: rows.length > query.limit,
    rows: rows.slice(0, query.limit).map(({ row, fate, key, cells, notes }) => ({
      row,
      fate: fate as 'new',
      externalId: key,
      values: Object.fromEntries(
        Object.entries(mapping).flatMap(([name, at]) => (cells[at] ? [[name, cells[at].slice(0, 300)]] : [])),
      ),
      notes: notes ?? [],
    })),
  }
})

/** Sums by kind, as given by the files; of a row that came twice, as the last file does. */
export async function sumsOf(db: Queryable, ids: readonly number[]) {
  return db.query<{ kind: MoveSum; people: number; file: number; left: number; unread: number }>(sql`
    select s.kind, count(distinct s.who) filter (where s.unread is not true)::int as people, (sum(s.kopecks) / 100.0)::float8 as file,
      (coalesce(sum(s.kopecks) filter (where r."fate" = 'wrong'), 0) / 100.0)::float8 as left,
      count(*) filter (where s.unread)::int as unread
    from (select distinct on (f."table", coalesce(r."key", r."idFile" || ':' || r."row")) r."sums", r."fate"
        from moving_rows r join moving_files f on f."id" = r."idFile" where r."idFile" = any (${ids}::bigint[]) and r."fate" is not null
        order by f."table", coalesce(r."key", r."idFile" || ':' || r."row"), r."idFile" desc, r."sums" is null, r."place") r
      cross join jsonb_to_recordset(r."sums") as s(kind text, who text, kopecks bigint, unread boolean)
    where r."sums" is not null group by 1
    order by array_position(array['debt', 'advance', 'bonus', 'certificate', 'visit', 'plan'], s.kind)`)
}

export const match = operation(movingCalls.match, async ({ app, records, params: { id }, body }) => {
  const profiles = body.profile === undefined ? [] : await knownProfiles(app)
  return records.tx(async (inside, tx) => {
    const file = await lockFile(tx, id, ['ready', 'checked'], 'Колонки меняют до загрузки файла')
    const table = movingTable(app, file.table)
    if (body.sheet !== undefined) {
      if (file.key === null) throw new HttpError(409, 'Файл уже не хранится: добавьте его ещё раз', { code: 'state' })
      await app.jobs.send('moving.read', { id }, { tx })
      return inside.asSystem.update(MoveFile, id, {
        state: 'reading',
        reading: { sheet: body.sheet },
        message: null,
      })
    }
    const head = file.head ?? []
    const profile = profiles.find(({ key }) => key === body.profile)
    if (body.profile !== undefined && !profile)
      throw new ValidationError([{ field: 'profile', message: 'Такого профиля нет' }])
    const mapping =
      body.mapping ??
      (profile
        ? matchColumns(file.table, table.columns, head, profile.columns)
        : body.twins || body.strangers || body.clashes
          ? (file.mapping ?? {})
          : matchColumns(file.table, table.columns, head, undefined))
    const wrong = Object.entries(mapping).filter(
      ([name, at]) => !table.columns.some((one) => one.name === name) || at >= head.length,
    )
    if (wrong.length > 0)
      throw new ValidationError(wrong.map(([name]) => ({ field: `mapping.${name}`, message: 'Такой колонки нет' })))
    if (body.mapping)
      await rememberMapping(
        tx,
        `moving:${file.table}`,
        table.columns,
        head.map(({ name }) => name),
        body.mapping,
      )
    return inside.asSystem.update(MoveFile, id, {
      mapping,
      state: 'ready',
      done: 0,
      ...(body.twins && { twins: body.twins }),
      ...(body.strangers && { strangers: body.strangers }),
      ...(body.clashes && { clashes: body.clashes }),
    })
  })
})

export const left = operation(movingCalls.left, async ({ app, records, params: { id }, query, reply }) => {
  await records.row(Move, id)
  const files = await app.db.query<FileRow>(sql`select * from moving_files where "idMove" = ${id} and not "deleted"
    and "state" in ('checked', 'done') and (${query.file ?? null}::bigint is null or "id" = ${query.file ?? null}) order by "id"`)
  return reply
    .type(XLSX)
    .header('content-disposition', `attachment; filename="${query.what === 'wrong' ? 'left' : 'both'}.xlsx"`)
    .send(Readable.from(xlsxStream(leftSheets(app, files, fates[query.what]))))
})
