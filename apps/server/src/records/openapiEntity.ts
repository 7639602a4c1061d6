import type { AnyField, Entity } from '@ordinator/model/entity'
import { isReadable, isWritable } from '@ordinator/model/fields/field'
import { positionOf } from '@ordinator/model/fields/position'
import { groupOf } from './grouped.ts'
import { errorAnswers, type Json, json, parameter, reference } from './openapiShared.ts'
import { type EngineCall, engineCallId } from './operationId.ts'

/** Name of an entity's schema: its path in PascalCase. */
export const schemaName = (entity: Entity): string =>
  entity.path.replace(/(?:^|[/-])(\w)/g, (_, c: string) => c.toUpperCase())

const READS = [400, 401, 403] as const
const READS_ONE = [...READS, 404] as const
const WRITES = [400, 401, 403, 409, 413, 415, 422] as const
const WRITES_ONE = [...WRITES, 404] as const

/** Generic calls of one entity. A call that an area has replaced is already there and stays. */
export function describeEntity(paths: Record<string, Json>, schemas: Json, tag: string, entity: Entity): void {
  const name = schemaName(entity)
  schemas[name] = rowSchema(entity)
  schemas[`${name}Create`] = bodySchema(entity, 'create')
  schemas[`${name}Update`] = bodySchema(entity, 'update')
  const row = reference(name)
  const body = (of: Json) => ({ requestBody: { required: true, content: json(of) } })
  const add = (method: string, path: string, call: EngineCall, summary: string, rest: Json) => {
    const at = (paths[`/${entity.path}${path}`] ??= {})
    at[method] ??= {
      operationId: engineCallId(call, entity.path),
      summary: `${entity.label[0]}: ${summary}`,
      tags: [tag],
      ...rest,
    }
  }
  add('get', '', 'list', 'список', {
    parameters: [parameter('q'), ...listParameters],
    ...answer(200, json(listOf(row)), READS),
  })
  if (groupOf(entity) !== undefined)
    add('get', '/grouped', 'grouped', 'первые записи каждой группы', {
      parameters: groupedParameters,
      ...answer(200, json(groupsOf(row)), READS),
    })
  add('post', '', 'create', 'создание', { ...body(reference(`${name}Create`)), ...answer(201, json(row), WRITES) })
  add('get', '/{id}', 'get', 'просмотр', { parameters: viewParameters, ...answer(200, json(row), READS_ONE) })
  const update = {
    parameters: [parameter('id'), parameter('ifMatch')],
    ...body(reference(`${name}Update`)),
    ...answer(200, json(row), WRITES_ONE),
  }
  add('put', '/{id}', 'update', 'изменение', update)
  add('post', '/{id}', 'post', 'изменение, как PUT', update)
  add('delete', '/{id}', 'delete', 'удаление', {
    parameters: [...one, parameter('sure')],
    ...answer(204, undefined, WRITES_ONE),
  })
  add('get', '/{id}/history', 'history', 'история изменений', {
    parameters: historyParameters,
    ...answer(200, json(reference('History')), READS_ONE),
  })
  add('post', '/batch', 'batch', 'несколько изменений сразу', {
    ...body(batchOf(name)),
    ...answer(200, json(batchAnswerOf(row)), WRITES_ONE),
  })
  add('get', '/export', 'export', 'выгрузка', {
    parameters: [parameter('format'), ...listParameters],
    ...answer(200, files, READS),
  })
  if (entity.soft) {
    add('post', '/{id}/restore', 'restore', 'возврат из корзины', {
      parameters: one,
      ...answer(200, json(row), WRITES_ONE),
    })
  }
  if (positionOf(entity.fields)) {
    add('post', '/{id}/move', 'move', 'перестановка', {
      parameters: one,
      ...body(reference('Move')),
      ...answer(200, json(row), WRITES_ONE),
    })
  }
}

const answer = (status: number, content: Json | undefined, errors: Parameters<typeof errorAnswers>[0]): Json => ({
  responses: { [status]: { description: 'Готово', ...(content ? { content } : {}) }, ...errorAnswers(errors) },
})

const one = [parameter('id')]
const view = (['fields', 'expand', 'deleted'] as const).map(parameter)
const paged = (['limit', 'page'] as const).map(parameter)
const viewParameters = [...one, ...view]
const listParameters = [...(['filter', 'sort', 'limit', 'page', 'after', 'count'] as const).map(parameter), ...view]
const groupedParameters = (['group', 'filter', 'sort', 'ofGroup', 'count', 'fields', 'expand'] as const).map(parameter)
const historyParameters = [...one, ...paged, parameter('parts'), parameter('field')]
const groupsOf = (row: Json): Json => ({
  type: 'object',
  required: ['groups'],
  properties: {
    groups: {
      type: 'array',
      items: {
        type: 'object',
        required: ['key', 'items', 'hasMore'],
        properties: {
          key: { type: 'integer', description: 'Запись, по которой сгруппировано' },
          items: { type: 'array', items: row },
          hasMore: { type: 'boolean' },
          totalCount: { type: 'integer' },
          totalIsMore: { type: 'boolean', const: true, description: 'Записей больше, чем сосчитано' },
          next: { type: 'string', description: 'Курсор, с которого продолжает список этой группы' },
        },
      },
    },
  },
})
const files = {
  'text/csv': { schema: { type: 'string' } },
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': { schema: { type: 'string', format: 'binary' } },
}

const listOf = (row: Json): Json => ({
  type: 'object',
  required: ['items', '_meta'],
  properties: { items: { type: 'array', items: row }, _meta: reference('Meta') },
})

const ids: Json = { type: 'array', items: { type: 'integer' } }
const numbered: Json = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }
const batchOf = (name: string): Json => ({
  type: 'object',
  additionalProperties: false,
  properties: {
    create: { type: 'array', items: reference(`${name}Create`) },
    update: { type: 'array', items: numbered, description: `Номер и поля, как в ${name}Update` },
    delete: ids,
    sure: { type: 'boolean', description: 'Удалить и то, что используется' },
  },
})
const batchAnswerOf = (row: Json): Json => ({
  type: 'object',
  properties: { create: { type: 'array', items: row }, update: { type: 'array', items: row }, delete: ids },
})

function rowSchema(entity: Entity): Json {
  const fields = Object.entries(entity.all).filter(([, f]) => isReadable(f))
  // Hidden fields are omitted and `fields` narrows the rest, so only these two are always present.
  return {
    type: 'object',
    description: entity.label[0],
    required: ['id', '_version'],
    properties: Object.fromEntries(
      fields.map(([field, f]) => [field, { ...valueSchema(f), description: f.options.label }]),
    ),
  }
}

function bodySchema(entity: Entity, action: 'create' | 'update'): Json {
  const fields = Object.entries(entity.fields).filter(
    ([, f]) => isWritable(f) && !(f.options.fixed && action === 'update'),
  )
  const required = fields
    .filter(([, f]) => f.options.required && f.options.default === undefined)
    .map(([field]) => field)
  return {
    type: 'object',
    additionalProperties: false,
    ...(action === 'create' && required.length ? { required } : {}),
    properties: {
      ...Object.fromEntries(fields.map(([field, f]) => [field, { ...valueSchema(f), description: f.options.label }])),
      ...(action === 'update'
        ? { _version: { type: 'integer', description: 'Версия, которую видел пользователь' } }
        : {}),
    },
  }
}

function valueSchema(f: AnyField): Json {
  if (!f.nullable) return { ...f.jsonSchema }
  const { type } = f.jsonSchema
  const types = Array.isArray(type) ? [...type, 'null'] : [type, 'null']
  return {
    ...f.jsonSchema,
    type: types,
    ...(Array.isArray(f.jsonSchema.enum) ? { enum: [...f.jsonSchema.enum, null] } : {}),
  }
}
