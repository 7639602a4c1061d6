import type { Readable } from 'node:stream'
import { type AnyField, type Entity, isVisible } from '@ordinator/model/entity'
import { hasLabels, labelsOf } from '@ordinator/model/fields/choice'
import { isReadable } from '@ordinator/model/fields/field'
import { isRef } from '@ordinator/model/fields/ref'
import { counted } from '@ordinator/model/format'
import type { FastifyReply } from 'fastify'
import { badRequest, forbidden } from '#platform/errors.ts'
import type { ServerActor } from './actor.ts'
import type { AppContext } from './context.ts'
import type { Definition } from './define.ts'
import type { ExportColumn } from './exportCells.ts'
import { journalActor } from './journal.ts'
import { parseListQuery, type RawParams } from './params.ts'
import { aliases, bind, me, readPlan } from './plan.ts'
import { exportSql } from './reads.ts'
import { mayDo } from './scope.ts'

const FORMATS = new Set(['csv', 'xlsx'])
const MAX_TITLE = 64
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const OWN_KEYS: ReadonlySet<string> = new Set(['format', 'titles'])

/**
 * Streams all pages of a list with the same parameters, with references by their titles. A field of another record is
 * requested with dots (`task.tags.name`); `titles` names the requested columns, in their order. The export ends when the
 * client disconnects.
 * @throws HttpError 400 for a wrong format or filter, 403, 429 while another export of the same person is running
 */
export async function exportRecords(
  app: AppContext,
  d: Definition,
  actor: ServerActor,
  params: RawParams,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!mayDo(actor, 'export', d.entity) || !mayDo(actor, 'view', d.entity)) throw forbidden()
  const format = params.format ?? 'csv'
  if (typeof format !== 'string' || !FORMATS.has(format)) throw badRequest('Параметр format должен быть csv или xlsx')
  const columns = columnsOf(app, d, actor, parseListQuery(params, OWN_KEYS).fields, titlesOf(params.titles))
  await app.journal({
    ...journalActor(actor),
    action: 'export',
    entityType: d.entity.path,
    fields: columns.map((c) => [...(c.path ?? []), c.field].join('.')),
    basis: await whatIsTaken(app, d, actor, params),
  })
  const bytes = await exportBytes(app, d, actor, { ...params, format }, String(actor.id))
  // A disconnect before the first byte is not reported to the stream.
  if (reply.raw.destroyed) bytes.destroy()
  const file = `${d.entity.label[2]}.${format}`
  return reply
    .header(
      'content-disposition',
      `attachment; filename="export.${format}"; filename*=UTF-8''${encodeURIComponent(file)}`,
    )
    .type(format === 'csv' ? 'text/csv; charset=utf-8' : XLSX)
    .send(bytes)
}

/**
 * The bytes of an export, for an answer that checks rights and writes the journal by itself.
 * @param who one export at a time runs for the same one
 */
export async function exportBytes(
  app: AppContext,
  d: Definition,
  actor: ServerActor,
  params: RawParams,
  who: string,
): Promise<Readable> {
  const asked = parseListQuery(params, OWN_KEYS)
  if (asked.expand.length) throw badRequest('Параметр expand здесь не поддерживается')
  const columns = columnsOf(app, d, actor, asked.fields, titlesOf(params.titles))
  const fields = columns.flatMap((c) => {
    const at = (...names: readonly (string | undefined)[]) => [...(c.path ?? []), ...names].join('.')
    return [at(c.field), ...(c.title ? [at(c.as, c.title)] : []), ...(c.clock ? [at(...c.clock)] : [])]
  })
  const expand = columns.flatMap((c) => {
    const reached = [...(c.path ?? []), ...(c.as ? [c.as] : (c.clock?.slice(0, -1) ?? []))].join('.')
    return reached ? [reached] : []
  })
  const env = { registry: app.registry, actor, me, alias: aliases() }
  const statement = bind(readPlan(exportSql(env, d, { ...asked, fields, expand })), actor)
  return app.exporter.run(
    {
      text: statement.text,
      values: statement.values ?? [],
      columns,
      timeZone: actor.timeZone,
      format: params.format as 'csv' | 'xlsx',
    },
    who,
  )
}

function titlesOf(given: RawParams[string]): string[] {
  if (given === undefined) return []
  return String(given)
    .split(',')
    .map((title) => title.trim().slice(0, MAX_TITLE))
}

function columnsOf(
  app: AppContext,
  d: Definition,
  actor: ServerActor,
  asked: string[] | undefined,
  titles: readonly string[],
): ExportColumn[] {
  const names =
    asked ??
    Object.entries(d.entity.all)
      .filter(([field, f]) => field !== '_version' && field !== 'deleted' && shows(actor, f))
      .map(([field]) => field)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw badRequest(`Поле указано дважды: ${twice.slice(0, 80)}`)
  return names.map((dotted, at) => {
    const path = dotted.split('.')
    const field = path.pop() as string
    const column = columnOf(app, entityBehind(app, d, path, dotted), actor, field, dotted)
    if (path.length) column.path = path
    if (titles[at]) column.label = titles[at]
    return column
  })
}

const shows = (actor: ServerActor, f: AnyField) => isReadable(f) && (actor.system === true || isVisible(f, actor))

/** The target entity of the relations; whether the actor may see its records is checked by the list. */
function entityBehind(app: AppContext, d: Definition, path: readonly string[], dotted: string): Entity {
  let entity = d.entity
  for (const step of path) {
    const relation = app.registry.relation(entity, step)
    if (!relation) throw unknownField(dotted)
    entity = relation.target.entity
  }
  return entity
}

function columnOf(app: AppContext, entity: Entity, actor: ServerActor, field: string, dotted: string): ExportColumn {
  const f = Object.hasOwn(entity.all, field) ? entity.all[field] : undefined
  if (!f || field === '_version' || field === 'deleted' || !shows(actor, f)) throw unknownField(dotted)
  const { kind, options } = f
  const column: ExportColumn = { field, label: options.label, kind }
  if (hasLabels(f)) column.labels = labelsOf(f)
  const target = isRef(f) ? app.registry.at(f.to).entity : undefined
  if (isRef(f) && target?.title && mayDo(actor, 'view', target))
    Object.assign(column, { as: f.as, title: target.title })
  if (f.clock && mayReach(app, entity, actor, f.clock)) column.clock = f.clock.split('.')
  return column
}

/** True when the actor may see everything along this dotted path. */
function mayReach(app: AppContext, entity: Entity, actor: ServerActor, dotted: string): boolean {
  let at = entity
  return dotted.split('.').every((step) => {
    const relation = app.registry.relation(at, step)
    if (!relation) return shows(actor, at.all[step] as AnyField)
    at = relation.target.entity
    return mayDo(actor, 'view', at)
  })
}

const unknownField = (dotted: string) => badRequest(`Неизвестное поле: ${dotted.slice(0, 80)}`)

/** Parameters of an export that select no rows. */
const SHAPE = new Set(['format', 'titles', 'fields', 'sort', 'limit', 'page', 'count'])
const MAX_CONDITIONS = 500

/** For the journal: how many rows an export takes, and its conditions. */
async function whatIsTaken(app: AppContext, d: Definition, actor: ServerActor, params: RawParams): Promise<string> {
  const conditions = Object.entries(params).filter(([name]) => !SHAPE.has(name))
  const list = await app.engine
    .for(actor)
    .list(d.entity, { ...Object.fromEntries(conditions), fields: 'id', limit: '1', count: '1' })
  const { totalCount, totalIsMore } = JSON.parse(list)._meta as { totalCount: number; totalIsMore?: boolean }
  const rows = `${totalIsMore ? 'больше ' : ''}${counted(totalCount, ['строка', 'строки', 'строк'])}`
  const words = conditions.map(([name, value]) => `${name}=${String(value)}`).join(', ')
  return words ? `${rows}; условия: ${words.slice(0, MAX_CONDITIONS)}` : rows
}
