/**
 * References to missing records, in every writing call of the OpenAPI document: in the path, in the body, in a batch, and
 * as the target of a move. Hooks read such records; none of them may answer 500.
 */
import { entities } from '@ordinator/model/entities'
import type { Entity } from '@ordinator/model/entity'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { answerCheck } from '#testing/answers.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'

type Json = Record<string, any>
const ABSENT = 999_999_999

let clinic: Clinic
let document: Json
let admin: Caller
beforeAll(async () => {
  clinic = await testApp({ demo: true })
  ;({ document } = await answerCheck(clinic))
  admin = clinic.as('admin')
})
afterAll(() => clinic.close())

/** A value valid for the schema, with ids of missing records. @param whole includes optional properties */
function sample(schema: Json | undefined, name: string, whole: boolean, depth = 0): unknown {
  const real = schema?.$ref ? (document.components.schemas[schema.$ref.split('/').at(-1)] as Json) : schema
  if (!real || depth > 6) return {}
  if (real.const !== undefined) return real.const
  if (real.enum) return real.enum.find((one: unknown) => one !== null)
  const [one] = (real.anyOf ?? real.oneOf ?? []) as Json[]
  if (one) return sample(one, name, whole, depth + 1)
  if (real.allOf) return Object.assign({}, ...real.allOf.map((part: Json) => sample(part, name, whole, depth + 1)))
  const type = Array.isArray(real.type) ? real.type.find((some: string) => some !== 'null') : real.type
  if (type === 'object') {
    const required = new Set<string>(real.required ?? [])
    return Object.fromEntries(
      Object.entries((real.properties ?? {}) as Record<string, Json>).flatMap(([key, inside]) =>
        whole || required.has(key) ? [[key, sample(inside, key, whole, depth + 1)]] : [],
      ),
    )
  }
  if (type === 'array') return [sample(real.items, name, whole, depth + 1)]
  if (type === 'integer')
    return /^id|Ids?$|^(create|update|delete)$/.test(name) ? ABSENT : Math.max(1, real.minimum ?? 1)
  if (type === 'number') return Math.max(1, real.minimum ?? 1)
  if (type === 'boolean') return true
  if (real.format === 'date-time') return '2030-01-02T10:00:00Z'
  if (real.format === 'date' || /date|day|from|to$/i.test(name)) return '2030-01-02'
  if (/start|time/i.test(name)) return '10:00'
  if (real.pattern?.includes('#')) return '#12ab34'
  return 'текст'.slice(0, real.maxLength ?? 5).padEnd(real.minLength ?? 0, 'а')
}

const EXPECTED = new Set([
  // These end the session itself.
  'POST /auth/logout',
  'POST /auth/logout-all',
])

it('no call that changes something answers 500 for records that are not there', { timeout: 1_200_000 }, async () => {
  const broken: string[] = []
  let asked = 0
  for (const [path, methods] of Object.entries(document.paths as Record<string, Json>))
    for (const [method, operation] of Object.entries(methods as Record<string, Json>)) {
      const verb = method.toUpperCase()
      if (verb === 'GET' || EXPECTED.has(`${verb} ${path}`)) continue
      const schema = operation.requestBody?.content?.['application/json']?.schema as Json | undefined
      const url = path.replace(/\{\w+\}/g, String(ABSENT))
      for (const whole of schema ? [false, true] : [true]) {
        asked++
        const body = schema && (sample(schema, '', whole) as object)
        const { status, text } = await admin.call(verb, url, body)
        // Some calls end their own session.
        if (status === 401 && !url.startsWith('/portal')) admin = clinic.as('admin')
        if (status >= 500 && status !== 503)
          broken.push(`${verb} ${url} ${JSON.stringify(body)}: ${status} ${text.slice(0, 200)}`)
      }
    }
  expect(broken).toEqual([])
  expect(asked).toBeGreaterThan(500)
})

it('no record that is led to one that is not there answers 500', { timeout: 1_200_000 }, async () => {
  const broken: string[] = []
  let asked = 0
  for (const entity of entities as readonly Entity[]) {
    const list = await admin.get(`/${entity.path}?limit=1`)
    const id = list.body?.items?.[0]?.id as number | undefined
    if (id === undefined) continue
    for (const [name, field] of Object.entries(entity.fields)) {
      if (field.kind !== 'ref' || field.options.readonly || field.options.auto) continue
      asked++
      for (const [url, body] of [
        [`/${entity.path}/${id}`, { [name]: ABSENT }],
        [`/${entity.path}/batch`, { update: [{ id, [name]: ABSENT }] }],
      ] as const) {
        const { status, text } = await admin.call(url.endsWith('batch') ? 'POST' : 'PUT', url, body)
        if (status >= 500 && status !== 503)
          broken.push(`${url} ${JSON.stringify(body)}: ${status} ${text.slice(0, 200)}`)
      }
    }
  }
  expect(broken).toEqual([])
  expect(asked).toBeGreaterThan(150)
})
