/**
 * Actions that require the password again, over every declared call and entity: exports of people's phones, settings,
 * rights, passwords and secrets of outside systems.
 */
import { everyCall } from '@ordinator/model/calls'
import { entities, entityAt } from '@ordinator/model/entities'
import type { Entity } from '@ordinator/model/entity'
import { namesPatient } from '@ordinator/model/namesPatient'
import { permissionNames } from '@ordinator/model/permissions'
import { reports } from '@ordinator/model/reports'
import { filePath } from '@ordinator/model/reportWire'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { signal } from './signals.ts'

const ABSENT = 999_999_999
const all = entities as readonly Entity[]
const graveCalls = everyCall.filter(({ fresh }) => fresh)
/** Entities whose rows name patients, by themselves or through the record they are a part of. */
const ofPatients = all.filter((entity) => namesPatient(entity, entityAt))
const phonesOf = ({ fields }: Entity) =>
  Object.entries(fields).flatMap(([name, { kind }]) => (kind === 'phone' ? [name] : []))

describe('declared as grave', () => {
  /** Calls that look critical by name, and why they require no password. */
  const NOT: Readonly<Record<string, string>> = {
    'POST /auth/change-password': 'asks for the present password itself',
    'POST /user-settings/main': 'settings of one’s own',
    'PUT /user-settings/main': 'settings of one’s own',
    'POST /user-settings/notifications': 'settings of one’s own',
    'PUT /user-settings/notifications': 'settings of one’s own',
    'POST /user-settings/examination-dictionaries': 'settings of one’s own',
    'PUT /user-settings/examination-dictionaries': 'settings of one’s own',
    'POST /desk-agents/:id/revoke': 'only closes',
    'DELETE /desk-agents/:id': 'only closes',
  }
  test('is each call that changes settings, passwords, factors, secrets, or takes a card’s phone over', () => {
    const sounds =
      /password|secret|settings|factors|\/(un)?block$|\/merge$|merges\/.*undo|desk-agents\/:id\/(file|revoke)/
    const asked = everyCall.filter(
      ({ method, path, access }) => method !== 'GET' && access !== 'public' && sounds.test(path),
    )
    expect(asked.length).toBeGreaterThan(20)
    const missing = asked.map((call) => [`${call.method} ${call.path}`, call.fresh === true] as const)
    expect(missing.filter(([name, fresh]) => fresh === name in NOT).map(([name]) => name)).toEqual([])
  })

  /** Entities with phones of the clinic itself, of companies and of advertisements. */
  const OWN = ['filials', 'organizations', 'client/theme', 'advertising/numbers', 'sales-management/companies']
  test('is each export of people with their phones', () => {
    const people = all.filter((entity) => phonesOf(entity).length > 0 && !OWN.includes(entity.path))
    expect(people.length).toBeGreaterThan(8)
    expect(people.filter(({ fresh }) => !fresh?.actions.includes('export')).map(({ path }) => path)).toEqual([])
  })

  test('is each place outside that gets data of patients', () => {
    for (const [path, field] of [
      ['webhooks', 'url'],
      ['laboratory/devices', 'host'],
    ] as const)
      expect([path, entityAt(path)?.fresh]).toEqual([
        path,
        { actions: expect.arrayContaining(['create', 'update']), fields: expect.arrayContaining([field]) },
      ])
    expect(ofPatients.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        'examinations',
        'laboratory/results',
        'eln',
        'appointments',
        'customers/policies',
        'calls/transcript-lines',
      ]),
    )
  })

  test('is each phone by which a patient or one of the staff signs in', () => {
    for (const path of ['users', 'customers', 'customers/relations']) {
      const entity = entityAt(path) as Entity
      expect([path, entity.fresh?.actions.includes('update')]).toEqual([path, true])
      for (const name of phonesOf(entity))
        expect([path, entity.fresh?.fields]).toEqual([path, expect.arrayContaining([name])])
    }
  })

  test('is each key of an outside system that is written in', () => {
    const keys = all.flatMap((entity) =>
      Object.entries(entity.fields).flatMap(([name, field]) =>
        /(token|secret|password)$/i.test(name) &&
        !/^(has|date)/.test(name) &&
        !field.options.readonly &&
        !field.options.computed
          ? [[entity, name] as const]
          : [],
      ),
    )
    expect(keys.length).toBeGreaterThan(3)
    const open = keys.filter(
      ([{ fresh }, name]) => !fresh?.actions.includes('update') || (fresh.fields && !fresh.fields.includes(name)),
    )
    expect(open.map(([{ path }, name]) => `${path}.${name}`)).toEqual([])
  })
})

describe('asked of an hour-old sign-in', () => {
  let clinic: Clinic
  let own: Caller
  beforeAll(async () => {
    clinic = await testApp({ prepare: (app) => addPerson(app, 'grave', permissionNames) })
    own = clinic.withToken(
      good(await clinic.anonymous.post('/auth/login', { login: 'grave', password: 'demo' })).accessToken,
    )
  })
  afterAll(() => clinic.close())

  async function age() {
    await clinic.db.query(sql`update sessions set "dateProof" = now() - interval '16 minutes'`)
    await clinic.db.tx((tx) => signal(tx, { all: true }))
  }
  const codeOf = async (method: string, url: string, body?: object) => {
    const { status, body: reply } = await own.call(method, url, body)
    return status === 403 ? reply.code : undefined
  }

  test('every grave call and every grave write or export of an entity is refused until the password is given', async () => {
    const asked: [string, string, object?][] = [
      ...graveCalls.map(({ method, path }): [string, string, object?] => [
        method,
        path.replace(/:\w+/g, String(ABSENT)),
        method === 'GET' ? undefined : {},
      ]),
      ...ofPatients.map(({ path }): [string, string] => ['GET', `/${path}/export`]),
      ...all.flatMap(({ path, fresh }) =>
        (fresh?.actions ?? []).flatMap((action): [string, string, object?][] => {
          if (action === 'export') return [['GET', `/${path}/export`]]
          if (action === 'create') return [['POST', `/${path}/batch`, { create: [{}] }]]
          if (action === 'delete')
            return [
              ['DELETE', `/${path}/${ABSENT}`],
              ['POST', `/${path}/batch`, { delete: [ABSENT] }],
            ]
          return (fresh?.fields ?? ['_version']).flatMap((field): [string, string, object][] => [
            ['PUT', `/${path}/${ABSENT}`, { [field]: null }],
            ['POST', `/${path}/batch`, { update: [{ id: ABSENT, [field]: null }] }],
          ])
        }),
      ),
    ]
    expect(asked.length).toBeGreaterThan(50)
    await age()
    const open: string[] = []
    for (const [method, url, body] of asked)
      if ((await codeOf(method, url, body)) !== 'proof') open.push(`${method} ${url} ${JSON.stringify(body ?? '')}`)
    expect(open).toEqual([])
    good(await own.post('/auth/proof', { password: 'demo' }), 204)
    expect(await codeOf('PUT', `/customers/${ABSENT}`, { phone: '+79150000001' })).toBeUndefined()
  })

  test('a report’s file that names patients is refused too, and one of figures is not', async () => {
    await age()
    const files = reports.map((report) => [report, `${filePath(report)}?format=csv`] as const)
    const ofRows = await Promise.all(
      files.map(async ([{ key }, url]) => [key, await codeOf('GET', `${url}&what=rows`)] as const),
    )
    expect(ofRows).toEqual(files.map(([{ key, patient }]) => [key, patient === undefined ? undefined : 'proof']))
    const [debts] = files.filter(([{ by, patient }]) => patient && by.includes(patient))
    if (debts) expect(await codeOf('GET', `${debts[1]}&by=${debts[0].patient}`)).toBe('proof')
    expect(await codeOf('GET', `${filePath({ key: 'payments' })}?format=csv`)).toBeUndefined()
    const mailing = { name: 'Оплаты', report: 'payments', recipients: [1], format: 'csv' }
    expect(await codeOf('POST', '/reports/mailings', { ...mailing, what: 'rows' })).toBe('proof')
    const { id } = good(await own.post('/reports/mailings', { ...mailing, what: 'figures' }), 201)
    expect(await codeOf('PUT', `/reports/mailings/${id}`, { what: 'rows' })).toBe('proof')
    good(await own.put(`/reports/mailings/${id}`, { hour: 9 }))
  })

  test('what is not grave of the same records goes on, in a batch too', async () => {
    const { id } = good(await own.post('/customers', { surname: 'Ильин', name: 'Пётр', phone: '+79150000002' }), 201)
    await age()
    good(await own.put(`/customers/${id}`, { name: 'Павел' }))
    good(await own.post('/customers/batch', { update: [{ id, name: 'Глеб' }] }))
    expect(await codeOf('PUT', `/customers/${id}`, { phone: '+79150000003' })).toBe('proof')
    expect(good(await own.get(`/customers/${id}`))).toMatchObject({ name: 'Глеб', phone: '+79150000002' })
  })
})
