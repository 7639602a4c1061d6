import type { Actor } from '@ordinator/model/access'
import type { Entity } from '@ordinator/model/entity'
import { positionOf } from '@ordinator/model/fields/position'
import { messages } from '@ordinator/model/messages'
import { namesPatient } from '@ordinator/model/namesPatient'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { badRequest, ValidationError } from '#platform/errors.ts'
import { mustBeFresh, type ServerActor } from './actor.ts'
import type { AppContext } from './context.ts'
import type { Definition, Registry } from './define.ts'
import { exportRecords } from './export.ts'
import { groupOf } from './grouped.ts'
import { history } from './history.ts'
import type { JournalAction } from './journal.ts'
import { journalExpanded, journalRecords } from './journalRecords.ts'
import { type RawParams, refuseKeys } from './params.ts'
import type { Batch, MovePlace, Records } from './records.ts'

/** Authenticates requests; refuses clients that are not signed in. */
export interface RouteAuth {
  actorOf(request: FastifyRequest): Promise<ServerActor>
  /** Key for rate limits: the person of a verified token, else the address. */
  whoOf(request: FastifyRequest): string | Promise<string>
  /** The clinic as an actor without permissions: its tariff and modules. */
  clinic(): Promise<Actor>
  /** Settings or general rights have changed: called at the commit here, a little later for other processes. */
  onClinicChanged(run: () => void): () => void
}

interface Params {
  Params: { id: string }
  Querystring: RawParams
  Body: unknown
}

/** Registers all routes of every entity, except where an area has registered the same method and path. */
export function registerRecordRoutes(app: AppContext, registry: Registry, auth: RouteAuth): void {
  for (const d of registry.definitions) registerEntity(app, registry, auth, d)
}

function registerEntity(app: AppContext, registry: Registry, auth: RouteAuth, d: Definition): void {
  const { entity } = d
  const { server } = app
  const base = `/${entity.path}`
  const one = `${base}/:id`
  const isOfPatients = namesPatient(entity, (path) => registry.find(path)?.entity)

  const route = (method: Method, url: string, action: JournalAction, run: (a: Asked) => Promise<unknown>) => {
    if (server.hasRoute({ method, url })) return
    server.route<Params>({
      method,
      url,
      handler: async (request, reply) => {
        const actor = await auth.actorOf(request)
        if (method !== 'GET') refuseKeys(request.query, method === 'DELETE' ? { sure: true } : {})
        if (isGrave(entity, action, request.body) || (action === 'export' && isOfPatients)) mustBeFresh(actor)
        const asked: Asked = { request, reply, actor, records: app.engine.for(actor) }
        const answer = await run(asked)
        if (entity.personal && action !== 'export')
          await journalRecords(app, entity, actor, action, asked.touched ?? idNamed(request))
        return answer
      },
    })
  }

  route('GET', base, 'search', async ({ records, request, reply, actor }) => {
    const text = await records.list(entity, request.query)
    if (request.query.expand !== undefined) await journalExpanded(app, registry, entity, actor, request.query, text)
    return sendJson(reply, text)
  })
  if (groupOf(entity) !== undefined)
    route('GET', `${base}/grouped`, 'search', async ({ records, request, reply, actor }) => {
      const text = await records.grouped(entity, request.query)
      if (request.query.expand !== undefined) await journalExpanded(app, registry, entity, actor, request.query, text)
      return sendJson(reply, text)
    })
  route('GET', `${base}/export`, 'export', (a) => exportRecords(app, d, a.actor, a.request.query, a.reply))
  route('GET', one, 'view', async ({ records, request, reply, actor }) => {
    const text = await records.view(entity, idOf(request), request.query)
    if (request.query.expand !== undefined) await journalExpanded(app, registry, entity, actor, request.query, text)
    return sendJson(reply, text)
  })
  route('GET', `${one}/history`, 'view', async ({ records, request, reply }) =>
    sendJson(reply, await history(app, registry, d, records, idOf(request), request.query)),
  )
  route('POST', base, 'create', async (asked) => {
    const text = await asked.records.createJson(entity, asked.request.body as never)
    if (entity.personal) asked.touched = [(JSON.parse(text) as { id: number }).id]
    return sendJson(asked.reply.code(201), text)
  })
  const update = async ({ records, request }: Asked) =>
    records.update(entity, idOf(request), withVersion(request) as never)
  route('PUT', one, 'update', update)
  route('POST', one, 'update', update)
  route('DELETE', one, 'delete', async ({ records, request, reply }) => {
    await records.remove(entity, idOf(request), { sure: (request.query as RawParams).sure === '1' })
    reply.code(204)
  })
  route('POST', `${base}/batch`, 'update', async (asked) => {
    const answer = await asked.records.batch(entity, batchOf(asked.request.body))
    asked.touched = [...answer.create, ...answer.update].map(({ id }) => id).concat(answer.delete)
    return answer
  })
  if (entity.soft)
    route('POST', `${one}/restore`, 'restore', ({ records, request }) => records.restore(entity, idOf(request)))
  if (positionOf(entity.fields)) {
    route('POST', `${one}/move`, 'update', ({ records, request }) =>
      records.move(entity, idOf(request), placeOf(request.body)),
    )
  }
}

/** True when the action, or a part of its batch, requires a recently entered password. */
function isGrave({ fresh }: Entity, action: JournalAction, body: unknown): boolean {
  if (!fresh) return false
  const does = (what: string, value: unknown): boolean =>
    (fresh.actions as readonly string[]).includes(what) &&
    (what !== 'update' || !fresh.fields || (isObject(value) && fresh.fields.some((name) => name in value)))
  const parts = (['create', 'update', 'delete'] as const).flatMap((part) => {
    const values: unknown = isObject(body) ? body[part] : undefined
    return Array.isArray(values) ? values.map((value: unknown) => [part, value] as const) : []
  })
  return parts.some(([part, value]) => does(part, value)) || does(action, body)
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

const idNamed = (request: { params: unknown }): number[] => {
  const { id } = request.params as { id?: string }
  return id === undefined ? [] : [Number(id)]
}

interface Asked {
  request: FastifyRequest<Params>
  reply: FastifyReply
  actor: ServerActor
  records: Records
  /** Ids of the written records, when the path does not contain the id. */
  touched?: number[]
}

/** Sets the handler's answer, sent after the handler has ended, so that the journal line is written first. */
function sendJson(reply: FastifyReply, text: string): string {
  reply.type('application/json; charset=utf-8')
  return text
}

/** @throws HttpError 400 when it is not an id */
export function idOf(request: { params: unknown }): number {
  const { id } = request.params as { id: string }
  if (!/^[1-9]\d{0,14}$/.test(id)) throw badRequest('Номер записи должен быть целым положительным числом')
  return Number(id)
}

/** The body, with the version from `If-Match` when the body has none. */
export function withVersion({ headers, body }: Pick<FastifyRequest, 'headers' | 'body'>): unknown {
  const match = headers['if-match']
  if (match === undefined || match === '*' || typeof body !== 'object' || body === null || '_version' in body)
    return body
  const version = /^(?:W\/)?"?(\d{1,9})"?$/.exec(match)?.[1]
  if (!version) throw badRequest('Заголовок If-Match должен содержать версию записи')
  return { ...body, _version: Number(version) }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isId = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0

/** @throws ValidationError on the wrong part */
function placeOf(body: unknown): MovePlace {
  if (!isObject(body)) throw new ValidationError([{ field: '', message: messages.json }])
  const wrong = (field: string, message: string) => new ValidationError([{ field, message }])
  for (const key of Object.keys(body)) {
    if (!['before', 'after', 'at', 'to', '_version'].includes(key)) throw wrong(key.slice(0, 64), 'Неизвестное поле')
  }
  for (const key of ['before', 'after', '_version']) {
    if (body[key] !== undefined && !isId(body[key])) throw wrong(key, messages.number)
  }
  if (body.before !== undefined && body.after !== undefined)
    throw wrong('after', 'Укажите только одно из полей before и after')
  if (body.at !== undefined && body.at !== 'first' && body.at !== 'last') throw wrong('at', messages.choice)
  if (body.to !== undefined) {
    if (!isObject(body.to)) throw wrong('to', messages.json)
    for (const [key, value] of Object.entries(body.to))
      if (!isId(value)) throw wrong(`to.${key.slice(0, 64)}`, messages.number)
  }
  return body as MovePlace
}

/** @throws ValidationError on the wrong part */
function batchOf(body: unknown): Batch {
  if (!isObject(body)) throw new ValidationError([{ field: '', message: messages.json }])
  for (const [key, value] of Object.entries(body)) {
    if (key === 'sure') {
      if (typeof value !== 'boolean') throw new ValidationError([{ field: key, message: messages.boolean }])
      continue
    }
    if (!['create', 'update', 'delete'].includes(key))
      throw new ValidationError([{ field: key.slice(0, 64), message: 'Неизвестное поле' }])
    if (!Array.isArray(value)) throw new ValidationError([{ field: key, message: messages.list }])
  }
  const { update = [], delete: gone = [] } = body as { update?: unknown[]; delete?: unknown[] }
  for (const [i, item] of update.entries()) {
    if (!isObject(item) || !isId(item.id))
      throw new ValidationError([{ field: `update[${i}].id`, message: 'Обязательное поле' }])
  }
  for (const [i, id] of gone.entries()) {
    if (!isId(id)) throw new ValidationError([{ field: `delete[${i}]`, message: messages.number }])
  }
  return { sure: false, ...body } as Batch
}
