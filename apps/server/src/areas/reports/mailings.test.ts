/** Reports by mail and in the background: with the recipient's rights, once, and equal to the screen. */
import { commonSettings } from '@ordinator/model/areas/settings/commonSettings'
import type { Report } from '@ordinator/model/report'
import type { ReportFigures } from '@ordinator/model/reportCalls'
import { presetPeriod } from '@ordinator/model/reportPeriod'
import { reportAt } from '@ordinator/model/reports'
import { measureText } from '@ordinator/model/reportText'
import { figuresPath, filePath } from '@ordinator/model/reportWire'
import { dayIn } from '@ordinator/model/zone'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { killRuns } from '#testing/crashes.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { type MailSimulator, startMailSimulator } from '#testing/mailSimulator.ts'
import { outboxDue } from '#testing/outboxDue.ts'

let mail: MailSimulator
let clinic: Clinic
let admin: Caller
let doctor: Caller
const ids: Record<string, number> = {}

beforeAll(async () => {
  mail = await startMailSimulator()
  clinic = await testApp({
    demo: true,
    env: { SMTP_URL: mail.url, MAIL_FROM: 'Клиника <clinic@clinic.test>' },
    async prepare({ db }) {
      await db.query(sql`update users set "email" = "login" || '@clinic.test'`)
      await db.query(sql`delete from common_settings where "name" like 'mail%'`)
      for (const { id, login } of await db.query<{ id: number; login: string }>(sql`select "id", "login" from users`))
        ids[login] = id
    },
  })
  admin = clinic.as('admin')
  doctor = clinic.as('doctor')
})
afterAll(async () => {
  await clinic.close()
  await mail.close()
})
beforeEach(async () => {
  // Letters of the test before leave first, so that an answer of the mail server meets only those of this one.
  mail.answer = 'accept'
  await outboxDue(clinic.db)
  await clinic.context.jobs.drain()
  mail.letters.length = 0
})

const visits = reportAt('visits') as Report
const query = (asked: Record<string, unknown>) =>
  `?${new URLSearchParams(Object.entries(asked).map(([name, value]) => [name, String(value)]))}`
/** A letter counts days in the zone of the clinic, whatever the zones of its branches. */
const week = () => presetPeriod('week', dayIn(commonSettings.timeZone.byDefault, Date.now()))

async function mailing(body: object): Promise<{ id: number; nextAt: string }> {
  const usual = {
    name: 'Визиты недели',
    report: 'visits',
    period: 'week',
    asked: { by: 'doctor' },
    recipients: [ids.admin],
  }
  return good(await admin.post('/reports/mailings', { ...usual, ...body }), 201)
}
const sendingsOf = async (id: number): Promise<{ idUser: number; state: string; rows: number | null }[]> =>
  good(await admin.get(`/reports/sendings?filter[idMailing]=${id}&sort=id`)).items
async function send(id: number) {
  good(await admin.post(`/reports/mailings/${id}/send`, {}))
  await clinic.context.jobs.drain()
  return sendingsOf(id)
}

/** The parts of a mail, decoded, by type. */
function partsOf(letter: string): { type: string; text: string }[] {
  return letter.split(/\r?\n--/).flatMap((part) => {
    const [head = '', ...rest] = part.split(/\r?\n\r?\n/)
    const type = /Content-Type:\s*([\w/.-]+)/i.exec(head)?.[1]
    const how = /Content-Transfer-Encoding:\s*(\S+)/i.exec(head)?.[1]
    if (!type || type.startsWith('multipart')) return []
    const body = rest.join('\r\n\r\n')
    const bytes =
      how === 'base64'
        ? Buffer.from(body, 'base64')
        : Buffer.from(
            body
              .replace(/=\r?\n/g, '')
              .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
            how === 'quoted-printable' ? 'latin1' : 'utf8',
          )
    return [{ type, text: bytes.toString('utf8') }]
  })
}
const letterTo = (login: string) =>
  partsOf(mail.letters.find(({ to }) => to.includes(`${login}@clinic.test`))?.text ?? '')
const wordsOf = (login: string) => letterTo(login).find(({ type }) => type === 'text/plain')?.text ?? ''

describe('a report by mail', () => {
  it('shows each recipient their own view of the report, and nothing without the right', async () => {
    const { id } = await mailing({ recipients: [ids.admin, ids.doctor, ids.storekeeper] })
    const sent = await send(id)
    expect(sent.map(({ idUser, state }) => [idUser, state]).toSorted(([a], [b]) => Number(a) - Number(b))).toEqual([
      [ids.admin, 'sent'],
      [ids.doctor, 'sent'],
      [ids.storekeeper, 'refused'],
    ])
    expect(mail.letters.map(({ to }) => to[0]).sort()).toEqual(['admin@clinic.test', 'doctor@clinic.test'])
    const totals: number[] = []
    for (const login of ['admin', 'doctor']) {
      const { total }: ReportFigures = good(
        await (login === 'admin' ? admin : doctor).get(`${figuresPath(visits)}${query({ ...week(), by: 'doctor' })}`),
      )
      const words = wordsOf(login)
      expect(words).toContain('Период: ')
      for (const [name, { label, unit }] of Object.entries(visits.measures))
        expect(words, login).toContain(`${label}: ${measureText(unit, total.values[name])}`)
      expect(words).toContain('http://clinic.test/app/reports?tab=visits')
      totals.push(Number(total.values.booked))
    }
    expect(totals[1]).toBeLessThan(totals[0] as number)
  })

  it('has the same rows as the screen', async () => {
    const { id } = await mailing({ what: 'rows', format: 'csv', asked: {} })
    await send(id)
    const file = await admin.get(`${filePath(visits)}${query({ ...week(), what: 'rows', format: 'csv' })}`)
    const attached = letterTo('admin').find(({ type }) => type === 'text/csv')?.text
    expect(attached?.trim().length).toBeGreaterThan(1_000)
    expect(attached?.trim()).toBe(file.text.trim())
  })

  it('is sent at its time, once, and shows the next time', async () => {
    const { id, nextAt } = await mailing({ rhythm: 'day' })
    expect(Date.parse(nextAt)).toBeGreaterThan(Date.now())
    await clinic.db.query(sql`update reports_mailings set "nextAt" = now() - interval '1 minute' where "id" = ${id}`)
    await clinic.context.jobs.run('reports.mail')
    await clinic.context.jobs.run('reports.mail')
    await clinic.context.jobs.drain()
    expect((await sendingsOf(id)).map(({ state }) => state)).toEqual(['sent'])
    const { nextAt: next } = good(await admin.get(`/reports/mailings/${id}`))
    expect(Date.parse(next)).toBeGreaterThan(Date.now())
  })

  it('goes to the others, and of other mailings to all, when an employee leaves', async () => {
    const made = good(await admin.post('/users', { login: 'leaver', surname: 'Уходящий', name: 'Пётр' }), 201)
    const one = await mailing({ recipients: [made.id, ids.admin] })
    const alone = await mailing({ recipients: [made.id] })
    const other = await mailing({})
    good(await admin.delete(`/users/${made.id}?sure=1`), 204)
    const all = [one.id, alone.id, other.id]
    await clinic.db.query(sql`update reports_mailings set "nextAt" = now() where "id" = any (${all}::bigint[])`)
    await clinic.context.jobs.run('reports.mail')
    expect((await sendingsOf(one.id)).map(({ idUser }) => idUser)).toEqual([ids.admin])
    expect(await sendingsOf(alone.id)).toEqual([])
    expect(await sendingsOf(other.id)).toHaveLength(1)
    const missed = async (id: number) => good(await admin.get(`/reports/mailings/${id}`)).missed
    expect(await Promise.all(all.map(missed))).toEqual([
      'Больше не работает: Уходящий П.',
      'Никому: получатели больше не работают',
      null,
    ])
  })

  it('is not resent if the mail server stopped responding, and is if it accepted nothing', async () => {
    mail.answer = 'hang up'
    const lost = await mailing({ name: 'Молчание' })
    expect((await send(lost.id)).map(({ state }) => state)).toEqual(['unknown'])
    await clinic.context.jobs.drain()
    expect((await sendingsOf(lost.id)).map(({ state }) => state)).toEqual(['unknown'])
    mail.answer = 'refuse for now'
    await outboxDue(clinic.db)
    const later = await mailing({ name: 'Позже' })
    const [waiting] = await send(later.id)
    expect(waiting?.state).toBe('waiting')
    mail.answer = 'accept'
    for (let pass = 0; pass < 2; pass++) {
      await outboxDue(clinic.db)
      await clinic.context.outbox.run('mail.reports')
    }
    expect((await sendingsOf(later.id)).map(({ state }) => state)).toEqual(['sent'])
    expect(mail.letters).toHaveLength(1)
  })

  it('that waits for the mail server is not sent once its mailing is deleted, or the recipient taken off', async () => {
    mail.answer = 'refuse for now'
    await outboxDue(clinic.db)
    const [gone, left] = [await mailing({ name: 'Удалена' }), await mailing({ name: 'Без админа' })]
    for (const { id } of [gone, left]) expect((await send(id)).map(({ state }) => state)).toEqual(['waiting'])
    good(await admin.delete(`/reports/mailings/${gone.id}?sure=1`), 204)
    good(await admin.put(`/reports/mailings/${left.id}`, { recipients: [ids.doctor] }))
    mail.answer = 'accept'
    for (let pass = 0; pass < 2; pass++) {
      await outboxDue(clinic.db)
      await clinic.context.outbox.run('mail.reports')
    }
    const rows = await clinic.db.query(
      sql`select "state" from reports_sendings where "idMailing" in (${gone.id}, ${left.id})`,
    )
    expect(rows).toEqual([{ state: 'refused' }, { state: 'refused' }])
    expect(mail.letters).toEqual([])
  })

  it('is skipped without data if so configured', async () => {
    const asked = { by: 'doctor', is: 'doctor:999999' }
    const { id } = await mailing({ asked, ifEmpty: 'skip' })
    expect((await send(id)).map(({ state, rows }) => [state, rows])).toEqual([['empty', 0]])
    const silent = await mailing({ asked })
    await send(silent.id)
    expect(mail.letters).toHaveLength(1)
    expect(wordsOf('admin')).toContain('данных нет')
  })

  it('refuses an unknown filter by name, and a report without the right', async () => {
    const body = { name: 'Не то', report: 'visits', recipients: [ids.admin] }
    const wrong = await admin.post('/reports/mailings', { ...body, asked: { nothing: 1 } })
    expect([wrong.status, wrong.body[0].field]).toEqual([422, 'asked'])
    const without = await doctor.post('/reports/mailings', { ...body, report: 'payments' })
    expect([without.status, without.body[0].field]).toEqual([422, 'report'])
    expect((await clinic.as('storekeeper').get('/reports/mailings')).status).toBe(403)
    const { id } = await mailing({})
    expect((await doctor.get(`/reports/mailings/${id}`)).status).toBe(404)
  })
})

describe('a background count', () => {
  const years = () => ({ from: '2024-12-01', until: dayIn('Europe/Samara', Date.now()) })
  const begin = async (body: object): Promise<{ id: number; state: string }> =>
    good(await admin.post('/reports/runs', { report: 'visits', ...body }), 201)

  it('equals the screen, and provides the rows of the file', async () => {
    const asked = { ...years(), by: 'month' }
    const { id } = await begin({ asked })
    const { id: file } = await begin({ asked: years(), what: 'rows', format: 'csv' })
    await clinic.context.jobs.drain()
    const run = good(await admin.get(`/reports/runs/${file}`))
    expect(run).toMatchObject({ state: 'done', done: run.total })
    expect(run.total).toBeGreaterThan(20)
    const { counted: _, ...figures } = good(await admin.get(`/reports/runs/${id}/figures`))
    const { counted: __, ...screen } = good(await admin.get(`${figuresPath(visits)}${query(asked)}`))
    expect(figures).toEqual(screen)
    const whole = await admin.get(`${filePath(visits)}${query({ ...years(), what: 'rows', format: 'csv' })}`)
    const made = await admin.get(`/reports/runs/${file}/file`)
    expect(made.text.trim()).toBe(whole.text.trim())
    expect((await doctor.get(`/reports/runs/${file}/file`)).status).toBe(404)
  })

  it('ends with its file, at whichever step its server is killed', async () => {
    const day = dayIn('Europe/Samara', Date.now())
    const died = await killRuns(
      clinic,
      '^reports_runs$',
      async () => (await begin({ asked: { from: day, until: day }, what: 'rows', format: 'csv' })).id,
      async (id) => {
        expect(good(await admin.get(`/reports/runs/${id}`))).toMatchObject({ state: 'done', done: 1, total: 1 })
        expect((await admin.get(`/reports/runs/${id}/file`)).text.length).toBeGreaterThan(10)
      },
    )
    expect(died).toBeGreaterThan(5)
  })

  it('is stopped by its author, and leaves nothing', async () => {
    const { id } = await begin({ asked: years() })
    expect((await doctor.post(`/reports/runs/${id}/cancel`, {})).status).toBe(404)
    expect(good(await admin.post(`/reports/runs/${id}/cancel`, {})).state).toBe('cancelled')
    await clinic.context.jobs.drain()
    expect(good(await admin.get(`/reports/runs/${id}`)).state).toBe('cancelled')
    expect((await admin.get(`/reports/runs/${id}/figures`)).status).toBe(409)
    expect((await admin.post(`/reports/runs/${id}/cancel`, {})).status).toBe(409)
  })
})
