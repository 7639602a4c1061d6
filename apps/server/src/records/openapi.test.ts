/** What is generated is committed, so that a review sees a changed contract or a changed query. Renew with `npm run generate`. */
import { entities } from '@ordinator/model/entities'
import type { Entity } from '@ordinator/model/entity'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Clinic, testApp } from '../testing/harness.ts'
import { parseListQuery } from './params.ts'
import { aliases, me } from './plan.ts'
import { listPlan } from './reads.ts'

let clinic: Clinic
beforeAll(async () => {
  clinic = await testApp()
})
afterAll(() => clinic.close())

it('the OpenAPI document is the committed one', async () => {
  const document = await clinic.anonymous.get('/openapi.json')
  await expect(`${JSON.stringify(document.body, null, 1)}\n`).toMatchFileSnapshot('../../../../docs/openapi.json')
})

it('every reference of the document leads somewhere', async () => {
  const { body, text } = await clinic.anonymous.get('/openapi.json')
  for (const [, name] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g))
    expect(body.components.schemas).toHaveProperty(name as string)
})

it('the list statement of every entity is the committed one', async () => {
  const texts = (entities as readonly Entity[]).map((entity) => {
    const d = clinic.context.registry.at(entity.path)
    const allowed = [entity.access.view].flat()
    const actor = { id: 1, permissions: Object.fromEntries(allowed.map((p) => [p, true])), timeZone: 'UTC' }
    const env = { registry: clinic.context.registry, actor, me, alias: aliases() }
    const { text } = listPlan(env, d, parseListQuery({ count: '1', limit: 50 }))
    return `-- GET /${entity.path}?count=1&limit=50\n${text.replace(/\n\s*/g, '\n')};\n`
  })
  await expect(texts.join('\n')).toMatchFileSnapshot('../../../../docs/queries.sql')
})
