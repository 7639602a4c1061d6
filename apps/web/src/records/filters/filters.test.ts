import { Lead, LeadTag } from '@ordinator/model/areas/sales/lead'
import { Task } from '@ordinator/model/areas/tasks/task'
import { expect, test, vi } from 'vitest'
import { choice, one } from './choice.tsx'
import { filters, filterValuesOf, inContext, isOn, type Placed, patchOf, removalPatchOf } from './filters.ts'
import { flag } from './flag.tsx'
import { period } from './period.tsx'
import { range } from './range.tsx'
import { among, ref, refs } from './ref.tsx'
import { search } from './search.ts'
import { words } from './words.tsx'

// The session, imported by the inputs, listens to other tabs from the start.
vi.hoisted(() => vi.stubGlobal('window', new EventTarget()))

interface Asker {
  idUser: number
}
interface Known {
  members: readonly { id: number; label: string }[]
}

const hotkey = { label: 'Поиск', group: 'Список' }
const deals = filters(Lead, {
  q: search(['title', 'contacts.fio'], { phones: ['contacts.phone'], label: 'Поиск', placeholder: '', hotkey }),
  source: ref('idSource'),
  responsible: refs('responsible.idUser', { label: 'Ответственный' }),
  member: among('responsible.idUser', {
    label: 'Участник',
    known: ({ members }: Known) => members,
    gone: 'бывший участник',
  }),
  type: choice('typeStage', {
    label: 'Тип этапа',
    options: { work: 'В работе', done: 'Успех' },
    values: { work: 1, done: 2 },
  }),
  tags: words('tags.name', { label: 'Метки', of: LeadTag }),
  created: period('dateCreate', { label: 'Созданы' }),
  expected: period('dateExpected', { label: 'Ожидаются', names: { From: 'from', To: 'to' } }),
  state: one({
    label: 'Состояние',
    options: { open: 'Открытые', all: 'Все' },
    usual: 'open',
    is: (word) => (word === 'open' ? { isArchive: false } : undefined),
  }),
  mine: flag('Только мои', ({ idUser }: Asker) => ({ 'responsible.idUser': idUser }), { toggle: true }),
})
const tasks = filters(Task, { importance: range('importance', { min: 1, max: 10 }) })
const me = { idUser: 7 }
const screen: Known = { members: [{ id: 3, label: 'Анна' }] }
const open = { isArchive: false }

/** The chips above the list, with the patch that removes each. */
const chips = (all: readonly Placed[], values: object) =>
  all
    .map((placed) => ({ placed, value: filterValuesOf(placed, values) }))
    .filter(({ placed, value }) => isOn(placed, value))
    .map(({ placed, value }) => ({
      text: placed.kind.text(value, { ...inContext(placed, screen), named: [{ id: 5, name: 'Сайт' }] }),
      off: Object.keys(removalPatchOf(placed)),
    }))

const rows = [
  {
    kind: 'search',
    address: { q: 'Анна' },
    query: { or: [{ title: { ilike: 'Анна' } }, { 'contacts.fio': { ilike: 'Анна' } }] },
    chip: { text: 'Поиск: «Анна»', off: ['q'] },
  },
  {
    kind: 'search by digits',
    address: { q: '912' },
    query: { or: ['title', 'contacts.fio', 'contacts.phone'].map((field) => ({ [field]: { ilike: '912' } })) },
    chip: { text: 'Поиск: «912»', off: ['q'] },
  },
  { kind: 'ref', address: { source: 5 }, query: { idSource: 5 }, chip: { text: 'Источник: Сайт', off: ['source'] } },
  {
    kind: 'refs',
    address: { responsible: [5, 6] },
    query: { 'responsible.idUser': { in: [5, 6] } },
    chip: { text: 'Ответственный: Сайт, …', off: ['responsible'] },
  },
  {
    kind: 'among',
    address: { member: [3, 4] },
    query: { 'responsible.idUser': { in: [3, 4] } },
    chip: { text: 'Участник: Анна, бывший участник', off: ['member'] },
  },
  {
    kind: 'choice',
    address: { type: ['work', 'done'] },
    query: { typeStage: { in: [1, 2] } },
    chip: { text: 'Тип этапа: В работе, Успех', off: ['type'] },
  },
  {
    kind: 'words',
    address: { tags: ['VIP'] },
    query: { 'tags.name': { in: ['VIP'] } },
    chip: { text: 'Метки: VIP', off: ['tags'] },
  },
  {
    kind: 'period of moments',
    address: { createdTo: '2026-03-31' },
    query: { dateCreate: { lt: new Date(2026, 3, 1).toISOString() } },
    chip: { text: 'Созданы по 31.03.2026', off: ['createdFrom', 'createdTo'] },
  },
  {
    kind: 'period of days, under names of its own',
    address: { from: '2026-03-01' },
    query: { dateExpected: { gte: '2026-03-01' } },
    chip: { text: 'Ожидаются с 01.03.2026', off: ['from', 'to'] },
  },
  {
    kind: 'flag',
    address: { mine: true },
    query: { 'responsible.idUser': 7 },
    chip: { text: 'Только мои', off: ['mine'] },
  },
] as const

test.each(rows)('$kind: address, query, chip and count', ({ address, query, chip }) => {
  const read = deals.read({ ...address })
  expect(deals.read(JSON.parse(JSON.stringify(read)))).toEqual(read)
  expect(read).toMatchObject(address)
  expect(deals.conditions(read, me).filter((part) => JSON.stringify(part) !== JSON.stringify(open))).toEqual([query])
  expect(chips(deals.all, read)).toEqual([chip])
  expect(deals.count(read)).toBe(1)
  expect(deals.count({ ...read, ...deals.none })).toBe(0)
})

test('both ends of a period and of a range count as one and go together', () => {
  const both = deals.read({ createdFrom: '2026-03-01', createdTo: '2026-03-31' })
  expect(deals.count(both)).toBe(1)
  expect(chips(deals.all, both)).toEqual([
    { text: 'Созданы с 01.03.2026 по 31.03.2026', off: ['createdFrom', 'createdTo'] },
  ])
  const scale = tasks.read({ importance: '3', importanceTo: 8 })
  expect(scale).toEqual({ importance: 3, importanceTo: 8 })
  expect(tasks.filter(scale)).toEqual({ and: [{ importance: { gte: 3 } }, { importance: { lte: 8 } }] })
  expect(chips(tasks.all, scale)).toEqual([{ text: 'Важность от 3 до 8', off: ['importance', 'importanceTo'] }])
})

test('the usual choice is asked for and is no filter; another one counts', () => {
  expect(deals.conditions({}, me)).toEqual([open])
  expect(deals.count({ state: 'open' })).toBe(0)
  expect(deals.conditions({ state: 'all' }, me)).toEqual([])
  expect(deals.count({ state: 'all' })).toBe(1)
})

test('what does not fit is read as if it were not there', () => {
  const wrong = {
    q: '',
    source: 'x',
    responsible: ['0', -1, 1.5],
    type: 'toString',
    createdFrom: '2026-02-30',
    state: 'closed',
    mine: 'no',
    other: 1,
  }
  expect(Object.values(deals.read(wrong)).every((value) => value === undefined)).toBe(true)
  expect(Object.keys(deals.read(wrong)).sort()).toEqual(Object.keys(deals.none).sort())
  expect(tasks.read({ importance: 1, importanceTo: 10 })).toEqual({ importance: undefined, importanceTo: undefined })
})

test('several patches stay apart, and a toggle is a value of its filter', () => {
  const created = deals.all.find(({ name }) => name === 'created') as Placed
  expect(patchOf(created, { From: '2026-01-01' })).toEqual({ createdFrom: '2026-01-01' })
  expect(deals.all.flatMap(({ kind }) => kind.toggle ?? [])).toEqual([{ label: 'Только мои', value: { '': true } }])
})

test('labels come from the field, and a missing field is reported at once', () => {
  expect(deals.all.find(({ name }) => name === 'source')?.label).toBe('Источник')
  expect(() => filters(Lead, { x: ref('idNothing') })).toThrow('No field idNothing in sales-management/leads')
})
