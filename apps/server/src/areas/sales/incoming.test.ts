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
    const lead = incoming({ phone })
    expect(lead.phone).toBe(wanted)
    expect(lead.message).toBe(wanted ? null : `Телефон: ${phone}`)
  })

  it.each([
    [{ Имя: 'Анна', 'Ваш телефон': '89991234567', Комментарий: 'Жду' }],
    [{ 'Ваше имя *': 'Анна', 'Контактный телефон': '89991234567', Сообщение: 'Жду' }],
    [{ 'your-name': 'Анна', phone_number: '89991234567', text: 'Жду' }],
    [{ contacts: { name: 'Анна', phone: '89991234567' }, message: 'Жду' }],
    [{ 'Как к вам обращаться?': 'Анна', 'Номер телефона': '89991234567', 'Ваш вопрос': 'Жду' }],
    [{ 'contacts[name]': 'Анна', 'fields[phone]': '89991234567', 'data[comment]': 'Жду' }],
    [{ client_name: 'Анна', 'user-phone': '89991234567', Question: 'Жду' }],
    [{ first_name: 'Анна', billing_phone: '89991234567', comments: 'Жду' }],
    [{ 'Ф.И.О.': 'Анна', 'Телефон для связи': '89991234567', 'Комментарий:': 'Жду' }],
    [{ Name: 'Анна', 'Моб. телефон': '89991234567', message: 'Жду' }],
    [{ name: 'Анна', phone_1: '89991234567', text: 'Жду' }],
    [
      {
        contacts: [
          { type: 'name', value: 'Анна' },
          { type: 'phone', value: '89991234567' },
        ],
        message: 'Жду',
      },
    ],
    [
      {
        fields: [
          { name: 'Ваше имя', value: 'Анна' },
          { name: 'Телефон', value: '89991234567' },
          { name: 'Сообщение', value: 'Жду' },
        ],
      },
    ],
  ])('are matched by their usual names: %j', (fields) => {
    expect(incoming(fields)).toMatchObject({ name: 'Анна', phone: '+79991234567', message: 'Жду' })
  })

  it('has the parts of a name together, and all text beside a phone', () => {
    expect(incoming({ Фамилия: 'Белова', Имя: 'Анна', Отчество: 'Ильинична' }).name).toBe('Белова Анна Ильинична')
    expect(incoming({ lastName: 'Белова', firstName: 'Анна' }).name).toBe('Белова Анна')
    expect(incoming({ phone: '8 (495) 111-22-33 доб. 5' })).toMatchObject({
      phone: '+74951112233',
      message: 'Телефон: 8 (495) 111-22-33 доб. 5',
    })
    expect(incoming({ phone: '89991234567, 89991234568' })).toMatchObject({
      phone: '+79991234567',
      message: 'Телефон: 89991234567, 89991234568',
    })
    expect(incoming({ phone: '89991234567', phone_2: '11-22-33' }).message).toBe('phone_2: 11-22-33')
  })

  it('are ignored when a site builder only tests the address', () => {
    expect(isProbe({ test: 'test' })).toBe(true)
    expect(isProbe({ test: 'test', phone: '89991234567' })).toBe(false)
    expect(isProbe({ test: 'test', 'Ваш телефон': '1' })).toBe(false)
    expect(isProbe({})).toBe(false)
  })

  it('are kept: an invalid e-mail, unknown fields, a name too long, non-text values', () => {
    const long = 'я'.repeat(300)
    const lead = incoming({
      Name: long,
      EMAIL: 'нет',
      Comment: 'Жду',
      услуга: 'УЗИ',
      n: 5,
      list: [1],
      nul: 'а\0б',
      empty: '',
    })
    expect(lead.name).toBe('я'.repeat(255))
    expect(lead.message).toBe(`Жду\nПочта: нет\nИмя: ${long}\nуслуга: УЗИ\nn: 5\nlist: [1]\nnul: аб`)
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
