import { describe, expect, it } from 'vitest'
import { phoneText } from '../../phone.ts'
import { Contact } from './contact.ts'
import { leadLogWords } from './leadLog.ts'
import { actionErrors, canCompleteDeal, lossErrors, mayGo, missingFields, requirableFields } from './rules.ts'

const facts = { 'contacts.phone': 0, 'contacts.email': 1, offers: 0 }

describe('a stage', () => {
  it('asks for what is empty: no text, no tags only, no price; a price of nothing is a price', () => {
    const lead = { price: 0, nextStep: '  ', description: '<p>&nbsp;</p>', utm: {}, idSource: null, idCompany: 5 }
    const required = ['price', 'nextStep', 'description', 'utm', 'idSource', 'idCompany', ...Object.keys(facts), 'gone']
    expect(missingFields(required, lead, facts).map(({ field }) => field)).toEqual([
      'nextStep',
      'description',
      'utm',
      'idSource',
      'contacts.phone',
      'offers',
    ])
    expect(missingFields(null, {}, facts)).toEqual([])
    expect(Object.keys(requirableFields)).not.toContain('idStage')
  })

  it('leads everywhere, or to the stages it names', () => {
    expect([mayGo(null, 3), mayGo([], 3), mayGo([2, 3], 3), mayGo([2], 3)]).toEqual([true, true, true, false])
  })

  it('of loss asks for the reason and the note', () => {
    expect(lossErrors(1, {})).toEqual([])
    expect(lossErrors(3, { idLossReason: 1, lossNote: ' ' }).map(({ field }) => field)).toEqual(['lossNote'])
  })

  it('has actions that name what they need', () => {
    expect(actionErrors({ type: 'remind', hours: 0 })).toEqual([])
    expect(actionErrors({ type: 'responsible' })[0]?.field).toBe('idUser')
  })
})

it.each([
  [true, true, [], true],
  [true, true, [1], true],
  [false, true, [], false],
  [false, true, [1], true],
  [true, false, [1, 2], false],
  [true, false, [2, 4], true],
  [true, false, [], true],
  [false, false, [2], true],
])('a funnel with switches %s, %s and offers %j: completed %s', (without, inWork, offers, can) => {
  const funnel = { canCompleteDealsWithoutOffers: without, canCompleteDealsInWorkOfferStatus: inWork }
  expect(canCompleteDeal(funnel, offers)).toBe(can)
})

it('the log has words for a move with other changes, for what is gone, and for the server’s own notes', () => {
  const nameOf = (field: string, id: number) => (field === 'idStage' && id === 1 ? 'Новая' : undefined)
  const words = (path: string, action: 'create' | 'update', changes: Record<string, [unknown, unknown]>) =>
    leadLogWords({ path, action, changes }, nameOf, 'Europe/Moscow').methodAlias
  const leads = 'sales-management/leads'
  expect(words(leads, 'update', { idStage: [1, 2], order: [1, 0], title: ['А', 'Б'], dateStage: [null, 'x'] })).toBe(
    'Перемещена: Новая → (удалено); Изменено название: А → Б',
  )
  expect(words(leads, 'update', { idStage: [null, 1] })).toBe('Перемещена: (не задано) → Новая')
  expect(words(leads, 'update', { dateReminded: [null, 'x'] })).toBe('Напомнили о следующем шаге')
  expect(words(Contact.path, 'create', { phone: [null, '+79000000000'] })).toBe('Добавлен контакт: +79000000000')
  expect(words(Contact.path, 'update', { phone: [null, '+79000000000'], gender: ['none', 'female'] })).toBe(
    'Изменён контакт (Телефон: (не задано) → +7 900 000-00-00; Пол: Не указан → Женский)'.replace(
      '+7 900 000-00-00',
      phoneText('+79000000000'),
    ),
  )
  const note = { message: [null, '<p>Автоматически: A &amp;&#60;B&#62;</p>'], isSystem: [null, true] } as const
  expect(words('sales-management/lead-comments', 'create', note as never)).toBe('Автоматически: A &<B>')
})
