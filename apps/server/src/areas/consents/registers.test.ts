import { addWorkingDays, calendarOf } from '@ordinator/model/workingTime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Answer, type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'

let clinic: Clinic
let desk: Caller
let chief: Caller
let idCustomer: number

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      await addPerson(app, 'desk', ['viewCustomers', 'editCustomers'])
      await addPerson(app, 'chief', ['viewAccessLog', 'mainSettings'])
    },
  })
  desk = clinic.as('desk')
  chief = clinic.as('chief')
  idCustomer = good(await desk.post('/customers', { surname: 'Спрашивающий' }), 201).id
})
afterAll(() => clinic.close())

async function fieldOf(answer: Promise<Answer>): Promise<[string, string]> {
  const { status, body } = await answer
  expect(status).toBe(422)
  const [{ field, message }] = body as [{ field: string; message: string }]
  return [field, message]
}

describe('a request of a patient', () => {
  const body = (more: object = {}) => ({ idCustomer, kind: 'copy', text: 'Копию карты', ...more })
  const ask = async (more: object) => good(await desk.post('/consents/requests', body(more)), 201)

  it('is due within ten working days of the calendar, five more with a reason', async () => {
    // Friday; the 9th of January and the 31st of December are moved days off.
    expect((await ask({ dateReceived: '2025-12-26' })).dateDue).toBe('2026-01-21')
    const asked = await ask({ dateReceived: '2026-10-23' })
    expect([asked.dateDue, asked.status]).toEqual(['2026-11-09', 'overdue'])
    const put = (more: object) => desk.put(`/consents/requests/${asked.id}`, more)
    expect(await fieldOf(put({ extended: true }))).toEqual(['extensionReason', 'Напишите, почему нужен больший срок'])
    expect(good(await put({ extended: true, extensionReason: 'Архив в другом городе' })).dateDue).toBe('2026-11-16')
    expect(await fieldOf(put({ dateAnswered: '2026-11-16' }))).toEqual(['answer', 'Напишите, что ответили'])
    expect(good(await put({ dateAnswered: '2026-11-16', answer: 'Выдана копия' })).status).toBe('answered')
    expect(good(await put({ dateAnswered: '2026-11-17' })).status).toBe('late')
    expect((await desk.delete(`/consents/requests/${asked.id}`)).status).toBe(409)
    const found = good(await desk.get(`/consents/requests?filter[status]=late&filter[idCustomer]=${idCustomer}`)).items
    expect(found.map(({ id }: { id: number }) => id)).toEqual([asked.id])
  })

  it('follows the settings of a day', async () => {
    const day = good(await chief.post('/calendar-days', { day: '2024-03-14', kind: 'off', reason: 'Санитарный' }), 201)
    const known = calendarOf([day])
    expect((await ask({ dateReceived: '2024-03-11' })).dateDue).toBe(addWorkingDays('2024-03-11', 10, known))
    expect(addWorkingDays('2024-03-11', 10, known)).toBe('2024-03-26')
    expect((await desk.post('/calendar-days', { day: '2024-03-15' })).status).toBe(403)
  })

  it('cannot be dated in the future, nor answered before its receipt', async () => {
    const of = (more: object) => desk.post('/consents/requests', body(more))
    expect((await fieldOf(of({ dateReceived: '2999-01-01' })))[0]).toBe('dateReceived')
    const early = { dateReceived: '2026-10-23', dateAnswered: '2026-10-22', answer: 'Да' }
    expect(await fieldOf(of(early))).toEqual(['dateAnswered', 'Ответ раньше запроса'])
    expect((await chief.get('/consents/requests')).status).toBe(403)
  })
})

describe('an incident', () => {
  const HOUR = 3_600_000
  const ago = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString()
  const register = async (more: object) =>
    good(await chief.post('/consents/incidents', { kind: 'leak', text: 'Письмо ушло не тому', ...more }), 201)

  it('has two deadlines: a day to the notice, three to the findings', async () => {
    const dateDetected = ago(23)
    const one = await register({ dateDetected })
    expect(one.status).toBe('notice')
    expect(Date.parse(one.dueNotice) - Date.parse(dateDetected)).toBe(24 * HOUR)
    expect(Date.parse(one.dueInquiry) - Date.parse(dateDetected)).toBe(72 * HOUR)
    expect((await register({ dateDetected: ago(25) })).status).toBe('noticeLate')
    const notified = { dateDetected: ago(71), notifiedAt: ago(60) }
    expect((await register(notified)).status).toBe('inquiry')
    const late = await register({ ...notified, dateDetected: ago(73) })
    expect(late.status).toBe('inquiryLate')
    const put = (more: object) => chief.put(`/consents/incidents/${late.id}`, more)
    expect(await fieldOf(put({ inquiryAt: ago(1) }))).toEqual(['inquiry', 'Напишите, что выяснили'])
    expect(good(await put({ inquiryAt: ago(1), inquiry: 'Ошибка адреса' })).status).toBe('closed')
    const found = good(await chief.get('/consents/incidents?filter[status]=closed')).items
    expect(found.map(({ id }: { id: number }) => id)).toEqual([late.id])
  })

  it('is processed in order, with the right to data protection, and stays in the register', async () => {
    const of = (more: object) => chief.post('/consents/incidents', { kind: 'leak', text: 'Утечка', ...more })
    expect((await fieldOf(of({ dateDetected: ago(-1) })))[0]).toBe('dateDetected')
    expect((await fieldOf(of({ dateDetected: ago(1), notifiedAt: ago(2) })))[0]).toBe('notifiedAt')
    expect((await fieldOf(of({ dateDetected: ago(5), inquiryAt: ago(2) })))[0]).toBe('notifiedAt')
    expect((await desk.get('/consents/incidents')).status).toBe(403)
    const { id } = await register({ dateDetected: ago(1) })
    expect((await chief.delete(`/consents/incidents/${id}`)).status).toBeGreaterThanOrEqual(403)
  })
})
