import type { Area } from './area.ts'
import { describeEntity } from './openapiEntity.ts'
import { describeOperation } from './openapiOperation.ts'
import { type Json, parameters, responses, shapesOfAll } from './openapiShared.ts'

/** The part of an area in the document; its name is the tag of its calls. */
export type Described = Pick<Area, 'name' | 'title' | 'records' | 'operations'>

/** The OpenAPI 3.1 document of all calls: generic CRUD and those declared by areas. */
export function openApi(areas: readonly Described[]): Json {
  const entities = new Set(areas.flatMap((area) => area.records.map(({ entity }) => entity.path)))
  const paths: Record<string, Json> = {}
  const schemas: Json = { ...shapesOfAll }
  for (const { name, operations = [] } of areas) {
    for (const operation of operations) describeOperation(paths, name, operation, (path) => entities.has(path))
  }
  for (const { name, records } of areas) for (const { entity } of records) describeEntity(paths, schemas, name, entity)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Ординатор',
      version: '1',
      description:
        'Программный интерфейс рабочего места сотрудника клиники. {id} в путях — всегда число, поэтому /news/comments/5 и /news/5/history не спорят.',
      license: { name: 'Все права защищены', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/', description: 'Сервер, с которого получен этот документ' }],
    tags: areas.map(({ name, title }) => ({ name, description: title })),
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      schemas,
      parameters,
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      responses,
    },
    security: [{ bearer: [] }],
  }
}
