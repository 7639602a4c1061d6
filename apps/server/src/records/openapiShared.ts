/** Shared parts of the OpenAPI document: parameters, errors and shapes. */
import { maxParam } from '@ordinator/model/fields/field'

export type Json = Record<string, unknown>

export const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })
export const parameter = (name: keyof typeof parameters): Json => ({ $ref: `#/components/parameters/${name}` })
export const json = (schema: Json): Json => ({ 'application/json': { schema } })

/** Error answers of a call, by `$ref`. */
export const errorAnswers = (statuses: readonly (keyof typeof errors)[]): Json =>
  Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${status}` }]))

const inQuery = (name: string, schema: Json, description: string): Json => ({
  name,
  in: 'query',
  required: false,
  schema,
  description,
})
const flag: Json = { type: 'string', enum: ['0', '1'] }

export const parameters = {
  id: {
    name: 'id',
    in: 'path',
    required: true,
    schema: { type: 'integer', minimum: 1, maximum: maxParam },
    description: 'Номер записи',
  },
  ifMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    schema: { type: 'string' },
    description: 'Версия записи, которую видел пользователь',
  },
  limit: inQuery('limit', { type: 'integer', minimum: 0, maximum: 500, default: 20 }, 'Записей на странице'),
  ofGroup: inQuery('limit', { type: 'integer', minimum: 0, maximum: 50, default: 20 }, 'Записей каждой группы'),
  group: {
    name: 'group',
    in: 'query',
    required: false,
    style: 'deepObject',
    explode: true,
    schema: { type: 'object', additionalProperties: true },
    description: 'Какие группы: фильтр записей, по которым сгруппировано, group[поле][оператор]=значение',
  },
  page: inQuery('page', { type: 'integer', minimum: 1, default: 1 }, 'Номер страницы'),
  fields: inQuery('fields', { type: 'string' }, 'Поля через запятую'),
  expand: inQuery('expand', { type: 'string' }, 'Связи через запятую, вложенные через точку'),
  deleted: inQuery('deleted', flag, '1 — из корзины'),
  filter: {
    name: 'filter',
    in: 'query',
    required: false,
    style: 'deepObject',
    explode: true,
    schema: { type: 'object', additionalProperties: true },
    description:
      'filter[поле]=значение, filter[поле][оператор]=значение; операторы eq, neq, in, nin, lt, lte, gt, gte, like, ilike, null; filter[or][0][…], filter[and][0][…], filter[not][…]',
  },
  q: inQuery('q', { type: 'string', maxLength: 200 }, 'Слова в любом порядке: окончания и опечатки прощаются'),
  sort: inQuery('sort', { type: 'string' }, 'Поля через запятую, минус — по убыванию'),
  after: inQuery('after', { type: 'string' }, 'Курсор бесконечного списка; пустой — с начала'),
  count: inQuery(
    'count',
    { type: 'string', enum: ['0', '1', 'exact'] },
    '1 — сосчитать, но не дальше 10 000: за ними `totalIsMore`; exact — сосчитать всё',
  ),
  format: inQuery('format', { type: 'string', enum: ['csv', 'xlsx'] }, 'Вид файла'),
  parts: inQuery('parts', flag, '1 — вместе с историей частей записи'),
  sure: inQuery(
    'sure',
    flag,
    '1 — удалить, хотя запись используется: без этого 409 `asks` называет, где и сколько раз',
  ),
  field: inQuery('field', { type: 'string' }, 'Только изменения этого поля'),
} satisfies Record<string, Json>

const errors = {
  400: 'Запрос составлен неверно',
  401: 'Нужен вход',
  403: 'Нет доступа',
  404: 'Нет такой записи',
  409: 'Запись изменилась или занята: запись, какой она стала, или ошибка',
  410: 'Больше не работает',
  413: 'Слишком большой объём',
  415: 'Неподдерживаемый тип данных',
  416: 'Такой части у файла нет',
  422: 'Ошибки полей',
  426: 'Программа посетителя устарела',
  429: 'Слишком много запросов',
}
const shapes: Partial<Record<keyof typeof errors, Json>> = { 409: { type: 'object' }, 422: reference('FieldErrors') }

export const responses: Json = Object.fromEntries(
  Object.entries(errors).map(([status, description]) => [
    status,
    { description, content: json(shapes[Number(status) as keyof typeof errors] ?? reference('Error')) },
  ]),
)

export const shapesOfAll: Json = {
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
      totalIsMore: { type: 'boolean', const: true, description: 'Записей больше, чем сосчитано' },
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
