import { Filial, FilialRoom } from '@ordinator/model/areas/filials/filial'
import { Organization } from '@ordinator/model/areas/filials/organization'
import { CashDesk } from '@ordinator/model/areas/money/desk'
import { startKitKeys } from '@ordinator/model/areas/start/kits'
import { StaffEvent } from '@ordinator/model/areas/visits/shift'
import { schemes } from '@ordinator/model/identifiers'
import { dayIn } from '@ordinator/model/zone'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { kits } from './kits/index.ts'

let clinic: Clinic
let admin: Caller
beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      await addPerson(app, 'setter', ['mainSettings', 'editServices', 'viewServices'])
      await addPerson(app, 'nobody', ['viewCalendar'])
    },
  })
  admin = clinic.as('setter')
})
afterAll(() => clinic.close())

interface Step {
  key: string
  done: boolean
  state: string | null
  by: { shortFio: string } | null
}
const stepsOf = async (): Promise<Map<string, Step>> => {
  const { status, body } = await admin.get<{ steps: Step[] }>('/start')
  expect(status).toBe(200)
  return new Map(body.steps.map((step) => [step.key, step]))
}
const done = async () => [...(await stepsOf()).values()].filter((step) => step.done).map(({ key }) => key)

describe('the set-up steps', () => {
  it('require the right to set up the clinic', async () => {
    expect((await clinic.as('nobody').get('/start')).status).toBe(403)
    expect((await clinic.as('nobody').post('/start/kits/general')).status).toBe(403)
  })

  it('store the users who completed and postponed a step, and can be undone', async () => {
    await admin.put('/start/steps/telephony', { state: 'skipped' })
    expect((await stepsOf()).get('telephony')).toMatchObject({
      state: 'skipped',
      done: false,
      by: { shortFio: expect.any(String) },
    })
    await admin.put('/start/steps/telephony', { state: null })
    expect((await stepsOf()).get('telephony')).toMatchObject({ state: null, by: null })
    expect((await admin.put('/start/steps/telephony', { state: 'done' })).status).toBe(422)
    expect((await admin.put('/start/steps/unknown', { state: 'taken' })).status).toBe(404)
  })

  it('name who postponed a step also when that person has left', async () => {
    await addPerson(clinic.context, 'leaver', ['mainSettings'])
    good(await clinic.as('leaver').put('/start/steps/telephony', { state: 'skipped' }))
    await clinic.db.query(sql`update users set "deleted" = true where "login" = 'leaver'`)
    expect((await stepsOf()).get('telephony')).toMatchObject({ state: 'skipped', by: { shortFio: expect.any(String) } })
    good(await admin.put('/start/steps/telephony', { state: null }))
    expect((await stepsOf()).get('telephony')).toMatchObject({ state: null, by: null })
  })

  it('are done exactly when the data exist', async () => {
    const system = clinic.context.engine.for(systemActor)
    expect(await done()).not.toContain('organization')
    const own = { shortName: 'Клиника', kind: 'own' as const }
    const { id: idOrganization } = await system.create(Organization, own)
    expect(await done()).not.toContain('organization')
    await system.update(Organization, idOrganization, { inn: schemes.inn.sample(1) })
    expect(await done()).toContain('organization')

    const { id: idFilial } = await system.create(Filial, { nameFilial: 'На Садовой', timeZone: 'Europe/Moscow' })
    expect(await done()).not.toContain('branch')
    const { id: idRoom } = await system.create(FilialRoom, { idFilial, name: '1' })
    expect(await done()).toContain('branch')

    await system.create(CashDesk, { name: 'Касса', idFilial, idOrganization })
    const { id: idService } = good(await admin.post('/services', { nameService: 'Приём' }), 201)
    expect(await done()).toContain('desk')
    expect(await done()).not.toContain('services')
    good(await admin.put(`/services/${idService}`, { priceService: 1000 }))
    expect(await done()).toContain('services')
    expect(await done()).not.toContain('performers')
    good(await admin.put(`/services/${idService}`, { anyPerformer: true }))
    expect(await done()).toContain('performers')

    const doctor = await clinic.db.one<{ id: number }>(sql`select "id"::int as id from users where "login" = 'setter'`)
    expect(await done()).not.toContain('schedule')
    await system.create(StaffEvent, {
      ...{ type: 'shift' as const, idUser: doctor?.id as number, idFilial, idRoom, idAuthor: doctor?.id as number },
      ...{ localDate: dayIn('Europe/Moscow', Date.now() + 86_400_000), localFrom: '09:00', localTo: '18:00' },
    })
    expect(await done()).toContain('schedule')
  })
})

it('a new clinic starts with documents, lists and units', async () => {
  const fresh = await testApp({
    env: { READY: '1' },
    prepare: async (app) => void (await addPerson(app, 'first', ['mainSettings'])),
  })
  // Prepared data are not anybody's work.
  const { steps } = good(await fresh.as('first').get('/start')) as { steps: Step[] }
  expect(steps.filter((step) => step.done)).toEqual([])
  const made = await fresh.db.one(sql`select
    (select count(*) > 10 from print_templates) as prints, (select count(*) > 5 from consents_versions) as consents,
    (select count(*) > 5 from appeals_causes) as causes, (select count(*) > 5 from customer_sources) as sources,
    (select count(*) > 20 from laboratory_units) as units, (select count(*) > 5 from laboratory_containers) as tubes,
    (select count(*) > 1 from sequences) as sequences`)
  await fresh.close()
  expect(Object.values(made ?? {})).toEqual([true, true, true, true, true, true, true])
})

describe('a starter kit', () => {
  it("has services with codes of the ministry's form and known specialities", () => {
    for (const key of startKitKeys)
      for (const { services } of kits[key].groups)
        for (const [name, minutes, code] of services) {
          expect(name.length).toBeLessThan(200)
          expect(minutes).toBeGreaterThan(0)
          if (code) expect(schemes.medicalService.read(code)).toMatchObject({ ok: true })
        }
  })

  it.each(startKitKeys)('%s is installed once, shown, and removed as a whole', async (kit) => {
    const before = await totals()
    const { status, body } = await admin.post<{ added: number }>(`/start/kits/${kit}`)
    expect(status).toBe(200)
    expect(body.added).toBeGreaterThan(10)
    expect((await admin.post<{ added: number }>(`/start/kits/${kit}`)).body.added).toBe(0)
    const shown = (await admin.get('/start/kits')).body.kits.find(({ key }: { key: string }) => key === kit)
    expect(shown).toMatchObject({ taken: body.added })
    expect((await admin.delete(`/start/kits/${kit}`)).body).toEqual({ removed: body.added })
    expect(await totals()).toEqual(before)
  })

  it('stays complete while one of its records is in use', async () => {
    const { body } = await admin.post<{ added: number }>('/start/kits/dentistry')
    const dentist = await clinic.db.one<{ id: number }>(
      sql`select "id"::int as id from specialities where "name" = 'Стоматолог' and not "deleted"`,
    )
    await clinic.db.query(sql`update users set "idSpeciality" = ${dentist?.id} where "login" = 'nobody'`)
    const before = await totals()
    const refused = await admin.delete('/start/kits/dentistry')
    expect(refused).toMatchObject({ status: 409, body: { code: 'inUse' } })
    expect(refused.text).toContain('1\u00a0сотрудник')
    expect(await totals()).toEqual(before)
    await clinic.db.query(sql`update users set "idSpeciality" = null where "login" = 'nobody'`)
    expect((await admin.delete('/start/kits/dentistry')).body).toEqual({ removed: body.added })
  })
})

const totals = () =>
  clinic.db.one(sql`select
    (select count(*)::int from services where not "deleted") as services,
    (select count(*)::int from services_groups where not "deleted") as groups,
    (select count(*)::int from specialities where not "deleted") as specialities,
    (select count(*)::int from examination_templates where not "deleted") as forms,
    (select count(*)::int from consents_templates where not "deleted") as consents`)
