import { goodStatus, ROW } from '@ordinator/model/call'
import { entityAt } from '@ordinator/model/entities'
import { z } from 'zod'
import { schemaName } from './openapiEntity.ts'
import { errorAnswers, type Json, json } from './openapiShared.ts'
import type { Operation } from './operation.ts'
import { operationId } from './operationId.ts'

const ONCE =
  'Выполняется один раз по ключу key: повтор отвечает тем, что сделал первый запрос, два запроса сразу — одним результатом. Неудачный запрос ключа не занимает. Тот же ключ с другими данными — 409 key.'

/** A call declared by an area. */
export function describeOperation(
  paths: Record<string, Json>,
  tag: string,
  o: Operation,
  isEntity: (path: string) => boolean,
): void {
  const path = o.path.replace(/:(\w+)/g, '{$1}')
  const parameters = [
    ...[...o.path.matchAll(/:(\w+)/g)].map((m) => ({
      name: m[1],
      in: 'path',
      required: true,
      schema: property(o.params, m[1] as string),
    })),
    ...queryParameters(o.query),
  ]
  const content =
    o.bodyType === 'multipart' ? { 'multipart/form-data': { schema: { type: 'object' } } } : o.body && bodyContent(o)
  const good = { description: 'Готово', ...(o.answer || o.file ? { content: answerContent(o) } : {}) }
  const at = (paths[path] ??= {})
  at[o.method.toLowerCase()] = {
    operationId: operationId(o.method, path, isEntity),
    summary: o.summary,
    ...(o.once ? { description: ONCE, 'x-idempotency-key': 'body.key' } : {}),
    tags: [tag],
    ...(o.access === 'public' ? { security: [] } : {}),
    ...(parameters.length ? { parameters } : {}),
    ...(content ? { requestBody: { required: true, content } } : {}),
    responses: {
      ...Object.fromEntries([goodStatus(o), ...(o.also ?? [])].map((status) => [status, good])),
      ...errorAnswers([400, 401, 403, 404, 409, 413, 415, 422, 429, ...(o.refusals ?? [])]),
    },
  }
}

const answerContent = (o: Operation): Json => ({
  ...(o.answer ? json(schemaOf(o.answer, 'output')) : {}),
  ...(o.file ? { [o.file]: {} } : {}),
})

const bodyContent = (o: Operation): Json => {
  const schema = schemaOf(o.body as z.ZodType, 'input')
  return o.bodyType === 'form' || o.bodyType === 'raw'
    ? { 'application/x-www-form-urlencoded': { schema }, ...json(schema) }
    : json(schema)
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    // A record in an answer refers to the schema of its entity.
    override({ jsonSchema }) {
      const own = jsonSchema as Json
      const entity = typeof own[ROW] === 'string' ? entityAt(own[ROW]) : undefined
      if (!entity) return
      delete own[ROW]
      own.$ref = `#/components/schemas/${schemaName(entity)}`
    },
  }) as Json
  return rest
}

const property = (schema: z.ZodType | undefined, name: string): Json => {
  const properties = schema && (schemaOf(schema, 'input').properties as Record<string, Json> | undefined)
  return properties?.[name] ?? { type: 'string' }
}

function queryParameters(schema: z.ZodType | undefined): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, value]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(name === 'filter' ? { style: 'deepObject', explode: true } : {}),
    schema: name === 'filter' ? { type: 'object', additionalProperties: true, ...value } : value,
  }))
}
