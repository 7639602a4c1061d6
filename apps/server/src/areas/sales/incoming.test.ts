/** Parsing of fields sent from outside. */
import { describe, expect, it } from 'vitest'
import { incoming, isProbe } from './incoming.ts'

describe('fields of a sender', () => {
  it.each([
    ['8 (999) 123-45-67', '+79991234567'],
    ['+7 999 123 45 67', '+79991234567'],
    ['9991234567', '+79991234567'],
    ['тел. 8‑999‑123‑45‑67', '+79991234567'],
    ['tel:+79991234567', '+79991234567'],
    ['８９９９１２３４５６７', '+79991234567'],
    ['123', null],
    ['позвоните вечером', null],
  ])('the phone %s is %s, and never lost', (phone, wanted) => {
    const told = incoming({ phone })
    expect(told.phone).toBe(wanted)
    expect(told.message).toBe(wanted ? null : `Телефон: ${phone}`)
  })

  it.each([
    [{ Имя: 'Анна', 'Ваш телефон': '89991234567', Комментарий: 'Жду' }],
    [{ 'Ваше имя *': 'Анна', 'Контактный телефон': '89991234567', Сообщение: 'Жду' }],
    [{ 'your-name': 'Анна', phone_number: '89991234567', text: 'Жду' }],
    [{ contacts: { name: 'Анна', phone: '89991234567' }, message: 'Жду' }],
  ])('are matched by their usual names: %j', (fields) => {
    expect(incoming(fields)).toMatchObject({ name: 'Анна', phone: '+79991234567', message: 'Жду' })
  })

  it('are ignored when a site builder only tests the address', () => {
    expect(isProbe({ test: 'test' })).toBe(true)
    expect(isProbe({ test: 'test', phone: '89991234567' })).toBe(false)
    expect(isProbe({ test: 'test', 'Ваш телефон': '1' })).toBe(false)
    expect(isProbe({})).toBe(false)
  })

  it('are kept: an invalid e-mail, unknown fields, a name too long, non-text values', () => {
    const long = 'я'.repeat(300)
    const told = incoming({
      Name: long,
      EMAIL: 'нет',
      Comment: 'Жду',
      услуга: 'УЗИ',
      n: 5,
      list: [1],
      nul: 'а\0б',
      empty: '',
    })
    expect(told.name).toBe('я'.repeat(255))
    expect(told.message).toBe(`Жду\nПочта: нет\nИмя: ${long}\nуслуга: УЗИ\nn: 5\nlist: [1]\nnul: аб`)
  })

  it('have marks separately, as one object, or in the address of the page', () => {
    expect(incoming({ utm_source: 'a', UTM_Medium: 'b' }).utm).toEqual({ utm_source: 'a', utm_medium: 'b' })
    expect(incoming({ utm: { source: 'a', utm_term: 't', __proto__: 1 } }).utm).toEqual({
      utm_source: 'a',
      utm_term: 't',
    })
    const page = 'https://clinic.example/?utm_source=2gis&x=1'
    expect(incoming({ page })).toMatchObject({ utm: { utm_source: '2gis' }, brand: '2gis' })
    expect(incoming({ page, utm_source: 'yandex' })).toMatchObject({ utm: { utm_source: 'yandex' }, brand: 'yandex' })
  })
})
