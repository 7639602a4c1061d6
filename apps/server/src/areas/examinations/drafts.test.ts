import { extractText, getDocumentProxy } from 'unpdf'
import { describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import type { Caller } from '#testing/harness.ts'
import { digestOf } from './signing.ts'
import {
  begin,
  boss,
  clinic,
  doctor,
  idCustomer,
  idTemplate,
  messageOf,
  nurse,
  openExaminationClinic,
  other,
  patient,
  reader,
  save,
  stranger,
  template,
} from './testing/examinationClinic.ts'

openExaminationClinic()

const done = async (by = doctor) => {
  const { id } = await begin(by)
  const { _version } = good(await save(by, id, { 'values.жалобы': 'Кашель', 'values.вес': 80 }))
  return good(await by.post(`/examinations/${id}/finish`, { _version }))
}
const signed = async (by = doctor) => {
  const { id, _version } = await done(by)
  return good(await by.post(`/examinations/${id}/sign`, { _version }))
}

describe('a draft', () => {
  it("begins with the template's values, and is saved in parts", async () => {
    const exam = await begin()
    expect(exam).toMatchObject({ status: 'draft', values: { рост: 170 }, number: 1, filled: 25 })
    const flu = { code: 'J11.1', name: 'Грипп', kind: 'main', type: 'preliminary' }
    const kept = good(
      await save(doctor, exam.id, {
        'values.вес': 80,
        'values.вывод': '<p onclick="x()">Здоров<script>alert(1)</script></p>',
        diagnoses: [flu],
        recommendations: ['Покой'],
      }),
    )
    expect(kept).toMatchObject({
      values: { рост: 170, вес: 80, вывод: '<p>Здоров</p>' },
      code: 'J11.1',
      diagnosis: 'J11.1 Грипп',
      filled: 75,
    })
    expect(good(await save(doctor, exam.id, { 'values.вес': null }, { 'values.вес': 80 })).values).not.toHaveProperty(
      'вес',
    )
    const history = good(await doctor.get(`/examinations/${exam.id}/history`)).items
    expect(history[0].changes.values).toEqual([null, null])
  })

  it('accepts parts from two people, and reports only conflicting ones', async () => {
    const { id } = await begin()
    good(await save(nurse, id, { 'values.вес': 80 }))
    const both = good(await save(doctor, id, { 'values.жалобы': 'Кашель' }))
    expect(both.values).toMatchObject({ вес: 80, жалобы: 'Кашель' })
    const answer = await save(
      doctor,
      id,
      { 'values.вес': 81, 'values.рост': 175 },
      { 'values.вес': null, 'values.рост': 170 },
    )
    expect(answer.status).toBe(409)
    expect(answer.body.code).toBe('dispute')
    expect(messageOf(answer)).toBe('Это изменил другой сотрудник: «Вес». Выберите, что оставить')
    // All or nothing; having seen the other's value, the user may overwrite it.
    expect(good(await doctor.get(`/examinations/${id}`)).values.рост).toBe(170)
    expect(good(await save(doctor, id, { 'values.вес': 81 }, { 'values.вес': 80 })).values.вес).toBe(81)
    // The same value twice is no conflict.
    expect((await save(nurse, id, { 'values.вес': 81 }, { 'values.вес': 80 })).status).toBe(200)
  })

  it('refuses an unknown part, at the part', async () => {
    const { id } = await begin()
    for (const [part, value] of [
      ['values.имт', 25],
      ['values.вес', 'много'],
      ['values.талия', 1],
      ['status', 'signed'],
      ['date', '2026-02-30'],
      ['diagnoses', [{ code: 'x' }]],
      ['values.__proto__', 'x'],
    ] as const) {
      const answer = await save(doctor, id, { [part]: value })
      expect([part, answer.status, answer.body[0]?.field]).toEqual([part, 422, part])
    }
    const long = await save(doctor, id, Object.fromEntries([['values.вывод', `<p>${'я'.repeat(25_000)}</p>`]]))
    expect(long.status).toBe(422)
    expect((await doctor.put(`/examinations/${id}`, { values: {} })).status).toBe(403)
  })

  it('is begun only for a visit of the same patient', async () => {
    const answer = await doctor.post('/examinations', { idCustomer, idTemplate, idAppointment: 999_999 })
    expect(answer.status).toBe(422)
  })

  it('is visible to its doctor or with a right; a finished one with the right to examinations', async () => {
    const { id } = await begin()
    const paths = [`/examinations/${id}`, `/examinations/${id}/print`, `/examinations/${id}/history`]
    for (const path of paths) {
      expect((await other.get(path)).status).toBe(404)
      expect((await reader.get(path)).status).toBe(404)
      expect((await stranger.get(path)).status).toBe(403)
      expect((await nurse.get(path)).status).toBe(200)
    }
    expect(good(await other.get(`/examinations?filter[id]=${id}&count=1`))).toMatchObject({
      items: [],
      _meta: { totalCount: 0 },
    })
    expect((await save(other, id, { 'values.вес': 1 })).status).toBe(404)
    expect((await other.delete(`/examinations/${id}`)).status).toBe(404)
    const { id: over } = await done()
    expect((await reader.get(`/examinations/${over}`)).status).toBe(200)
    expect(
      (await stranger.get(`/customers/${idCustomer}/thread`)).body.items.some(
        ({ kind }: { kind: string }) => kind === 'examinations',
      ),
    ).toBe(false)
    const lines = good(await reader.get(`/customers/${idCustomer}/thread?kinds=examinations`)).items
    expect(lines.some((line: { id: number }) => line.id === over)).toBe(true)
    expect(lines.some((line: { id: number }) => line.id === id)).toBe(false)
  })

  it('of a restricted card is hidden until opened with a reason', async () => {
    const vip = await patient({ secretLevel: 'vip' })
    good(await doctor.post(`/customers/${vip}/open`, { reason: 'Приём' }), 204)
    const { id } = await begin(doctor, { idCustomer: vip })
    const { _version } = good(await save(doctor, id, { 'values.жалобы': 'Нет' }))
    good(await doctor.post(`/examinations/${id}/finish`, { _version }))
    expect((await reader.get(`/examinations/${id}`)).status).toBe(404)
    good(await reader.post(`/customers/${vip}/open`, { reason: 'Консилиум' }), 204)
    expect((await reader.get(`/examinations/${id}`)).status).toBe(200)
  })
})

describe('finishing and signing', () => {
  it('requires mandatory fields, and computes formulas on paper', async () => {
    const { id, _version } = await begin()
    const answer = await doctor.post(`/examinations/${id}/finish`, { _version })
    expect([answer.status, answer.body]).toEqual([422, [{ field: 'values.жалобы', message: 'Заполните: Жалобы' }]])
    const over = await done()
    expect(over.status).toBe('done')
    const paper = await reader.get(`/examinations/${over.id}/print`)
    expect(paper.headers['content-type']).toBe('application/pdf')
    expect(paper.text.startsWith('%PDF')).toBe(true)
    const lines = await clinic.db.query<{ action: string }>({
      text: `select "action" from access_log where "entityType" = 'examinations' and "idEntity" = $1 and "idCustomer" = $2`,
      values: [over.id, idCustomer],
    })
    expect(lines.map(({ action }) => action)).toContain('print')
  })

  it("prints the patient's name only with the right to customers", async () => {
    const named = await patient({ surname: 'Безымянский', cardNumber: 'К-77', birthday: '04.05.1980' })
    const { id } = await begin(doctor, { idCustomer: named })
    const { _version } = good(await save(doctor, id, { 'values.жалобы': 'Кашель' }))
    good(await doctor.post(`/examinations/${id}/finish`, { _version }))
    const paper = async (by: Caller) => {
      const { status, bytes } = await by.get(`/examinations/${id}/print`)
      expect(status).toBe(200)
      return (await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true })).text
    }
    const whole = await paper(reader)
    for (const word of ['Безымянский', 'К-77', '04.05.1980', 'Кашель']) expect(whole).toContain(word)
    const nameless = await paper(boss)
    expect(nameless).toContain('Кашель')
    for (const word of ['Безымянский', 'К-77', '04.05.1980']) expect(nameless).not.toContain(word)
  })

  it('signs exactly the displayed content', async () => {
    const id = await template([
      { key: 'курит', label: 'Курит', type: 'choice', options: ['Нет', 'Да'] },
      { key: 'стаж', label: 'Стаж', type: 'number', showIf: { field: 'курит', is: 'equals', value: 'Да' } },
    ])
    const exam = await begin(doctor, { idTemplate: id })
    const { _version } = good(await save(doctor, exam.id, { 'values.курит': 'Нет', 'values.стаж': 20 }))
    expect(good(await doctor.post(`/examinations/${exam.id}/finish`, { _version })).values).toEqual({ курит: 'Нет' })
  })

  it('by the doctor only, for the displayed version, and once', async () => {
    const { id, _version } = await done()
    expect((await nurse.post(`/examinations/${id}/sign`, { _version })).status).toBe(403)
    expect((await reader.post(`/examinations/${id}/sign`, { _version })).status).toBe(403)
    // It is reopened and edited while the doctor reads.
    const again = good(await nurse.post(`/examinations/${id}/reopen`, { _version }))
    const early = await doctor.post(`/examinations/${id}/sign`, { _version })
    expect([early.status, messageOf(early)]).toEqual([409, 'Осмотр ещё правят: завершите его и подпишите'])
    expect((await doctor.post(`/examinations/${id}/finish`, { _version })).status).toBe(409)
    good(await save(nurse, id, { 'values.вес': 77 }, { 'values.вес': 80 }))
    const { _version: now } = good(await doctor.get(`/examinations/${id}`))
    expect(now).toBe(again._version + 1)
    const over = good(await doctor.post(`/examinations/${id}/finish`, { _version: now }))
    const stale = await doctor.post(`/examinations/${id}/sign`, { _version })
    expect([stale.status, stale.body.code]).toEqual([409, 'stale'])
    const kept = good(await doctor.post(`/examinations/${id}/sign`, { _version: over._version }))
    expect(kept).toMatchObject({ status: 'signed', digest: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect((await doctor.post(`/examinations/${id}/sign`, { _version: kept._version })).status).toBe(409)
  })

  it('of two concurrent signatures one succeeds', async () => {
    const { id, _version } = await done()
    const answers = await Promise.all([1, 2, 3].map(() => doctor.post(`/examinations/${id}/sign`, { _version })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  })

  it('makes it immutable: neither any call nor SQL changes a signed one', async () => {
    const { id, _version } = await signed()
    const late = await save(doctor, id, { 'values.вес': 1 })
    expect([late.status, messageOf(late)]).toEqual([
      409,
      'Осмотр уже подписан: ваша правка не записана и осталась у вас на экране',
    ])
    expect((await doctor.post(`/examinations/${id}/reopen`, { _version })).status).toBe(409)
    expect((await doctor.delete(`/examinations/${id}`)).status).toBeGreaterThanOrEqual(403)
    for (const set of [`"values" = '{}'`, `"status" = 'draft'`, `"deleted" = true`, `"date" = '2020-01-01'`])
      await expect(
        clinic.db.query({ text: `update examinations set ${set} where "id" = $1`, values: [id] }),
      ).rejects.toThrow('fixed')
  })

  it('is corrected by a version with a reason, which replaces it once signed', async () => {
    const first = await signed()
    expect((await doctor.post(`/examinations/${first.id}/correct`, { reason: ' ' })).status).toBe(422)
    expect((await other.post(`/examinations/${first.id}/correct`, { reason: 'Ошибка' })).status).toBe(403)
    const next = good(await doctor.post(`/examinations/${first.id}/correct`, { reason: 'Ошибка в весе' }), 201)
    expect(next).toMatchObject({
      status: 'draft',
      number: 2,
      idCorrected: first.id,
      correction: 'Ошибка в весе',
      values: first.values,
    })
    expect((await doctor.post(`/examinations/${first.id}/correct`, { reason: 'Ещё раз' })).body.code).toBe(
      `version:${next.id}`,
    )
    expect(good(await doctor.get(`/examinations/${first.id}`)).status).toBe('signed')
    let { _version } = good(await save(doctor, next.id, { 'values.вес': 90 }, { 'values.вес': 80 }))
    ;({ _version } = good(await doctor.post(`/examinations/${next.id}/finish`, { _version })))
    const last = good(await doctor.post(`/examinations/${next.id}/sign`, { _version }))
    const former = good(await doctor.get(`/examinations/${first.id}`))
    expect(former).toMatchObject({ status: 'corrected', digest: first.digest, values: { вес: 80 } })
    expect(last.digest).not.toBe(first.digest)
    expect((await doctor.post(`/examinations/${first.id}/correct`, { reason: 'Снова' })).status).toBe(409)
  })
})

describe('files', () => {
  it('of a draft are visible with the draft, and stay with a signed one', async () => {
    const exam = await begin()
    const form = new FormData()
    form.append('file', new Blob([Buffer.from('%PDF-1.4\n%EOF\n')], { type: 'application/pdf' }), 'снимок.pdf')
    const file = good(await doctor.post('/examinations/uploads', form), 201)
    const { id } = good(await doctor.post('/examinations/files', { idExamination: exam.id, idFile: file.id }), 201)
    expect((await other.get(`/examinations/uploads/${file.id}`)).status).toBe(404)
    expect((await other.get(`/files/${file.id}`)).status).toBe(404)
    expect((await nurse.get(`/files/${file.id}`)).status).toBe(200)
    let { _version } = good(await save(doctor, exam.id, { 'values.жалобы': 'Нет' }))
    ;({ _version } = good(await doctor.post(`/examinations/${exam.id}/finish`, { _version })))
    expect((await doctor.delete(`/examinations/files/${id}`)).status).toBe(403)
    const over = good(await doctor.post(`/examinations/${exam.id}/sign`, { _version }))
    expect(over.digest).toBe(digestOf(over, [file.id]))
    expect(over.digest).not.toBe(digestOf(over))
    expect(digestOf(over, [2, 1])).toBe(digestOf(over, [1, 2]))
    expect((await reader.get(`/files/${file.id}`)).status).toBe(200)
    const next = good(await doctor.post(`/examinations/${exam.id}/correct`, { reason: 'Дополнить' }), 201)
    expect(good(await doctor.get(`/examinations/files?filter[idExamination]=${next.id}`)).items).toHaveLength(1)
  })
})
