import {
  certificateState,
  daysLeft,
  SignatureCertificate,
  warningOf,
} from '@ordinator/model/areas/signatures/certificate'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openGost } from '#platform/gost.ts'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import { gost } from '#testing/gost.ts'
import { type Answer, type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { warnOfEnds } from './warn.ts'

const DAY_MS = 86_400_000
let clinic: Clinic
beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      await addPerson(app, 'chief', ['mainSettings', 'manageSignatures'])
      await addPerson(app, 'doctor', ['editExaminations'])
      await addPerson(app, 'other', ['editExaminations'])
      await addPerson(app, 'clerk', [])
    },
  })
  good(await clinic.as('chief').put('/settings/common', { signaturePlugin: 'simulator', _versions: {} }))
})
afterAll(() => clinic.close())

const base64 = (text: string) => Buffer.from(text).toString('base64')

describe.runIf(gost.there)('a signature', gost.options, () => {
  it('is valid for exactly these bytes, and names its signer', async () => {
    const doctor = clinic.as('doctor')
    const { items } = good(await doctor.get('/signatures/simulator/certificates'))
    expect(items).toHaveLength(1)
    const { thumbprint, certificate } = items[0]
    const content = base64('Протокол осмотра')
    const { signature } = good(await doctor.post('/signatures/simulator/sign', { thumbprint, content }))
    expect(good(await doctor.post('/signatures/verify', { content, signature }))).toMatchObject({
      state: 'valid',
      signer: { thumbprint, kind: 'test', idCertificate: null },
    })
    const made = good(await doctor.post('/signatures/certificates/add', { certificate }), 201)
    expect(good(await doctor.post('/signatures/verify', { content, signature })).signer.idCertificate).toBe(made.id)
    expect(
      good(await doctor.post('/signatures/verify', { content: base64('Протокол осмотрa'), signature })).state,
    ).toBe('invalid')
    expect(good(await doctor.post('/signatures/verify', { content, signature: base64('not a signature') })).state).toBe(
      'invalid',
    )
  })

  it("with another's certificate is refused, and the simulator is unavailable when disabled", async () => {
    const [doctor, chief] = [clinic.as('doctor'), clinic.as('chief')]
    const theirs = good(await chief.get('/signatures/simulator/certificates')).items
    expect(
      (await doctor.post('/signatures/simulator/sign', { thumbprint: theirs[1].thumbprint, content: base64('a') }))
        .status,
    ).toBe(422)
    expect(
      (
        await doctor.post('/signatures/certificates/add', {
          certificate: theirs[1].certificate,
          purpose: 'organization',
        })
      ).status,
    ).toBe(403)
    expect((await clinic.as('clerk').get('/signatures/state')).status).toBe(403)
    good(await chief.put('/settings/common', { signaturePlugin: 'cryptopro', _versions: {} }))
    expect((await doctor.get('/signatures/simulator/certificates')).status).toBe(409)
    good(await chief.put('/settings/common', { signaturePlugin: 'simulator', _versions: {} }))
  })
})

it('is not reported as valid without an engine to verify it', async () => {
  const bare = openGost(clinic.context.scratch, 'nowhere')
  expect(await bare.isThere()).toBe(false)
  expect(await bare.verify(Buffer.from('a'), Buffer.from('b'))).toMatchObject({ state: 'unknown' })
})

it('a certificate is parsed, never entered by hand; an invalid one is refused with a message', async () => {
  const chief = clinic.as('chief')
  expect((await chief.post('/signatures/certificates/add', { certificate: 'abc' })).text).toContain('Это не сертификат')
  expect((await chief.post('/signatures/certificates', { owner: 'Я' })).status).toBe(403)
})

describe('a power of attorney', () => {
  it('is kept by who manages signatures, in order of its days, and seen with its certificate alone', async () => {
    const { context: app, db } = clinic
    const [chief, doctor, other] = ['chief', 'doctor', 'other'].map((login) => clinic.as(login)) as [
      Caller,
      Caller,
      Caller,
    ]
    const owner = await db.one<{ id: number }>(sql`select "id"::int as id from users where "login" = 'doctor'`)
    const facts = {
      issuer: 'УЦ',
      kind: 'qualified' as const,
      dateFrom: '2026-01-01T00:00:00Z',
      dateTo: '2036-01-01T00:00:00Z',
    }
    const system = app.engine.for(systemActor).asSystem
    const certificate = (purpose: 'doctor' | 'organization', mark: string, idUser: number | null) =>
      system.create(SignatureCertificate, {
        ...facts,
        owner: mark,
        serial: mark,
        thumbprint: mark.repeat(40),
        purpose,
        idUser,
      })
    const own = await certificate('doctor', 'D', owner?.id ?? null)
    const clinics = await certificate('organization', 'E', null)
    const power = (more: object, who = chief) =>
      who.post('/signatures/powers', {
        ...{ idCertificate: own.id, number: '0b2f1c3d-1111-4222-8333-444455556666' },
        ...{ dateFrom: '2026-01-01', dateTo: '2026-12-31', ...more },
      })
    const fieldOf = ({ status, body }: Answer) => [status, body[0]?.field]
    expect(fieldOf(await power({ dateTo: '2025-12-31' }))).toEqual([422, 'dateTo'])
    expect(fieldOf(await power({ number: '77-12' }))).toEqual([422, 'number'])
    expect((await power({}, doctor)).status).toBe(403)
    const { id } = good(await power({}), 201)
    expect(fieldOf(await chief.put(`/signatures/powers/${id}`, { dateFrom: '2027-01-01' }))).toEqual([422, 'dateTo'])

    const seen = async (who: Caller, path: string) =>
      good(await who.get(`/signatures/${path}?limit=100`)).items.map((one: { id: number }) => one.id)
    expect([await seen(doctor, 'powers'), await seen(other, 'powers')]).toEqual([[id], []])
    expect((await seen(other, 'certificates')).includes(own.id)).toBe(false)
    expect((await seen(other, 'certificates')).includes(clinics.id)).toBe(true)
    expect((await other.get(`/signatures/powers/${id}`)).status).toBe(404)
  })
})

describe('the expiry of a certificate', () => {
  const now = Date.parse('2026-11-27T00:00:00Z')
  const until = (days: number) => new Date(now + days * DAY_MS).toISOString()
  it.each([
    [31, 'valid', 0],
    [30, 'soon', 30],
    [8, 'soon', 30],
    [7, 'soon', 7],
    [0, 'ended', 7],
  ])('in %i days it is %s', (days, state, warning) => {
    expect(certificateState({ dateFrom: until(-10), dateTo: until(days) }, now)).toBe(state)
    expect(warningOf(daysLeft(until(days), now))).toBe(warning)
  })

  it('is announced to its owner and to users who manage signatures 30 and 7 days before, each once', async () => {
    const { context: app, db } = clinic
    const owner = (await db.one<{ id: number }>(sql`select "id"::int as id from users where "login" = 'doctor'`)) as {
      id: number
    }
    const made = await app.engine.for(systemActor).asSystem.create(SignatureCertificate, {
      owner: 'Тестов',
      issuer: 'УЦ',
      serial: '1',
      thumbprint: 'C'.repeat(40),
      kind: 'qualified',
      dateFrom: new Date(Date.now() - DAY_MS).toISOString(),
      dateTo: new Date(Date.now() + 20 * DAY_MS).toISOString(),
      idUser: owner.id,
    })
    const notices = async () =>
      (
        await db.query<{ idUser: number }>(
          sql`select "idUser"::int as "idUser" from notifications where "kind" = 'signatures.ends'`,
        )
      ).length
    await warnOfEnds(app)
    const first = await notices()
    expect(first).toBeGreaterThanOrEqual(2)
    await warnOfEnds(app)
    expect(await notices()).toBe(first)
    await db.query(sql`update signatures_certificates set "dateTo" = now() + interval '5 days' where "id" = ${made.id}`)
    await warnOfEnds(app)
    await warnOfEnds(app)
    expect(await notices()).toBe(first * 2)
  })
})
