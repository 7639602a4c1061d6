import { type ExaminationForm, readyForm } from '@ordinator/model/areas/examinations/form'
import { beforeEach, expect, test, vi } from 'vitest'
import { type DraftRow, ExaminationDraft } from './draft.ts'

/** Stand-in for localStorage; `leave` drops unsaved changes. */
const browser = vi.hoisted(() => ({ kept: new Map<string, string>(), leave: () => {} }))
vi.stubGlobal('localStorage', {
  getItem: (name: string) => browser.kept.get(name) ?? null,
  setItem: (name: string, text: string) => browser.kept.set(name, text),
  removeItem: (name: string) => browser.kept.delete(name),
})
vi.mock('#base/session.ts', () => ({
  session: {
    actor: () => ({ id: 1 }),
    onLeave(run: () => void) {
      browser.leave = run
    },
  },
}))
vi.mock('#base/api.ts', () => ({ api: () => Promise.reject(new Error('no server here')) }))
vi.mock('#kit/notify.tsx', () => ({ notify: { error() {} } }))

const form: ExaminationForm = {
  sections: [
    {
      title: 'Опрос',
      fields: [
        { key: 'вес', label: 'Вес', type: 'number' },
        { key: 'рост', label: 'Рост', type: 'number' },
        { key: 'имт', label: 'ИМТ', type: 'calc', formula: 'вес / (рост / 100) ^ 2', digits: 1 },
      ],
    },
  ],
}
const row = (values: Record<string, unknown>, version = 1, status: DraftRow['status'] = 'draft'): DraftRow => ({
  id: 7,
  _version: version,
  status,
  date: '2026-11-23',
  values,
  diagnoses: [],
  prescriptions: [],
  recommendations: [],
})
const callbacks = { onSaved: () => {}, onStale: () => {} }
beforeEach(() => {
  browser.leave()
  browser.kept.clear()
})

test('a field is notified of its own part and of what follows from it, and of nothing else', () => {
  const draft = new ExaminationDraft(row({}), readyForm(form), callbacks, () => new Promise(() => {}))
  const changed: string[] = []
  for (const name of ['values.вес', 'values.рост', '=имт']) draft.subscribe(name, () => changed.push(name))
  draft.set('values.вес', 80)
  expect(changed).toEqual(['values.вес'])
  draft.set('values.рост', 200)
  expect(changed).toEqual(['values.вес', 'values.рост', '=имт'])
  expect(draft.calculated('имт')).toEqual({ value: 20 })
})

test('what is typed while a save is on its way goes after it, and is based on what was accepted', async () => {
  const sent: unknown[] = []
  const draft = new ExaminationDraft(row({}), readyForm(form), callbacks, async (_, body) => {
    sent.push(body)
    if (sent.length === 1) draft.set('values.вес', 81)
    return row({ вес: sent.length === 1 ? 80 : 81 }, sent.length + 1)
  })
  draft.set('values.вес', 80)
  void draft.flush()
  expect(await draft.flush()).toBe(true)
  expect(sent).toEqual([
    { changes: { 'values.вес': 80 }, base: { 'values.вес': null } },
    { changes: { 'values.вес': 81 }, base: { 'values.вес': 80 } },
  ])
})

test('what another has written into the same field is shown beside the own text until one is chosen', async () => {
  const send = vi.fn(async () => row({ вес: 70 }, 3))
  const draft = new ExaminationDraft(row({ вес: 60 }), readyForm(form), callbacks, send)
  draft.set('values.вес', 80)
  draft.follow(row({ вес: 70, рост: 190 }, 2))
  expect(draft.dispute('values.вес')).toEqual({ theirs: 70 })
  expect([draft.get('values.вес'), draft.get('values.рост')]).toEqual([80, 190])
  expect(await draft.flush()).toBe(false)
  expect(send).not.toHaveBeenCalled()
  draft.resolve('values.вес', 'theirs')
  expect([draft.get('values.вес'), draft.hasChanges()]).toEqual([70, false])
})

test('what could not be taken is kept, and shown when the examination is no draft any more', async () => {
  const draft = new ExaminationDraft(row({}), readyForm(form), callbacks, () => Promise.reject(new Error('нет связи')))
  draft.set('values.вес', 80)
  expect(await draft.flush()).toBe(false)
  draft.close()
  const done = new ExaminationDraft(row({}, 2, 'done'), readyForm(form), callbacks)
  expect(done.leftover()).toEqual({ 'values.вес': 80 })
  const again = new ExaminationDraft(row({}, 3), readyForm(form), callbacks, () => new Promise(() => {}))
  expect(again.get('values.вес')).toBe(80)
  done.dropLeftover()
  expect(done.leftover()).toEqual({})
})

test('the last keys before another has finished it are left over too, and existing text is not', () => {
  const typed = new ExaminationDraft(row({}), readyForm(form), callbacks, () => new Promise(() => {}))
  typed.set('values.вес', 80)
  typed.set('values.рост', 190)
  // The new page is created before the old one is destroyed.
  const done = new ExaminationDraft(row({ рост: 190 }, 2, 'done'), readyForm(form), callbacks)
  expect(done.leftover()).toEqual({ 'values.вес': 80 })
})

const asked: ExaminationForm = {
  sections: [
    {
      title: 'Опрос',
      fields: [
        { key: 'вес', label: 'Вес', type: 'number' },
        { key: 'кожа', label: 'Кожа', type: 'choice', options: ['Чистая', 'Сухая'] },
        { key: 'курит', label: 'Курит', type: 'choice', options: ['Нет', 'Да'] },
        { key: 'стаж', label: 'Стаж', type: 'number', showIf: { field: 'курит', is: 'equals', value: 'Да' } },
        { key: 'бросил', label: 'Бросил', type: 'date', showIf: { field: 'курит', is: 'equals', value: 'Нет' } },
        { key: 'имт', label: 'ИМТ', type: 'calc', formula: 'вес / 2' },
      ],
    },
  ],
}

test('of a former examination is taken what is empty here, fits this form and is shown with it', () => {
  const draft = new ExaminationDraft(row({ вес: 80 }), readyForm(asked), callbacks, () => new Promise(() => {}))
  const values = { вес: 70, кожа: 'Бледная', курит: 'Да', стаж: 5, бросил: '2020-01-01', имт: 1, прежнее: 'слово' }
  const former = { ...row(values), recommendations: ['Покой'] }
  expect(draft.offered(former)).toEqual({
    parts: { 'values.курит': 'Да', 'values.стаж': 5, recommendations: ['Покой'] },
    unfit: 2,
  })
})

test('an error of a hidden field blocks nothing', async () => {
  const draft = new ExaminationDraft(row({ курит: 'Нет' }), readyForm(asked), callbacks)
  draft.set('values.стаж', 'много')
  expect(await draft.flush()).toBe(true)
  expect([draft.hasChanges(), draft.get('values.стаж'), draft.status().status]).toEqual([false, null, 'still'])
})
