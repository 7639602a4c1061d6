import { dayIn, plusDays } from '@ordinator/model/zone'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type ElnSimulator, startElnSimulator } from '#testing/elnSimulator.ts'
import { good } from '#testing/good.ts'
import { gost as engine } from '#testing/gost.ts'
import { type Answer, type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { faultOfSignatures, gost } from '#testing/xmlSignatures.ts'
import { sfrOf } from './sfr.ts'

const hasGost = Boolean(engine.there)
let clinic: Clinic
let sfr: ElnSimulator
let doctor: Caller
let chairman: Caller
let chief: Caller
let idDoctor: number
let idChairman: number
let idCustomer: number

const today = dayIn('Europe/Moscow', Date.now())
const day = (later: number) => plusDays(today, later)

beforeAll(async () => {
  sfr = await startElnSimulator()
  clinic = await testApp({
    env: { ELN_URL: `${sfr.url}/eln`, SNILS_URL: `${sfr.url}/snils` },
    prepare: async (app) => {
      const own = ['viewElnList', 'editEln', 'viewCustomers', 'editCustomers'] as const
      idDoctor = (await addPerson(app, 'doctor', own, { post: 'Врач-терапевт' })).id
      idChairman = (await addPerson(app, 'chairman', [...own, 'viewAllEln', 'signElnChairman'])).id
      await addPerson(app, 'other', own)
      await addPerson(app, 'chief', ['mainSettings', 'editUsers', 'viewElnList', 'viewAllEln', 'manageSignatures'])
    },
  })
  doctor = clinic.as('doctor')
  chairman = clinic.as('chairman')
  chief = clinic.as('chief')
  for (const [id, snils] of [
    [idDoctor, '112-233-445 95'],
    [idChairman, '100-028-889 00'],
  ] as const)
    good(await chief.put(`/users/${id}`, { snils }))
  good(
    await chief.post('/organizations', { shortName: 'Клиника', kind: 'own', inn: '7707083893', ogrn: '1027700132195' }),
    201,
  )
  idCustomer = good(
    await doctor.post('/customers', {
      ...{
        surname: 'Больной',
        name: 'Иван',
        gender: 'male',
        birthday: '01.02.1980',
        snils: '102-889-999 00',
        work: 'ООО «Завод»',
      },
    }),
    201,
  ).id
  await set({ elnMode: 'test', signaturePlugin: 'simulator' })
})
afterAll(async () => {
  await clinic.close()
  await sfr.close()
})
beforeEach(() => {
  sfr.mood = 'works'
  sfr.demands = 'nothing'
})

const set = async (values: object) => good(await chief.put('/settings/common', values))
/** Ends the pause after a failure. */
async function later(lane = 'eln') {
  await clinic.db.query({ text: `update outbox set "dateDue" = now() where "dateDue" is not null` })
  await clinic.db.query({ text: 'delete from outbox_lanes' })
  await clinic.context.outbox.run(lane)
  await idle()
}
/** A run of the server itself may have claimed a message before. */
const idle = () =>
  vi.waitFor(
    async () => expect(await clinic.db.query({ text: `select 1 from outbox where "state" = 'claimed'` })).toEqual([]),
    { timeout: 15_000, interval: 20 },
  )
async function numbers(count = 20) {
  good(await doctor.post('/eln/number-requests', { count }), 201)
  await later('eln:numbers')
}
const draft = async (more: object = {}, periods: object[] = [{ dateFrom: day(0), dateTo: day(4) }]) => {
  const leave = good(
    await doctor.post('/eln', { idCustomer, idDoctor, reason: '01', diagnosis: 'J06.9', ...more }),
    201,
  )
  for (const one of periods) good(await doctor.post('/eln/periods', { idSickLeave: leave.id, idDoctor, ...one }), 201)
  return leave.id as number
}
const read = async (id: number) => good(await doctor.get(`/eln/${id}`))
const stateOf = async (id: number, by = doctor) => good(await by.get(`/eln/${id}/state`))
const keys = new Map<Caller, Promise<{ own: string; clinic: string }>>()
/** The simulator's certificates of a person and of the clinic, each registered at the clinic. */
async function keysOf(by: Caller, purpose: 'doctor' | 'commission') {
  const { items } = good(await by.get('/signatures/simulator/certificates')) as {
    items: { thumbprint: string; certificate: string }[]
  }
  const [own, clinic] = items
  // Without the ГОСТ engine the simulator only marks its signatures, and has no certificates.
  if (own) good(await by.post('/signatures/certificates/add', { certificate: own.certificate, purpose }), 201)
  if (clinic)
    good(
      await chief.post('/signatures/certificates/add', { certificate: clinic.certificate, purpose: 'organization' }),
      201,
    )
  return { own: own?.thumbprint ?? '', clinic: clinic?.thumbprint ?? '' }
}
/** @param bytes base64 @returns base64 */
async function signature(by: Caller, bytes: string, purpose = 'doctor') {
  if (!keys.has(by)) keys.set(by, keysOf(by, by === chairman ? 'commission' : 'doctor'))
  const { own, clinic } = (await keys.get(by)) as { own: string; clinic: string }
  const thumbprint = purpose === 'organization' ? clinic : own
  const { signature: made } = good(
    await by.post('/signatures/simulator/sign', { thumbprint, content: bytes, raw: true }),
  )
  return { signature: made as string, thumbprint }
}
async function sign(id: number, by: Caller = doctor) {
  const { parts } = await stateOf(id, by)
  const mine = parts.filter(
    (part: { isMine: boolean; state: string }) => part.isMine && (part.state === 'none' || part.state === 'stale'),
  )
  const signed = []
  for (const { key, bytes, purpose } of mine as { key: string; bytes: string; purpose: string }[])
    signed.push({ id, key, bytes, ...(await signature(by, bytes, purpose)) })
  const done = good(await by.post('/eln/sign', { parts: signed }))
  expect(done.refused).toEqual([])
  return done
}
async function sent(more: object = {}, periods?: object[]) {
  const id = await draft(more, periods)
  good(await doctor.post(`/eln/${id}/ready`, {}))
  await sign(id)
  good(await doctor.post(`/eln/${id}/send`, {}))
  await later()
  return id
}
const fields = ({ status, body }: Answer) => [
  status,
  ...(Array.isArray(body) ? body.map((one) => one.field) : [body.code]),
]

describe('numbers', () => {
  it('are received from the Social Fund and assigned to one sheet each', async () => {
    const id = await draft({ employer: 'Первый' })
    expect(fields(await doctor.post(`/eln/${id}/ready`, {}))).toEqual([409, 'numbers'])
    await numbers(30)
    expect(good(await doctor.get('/eln/numbers?filter[status]=free&count=1'))._meta.totalCount).toBe(30)
    const { lnCode, signsLeft } = good(await doctor.post(`/eln/${id}/ready`, {}))
    expect([sfr.numbers.includes(lnCode), signsLeft]).toEqual([true, 2])
    good(await doctor.post(`/eln/${id}/ready`, { ready: false }))
    expect((await read(id)).lnCode).toBeNull()
    expect(good(await doctor.get('/eln/numbers?filter[status]=free&count=1'))._meta.totalCount).toBe(30)
    good(await doctor.delete(`/eln/${id}`), 204)
  })

  it('wait for a person when the outcome of a request is unknown', async () => {
    sfr.mood = 'lost'
    const given = sfr.numbers.length
    const { id } = good(await doctor.post('/eln/number-requests', { count: 2 }), 201)
    await later('eln:numbers')
    sfr.mood = 'works'
    await later('eln:numbers')
    expect(sfr.numbers.length).toBe(given + 2)
    expect(good(await doctor.get(`/eln/number-requests/${id}`)).status).toBe('unknown')
    expect(fields(await doctor.post('/eln/number-requests', { count: 2 }))).toEqual([409, 'open'])
    const own = sfr.numbers.slice(-2)
    const settled = good(await doctor.post(`/eln/number-requests/${id}/settle`, { numbers: own }))
    expect([settled.status, settled.received]).toEqual(['done', 2])
    await numbers(1)
  })
})

describe('a sheet', () => {
  it('is validated as a whole before it is signed', async () => {
    const { id } = good(await doctor.post('/eln', { idCustomer, idDoctor, employer: '' }), 201)
    expect(fields(await doctor.post(`/eln/${id}/ready`, {}))).toEqual([422, 'employer', 'periods', 'reason'])
    good(await doctor.delete(`/eln/${id}`), 204)
  })

  it('is sent to the Social Fund signed, and is extended by the commission', async () => {
    const id = await sent({ employer: 'ООО «Завод»' }, [{ dateFrom: day(-14), dateTo: day(0) }])
    const first = await read(id)
    expect([first.localStatus, first.stateSfr, first.due, first.days]).toEqual(['accepted', '010', 'chairman', 15])
    expect(first.lnHash).toBe(sfr.sheets.get(first.lnCode)?.hash)
    expect(sfr.traffic.at(-1)?.sent).toContain('<ds:Reference URI="#ELN_')
    const [period] = good(await doctor.get(`/eln/periods?filter[idSickLeave]=${id}`)).items
    expect(period.isAccepted).toBe(true)
    expect((await doctor.put(`/eln/periods/${period.id}`, { dateTo: day(3) })).status).toBe(409)

    good(await doctor.post(`/eln/${id}/extend`, { dateTo: day(4) }))
    expect(fields(await doctor.post(`/eln/${id}/ready`, {}))).toEqual([422, 'periods[1].idChairman'])
    const added = good(await doctor.get(`/eln/periods?filter[idSickLeave]=${id}&sort=dateFrom`)).items[1]
    expect(added.dateFrom).toBe(day(1))
    good(await doctor.put(`/eln/periods/${added.id}`, { idChairman, protocolNumber: '17' }))
    expect(good(await doctor.post(`/eln/${id}/ready`, {})).signsLeft).toBe(3)
    expect((await sign(id)).signed).toBe(2)
    expect(fields(await doctor.post(`/eln/${id}/send`, {}))).toEqual([409, 'signatures'])
    expect(good(await chairman.get('/eln/parts')).parts).toHaveLength(1)
    expect((await sign(id, chairman)).signed).toBe(1)
    good(await doctor.post(`/eln/${id}/send`, {}))
    await later()
    const now = await read(id)
    expect([now.localStatus, now.stateSfr, now.hasChairman]).toEqual(['accepted', '020', true])

    const closed = (body: object) => doctor.post(`/eln/${id}/close`, body)
    expect(fields(await closed({ workFrom: day(6) }))).toEqual([422, 'workFrom'])
    good(await closed({ resultCode: '31' }))
    good(await doctor.post(`/eln/${id}/ready`, {}))
    await sign(id)
    good(await doctor.post(`/eln/${id}/send`, {}))
    await later()
    expect((await read(id)).stateSfr).toBe('030')
    const next = good(await doctor.post(`/eln/${id}/next`, {}), 201)
    expect([next.prevLnCode, next.daysBefore, next.isPrimary]).toEqual([now.lnCode, 19, false])
    expect((await doctor.post(`/eln/${id}/next`, {})).status).toBe(409)
    good(await doctor.post('/eln/periods', { idSickLeave: next.id, idDoctor, dateFrom: day(5), dateTo: day(6) }), 201)
    expect(fields(await doctor.post(`/eln/${next.id}/ready`, {}))).toEqual([422, 'periods[0].idChairman'])
    good(await doctor.delete(`/eln/${next.id}`), 204)
    good(await doctor.post(`/eln/${id}/cancel`, { reason: 'Выдан по ошибке' }))
    await later()
    expect([(await read(id)).stateSfr, sfr.sheets.get(now.lnCode)?.state]).toEqual(['090', '090'])
  })

  it('is signed by the persons of its parts, over the current bytes', async () => {
    const id = await draft({ employer: 'Подпись' }, [{ dateFrom: day(20), dateTo: day(22) }])
    good(await doctor.post(`/eln/${id}/ready`, {}))
    const { parts } = await stateOf(id)
    const [period] = parts
    const right = await signature(doctor, period.bytes)
    const attempt = (by: Caller, more: object) =>
      by.post('/eln/sign', { parts: [{ id, key: period.key, bytes: period.bytes, ...right, ...more }] })
    expect(good(await attempt(chairman, {})).refused[0].message).toMatch(/другой человек/)
    const ofOther = await signature(doctor, Buffer.from('другое').toString('base64'))
    expect(good(await attempt(doctor, ofOther)).refused[0].message).toMatch(/не от этих данных|не от этого файла/)
    if (hasGost) {
      const theirs = await signature(chairman, period.bytes)
      expect(good(await attempt(doctor, theirs)).refused[0].message).toMatch(/чужая подпись/)
    }
    expect(good(await attempt(doctor, {})).signed).toBe(1)
    good(
      await doctor.put(`/eln/periods/${good(await doctor.get(`/eln/periods?filter[idSickLeave]=${id}`)).items[0].id}`, {
        dateTo: day(23),
      }),
    )
    expect((await read(id)).localStatus).toBe('draft')
    good(await doctor.post(`/eln/${id}/ready`, {}))
    expect((await stateOf(id)).parts[0].state).toBe('stale')
    expect(good(await attempt(doctor, {})).refused[0].message).toMatch(/изменился/)
    await set({ elnMode: 'prod' })
    const { signatures } = await stateOf(id)
    expect([signatures.isSet, signatures.words]).toEqual([false, expect.stringMatching(/Подписи не настроены/)])
    expect(good(await attempt(doctor, { bytes: (await stateOf(id)).parts[0].bytes })).refused[0].message).toMatch(
      /тестовая подпись|не от эт/,
    )
    await set({ elnMode: 'test' })
    good(await doctor.post(`/eln/${id}/ready`, { ready: false }))
    good(await doctor.delete(`/eln/${id}`), 204)
  })
})

describe('the Social Fund', () => {
  it.each([
    ['overlap', /пересекается/],
    ['snils', /СНИЛС не найдено/],
    ['signature', /ЭП недействительна/],
  ] as const)('refuses by a body of HTTP 200: %s', async (mood, words) => {
    sfr.mood = mood
    const id = await sent({ employer: mood }, [{ dateFrom: day(40), dateTo: day(41) }])
    const refused = await read(id)
    expect([refused.localStatus, refused.stateSfr]).toEqual(['rejected', null])
    expect(refused.sfrWords).toMatch(words)
    // A refusal is final: nothing is retried.
    const before = sfr.traffic.length
    await later()
    expect(sfr.traffic.length).toBe(before)
    good(await doctor.put(`/eln/${id}`, { employer: `${mood} исправлен` }))
    expect((await read(id)).localStatus).toBe('draft')
    good(await doctor.post(`/eln/${id}/ready`, {}))
    good(await doctor.post(`/eln/${id}/ready`, { ready: false }))
    good(await doctor.delete(`/eln/${id}`), 204)
  })

  it.each(['lost', 'broken'] as const)('is retried after a failure, and gets a sheet once: %s', async (mood) => {
    sfr.mood = mood
    const id = await sent({ employer: `сбой ${mood}` }, [{ dateFrom: day(50), dateTo: day(51) }])
    expect((await read(id)).localStatus).toBe('sent')
    expect((await doctor.put(`/eln/${id}`, { employer: 'нельзя' })).status).toBe(409)
    sfr.mood = 'works'
    await later()
    const now = await read(id)
    expect(now.localStatus).toBe('accepted')
    expect(sfr.sheets.get(now.lnCode)?.hash).toBe(now.lnHash)
    good(await doctor.post(`/eln/${id}/cancel`, { reason: 'Проверка' }))
    await later()
  })

  it('detects a change by another party: a person resolves it', async () => {
    const id = await sent({ employer: 'ООО «Спор»' }, [{ dateFrom: day(60), dateTo: day(61) }])
    const { lnCode } = await read(id)
    good(await doctor.post(`/eln/${id}/extend`, { dateTo: day(63) }))
    good(await doctor.post(`/eln/${id}/ready`, {}))
    await sign(id)
    sfr.meddle(lnCode)
    good(await doctor.post(`/eln/${id}/send`, {}))
    await later()
    expect((await read(id)).localStatus).toBe('dispute')
    const { differences } = await stateOf(id)
    expect(differences.map(({ label }: { label: string }) => label)).toEqual(['Периоды', 'Место работы'])
    expect((await doctor.post(`/eln/${id}/extend`, { dateTo: day(65) })).status).toBe(409)
    good(await doctor.post(`/eln/${id}/settle`, { take: 'theirs' }))
    const taken = await read(id)
    expect([taken.localStatus, taken.employer, taken.dateTo]).toEqual(['accepted', 'АО «Другое место»', day(61)])
    // A change between the read and the write is detected by the hash.
    good(await doctor.put(`/eln/${id}`, { employer: 'ООО «Спор»' }))
    good(await doctor.post(`/eln/${id}/ready`, {}))
    await sign(id)
    sfr.mood = 'hash'
    good(await doctor.post(`/eln/${id}/send`, {}))
    await later()
    expect((await read(id)).localStatus).toBe('dispute')
    sfr.mood = 'works'
    good(await doctor.post(`/eln/${id}/settle`, { take: 'ours' }))
    good(await doctor.post(`/eln/${id}/ready`, {}))
    await sign(id)
    good(await doctor.post(`/eln/${id}/send`, {}))
    await later()
    expect((await read(id)).localStatus).toBe('accepted')
    expect(sfr.sheets.get(lnCode)?.row).toContain('ООО «Спор»')
    sfr.pay(lnCode)
    expect(good(await doctor.post(`/eln/${id}/refresh`)).stateSfr).toBe('080')
    expect((await doctor.put(`/eln/${id}`, { employer: 'поздно' })).status).toBe(409)
    const made = good(await doctor.post(`/eln/${id}/duplicate`, { reason: 'Ошибка в имени' }), 201)
    expect([made.isDuplicate, made.formerLnCode, made.dateTo]).toEqual([true, lnCode, day(61)])
    expect(good(await doctor.get(`/eln/by-snils?idCustomer=${idCustomer}`)).found.length).toBeGreaterThan(0)
    // Once the duplicate is accepted, the former sheet ends: two valid ones would cover the same days.
    good(await doctor.post(`/eln/${made.id}/ready`, {}))
    await sign(made.id)
    good(await doctor.post(`/eln/${made.id}/send`, {}))
    await later()
    await later()
    expect((await read(made.id)).localStatus).toBe('accepted')
    expect(await read(id)).toMatchObject({ stateSfr: '090', cancelReason: expect.stringContaining('дубликат') })
    // Where that could not be sent, it is due.
    await clinic.db.query({ text: `update eln set "stateSfr" = '030' where "id" = $1`, values: [id] })
    expect((await read(id)).due).toBe('former')
  })

  it('verifies the signature of each part over its canonical form', async () => {
    // What XML escapes, and what only its canonical form does.
    const employer = 'ООО "Рога & Копыта" <филиал> ’'
    const id = await sent({ employer }, [{ dateFrom: day(180), dateTo: day(182) }])
    const { localStatus, lnCode } = await read(id)
    expect(localStatus).toBe('accepted')
    const { sent: message } = sfr.traffic.findLast(({ sent: body }) => body.includes('<prParseFilelnlpuRequest')) ?? {
      sent: '',
    }
    expect(message.match(/<wsse:Security /g)).toHaveLength(2)
    expect(message).toContain(`<ds:Reference URI="#ELN_${lnCode}_row">`)
    if (hasGost) expect(message).toContain('urn:ietf:params:xml:ns:cpxmlsec:algorithms:gostr34102012-gostr34112012-256')
    expect(await faultOfSignatures(message)).toBeUndefined()
    expect(await faultOfSignatures(message.replace('Копыта', 'копыта'))).toMatch(/Хэш не сходится/)
    expect(await faultOfSignatures(message.replace(/<wsse:Security .*?<\/wsse:Security>/, ''))).toMatch(/Не подписано/)
    if (hasGost)
      expect(await faultOfSignatures(message.replace(/<ds:SignatureValue>..../, '<ds:SignatureValue>AAAA'))).toMatch(
        /Подпись неверна/,
      )
    sfr.mood = 'signature'
    const other = await sent({ employer: 'Изменён' }, [{ dateFrom: day(184), dateTo: day(185) }])
    expect(await read(other)).toMatchObject({
      localStatus: 'rejected',
      sfrWords: expect.stringContaining('ЭЦП неверна'),
    })
  })

  it.runIf(engine.there)('gets requests without a sheet signed, and messages encrypted', engine.options, async () => {
    // The test key of the clinic signs already; a key of its own, in one line as a field keeps it, replaces it.
    sfr.demands = 'signed'
    await numbers(2)
    const asked = sfr.traffic.at(-1)?.sent ?? ''
    expect(asked).toContain('<ds:Reference URI="#OGRN_1027700132195">')
    expect(await faultOfSignatures(asked)).toBeUndefined()
    expect(await faultOfSignatures(asked.replace('<cntLnNumbers>2', '<cntLnNumbers>900'))).toMatch(/Хэш не сходится/)
    const { key, certificate } = await gost.makeTestKey('Клиника', 30)
    expect(fields(await chief.put('/settings/common', { elnKey: certificate }))).toEqual([422, 'elnKey'])
    await set({ elnKey: `${key}${certificate}`.replaceAll('\n', ''), elnFundCertificate: await sfr.certificate() })
    sfr.demands = 'sealed'
    const id = await sent({ employer: 'ООО «Шифр»' }, [{ dateFrom: day(200), dateTo: day(202) }])
    const { localStatus, lnCode } = await read(id)
    expect([localStatus, sfr.sheets.get(lnCode)?.row]).toEqual(['accepted', expect.stringContaining('ООО «Шифр»')])
    const put = sfr.traffic.findLast(({ opened }) => opened?.includes('<prParseFilelnlpuRequest'))
    expect(put?.sent).not.toMatch(/Шифр|<row|wsse:Security/)
    expect(put?.answer).not.toContain('lnHash')
    const get = sfr.traffic.findLast(({ opened }) => opened?.includes('<getLNDataRequest'))
    expect(get?.opened).toContain(certificate.replace(/-----[^-]+-----|\s/g, ''))
    good(await doctor.post(`/eln/${id}/cancel`, { reason: 'Проверка' }))
    await later()
    expect(sfr.sheets.get(lnCode)?.state).toBe('090')

    // Another receiver, and another sender.
    const other = await gost.makeTestKey('Другой', 30)
    await set({ elnFundCertificate: other.certificate.replace(/-----[^-]+-----|\s/g, '') })
    await expect((await sfrOf(clinic.context)).newNumbers('1027700132195', 1)).resolves.toMatchObject({
      isGood: false,
      words: expect.stringMatching(/не для этого сертификата/),
    })
    await set({ elnFundCertificate: await sfr.certificate(), elnKey: `${other.key}${certificate}` })
    sfr.demands = 'nothing'
    await expect((await sfrOf(clinic.context)).newNumbers('1027700132195', 1)).rejects.toMatchObject({
      message: expect.stringMatching(/INVALID_SIGNATURE|не расшифрован/),
    })
    // A half-done configuration is reported, and messages wait.
    await set({ elnKey: '', signaturePlugin: 'cryptopro' })
    await expect(sfrOf(clinic.context)).rejects.toMatchObject({ status: 409 })
    await set({ elnFundCertificate: '', signaturePlugin: 'simulator' })
  })

  it('gets no sheet of a patient renamed after the signature', async () => {
    const id = await draft({ employer: 'Переименован' }, [{ dateFrom: day(90), dateTo: day(91) }])
    good(await doctor.post(`/eln/${id}/ready`, {}))
    await sign(id)
    good(await doctor.post(`/eln/${id}/send`, {}))
    good(await doctor.put(`/customers/${idCustomer}`, { name: 'Пётр' }))
    await later()
    const refused = await read(id)
    expect([refused.localStatus, refused.sfrWords]).toEqual([
      'rejected',
      expect.stringMatching(/изменились после подписи/),
    ])
    expect(sfr.sheets.has(refused.lnCode)).toBe(false)
    good(await doctor.put(`/customers/${idCustomer}`, { name: 'Иван' }))
  })

  it('gets no diagnosis that the clinic hides', async () => {
    await set({ elnHiddenDiagnoses: ['F00-F99'] })
    const id = await sent({ employer: 'Тайна', diagnosis: 'F32.1' }, [{ dateFrom: day(80), dateTo: day(81) }])
    const { lnCode, diagnosis } = await read(id)
    expect(diagnosis).toBe('F32.1')
    expect(sfr.sheets.get(lnCode)?.row).toContain('<diagnos>000</diagnos>')
    expect(sfr.sheets.get(lnCode)?.row).not.toContain('F32.1')
  })
})

it('shows a doctor own sheets, and all with the right', async () => {
  const other = clinic.as('other')
  expect(good(await other.get('/eln?count=1'))._meta.totalCount).toBe(0)
  const all = good(await chairman.get('/eln?count=1&limit=1'))
  expect(all._meta.totalCount).toBeGreaterThan(3)
  expect((await other.get(`/eln/${all.items[0].id}/state`)).status).toBe(404)
  expect((await chief.post('/eln', { idCustomer, idDoctor })).status).toBe(403)
  const found = good(await chairman.get('/eln/figures'))
  expect(found.freeNumbers).toBeGreaterThan(0)
  expect(found.exchange.isSet).toBe(true)
})

it('reports the missing settings while the exchange is off', async () => {
  await set({ elnMode: 'off' })
  const { status, body } = await doctor.post('/eln/number-requests', { count: 1 })
  expect([status, body.message]).toEqual([409, 'Обмен с СФР не подключён: включите его в настройках больничных'])
  await set({ elnMode: 'test' })
})

it('waits while the exchange is off, and goes out as soon as it is switched on', async () => {
  const id = await draft({ employer: 'Ждёт' }, [{ dateFrom: day(190), dateTo: day(191) }])
  good(await doctor.post(`/eln/${id}/ready`, {}))
  await sign(id)
  good(await doctor.post(`/eln/${id}/send`, {}))
  await set({ elnMode: 'off' })
  await later()
  await clinic.context.outbox.run('eln')
  expect((await read(id)).localStatus).toBe('sent')
  await set({ elnMode: 'test' })
  await clinic.context.outbox.run('eln')
  await idle()
  expect((await read(id)).localStatus).toBe('accepted')
})
