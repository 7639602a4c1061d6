import { afterAll, beforeAll, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { dayAfter, registryRights, worldOf } from './testing/world.ts'

let clinic: Clinic
let keeper: Caller
let desk: Caller
let idDesk: number
let worlds: ReturnType<typeof worldOf>

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      await addPerson(app, 'keeper', [...worldOf.rights, 'editPastAppointments'])
      idDesk = (await addPerson(app, 'desk', registryRights)).id
    },
  })
  keeper = clinic.as('keeper')
  desk = clinic.as('desk')
  await Promise.all([keeper.token(), desk.token()])
  worlds = worldOf(clinic, keeper)
})
afterAll(() => clinic.close())

/** A branch with the desk user `desk`, and visits of one patient each on a day at this distance from today. */
async function branchDay(days: number, starts: readonly string[]) {
  const world = await worlds.make({ shifts: false })
  const { idFilial, idDoctors } = world
  await worlds.post('filials/desks', { idFilial, idUser: idDesk })
  await worlds.shift(idDoctors[0] as number, idFilial, {
    localDate: dayAfter(days),
    localFrom: '00:00',
    localTo: '24:00',
  })
  const ids: number[] = []
  for (const start of starts) {
    const body = { localDate: dayAfter(days), idCustomer: await worlds.patient() }
    ids.push(good(await world.book(start, body), 201).id)
  }
  const asked = async (): Promise<string[]> =>
    good(await desk.get('/notifications?limit=100&sort=id'))
      .items.filter(({ link }: { link: string | null }) => link?.includes(`filial=${idFilial}&`))
      .map(({ title, text }: { title: string; text: string }) => `${title} ${text.replaceAll('\u00a0', ' ')}`)
  return { ...world, ids, asked }
}
const endDays = () => clinic.context.jobs.run('visits.noShows')
const to = (id: number, status: string) => desk.post(`/appointments/${id}/status`, { status })

it('asks the desk about past visits once; the program marks none itself', async () => {
  const { ids, asked, idFilial } = await branchDay(-1, ['10:00', '11:00', '12:00'])
  good(await to(ids[0] as number, 'noShow'))
  const ahead = await branchDay(0, ['23:30'])
  await Promise.all([endDays(), endDays()])
  await endDays()
  const [day, month] = dayAfter(-1).split('-').reverse()
  expect(await asked()).toEqual([`Не отмечено, кто пришёл ${day}.${month}.${dayAfter(-1).slice(0, 4)}: 2 записи`])
  expect(await ahead.asked()).toEqual([])
  const { visits } = good(await desk.get(`/appointments/day?idFilial=${idFilial}&date=${dayAfter(-1)}&cancelled=1`))
  expect(visits.map(({ visitStatus }: { visitStatus: string }) => visitStatus)).toEqual(['noShow', 'booked', 'booked'])
})

it('a no-show of a past day is undone by hand, and takes its time again', async () => {
  const { ids } = await branchDay(-1, ['10:00'])
  const [id] = ids as [number]
  good(await to(id, 'noShow'))
  expect(good(await to(id, 'booked')).visitStatus).toBe('booked')
  const changes = good(await desk.get(`/appointments/changes?filter[idAppointment]=${id}`)).items
  expect(changes.map(({ toStatus }: { toStatus: string }) => toStatus)).toEqual(['noShow', 'booked'])
  const taken = await clinic.db.query({
    text: 'select 1 from visit_occupancy o join coupons c on c."id" = o."idCoupon" where c."idAppointment" = $1',
    values: [id],
  })
  expect(taken).toHaveLength(1)
})

it("applies the clinic's policy to the patient", async () => {
  const { ids, book } = await branchDay(-1, ['10:00', '11:00', '12:00'])
  const idCustomer = await worlds.patient()
  await clinic.db.query({
    text: 'update appointments set "idCustomer" = $1 where "id" = any ($2)',
    values: [idCustomer, ids],
  })
  const advice = async () =>
    good(await book('15:00', { localDate: dayAfter(-1), idCustomer, dryRun: true }), 201).warnings.map((text: string) =>
      text.replaceAll('\u00a0', ' '),
    )
  const policy = async (noShowCall: number, noShowPrepay: number) =>
    good(await keeper.put('/settings/common', { noShowCall, noShowPrepay }))
  for (const id of ids.slice(0, 2)) good(await to(id, 'noShow'))
  await policy(0, 0)
  expect(await advice()).toEqual(['За год не пришёл 2 раза'])
  await policy(1, 3)
  expect(await advice()).toEqual(['За год не пришёл 2 раза: позвоните накануне'])
  await policy(1, 2)
  expect(await advice()).toEqual(['За год не пришёл 2 раза: попросите предоплату'])
  const wrong = await keeper.put('/settings/common', { noShowPrepay: -1 })
  expect([wrong.status, wrong.body]).toEqual([
    422,
    [{ field: 'noShowPrepay', message: 'Число не должно быть меньше 0' }],
  ])
})

it('a branch whose desk cannot be notified does not block the others', async () => {
  const [bad, next] = [await branchDay(-2, ['10:00']), await branchDay(-2, ['10:00'])]
  await clinic.db.query({
    text: `create function refuse_notice() returns trigger language plpgsql as $$
      begin if new."link" like '%filial=${bad.idFilial}&%' then raise exception 'no'; end if; return new; end $$;
      create trigger refuse_notice before insert on notifications for each row execute function refuse_notice()`,
  })
  await endDays()
  await clinic.db.query({ text: 'drop function refuse_notice() cascade' })
  expect([(await bad.asked()).length, (await next.asked()).length]).toEqual([0, 1])
  await endDays()
  expect([(await bad.asked()).length, (await next.asked()).length]).toEqual([1, 1])
})
