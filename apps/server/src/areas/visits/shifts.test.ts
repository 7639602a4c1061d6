import { Filial } from '@ordinator/model/areas/filials/filial'
import { User } from '@ordinator/model/areas/staff/user'
import type { Slot } from '@ordinator/model/areas/visits/calls'
import type { Permission } from '@ordinator/model/permissions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { dayAfter, worldOf } from './testing/world.ts'
import { rederive } from './zones.ts'

let clinic: Clinic
let keeper: Caller
let world: ReturnType<typeof worldOf>

beforeAll(async () => {
  clinic = await testApp({ prepare: (app) => addPerson(app, 'keeper', worldOf.rights) })
  keeper = clinic.as('keeper')
  await keeper.token()
  world = worldOf(clinic, keeper)
})
afterAll(() => clinic.close())

const DAY = dayAfter(30)
const events = async (idUser: number) =>
  good(await keeper.get(`/staff-events?filter[idUser]=${idUser}&sort=dateFrom&limit=100`)).items
const at = (event: { localDate: string; localFrom: string; localTo: string }) =>
  [event.localDate, event.localFrom, event.localTo].join(' ')

describe('a shift', () => {
  it('is shortened: the uncovered visit is reported before and marked after (example 6)', async () => {
    const { idFilial, idDoctors, book, idShifts } = await world.make({ to: '15:00' })
    const [idUser] = idDoctors
    good(await book('13:30'), 201)
    const { id } = good(await book('14:30'), 201)
    const cut = { id: idShifts[0], localTo: '14:00' }
    const { items } = good(await keeper.post('/staff-events/hits', cut))
    expect(items).toMatchObject([{ idAppointment: id, localStart: '14:30', idUser }])
    expect(good(await keeper.get(`/staff-events/${idShifts[0]}`)).localTo).toBe('15:00')
    good(await keeper.put(`/staff-events/${idShifts[0]}`, { localTo: '14:00' }))
    const marks = async () =>
      good(await keeper.get(`/appointments?filter[idUser]=${idUser}&sort=dateFrom`)).items.map(
        (one: { needsRebook: boolean }) => one.needsRebook,
      )
    expect(await marks()).toEqual([false, true])
    // The nearest time is offered, and the visit moves there.
    const offered = good(await keeper.get(`/appointments/${id}/nearest`)).items
    expect(offered.map((slot: Slot) => [slot.idUser, slot.localStart])).toEqual([[idUser, '13:00']])
    good(await keeper.post(`/appointments/${id}/move`, { localDate: DAY, localStart: offered[0].localStart }))
    expect(await marks()).toEqual([false, false])
    expect(good(await keeper.get(`/appointments/${id}/nearest`)).items[0].localStart).toBe('12:30')
    good(await keeper.put(`/staff-events/${idShifts[0]}`, { localTo: '15:00' }))
    expect(await marks()).toEqual([false, false])
    const sick = { type: 'sick', idUser, localDate: DAY, localFrom: '00:00', localTo: '24:00' }
    expect(good(await keeper.post('/staff-events/hits', sick)).items).toHaveLength(2)
    const illness = good(await keeper.post('/staff-events', sick), 201)
    expect(await marks()).toEqual([true, true])
    expect((await book('10:00')).body).toMatchObject({ code: 'outside', message: 'У врача в это время больничный' })
    // No time is left on the day: another day is offered.
    await world.shift(idUser as number, idFilial, { localDate: dayAfter(35) })
    const [next] = good(await keeper.get(`/appointments/${id}/nearest`)).items
    expect([next.localDate, next.localStart]).toEqual([dayAfter(35), '09:00'])
    expect((await keeper.delete(`/staff-events/${illness.id}`)).status).toBe(204)
    expect(await marks()).toEqual([false, false])
    expect((await keeper.delete(`/staff-events/${idShifts[0]}`)).status).toBe(204)
    expect(await marks()).toEqual([true, true])
    good(await keeper.post(`/staff-events/${idShifts[0]}/restore`))
    expect(await marks()).toEqual([false, false])
    // The shift moves to another doctor: visits of the former one are uncovered.
    const { id: idOther } = await world.doctor()
    good(await keeper.put(`/staff-events/${idShifts[0]}`, { idUser: idOther }))
    expect(await marks()).toEqual([true, true])
    expect(idFilial).toBeGreaterThan(0)
  })

  it('of a night is shown on its first day and on the next', async () => {
    const { idFilial, idDoctors, idShifts } = await world.make({ from: '20:00', to: '08:00' })
    const dayOf = async (date: string) =>
      good(await keeper.get(`/appointments/day?idFilial=${idFilial}&date=${date}`)) as {
        doctors: { idUser: number }[]
        events: { id: number; localDate: string; localTo: string }[]
      }
    for (const date of [DAY, dayAfter(31)]) {
      const { doctors, events: shown } = await dayOf(date)
      expect(doctors.map(({ idUser }) => idUser)).toEqual(idDoctors)
      expect(shown).toMatchObject([{ id: idShifts[0], localDate: DAY, localTo: '08:00' }])
    }
    for (const date of [dayAfter(29), dayAfter(32)]) expect((await dayOf(date)).events).toEqual([])
  })

  it('of one person does not overlap another, also under concurrent writes', async () => {
    const { idFilial, idDoctors } = await world.make({ shifts: false })
    const body = { type: 'shift', idUser: idDoctors[0], idFilial, localDate: DAY, localFrom: '09:00', localTo: '15:00' }
    const rivals = await Promise.all([1, 2, 3, 4].map(() => keeper.post('/staff-events', body)))
    expect(rivals.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422])
    const late = rivals.find(({ status }) => status === 422)
    expect(late?.body).toEqual([{ field: 'localFrom', message: 'На это время уже есть смена: 09:00–15:00' }])
    good(await keeper.post('/staff-events', { ...body, localFrom: '15:00', localTo: '09:00' }), 201)
    const raw = clinic.db.query({
      text: `insert into staff_events ("type", "idUser", "localDate", "localFrom", "localTo", "dateFrom", "dateTo", "idAuthor")
        select "type", "idUser", "localDate", "localFrom", "localTo", "dateFrom", "dateTo", 1 from staff_events
        where "idUser" = $1 limit 1`,
      values: [idDoctors[0]],
    })
    await expect(raw).rejects.toThrow(/staff_events_shifts_excl/)
  })

  it.each([
    [{ localFrom: '25:00' }, 'localFrom', 'Нужно время, например 09:30'],
    [{ localFrom: '24:00' }, 'localFrom', 'День кончается раньше'],
    [{ localFrom: '15:00' }, 'localTo', 'Конец должен отличаться от начала'],
    [{ type: 'meeting', localTo: '08:00' }, 'localTo', 'Конец раньше начала'],
    [{ localDate: '2027-02-29' }, 'localDate', 'Нужна дата, например 25.11.2026'],
    [{ idFilial: null }, 'idFilial', 'Выберите филиал'],
    [
      { zones: [{ from: '10:00', to: '09:00', kind: 'primary' }] },
      'zones',
      'У зоны есть начало, конец после него и вид записи',
    ],
  ])('is refused with %j', async (more, field, message) => {
    const { idFilial, idDoctors } = await world.make({ shifts: false })
    const body = { type: 'shift', idUser: idDoctors[0], idFilial, localDate: DAY, localFrom: '09:00', localTo: '15:00' }
    expect((await keeper.post('/staff-events', { ...body, ...more })).body).toEqual([{ field, message }])
  })
})

describe('many shifts', () => {
  it('are created by a pattern, skipping closed days and existing shifts', async () => {
    const { idFilial, idDoctors } = await world.make({ shifts: false, doctors: 2 })
    good(await keeper.post('/filials/holidays', { idFilial, day: '2027-03-08', reason: 'Праздник' }), 201)
    const body = {
      idUsers: idDoctors,
      idFilial,
      from: '2027-03-01',
      to: '2027-03-14',
      cycle: 'two',
      rows: [
        { day: 0, from: '08:00', to: '14:00' },
        { day: 1, from: '14:00', to: '20:00' },
      ],
    }
    const tried = good(await keeper.post('/staff-events/fill', { ...body, dryRun: true }))
    const eighth = idDoctors.map((idUser) => ({ localDate: '2027-03-08', idUser, reason: 'Филиал закрыт' }))
    // The cycle of four begins on the first: 1, 2, 5, 6, 9, 10, 13 and 14 are worked.
    expect(tried).toEqual({ made: 16, skipped: [], hit: [] })
    expect(await events(idDoctors[0] as number)).toEqual([])
    const shifted = good(await keeper.post('/staff-events/fill', { ...body, start: '2027-02-28', dryRun: true }))
    expect(shifted.skipped).toEqual(eighth)
    good(await keeper.post('/staff-events/fill', body))
    const made = await events(idDoctors[0] as number)
    expect(made.slice(0, 3).map(at)).toEqual([
      '2027-03-01 08:00 14:00',
      '2027-03-02 14:00 20:00',
      '2027-03-05 08:00 14:00',
    ])
    expect(good(await keeper.post('/staff-events/fill', body))).toMatchObject({ made: 0, skipped: { length: 16 } })
  })

  it('are copied by the week', async () => {
    const { idFilial, idDoctors } = await world.make({ shifts: false })
    const [idUser] = idDoctors as [number]
    for (const [localDate, localFrom] of [
      ['2027-03-01', '08:00'],
      ['2027-03-03', '12:00'],
    ])
      await keeper.post('/staff-events', { type: 'shift', idUser, idFilial, localDate, localFrom, localTo: '16:00' })
    const body = { idFilial, from: '2027-03-01', to: '2027-03-08', weeks: 2 }
    expect(good(await keeper.post('/staff-events/copy-week', body)).made).toBe(4)
    expect((await events(idUser)).map(at)).toEqual([
      '2027-03-01 08:00 16:00',
      '2027-03-03 12:00 16:00',
      '2027-03-08 08:00 16:00',
      '2027-03-10 12:00 16:00',
      '2027-03-15 08:00 16:00',
      '2027-03-17 12:00 16:00',
    ])
    const refused = async (to: string) => (await keeper.post('/staff-events/copy-week', { ...body, to })).body
    expect(await refused('2027-03-09')).toEqual([
      { field: 'to', message: 'Неделя начинается в тот же день, что и образец' },
    ])
    for (const to of ['2027-03-01', '2027-02-22'])
      expect(await refused(to)).toEqual([{ field: 'to', message: 'Копировать можно только на следующие недели' }])
  })

  it('are copied with rooms, zones and breaks, for named employees, without closed days and absences', async () => {
    const { idFilial, idDoctors, idRooms } = await world.make({ shifts: false, doctors: 2, rooms: [{}] })
    const [one, two] = idDoctors as [number, number]
    const zones = [{ from: '09:00', to: '10:00', kind: 'primary' }]
    const put = (body: object) => keeper.post('/staff-events', { idFilial, localDate: '2027-03-01', ...body })
    const hours = { localFrom: '09:00', localTo: '15:00' }
    good(await put({ type: 'shift', idUser: one, idRoom: idRooms[0], zones, ...hours }), 201)
    good(await put({ type: 'block', idUser: one, localFrom: '12:00', localTo: '12:30', comment: 'Обед' }), 201)
    good(await put({ type: 'sick', idUser: one, localDate: '2027-03-02', localFrom: '00:00', localTo: '24:00' }), 201)
    good(await put({ type: 'shift', idUser: two, ...hours }), 201)
    good(await keeper.post('/filials/holidays', { idFilial, day: '2027-03-15', reason: 'Праздник' }), 201)
    const body = { idFilial, from: '2027-03-01', to: '2027-03-08', idUsers: [one], weeks: 2 }
    const tried = good(await keeper.post('/staff-events/copy-week', { ...body, dryRun: true }))
    const skipped = [{ localDate: '2027-03-15', idUser: one, reason: 'Филиал закрыт' }]
    expect(tried).toEqual({ made: 3, skipped, hit: [] })
    expect(await events(one)).toHaveLength(3)
    good(await keeper.post('/staff-events/copy-week', body))
    const of = ({ type, idRoom, comment, ...row }: Record<string, unknown>) => [type, idRoom, row.zones, comment]
    const copied = (await events(one)).filter((row: { localDate: string }) => row.localDate >= '2027-03-08')
    expect(copied.map(at)).toEqual([
      '2027-03-08 09:00 15:00',
      '2027-03-08 12:00 12:30',
      // The branch is closed, so only a break is there.
      '2027-03-15 12:00 12:30',
    ])
    expect(copied.slice(0, 2).map(of)).toEqual([
      ['shift', idRooms[0], zones, null],
      ['block', null, null, 'Обед'],
    ])
    expect(await events(two)).toHaveLength(1)
  })

  it('adapt to days with other hours and skip closed weekdays, unless the request overrides it', async () => {
    const { idFilial, idDoctors } = await world.make({ shifts: false })
    const open = { start: '09:00', end: '18:00' }
    // 1 March 2027 is a Monday; Tuesday and Sunday are no working days.
    const workingHours = { monday: open, wednesday: open, thursday: open, friday: open, saturday: open }
    good(await keeper.put(`/filials/${idFilial}`, { workingHours }))
    const short = { idFilial, day: '2027-03-03', reason: 'Короткий день', start: '09:00', end: '13:00' }
    good(await keeper.post('/filials/holidays', short), 201)
    good(await keeper.post('/filials/holidays', { idFilial, day: '2027-03-04', reason: 'Праздник' }), 201)
    // A closed weekday on which the branch is open by exception.
    good(await keeper.post('/filials/holidays', { ...short, day: '2027-03-02', reason: 'Рабочий вторник' }), 201)
    const rows = [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, from: '09:00', to: '13:00' }))
    const body = {
      idUsers: idDoctors,
      idFilial,
      from: '2027-03-01',
      to: '2027-03-07',
      cycle: 'week',
      rows,
      dryRun: true,
    }
    const closed = ({ skipped }: { skipped: { localDate: string; reason: string }[] }) =>
      skipped.map(({ localDate, reason }) => [localDate, reason])
    const tried = good(await keeper.post('/staff-events/fill', body))
    expect([tried.made, closed(tried)]).toEqual([
      5,
      [
        ['2027-03-04', 'Филиал закрыт'],
        ['2027-03-07', 'Филиал закрыт'],
      ],
    ])
    expect(good(await keeper.post('/staff-events/fill', { ...body, holidays: false }))).toMatchObject({ made: 7 })
  })

  it.each([
    ['parity', undefined, [{ day: 0, from: '09:00', to: '12:00' }], ['02', '04', '06', '08']],
    [
      'custom',
      3,
      [
        { day: 0, from: '09:00', to: '12:00' },
        { day: 2, from: '09:00', to: '12:00' },
      ],
      ['01', '03', '04', '06', '07'],
    ],
    ['week', undefined, [{ day: 2, from: '09:00', to: '12:00' }], ['03']],
  ])('follow a stored pattern of the cycle %s', async (cycle, length, rows, days) => {
    const { idFilial, idDoctors } = await world.make({ shifts: false })
    const pattern = good(await keeper.post('/shift-patterns', { name: `По ${cycle}`, cycle, length, rows }), 201)
    const body = { idUsers: idDoctors, idFilial, from: '2027-03-01', to: '2027-03-08', idPattern: pattern.id }
    good(await keeper.post('/staff-events/fill', body))
    const made = await events(idDoctors[0] as number)
    expect(made.map(({ localDate }: { localDate: string }) => localDate.slice(-2))).toEqual(days)
    expect(made[0].idPattern).toBe(pattern.id)
  })

  it('of nights follow each other, and one that overlaps the night before is skipped', async () => {
    const { idFilial, idDoctors } = await world.make({ shifts: false })
    const [idUser] = idDoctors as [number]
    const rows = [
      { day: 0, from: '20:00', to: '08:00' },
      { day: 1, from: '07:00', to: '12:00' },
      { day: 2, from: '20:00', to: '08:00' },
      { day: 3, from: '08:00', to: '12:00' },
    ]
    const body = { idUsers: idDoctors, idFilial, from: '2027-03-01', to: '2027-03-04', cycle: 'week', rows }
    expect(good(await keeper.post('/staff-events/fill', body))).toMatchObject({
      made: 3,
      skipped: [{ localDate: '2027-03-02', idUser, reason: 'Уже есть смена' }],
    })
    expect((await events(idUser)).map(at)).toEqual([
      '2027-03-01 20:00 08:00',
      '2027-03-03 20:00 08:00',
      '2027-03-04 08:00 12:00',
    ])
  })

  it.each([
    [{ from: '2027-03-02', to: '2027-03-01' }, 'to', 'Конец раньше начала'],
    [{ to: '2028-06-01' }, 'to', 'Не больше 400 дней'],
    [{ rows: undefined }, 'idPattern', 'Выберите шаблон смен'],
    [{ idFilial: undefined }, 'idFilial', 'Выберите филиал'],
    [{ idUsers: [999_999] }, 'idUsers', 'Запись не найдена'],
    [{ rows: [{ day: 0, from: '09:00', to: '09:00' }] }, 'rows', 'Конец должен отличаться от начала'],
    [{ rows: [{ day: 0, from: '24:00', to: '09:00' }] }, 'rows', 'День кончается раньше'],
    [{ type: 'sick', rows: [{ day: 0, from: '12:00', to: '09:00' }] }, 'rows', 'Конец раньше начала'],
    [{ rows: [{ day: 0, from: '9', to: '12:00' }] }, 'rows.0.from', 'Нужно время, например 09:30'],
  ])('are refused with %j', async (more, field, message) => {
    const { idFilial, idDoctors } = await world.make({ shifts: false })
    const rows = [{ day: 0, from: '09:00', to: '12:00' }]
    const body = { idUsers: idDoctors, idFilial, from: '2027-03-01', to: '2027-03-07', rows, ...more }
    expect((await keeper.post('/staff-events/fill', body)).body).toEqual([{ field, message }])
    expect(await events(idDoctors[0] as number)).toEqual([])
  })

  it('use an existing room of their branch, one by one and many at once', async () => {
    const here = await world.make({ shifts: false, rooms: [{}] })
    const there = await world.make({ shifts: false, rooms: [{}] })
    const { idFilial, idDoctors } = here
    const rows = [{ day: 0, from: '09:00', to: '12:00' }]
    const many = { idUsers: idDoctors, idFilial, from: '2027-03-01', to: '2027-03-07', rows }
    const one = { type: 'shift', idUser: idDoctors[0], idFilial, localDate: DAY, localFrom: '09:00', localTo: '12:00' }
    const wrong = [{ field: 'idRoom', message: 'Кабинет не этого филиала' }]
    const refused = async (idRoom: number | undefined) => {
      expect((await keeper.post('/staff-events', { ...one, idRoom })).body).toEqual(wrong)
      expect((await keeper.post('/staff-events/fill', { ...many, idRoom })).body).toEqual(wrong)
    }
    await refused(there.idRooms[0])
    expect((await keeper.delete(`/filials/rooms/${here.idRooms[0]}`)).status).toBe(204)
    await refused(here.idRooms[0])
  })

  it('a custom cycle has a length', async () => {
    const body = { name: 'Свой', cycle: 'custom', rows: [{ day: 0, from: '09:00', to: '12:00' }] }
    expect((await keeper.post('/shift-patterns', body)).body).toEqual([
      { field: 'length', message: 'У своего цикла есть длина' },
    ])
  })

  it('create an absence of many days, which reports the visits it affects', async () => {
    const { idDoctors, book } = await world.make()
    const { id } = good(await book('10:00'), 201)
    const body = { type: 'vacation', idUsers: idDoctors, from: dayAfter(29), to: dayAfter(31) }
    expect(good(await keeper.post('/staff-events/fill', { ...body, dryRun: true })).hit).toMatchObject([
      { idAppointment: id },
    ])
    expect(good(await keeper.get(`/appointments/${id}`)).needsRebook).toBe(false)
    expect(good(await keeper.post('/staff-events/fill', body)).made).toBe(3)
    expect(good(await keeper.get(`/appointments/${id}`)).needsRebook).toBe(true)
  })

  it('an absence is marked by the desk of the branch, and nothing else', async () => {
    const { idFilial, idDoctors, book } = await world.make()
    const { id } = good(await book('10:00'), 201)
    const desk = await world.doctor(['viewCalendar', 'editAppointments', 'markAbsence'])
    const by = clinic.as(desk.login)
    const body = { type: 'sick', idUsers: idDoctors, from: dayAfter(30), to: dayAfter(30) }
    expect((await by.post('/staff-events/fill', body)).status).toBe(403)
    await world.post('filials/desks', { idFilial, idUser: desk.id })
    await clinic.context.engine.for(systemActor).update(User, idDoctors[0] as number, { filials: [idFilial] })
    const rows = [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, from: '09:00', to: '12:00' }))
    expect(
      (await by.post('/staff-events/fill', { ...body, type: 'shift', idFilial, cycle: 'week', rows })).status,
    ).toBe(403)
    expect(good(await by.post('/staff-events/fill', body))).toMatchObject({ made: 1, hit: [{ idAppointment: id }] })
    expect((await by.post('/staff-events', { ...body, localDate: dayAfter(31) })).status).toBe(403)
  })

  it('a branch that is closed leaves its visits to come uncovered, until it is opened again', async () => {
    const { idFilial, book } = await world.make()
    const { id } = good(await book('10:00'), 201)
    const needsRebook = async () => good(await keeper.get(`/appointments/${id}`)).needsRebook
    const admin = clinic.context.engine.for(systemActor)
    await admin.update(Filial, idFilial, { active: false })
    expect(await needsRebook()).toBe(true)
    await admin.update(Filial, idFilial, { active: true })
    expect(await needsRebook()).toBe(false)
  })

  it('a doctor whose sign-in is closed leaves the visits to come uncovered, until it is opened again', async () => {
    const { idDoctors, book } = await world.make()
    const { id } = good(await book('10:00'), 201)
    const needsRebook = async () => good(await keeper.get(`/appointments/${id}`)).needsRebook
    const admin = clinic.context.engine.for(systemActor)
    await admin.update(User, idDoctors[0] as number, { isBlocked: true })
    expect(await needsRebook()).toBe(true)
    await admin.update(User, idDoctors[0] as number, { isBlocked: false })
    expect(await needsRebook()).toBe(false)
  })
})

describe('zones', () => {
  const visitAt = async (timeZone: string, localDate: string, localStart: string) => {
    const past: Permission[] = [...worldOf.rights, 'editPastAppointments', 'overbookAppointments']
    const login = `past.${timeZone.split('/')[1]}`.toLowerCase()
    await addPerson(clinic.context, login, past)
    const made = await world.make({ timeZone, shifts: false })
    const row = good(await made.book(localStart, { localDate, outside: true }, {}, clinic.as(login)), 201)
    return { row, ...made }
  }

  it("are the branch's: Moscow books Yekaterinburg (example 7) and Vladivostok (example 9)", async () => {
    const { row } = await visitAt('Asia/Yekaterinburg', '2026-11-23', '10:00')
    expect(new Date(row.dateFrom).toISOString()).toBe('2026-11-23T05:00:00.000Z')
    const far = await visitAt('Asia/Vladivostok', '2026-11-24', '00:30')
    expect(new Date(far.row.dateFrom).toISOString()).toBe('2026-11-23T14:30:00.000Z')
    expect(far.row.localDate).toBe('2026-11-24')
    const day = good(await keeper.get(`/appointments/day?idFilial=${far.idFilial}&date=2026-11-24`))
    expect([day.timeZone, day.visits.length]).toEqual(['Asia/Vladivostok', 1])
  })

  it('change: a night shift over the change is longer, and future shifts keep the wall clock (example 8)', async () => {
    const { idFilial, idDoctors, row } = await visitAt('Europe/Volgograd', '2020-12-28', '10:00')
    expect(new Date(row.dateFrom).toISOString()).toBe('2020-12-28T07:00:00.000Z')
    const shift = good(
      await keeper.post('/staff-events', {
        type: 'shift',
        idUser: idDoctors[0],
        idFilial,
        localDate: '2020-12-26',
        localFrom: '20:00',
        localTo: '08:00',
      }),
      201,
    )
    expect(Date.parse(shift.dateTo) - Date.parse(shift.dateFrom)).toBe(13 * 3_600_000)
    expect(shift.localDate).toBe('2020-12-26')
  })

  it('of a branch changes: future times keep the wall clock, adjacent shifts too', async () => {
    const { idFilial, idDoctors, book } = await world.make({ from: '09:00', to: '12:00' })
    const [idUser] = idDoctors as [number]
    await world.shift(idUser, idFilial, { localFrom: '12:00', localTo: '15:00' })
    const { id, dateFrom } = good(await book('10:00'), 201)
    const two = good(await book('10:30'), 201)
    good(await keeper.put(`/filials/${idFilial}`, { timeZone: 'Europe/Samara' }))
    await rederive(clinic.context)
    const HOUR = 3_600_000
    const moved = good(await keeper.get(`/appointments/${id}`))
    expect([moved.localStart, Date.parse(moved.dateFrom)]).toEqual(['10:00', Date.parse(dateFrom) - HOUR])
    expect((await events(idUser)).map(at)).toEqual([`${DAY} 09:00 12:00`, `${DAY} 12:00 15:00`])
    expect((await book('10:00')).body.code).toBe('taken')
    expect((await book('11:00')).status).toBe(201)
    expect(Date.parse(good(await keeper.get(`/appointments/${two.id}`)).dateFrom)).toBe(Date.parse(two.dateFrom) - HOUR)
  })

  it('of a branch reports the affected records before the change, and applies it at once', async () => {
    const { idFilial, book, idDoctors } = await world.make()
    const visit = good(await book('10:00'), 201)
    const change = (body: object, by = keeper) => by.post(`/filials/${idFilial}/time-zone`, body)
    const asked = good(await change({ timeZone: 'Europe/Samara' }))
    expect(asked).toEqual({ visits: 1, shifts: 1, changed: false })
    const moment = async () => Date.parse(good(await keeper.get(`/appointments/${visit.id}`)).dateFrom)
    expect(await moment()).toBe(Date.parse(visit.dateFrom))
    expect(good(await change({ timeZone: 'Europe/Samara', confirmed: true })).changed).toBe(true)
    expect(await moment()).toBe(Date.parse(visit.dateFrom) - 3_600_000)
    expect(good(await keeper.get(`/appointments/${visit.id}`)).localStart).toBe('10:00')
    expect((await events(idDoctors[0] as number)).map(at)).toEqual([`${DAY} 09:00 12:00`])
    // The branch's day uses it, and its times conflict as before.
    expect((await book('10:00')).body.code).toBe('taken')
    // A branch always has a time zone.
    expect((await keeper.put(`/filials/${idFilial}`, { timeZone: null })).status).toBe(422)
    const bare = good(await keeper.post('/filials', { nameFilial: 'Без пояса' }), 201)
    expect(bare.timeZone).toBe('Europe/Moscow')
    expect((await change({ timeZone: 'Луна/Кратер', confirmed: true })).status).toBe(422)
  })

  it('of a branch whose doctor would be in two places at once does not block other branches', async () => {
    const shiftOf = async (one: { idFilial: number; idDoctors: number[] }, idUser: number, more = {}) => {
      await world.shift(idUser, one.idFilial, { localFrom: '09:00', localTo: '12:00', ...more })
      const [row] = await clinic.db.query<{ id: number; dateFrom: string }>({
        text: 'select "id"::int as id, "dateFrom" from staff_events where "idUser" = $1 and "idFilial" = $2',
        values: [idUser, one.idFilial],
      })
      return async () =>
        (Date.parse(good(await keeper.get(`/staff-events/${row?.id}`)).dateFrom) - Date.parse(row?.dateFrom ?? '')) /
        3_600_000
    }
    const [stuck, beside, free] = [
      await world.make({ shifts: false }),
      await world.make({ shifts: false }),
      await world.make({ shifts: false }),
    ]
    const both = stuck.idDoctors[0] as number
    const ofStuck = await shiftOf(stuck, both)
    const ofBeside = await shiftOf(beside, both, { localFrom: '12:00', localTo: '15:00' })
    const ofFree = await shiftOf(free, free.idDoctors[0] as number)
    good(await keeper.put(`/filials/${stuck.idFilial}`, { timeZone: 'Europe/Kaliningrad' }))
    good(await keeper.put(`/filials/${free.idFilial}`, { timeZone: 'Europe/Samara' }))
    await rederive(clinic.context)
    expect([await ofStuck(), await ofBeside(), await ofFree()]).toEqual([0, 0, -1])
  })
})
