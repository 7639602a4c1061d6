import type { Call } from '@ordinator/model/call'
import { everyCall } from '@ordinator/model/calls'
import { dayIn, plusDays } from '@ordinator/model/zone'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { good } from '#testing/good.ts'
import { addPerson } from '#testing/people.ts'
import { card, clinic, cookieOf, desk, from, openPortalClinic, signedIn } from './testing/portalClinic.ts'

openPortalClinic()

describe('a personal link', () => {
  it("opened from its maker's address raises an alert, from elsewhere it does not", async () => {
    const links = async (surname: string) =>
      (good(await desk.get('/access-log/alerts')).items as { kind: string; what: string }[]).filter(
        ({ kind, what }) => kind === 'link' && what.startsWith(surname),
      )
    for (const [surname, isSame] of [
      ['Тутошнин', true],
      ['Тамошнин', false],
    ] as const) {
      const { id } = await card({ surname })
      const maker = from()
      const { url } = good(await desk.post(`/customers/${id}/portal-link`, undefined, maker), 201)
      const where = isSame ? maker : from()
      good(await clinic.anonymous.post('/portal/link', { token: url.split('#link=')[1] }, where))
      expect([surname, (await links(surname)).length]).toEqual([surname, isSame ? 1 : 0])
    }
  })

  const tokenOf = (url: string) => url.split('#link=')[1] as string
  const make = async (id: number) => tokenOf(good(await desk.post(`/customers/${id}/portal-link`), 201).url)
  const open = (token: string, birthday?: string) =>
    clinic.anonymous.post('/portal/link', { token, ...(birthday && { birthday }) }, from())

  it('opens on one device, without the birthday with no medical data', async () => {
    const { id } = await card()
    const token = await make(id)
    const answer = await open(token)
    expect(good(answer)).toMatchObject({ person: { id }, isProven: false })
    expect((await open(token)).status).toBe(410)
    const { items } = good(await desk.get(`/access-log?idCustomer=${id}&limit=20`))
    const bases = items.map(({ basis }: { basis: string }) => basis).join('\n')
    expect(bases).toMatch(/по личной ссылке, её дал: \S/)
    const options = { cookies: { ordinator_patient: cookieOf(answer) as string } }
    expect((await clinic.anonymous.get('/portal/visits', options)).status).toBe(200)
    const refused = await clinic.anonymous.get('/portal/data', options)
    expect([refused.status, refused.body.code]).toEqual([403, 'birthday'])
  })

  it('without the birthday shows nothing of the family', async () => {
    const { id } = await card()
    const child = await card({
      name: 'Лев',
      birthday: `01.01.${Number(dayIn('Europe/Moscow', Date.now()).slice(0, 4)) - 7}`,
    })
    const relation = { idCustomer: child.id, idRelative: id, relation: 'mother', signs: 'yes' }
    good(await desk.post('/customers/relations', relation), 201)
    const visits = async (birthday?: string) => {
      const cookies = { ordinator_patient: cookieOf(await open(await make(id), birthday)) as string }
      return (await clinic.anonymous.get(`/portal/visits?patient=${child.id}`, { cookies })).status
    }
    expect([await visits(), await visits('1980-02-01')]).toEqual([404, 200])
  })

  it('with the birthday opens all, and allows five wrong ones', async () => {
    const { id } = await card()
    const opened = await open(await make(id), '1980-02-01')
    expect(good(opened)).toMatchObject({ isProven: true })
    // The staff know the birthday too: medical documents stay closed.
    const refusal = await clinic.anonymous.get('/portal/papers', {
      cookies: { ordinator_patient: cookieOf(opened) as string },
    })
    expect([refusal.status, refusal.body.code]).toEqual([403, 'link'])
    const token = await make(id)
    for (let at = 0; at < 5; at++) expect((await open(token, '1990-01-01')).status).toBe(422)
    expect((await open(token, '1980-02-01')).status).toBe(410)
  })

  it('ends with the next one and after a day, and its session with it', async () => {
    const { id } = await card()
    const first = await make(id)
    const second = await make(id)
    expect((await open(first)).status).toBe(410)
    const answer = await open(second, '1980-02-01')
    const { cookies } = { cookies: { ordinator_patient: cookieOf(answer) as string } }
    const [row] = await clinic.db.query<{ hours: number }>({
      text: `select round(extract(epoch from "dateExpires" - now()) / 3600)::int as hours from portal_sessions
        where "idCustomer" = $1 order by id desc limit 1`,
      values: [id],
    })
    expect(row?.hours).toBe(24)
    expect((await clinic.anonymous.get('/portal/me', { cookies })).status).toBe(200)
  })
})

/** Calls that require the patients' sign-in. */
const closed: readonly Call[] = everyCall.filter(
  ({ path, method, access }) =>
    path.startsWith('/portal/') &&
    access === 'public' &&
    // Booking works without sign-in; its calls that need one are tested separately.
    !path.startsWith('/portal/booking') &&
    // A signed link identifies the visit it opens.
    ![
      '/portal/start',
      '/portal/code',
      '/portal/demo-code',
      '/portal/link',
      '/portal/visit-link',
      '/portal/visit-link/view',
      '/portal/score-link',
      '/portal/score-link/view',
      '/portal/score-link/head',
    ].includes(path) &&
    !(path === '/portal/session' && method === 'POST'),
)
const addressOf = ({ path }: Call) => path.replaceAll(/:\w+/g, '1')
const refusal = expect.toSatisfy((status: number) => status >= 400 && status < 500)

/** A body that the declaration accepts as far as it is simple: an answer, a reason, a code, a time. */
const bodyOf = ({ path }: Call): object =>
  path.endsWith('/answer')
    ? { answer: 'cancel' }
    : path.endsWith('/move')
      ? { day: plusDays(dayIn('Europe/Moscow', Date.now()), 30), start: '11:00' }
      : path.endsWith('/sign')
        ? { code: '000000' }
        : {}

/** Versions of what a patient has. */
const traceOf = (idCustomer: number) =>
  clinic.db.query({
    text: `select a."id", a."visitStatus", a."localStart", a."_version" from appointments a where a."idCustomer" = $1
      union all select s."id", 'session', s."dateExpires"::text, 0 from portal_sessions s where s."idCustomer" = $1 order by 1, 2`,
    values: [idCustomer],
  })

describe('two separate sign-ins', () => {
  it('a patient reaches nothing of the staff: no call and no record', async () => {
    const { options } = await signedIn()
    const staff = everyCall.filter(({ access }) => access !== 'public')
    expect(staff.length).toBeGreaterThan(100)
    for (const call of staff) {
      const { status } = await clinic.anonymous.call(call.method, addressOf(call), undefined, options)
      expect([call.method, call.path, status]).toEqual([call.method, call.path, 401])
    }
    for (const { entity } of clinic.context.registry.definitions)
      for (const path of [`/${entity.path}`, `/${entity.path}/1`, `/${entity.path}/export?format=csv`]) {
        const { status } = await clinic.anonymous.get(path, options)
        // A path shared with a visitor's call uses that call's authentication.
        expect([path, status === 401 || status === 404]).toEqual([path, true])
      }
    const { cookie } = await signedIn()
    expect((await clinic.withToken(cookie).get('/users')).status).toBe(401)
  })

  it("the staff's sign-in opens nothing of a patient", async () => {
    const token = (await desk.token()) as string
    expect(closed.length).toBeGreaterThan(3)
    for (const call of closed) {
      const { status } = await desk.call(call.method, addressOf(call))
      expect([call.path, status]).toEqual([call.path, 401])
      const posed = await clinic.anonymous.call(call.method, addressOf(call), undefined, {
        cookies: { ordinator_patient: token.slice(0, 43) },
      })
      expect([call.path, posed.status]).toEqual([call.path, 401])
    }
  })

  it('patients cannot reach each other by any call with an id', async () => {
    const [one, other] = [await signedIn(), await signedIn()]
    // What the other has: visits, devices, sign-ins, requests, dialogues, papers. Ids of all kinds are tried in all calls.
    const { book } = await world()
    const visit = good(await book('10:00', { idCustomer: other.id }), 201)
    const request = { kind: 'access', details: 'Что вы обо мне знаете' }
    await clinic.anonymous.post('/portal/requests', request, other.options)
    const owned = await clinic.db.query<{ table: string; id: number }>({
      text: `select c.relname as table, (xpath('/row/id/text()', query_to_xml(format(
          'select max(id) as id from %I where "idCustomer" = ${other.id}', c.relname), false, true, '')))[1]::text::int as id
        from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'idCustomer'
          join pg_attribute i on i.attrelid = c.oid and i.attname = 'id'
        where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace`,
    })
    const ids = [...new Set([visit.id, other.id, ...owned.flatMap(({ id }) => id ?? [])])]
    expect(ids.length).toBeGreaterThan(2)
    const before = await traceOf(other.id)
    for (const call of closed.filter(({ path }) => path.includes(':')))
      for (const id of ids)
        for (const kind of ['examinations', 'consents', 'plans', 'contracts', 'results']) {
          const path = call.path.replace(/:kind/, kind).replaceAll(/:\w+/g, String(id))
          const body = call.method === 'GET' ? undefined : bodyOf(call)
          const { status } = await clinic.anonymous.call(call.method, path, body, one.options)
          expect([call.method, path, status], JSON.stringify(body)).toEqual([call.method, path, refusal])
          if (!call.path.includes(':kind')) break
        }
    expect(await traceOf(other.id)).toEqual(before)
    for (const call of closed.filter(
      ({ path, query, method }) =>
        method === 'GET' && !path.includes(':') && query instanceof z.ZodObject && 'patient' in query.shape,
    )) {
      const mine = await one.get(`${addressOf(call)}?patient=${one.id}`)
      const theirs = await one.get(`${addressOf(call)}?patient=${other.id}`)
      expect([call.path, mine.status, theirs.status]).toEqual([call.path, 200, 404])
    }
  })
})

let worlds = 0
/** A branch with a doctor who has a shift in a month. */
async function world() {
  const at = ++worlds
  const day = plusDays(dayIn('Europe/Moscow', Date.now()), 30)
  const post = async (path: string, body: object) => good(await desk.post(path, body), 201).id as number
  const idFilial = await post('/filials', { nameFilial: `Филиал ${at}`, timeZone: 'Europe/Moscow' })
  const idService = await post('/services', { nameService: `Приём ${at}`, priceService: 1000 })
  await post('/service-durations', { idService, minutes: 30 })
  const { id: idUser } = await addPerson(clinic.context, `doctor${at}`)
  await post('/service-performers', { idService, idUser })
  const shift = { type: 'shift', idUser, idFilial, localDate: day, localFrom: '09:00', localTo: '12:00' }
  await post('/staff-events', shift)
  const book = (localStart: string, { idCustomer }: { idCustomer: number }) =>
    desk.post('/appointments/book', {
      idCustomer,
      idFilial,
      localDate: day,
      coupons: [{ idUser, localStart, services: [{ idService }] }],
    })
  return { book }
}

describe('a visit', () => {
  const answer = (one: Awaited<ReturnType<typeof signedIn>>, id: number, action: string) =>
    clinic.anonymous.post(`/portal/visits/${id}/answer`, { action }, one.options)

  it('is confirmed and cancelled by its patient, and by no one else', async () => {
    const { book } = await world()
    const [one, other] = [await signedIn(), await signedIn()]
    const { id } = good(await book('09:00', { idCustomer: one.id }), 201)
    const visits = good(await one.get('/portal/visits')).ahead
    expect(visits).toMatchObject([
      { id, localStart: '09:00', status: 'booked', mayConfirm: true, mayCancel: true, cost: 1000 },
    ])
    expect(good(await other.get('/portal/visits'))).toEqual({ ahead: [], past: [] })
    for (const action of ['confirm', 'cancel']) expect((await answer(other, id, action)).status).toBe(404)
    expect(good(await answer(one, id, 'confirm')).status).toBe('confirmed')
    expect((await answer(one, id, 'confirm')).status).toBe(409)
    expect(good(await answer(one, id, 'cancel')).status).toBe('cancelled')
    expect(good(await desk.get(`/appointments/${id}`))).toMatchObject({
      visitStatus: 'cancelled',
      cancelledBy: 'patient',
    })
    // The time is free again.
    expect((await book('09:00', { idCustomer: other.id })).status).toBe(201)
  })

  it('is not cancelled if the desk has changed it meanwhile', async () => {
    const { book } = await world()
    const one = await signedIn()
    const { id } = good(await book('09:30', { idCustomer: one.id }), 201)
    const going = await clinic.db.tx(async (tx) => {
      await tx.query({
        text: `update appointments set "visitStatus" = 'arrived', "_version" = "_version" + 1 where id = $1`,
        values: [id],
      })
      const asked = answer(one, id, 'cancel')
      // Until it waits for the row's lock.
      await expect
        .poll(
          async () => {
            const [row] = await clinic.db.query<{ count: number }>({
              text: `select count(*)::int as count from pg_stat_activity
                where datname = current_database() and wait_event_type = 'Lock'`,
            })
            return row?.count
          },
          { timeout: 60_000 },
        )
        .toBeGreaterThan(0)
      return { asked }
    })
    const { status, body } = await going.asked
    expect([status, body.code, Object.keys(body).includes('visitStatus')]).toEqual([409, 'changed', false])
    expect(good(await desk.get(`/appointments/${id}`)).visitStatus).toBe('arrived')
  })

  it("is cancelled within the clinic's hours, if enabled", async () => {
    const { book } = await world()
    const one = await signedIn()
    const { id } = good(await book('10:00', { idCustomer: one.id }), 201)
    // It is thirty days ahead.
    await clinic.db.query({
      text: `update appointments set "dateFrom" = now() + interval '11 hours', "dateTo" = now() + interval '12 hours' where id = $1`,
      values: [id],
    })
    const late = await answer(one, id, 'cancel')
    expect([late.status, late.body.code]).toEqual([409, 'late'])
    good(await desk.put('/settings/common', { portalCancelHours: 10, portalActions: ['confirm'] }))
    expect((await answer(one, id, 'cancel')).status).toBe(409)
    good(await desk.put('/settings/common', { portalActions: ['confirm', 'cancel'] }))
    expect(good(await answer(one, id, 'cancel')).status).toBe('cancelled')
  })

  it('in a link session without the birthday shows a time and no service', async () => {
    const { book } = await world()
    const { id } = await card()
    good(await book('11:00', { idCustomer: id }), 201)
    const token = good(await desk.post(`/customers/${id}/portal-link`), 201).url.split('#link=')[1]
    const opened = await clinic.anonymous.post('/portal/link', { token }, from())
    const options = { cookies: { ordinator_patient: cookieOf(opened) as string } }
    const [visit] = good(await clinic.anonymous.get('/portal/visits', options)).ahead
    expect(visit).toMatchObject({ localStart: '11:00', services: null, cost: null })
  })
})
