/**
 * Every exit of sales as listed by the server: viewSalesManagement allows no writes, and without it nothing can be
 * read. Covers exits that are added later.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MIGRATIONS } from '#platform/migrate.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { deals, good } from './testing/deals.ts'

const S = '/sales-management'
/** Readers of deals take part in their discussion (spec §6): these stay open to them, for their own comments only. */
const DISCUSSION = new Set(
  ['lead-comments', 'offer-comments', 'lead-comment-files', 'files'].map((path) => `${S}/${path}`),
)

interface Exit {
  method: string
  path: string
}

let clinic: Clinic
let seller: Caller
let exits: Exit[]
let idReader: number
/** One record of each entity, by its path. */
const ids = new Map<string, number>()

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      await addPerson(app, 'seller', ['editSalesManagement', 'editFunnels', 'viewTasksManagement', 'editServices'])
      idReader = (await addPerson(app, 'reader', ['viewSalesManagement'])).id
      await addPerson(app, 'operator', ['editSalesManagement'])
      await addPerson(app, 'nobody')
    },
  })
  seller = clinic.as('seller')
  const { paths } = good(await clinic.anonymous.get('/openapi.json'))
  exits = Object.entries(paths as Record<string, object>)
    .filter(([path]) => path.startsWith(`${S}/`))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => ({ method, path })))
  await fill()
})
afterAll(() => clinic.close())

describe('a user with only the right to read deals', () => {
  it('is refused by every exit that writes', async () => {
    const writes = exits.filter(({ method, path }) => method !== 'get' && !DISCUSSION.has(entityOf(path)))
    expect(writes.length).toBeGreaterThan(100)
    expect(await allowed('reader', writes)).toEqual([])
    expect(await written(idReader)).toEqual([])
  })

  it('cannot change comments of others', async () => {
    const own = exits.filter(
      ({ method, path }) => method !== 'get' && DISCUSSION.has(entityOf(path)) && path.includes('{id}'),
    )
    expect(await allowed('reader', own, [403, 404])).toEqual([])
    expect(await written(idReader)).toEqual([])
  })

  it('reads every list, except the keys of the intakes', async () => {
    const lists = exits.filter(({ method, path }) => method === 'get' && ids.has(path))
    const refused: string[] = []
    for (const { path } of lists)
      if ((await clinic.as('reader').get(`${path}?limit=1`)).status !== 200) refused.push(path)
    expect(refused).toEqual([`${S}/intakes`])
  })
})

/** Set-up of deals, and intakes. */
const SETUP = new Set(['funnels', 'stages', 'stage-actions', 'funnel-scripts', 'intakes'].map((path) => `${S}/${path}`))
/** Lists of choices: extended where they are used. */
const LISTS = new Set(['sources', 'loss-reasons', 'offer-service-reason'].map((path) => `${S}/${path}`))

describe('a user who writes deals without the right to set up', () => {
  it('is refused by every exit for set-up', async () => {
    const setUp = exits.filter(
      ({ method, path }) =>
        method !== 'get' &&
        (SETUP.has(entityOf(path)) ||
          (LISTS.has(entityOf(path)) && (path.includes('{id}') || path.endsWith('/batch')))),
    )
    expect(setUp.length).toBeGreaterThan(30)
    expect(await allowed('operator', setUp)).toEqual([])
  })

  it('adds a source and a reason in the form', async () => {
    for (const path of LISTS) good(await clinic.as('operator').post(path, { name: 'Новое' }), 201)
  })

  it('is the operator of the call centre, not the manager; an upgrade keeps it so', async () => {
    const roleOf = async (name: string) =>
      (await clinic.db.one<{ permissions: string[] }>(sql`select permissions from roles where name = ${name}`))
        ?.permissions as string[]
    await clinic.db.query(sql`update roles set permissions = array_remove(permissions, 'editFunnels')`)
    const migration = join(MIGRATIONS, '20261122T0655_funnel_setup_right.sql')
    await clinic.db.query({ text: await readFile(migration, 'utf8') })
    expect(await roleOf('Руководитель')).toContain('editFunnels')
    expect(await roleOf('Полный доступ')).toContain('editFunnels')
    expect(await roleOf('Оператор колл-центра')).toContain('editSalesManagement')
    expect(await roleOf('Оператор колл-центра')).not.toContain('editFunnels')
  })
})

it('a user without access to deals is refused by every exit', async () => {
  expect(await allowed('nobody', exits)).toEqual([])
})

/** The exits that did not refuse, with their responses. */
async function allowed(login: string, asked: readonly Exit[], refusals = [403]): Promise<string[]> {
  const caller = clinic.as(login)
  const found: string[] = []
  for (const { method, path } of asked) {
    const id = ids.get(entityOf(path)) ?? 1
    const url = path.replace('{id}', String(id))
    const body = path.endsWith('/batch') ? { delete: [id] } : {}
    const answer =
      method === 'get'
        ? await caller.get(url)
        : method === 'delete'
          ? await caller.delete(url)
          : method === 'put'
            ? await caller.put(url, body)
            : await caller.post(url, body)
    if (!refusals.includes(answer.status)) found.push(`${method} ${path}: ${answer.status}`)
  }
  return found
}

/** `/sales-management/leads/{id}/move` belongs to `/sales-management/leads`. */
const entityOf = (path: string): string => path.split('/').slice(0, 3).join('/')

const written = (idUser: number) =>
  clinic.db.query(sql`select "path", "action" from history where "idUser" = ${idUser}`)

async function fill(): Promise<void> {
  const make = async (path: string, body: object) => {
    const { id } = await deals(seller).make(path, body)
    ids.set(`${S}/${path}`, id)
    return id as number
  }
  const funnel = await deals(seller).funnel()
  const [idStage] = funnel.stages
  const lead = await deals(seller).deal(idStage)
  ids
    .set(`${S}/funnels`, funnel.id)
    .set(`${S}/stages`, idStage as number)
    .set(`${S}/leads`, lead.id)
  const idLead = lead.id
  await make('contacts', { idLead, surname: 'Белова' })
  await make('companies', { name: 'Завод' })
  await make('responsible', { idLead, idUser: idReader })
  await make('tags', { idLead, name: 'Срочно', color: '#fa5252' })
  await make('lead-comments', { idLead, message: '<p>Позвонить</p>' })
  await make('sources', { name: 'Выставка' })
  await make('loss-reasons', { name: 'Далеко' })
  await make('offer-service-reason', { name: 'Нет записи' })
  await make('stage-actions', { idStage, type: 'remind', hours: 1, text: 'Перезвонить' })
  const idOffer = await make('offers', { idLead, name: 'Осмотр' })
  await make('offer-comments', { idOffer, message: '<p>Скидка</p>' })
  const { id: idService } = good(await seller.post('/services', { nameService: 'Приём', priceService: 1000 }), 201)
  await make('offer-services', { idOffer, idService })
  await make('intakes', { name: 'Сайт', kind: 'form' })
  const { key } = good(await seller.get(`${S}/intakes/${ids.get(`${S}/intakes`)}`))
  good(await clinic.anonymous.post(`/intake/${key}`, { name: 'Белов', phone: '+79001234567' }))
  for (const path of ['lead-visits', 'requests', 'offer-status', 'offer-service-status'])
    ids.set(`${S}/${path}`, (await deals(seller).list(`${path}?limit=1`))[0].id)
}
