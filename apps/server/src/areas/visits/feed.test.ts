import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { dayAfter, worldOf } from './testing/world.ts'

let clinic: Clinic
let keeper: Caller
let idDoctor: number
let doctor: Caller
let worlds: ReturnType<typeof worldOf>
const DAY = dayAfter(30)
const bare = DAY.replaceAll('-', '')

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      await addPerson(app, 'keeper', worldOf.rights)
      ;({ id: idDoctor } = await addPerson(app, 'doc', ['viewCalendar', 'viewCustomers'], { surname: 'Врачова' }))
      await addPerson(app, 'out', [])
    },
  })
  keeper = clinic.as('keeper')
  doctor = clinic.as('doc')
  await Promise.all([keeper.token(), doctor.token()])
  worlds = worldOf(clinic, keeper)
})
afterAll(() => clinic.close())

const made = async (): Promise<string> => new URL(good(await doctor.post('/calendar-feed', {})).url).pathname
const look = (path: string, headers: Record<string, string> = {}) => clinic.anonymous.get(path, { headers })
const setNames = (on: boolean) =>
  clinic.db.query(sql`insert into common_settings (name, value) values ('calendarNames', ${JSON.stringify(on)}::jsonb)
    on conflict (name) do update set value = excluded.value`)

/** A visit of the doctor, and one of another doctor. */
async function booked(localStart = '10:00', shift: object = {}) {
  const world = await worlds.make({ doctors: 1, rooms: [{ name: '12' }], timeZone: 'Asia/Yekaterinburg' })
  const { idFilial, idService, book } = world
  await worlds.post('service-performers', { idService, idUser: idDoctor })
  await worlds.shift(idDoctor, idFilial, { idRoom: world.idRooms[0], ...shift })
  const { surname } = good(await keeper.get(`/customers/${world.idCustomer}`))
  const visit = good(await book(localStart, {}, { idUser: idDoctor }), 201)
  good(await book('11:00'), 201)
  return { ...world, surname: surname as string, visit }
}

it('is read by its address alone, with the own schedule, and names only if the clinic allows it', async () => {
  const { surname, visit } = await booked()
  const path = await made()
  const { status, text, headers } = await look(path)
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'text/calendar; charset=utf-8',
    'private, no-cache',
  ])
  const lines = text.replaceAll('\r\n ', '').split('\r\n')
  expect(lines).toEqual(
    expect.arrayContaining([
      `DTSTART;TZID=Asia/Yekaterinburg:${bare}T100000`,
      `DTEND;TZID=Asia/Yekaterinburg:${bare}T103000`,
      'SUMMARY:Приём',
      'SUMMARY:Смена',
      expect.stringMatching(/^LOCATION:каб\. 12\\, Филиал/),
      expect.stringMatching(/^DESCRIPTION:Приём \d/),
      'TZOFFSETTO:+0500',
    ]),
  )
  expect(text).not.toContain(`${bare}T110000`)
  expect(text).not.toContain(surname)
  await setNames(true)
  const named = (await look(path)).text.replaceAll('\r\n ', '')
  expect(named).toContain(`SUMMARY:Приём: ${surname}`)
  const logged = await clinic.db.query(sql`select 1 from access_log where action = 'export' and "idUser" = ${idDoctor}`)
  expect(logged).toHaveLength(1)
  // Data of a card that requires a reason to open are never included.
  await clinic.db.query(sql`update customers set "secretLevel" = 'vip' where "id" = ${visit.idCustomer}`)
  expect((await look(path)).text).not.toContain(surname)
  await setNames(false)
})

it('is not sent again while unchanged', async () => {
  const { visit } = await booked('13:00', { localFrom: '12:00', localTo: '15:00' })
  const path = await made()
  const first = await look(path)
  const etag = first.headers.etag as string
  expect((await look(path, { 'if-none-match': etag })).status).toBe(304)
  expect((await look(path, { 'if-none-match': `W/${etag}, "x"` })).status).toBe(304)
  good(await keeper.post(`/appointments/${visit.id}/status`, { status: 'cancelled', cancelReason: 'ill' }))
  const next = await look(path, { 'if-none-match': etag })
  expect(next.status).toBe(200)
  expect(next.text).not.toContain(`visit-${visit.id}@`)
})

it('has one address: a new one replaces the old, and it is disabled with its owner', async () => {
  const old = await made()
  const path = await made()
  expect((await look(old)).status).toBe(404)
  expect((await look(path)).status).toBe(200)
  const { made: at, read } = good(await doctor.get('/calendar-feed'))
  expect([typeof at, typeof read]).toEqual(['string', 'string'])
  const [kept] = await clinic.db.query<{ token: string }>(
    sql`select encode("token", 'escape') || encode("token", 'base64') as token from calendar_feeds where "idUser" = ${idDoctor}`,
  )
  expect(kept?.token).not.toContain(path.slice(-47, -4))
  const { etag } = (await look(path)).headers
  await clinic.db.query(sql`update users set "isBlocked" = true where "id" = ${idDoctor}`)
  expect((await look(path)).status).toBe(404)
  // Not even «not modified» is answered; and no other method, spelling or address does more.
  expect((await look(path, { 'if-none-match': String(etag) })).status).toBe(404)
  for (const other of [`${path}/`, path.replace('calendar-feed', 'calendar-feed/.'), `${path}%00`, path.toUpperCase()])
    expect((await look(other)).status, other).toBeGreaterThanOrEqual(400)
  for (const method of ['POST', 'PUT', 'DELETE'])
    expect((await clinic.anonymous.call(method, path)).status, method).toBeGreaterThanOrEqual(400)
  await clinic.db.query(sql`update users set "isBlocked" = false where "id" = ${idDoctor}`)
  await clinic.db.query(sql`delete from user_permissions where "idUser" = ${idDoctor} and permission = 'viewCalendar'`)
  expect((await look(path)).status).toBe(404)
  await clinic.db.query(sql`insert into user_permissions ("idUser", permission) values (${idDoctor}, 'viewCalendar')`)
  expect((await look(path)).status).toBe(200)
  good(await doctor.delete('/calendar-feed'), 204)
  expect((await look(path)).status).toBe(404)
  expect(good(await doctor.get('/calendar-feed'))).toEqual({ made: null, read: null, names: false })
  for (const wrong of ['x.ics', `${'a'.repeat(43)}.ics`, '..%2F..%2Fetc', path.slice(15, -4)])
    expect((await look(`/calendar-feed/${wrong}`)).status).toBe(404)
  expect((await clinic.as('out').post('/calendar-feed', {})).status).toBe(403)
  expect((await clinic.anonymous.get('/calendar-feed')).status).toBe(401)
})
