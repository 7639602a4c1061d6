import type { AnyField, Entity } from '@ordinator/model/entity'
import { isReadable, isWritable } from '@ordinator/model/fields/field'
import { z } from 'zod'
import type { Definition } from './define.ts'
import type { Operation } from './operation.ts'
import type { Registry } from './registry.ts'

type Json = Record<string, unknown>

/** The OpenAPI 3.1 document of everything the server answers: the engine's endpoints and the areas' operations. */
export function openApi(registry: Registry, operations: readonly Operation[]): Json {
  const paths: Record<string, Json> = {}
  const schemas: Json = { ...shared }
  for (const operation of operations) describeOperation(paths, operation)
  for (const d of registry.definitions) describeEntity(paths, schemas, d)
  return {
    openapi: '3.1.0',
    info: { title: 'Ординатор', version: '1', description: 'Программный интерфейс рабочего места сотрудника клиники.' },
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      schemas,
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      responses: responses(),
    },
    security: [{ bearer: [] }],
  }
}

/** The name of an entity's schema: its path in one word. */
export const schemaName = (entity: Entity): string =>
  entity.path.replace(/(?:^|[/-])(\w)/g, (_, c: string) => c.toUpperCase())

const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: Json): Json => ({ 'application/json': { schema } })

function describeEntity(paths: Record<string, Json>, schemas: Json, { entity }: Definition): void {
  const name = schemaName(entity)
  const tag = entity.label[2]
  schemas[name] = rowSchema(entity)
  schemas[`${name}Create`] = bodySchema(entity, 'create')
  schemas[`${name}Update`] = bodySchema(entity, 'update')
  const row = reference(name)
  const rows = (key: string) => ({ [key]: { type: 'array', items: row } })
  const base = `/${entity.path}`
  const one = `${base}/{id}`
  const add = (path: string, method: string, summary: string, rest: Json) => {
    const at = (paths[path] ??= {})
    at[method] ??= { summary: `${tag}: ${summary}`, tags: [tag], ...rest }
  }
  const answer = (status: number, schema: Json | undefined, ...errors: number[]): Json => ({
    responses: {
      [status]: { description: 'Готово', ...(schema ? { content: json(schema) } : {}) },
      ...errorAnswers([400, 401, 403, ...errors]),
    },
  })
  const list = {
    type: 'object',
    required: ['items', '_meta'],
    properties: { ...rows('items'), _meta: reference('Meta') },
  }
  add(base, 'get', 'список', { parameters: listParameters, ...answer(200, list) })
  add(base, 'post', 'создание', {
    requestBody: { required: true, content: json(reference(`${name}Create`)) },
    ...answer(201, row, 409, 413, 415, 422),
  })
  add(one, 'get', 'просмотр', { parameters: [idParameter, ...viewParameters], ...answer(200, row, 404) })
  for (const method of ['put', 'post']) {
    add(one, method, 'изменение', {
      parameters: [idParameter, matchParameter],
      requestBody: { required: true, content: json(reference(`${name}Update`)) },
      ...answer(200, row, 404, 409, 413, 415, 422),
    })
  }
  add(one, 'delete', 'удаление', { parameters: [idParameter], ...answer(204, undefined, 404, 409, 413, 415, 422) })
  add(`${one}/history`, 'get', 'история изменений', {
    parameters: [
      idParameter,
      ...pageParameters,
      inQuery('parts', { type: 'string', enum: ['0', '1'] }, '1 — вместе с историей частей записи'),
      inQuery('field', { type: 'string' }, 'Только изменения этого поля'),
    ],
    ...answer(200, reference('History'), 404),
  })
  add(`${base}/batch`, 'post', 'несколько изменений сразу', {
    requestBody: { required: true, content: json(batchSchema(name)) },
    ...answer(
      200,
      {
        type: 'object',
        properties: { ...rows('create'), ...rows('update'), delete: { type: 'array', items: { type: 'integer' } } },
      },
      404,
      409,
      413,
      415,
      422,
    ),
  })
  add(`${base}/export`, 'get', 'выгрузка', {
    parameters: [{ name: 'format', in: 'query', schema: { type: 'string', enum: ['csv', 'xlsx'] } }, ...listParameters],
    responses: {
      200: {
        description: 'Файл',
        content: { 'text/csv': {}, 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': {} },
      },
      ...errorAnswers([400, 401, 403]),
    },
  })
  if (entity.soft)
    add(`${one}/restore`, 'post', 'возврат из корзины', {
      parameters: [idParameter],
      ...answer(200, row, 404, 409, 413, 415, 422),
    })
  if (Object.values(entity.fields).some((f) => f.kind === 'position')) {
    add(`${one}/move`, 'post', 'перестановка', {
      parameters: [idParameter],
      requestBody: { required: true, content: json(reference('Move')) },
      ...answer(200, row, 404, 409, 413, 415, 422),
    })
  }
}

function rowSchema(entity: Entity): Json {
  const fields = Object.entries(entity.all).filter(([, f]) => isReadable(f))
  // Fields hidden from the asking user are not there, and `fields` narrows the rest: only these two always stand.
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

const batchSchema = (name: string): Json => ({
  type: 'object',
  additionalProperties: false,
  properties: {
    create: { type: 'array', items: reference(`${name}Create`) },
    update: { type: 'array', items: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } } },
    delete: { type: 'array', items: { type: 'integer' } },
  },
})

const inQuery = (name: string, schema: Json, description: string): Json => ({
  name,
  in: 'query',
  required: false,
  schema,
  description,
})
const idParameter: Json = { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } }
const matchParameter: Json = {
  name: 'If-Match',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description: 'Версия записи',
}
const pageParameters: Json[] = [
  inQuery('limit', { type: 'integer', minimum: 0, maximum: 500, default: 20 }, 'Записей на странице'),
  inQuery('page', { type: 'integer', minimum: 1, default: 1 }, 'Номер страницы'),
]
const viewParameters: Json[] = [
  inQuery('fields', { type: 'string' }, 'Поля через запятую'),
  inQuery('expand', { type: 'string' }, 'Связи через запятую, вложенные через точку'),
  inQuery('deleted', { type: 'string', enum: ['0', '1'] }, '1 — из корзины'),
]
const listParameters: Json[] = [
  {
    name: 'filter',
    in: 'query',
    required: false,
    style: 'deepObject',
    explode: true,
    schema: { type: 'object', additionalProperties: true },
    description:
      'filter[поле]=значение, filter[поле][оператор]=значение; операторы eq, neq, in, nin, lt, lte, gt, gte, like, ilike, null; filter[or][0][…], filter[and][0][…], filter[not][…]',
  },
  inQuery('sort', { type: 'string' }, 'Поля через запятую, минус — по убыванию'),
  ...pageParameters,
  inQuery('after', { type: 'string' }, 'Курсор бесконечного списка; пустой — с начала'),
  inQuery('count', { type: 'string', enum: ['0', '1'] }, '1 — сосчитать всё'),
  ...viewParameters,
]

function describeOperation(paths: Record<string, Json>, o: Operation): void {
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
  const at = (paths[path] ??= {})
  at[o.method.toLowerCase()] = {
    summary: o.summary,
    tags: [o.path.split('/')[1]],
    ...(o.access === 'public' ? { security: [] } : {}),
    ...(parameters.length ? { parameters } : {}),
    ...(content ? { requestBody: { required: true, content } } : {}),
    responses: {
      [o.answer ? (o.status ?? 200) : 204]: {
        description: 'Готово',
        ...(o.answer ? { content: json(schemaOf(o.answer, 'output')) } : {}),
      },
      ...errorAnswers([400, 401, 403, 404, 409, 413, 415, 422, 429]),
    },
  }
}

const bodyContent = (o: Operation): Json => {
  const schema = schemaOf(o.body as z.ZodType, 'input')
  return o.bodyType === 'form' || o.bodyType === 'raw'
    ? { 'application/x-www-form-urlencoded': { schema }, ...json(schema) }
    : json(schema)
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
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
    schema: value,
  }))
}

const errorAnswers = (statuses: number[]): Json => ({
  ...Object.fromEntries([...new Set(statuses)].map((status) => [status, { $ref: `#/components/responses/${status}` }])),
})

function responses(): Json {
  const text: Record<number, string> = {
    400: 'Запрос составлен неверно',
    401: 'Нужен вход',
    403: 'Нет доступа',
    404: 'Нет такой записи',
    409: 'Запись изменилась или занята',
    413: 'Слишком большой объём',
    415: 'Неподдерживаемый тип данных',
    429: 'Слишком много запросов',
  }
  return {
    ...Object.fromEntries(
      Object.entries(text).map(([status, description]) => [
        status,
        { description, content: json(status === '409' ? {} : reference('Error')) },
      ]),
    ),
    422: { description: 'Ошибки полей', content: json(reference('FieldErrors')) },
  }
}

const shared: Json = {
  Error: {
    type: 'object',
    required: ['name', 'message', 'status'],
    properties: {
      name: { type: 'string' },
      message: { type: 'string' },
      status: { type: 'integer' },
      code: { type: 'string' },
      requestId: { type: 'string' },
    },
  },
  FieldErrors: {
    type: 'array',
    items: {
      type: 'object',
      required: ['field', 'message'],
      properties: { field: { type: 'string' }, message: { type: 'string' } },
    },
  },
  Meta: {
    type: 'object',
    required: ['perPage', 'hasMore'],
    properties: {
      currentPage: { type: 'integer' },
      perPage: { type: 'integer' },
      hasMore: { type: 'boolean' },
      totalCount: { type: 'integer' },
      pageCount: { type: 'integer' },
      next: { type: 'string' },
    },
  },
  Move: {
    type: 'object',
    additionalProperties: false,
    properties: {
      before: { type: 'integer' },
      after: { type: 'integer' },
      at: { type: 'string', enum: ['first', 'last'] },
      to: { type: 'object', additionalProperties: { type: 'integer' } },
      _version: { type: 'integer' },
    },
  },
  History: {
    type: 'object',
    required: ['items', '_meta'],
    properties: {
      items: {
        type: 'array',
        items: {
          type: 'object',
          required: ['id', 'action', 'dateCreate', 'changes', 'version'],
          properties: {
            id: { type: 'integer' },
            action: { type: 'string', enum: ['create', 'update', 'delete', 'restore'] },
            dateCreate: { type: 'string', format: 'date-time' },
            idUser: { type: ['integer', 'null'] },
            idParent: { type: ['integer', 'null'], description: 'Запись, частью которой является изменённая' },
            user: { type: ['object', 'null'] },
            version: { type: 'integer' },
            changes: { type: 'object' },
          },
        },
      },
      names: { type: 'object', description: 'Названия упомянутых записей: путь → id → название' },
      _meta: { $ref: '#/components/schemas/Meta' },
    },
  },
}
