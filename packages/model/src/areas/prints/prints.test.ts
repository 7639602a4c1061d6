import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { entityAt as entityOf } from '../../entities.ts'
import type { Entity } from '../../entity.ts'
import { runs } from '../../testing/runs.ts'
import { Customer } from '../customers/customer.ts'
import { evaluate, MAX_OUTPUT, type RecordData } from './evaluate.ts'
import { withHeld } from './held.ts'
import { moneyWords, numberWords } from './numberWords.ts'
import { printed, surroundings } from './printTemplate.ts'
import { readTemplate } from './template.ts'
import { bind, mayRead, neededBy, variablesOf } from './variables.ts'

const entityAt = withHeld(entityOf)
const context = { timeZone: 'Europe/Moscow', today: '2026-11-23' }
const policy = (number: string, company: string): RecordData => ({
  shown: number,
  of: { number: { shown: number }, company: { shown: company }, dateTo: { shown: '01.02.2027', raw: '2027-02-01' } },
})
const anna: RecordData = {
  shown: 'Орлова Анна Петровна',
  of: {
    fio: { shown: 'Орлова Анна Петровна' },
    surname: { shown: 'Орлова' },
    birthday: { shown: '01.02.1980', raw: '01.02.1980' },
    gender: { shown: 'Женский', raw: 'female' },
    numberPassport: { shown: '45 <10> & "7"' },
    phone: { shown: '' },
    policies: [policy('111', 'Ромашка'), policy('222', 'Василёк')],
    '@clinic': { shown: 'Здоровье' },
    '@user': { shown: 'Врач Иванов', of: { fio: { shown: 'Иванов Пётр Сергеевич' } } },
  },
}

function say(html: string, data = anna, entity: Entity = Customer): string {
  const { pieces } = readTemplate(html)
  bind([pieces], entity, surroundings, entityAt)
  const result = evaluate(pieces, data, context)
  if ('refused' in result) throw new Error(result.refused)
  return result.html
}
function faults(html: string, entity: Entity = Customer): string[] {
  const { pieces, problems } = readTemplate(html)
  return [...problems, ...bind([pieces], entity, surroundings, entityAt).problems.flat()]
}

describe('a template', () => {
  it.each([
    ['<p>{{ ФИО }}</p>', '<p>Орлова Анна Петровна</p>'],
    ['<p>{{Клиент.ФИО | кратко}}</p>', '<p>Орлова А. П.</p>'],
    ['{{ фио }} {{ fio }}', 'Орлова Анна Петровна Орлова Анна Петровна'],
    ['{{ Дата рождения | возраст }}', '46\u00a0лет'],
    ['{{ Дата рождения | дата словами }}', '«01» февраля 1980 г.'],
    ['{{ Пол | строчными }}', 'женский'],
    ['{{ Серия и номер }}', '45 &lt;10&gt; &amp; &quot;7&quot;'],
    ['{{ Телефон | черта }}|{{ Телефон | или "нет" }}|{{ Телефон }}', '________________|нет|'],
    ['{{ Клиника }}, {{ Печатает.ФИО | кратко }}', 'Здоровье, Иванов П. С.'],
    ['{{ Полис.Номер }}', '111, 222'],
    ['{{ Серия и номер | qr }}', '<img data-code="qr" alt="45 &lt;10&gt; &amp; &quot;7&quot;">'],
  ])('prints %s', (html, shown) => expect(say(html)).toBe(shown))

  it.each([
    ['{{ если Пол = "женский" }}а{{ иначе }}б{{ конец }}', 'а'],
    ['{{ если НЕ Телефон И Полис }}а{{ конец }}', 'а'],
    ['{{ если Телефон ИЛИ Фамилия = «Орлова» }}а{{ конец }}', 'а'],
    ['{{ если Дата рождения &lt; 01.01.2000 }}а{{ иначе }}б{{ конец }}', 'а'],
    ['{{ если Дата рождения ≥ 01.01.2000 }}а{{ иначе если Полис }}б{{ иначе }}в{{ конец }}', 'б'],
    ['{{ если Фамилия ≠ "Орлова" }}а{{ конец }}', ''],
    ['<p>{{ если Телефон }}</p><p>тел.</p><p>{{ иначе }}</p><p>нет</p><p>{{ конец }}</p>', '<p>нет</p>'],
  ])('chooses by %s', (html, shown) => expect(say(html)).toBe(shown))

  it('repeats a row of a table, a part of a line, and paragraphs', () => {
    const row =
      '<tr><td><p>{{ для каждого полиса }}{{ № }} из {{ всего }}</p></td><td><p>{{ Номер }}{{ конец }}</p></td></tr>'
    expect(say(`<table><tbody>${row}</tbody></table>`)).toBe(
      '<table><tbody><tr><td><p>1 из 2</p></td><td><p>111</p></td></tr><tr><td><p>2 из 2</p></td><td><p>222</p></td></tr></tbody></table>',
    )
    expect(say('<p>{{ для каждого Полис }}{{ Номер }} ({{ Фамилия }}); {{ конец }}</p>')).toBe(
      '<p>111 (Орлова); 222 (Орлова); </p>',
    )
    expect(say('<p>{{ для каждого полиса }}</p><p>{{ Полис.Номер }}</p><p>{{ конец }}</p>')).toBe(
      '<p>111</p><p>222</p>',
    )
  })

  it('reports in words what is wrong with it', () => {
    expect(faults('{{ Фио отца }}')).toEqual(['Неизвестная переменная «Фио отца»'])
    expect(faults('{{ ФИО | жирно }}')[0]).toContain('неизвестный формат «жирно»')
    expect(faults('{{ если ФИО }}а')).toEqual(['У «{{ если ФИО }}» нет «{{ конец }}»'])
    expect(faults('а{{ конец }}')).toEqual(['Лишнее «{{ конец }}»: ему нечего закрывать'])
    expect(faults('{{ иначе }}')).toEqual(['«{{ иначе }}» стоит не внутри «если»'])
    expect(faults('{{ ФИО')).toEqual(['Скобки не закрыты: «{{ ФИО»'])
    expect(faults('{{ если ФИО = }}а{{ конец }}')).toEqual([
      '«если ФИО =»: в условии чего-то не хватает',
      'Лишнее «{{ конец }}»: ему нечего закрывать',
    ])
    expect(faults('{{ для каждого ФИО }}{{ конец }}')).toEqual(['«ФИО» — не список: повторять нечего'])
    expect(faults('<p>а {{ если ФИО }} б</p><p>в {{ конец }} г</p>')).toContain(
      '«{{ если ФИО }}»: начало и конец должны стоять в одном абзаце или каждый в своём',
    )
    expect(faults('{{ Полис.Клиент.Полис.Клиент.Полис.Номер }}')).toEqual(['Переменные ведут дальше 4 шагов от записи'])
    const around = `Наша организация${'.Банковский счёт.Организация'.repeat(2)}.ИНН`
    expect(faults(`{{ ${around} }}`)).toEqual([])
    expect(faults(`{{ ${around.replace('.ИНН', '.Банковский счёт.БИК')} }}`)).toEqual([
      'Переменные ведут дальше 4 шагов от записи',
    ])
    expect(
      faults(
        Object.values(Customer.fields)
          .map((f) => `{{ ${f.options.label} }}`)
          .join('')
          .repeat(60),
      ),
    ).toContain('В шаблоне больше 2000 переменных')
  })

  it('is refused where loops within loops have no end in sight, at once', () => {
    const many: RecordData = {
      shown: '',
      of: { ...anna.of, policies: Array.from({ length: 500 }, () => policy('1', 'а')) },
    }
    const nested = `${'{{ для каждого Клиент.Полис }}'.repeat(1)}${'{{ Номер }}'.repeat(700)}{{ конец }}`
    const began = Date.now()
    expect(() => say(nested, many)).toThrow('Документ слишком велик')
    const long: RecordData = { shown: '', of: { ...anna.of, fio: { shown: 'а'.repeat(MAX_OUTPUT) } } }
    expect(() => say('{{ ФИО }} {{ ФИО }}', long)).toThrow('Документ слишком велик')
    expect(Date.now() - began).toBeLessThan(30_000)
  })

  it('reads what a template names and nothing else, as far as the reader may', () => {
    const { pieces } = readTemplate('{{ ФИО }}{{ для каждого полиса }}{{ Номер }}{{ конец }}{{ Источник }}')
    const { needs } = bind([pieces], Customer, surroundings, entityAt)
    expect([...needs.fields]).toEqual(['fio'])
    expect([...needs.relations.keys()]).toEqual(['policies', 'source'])
    const nobody = { id: 1, permissions: {} }
    const left = neededBy(needs, Customer, nobody, entityAt)
    expect([...left.relations.keys()]).toEqual([])
  })

  it('never offers what is hidden from the reader', () => {
    const user = entityAt('users') as Entity
    const offered = (permissions: object) =>
      variablesOf(user, entityAt)
        .filter((one) => mayRead(one, { id: 1, permissions }, entityAt))
        .map(({ words }) => words)
    expect(offered({})).not.toContain('СНИЛС')
    expect(offered({ editUsers: true })).toContain('СНИЛС')
    expect(offered({})).not.toContain('Токен сервиса отзывов')
  })

  it('has words for every field of what is printed, each once, and names what is there', () => {
    for (const [path, label] of Object.entries(printed)) {
      const entity = entityAt(path) as Entity
      expect(entity?.label[0]).toBe(label)
      const words = variablesOf(entity, entityAt).map((one) => one.words.toLocaleLowerCase('ru'))
      expect(new Set(words).size).toBe(words.length)
      for (const one of variablesOf(entity, entityAt)) expect(faults(`{{ ${one.words} }}`, entity)).toEqual([])
    }
  })
})

const word = fc.constantFrom(
  '{{',
  '}}',
  '{{ ФИО }}',
  '{{ если ФИО = "а" }}',
  '{{ если НЕ ',
  '{{ иначе }}',
  '{{ конец }}',
  '{{ для каждого полиса }}',
  '{{ Полис.Номер | ',
  '| деньги прописью }}',
  '{{ constructor.constructor }}',
  '{{ __proto__ }}',
  '<p>',
  '</p>',
  '<table><tr><td>',
  '</td></tr></table>',
  '<img src="/files/1">',
  '&lt;script&gt;',
  '<b',
  'ё',
)
const anyTemplate = fc
  .array(fc.oneof(word, fc.string({ maxLength: 12 })), { maxLength: 60 })
  .map((parts) => parts.join(''))

it('whatever a template contains, it is read and filled without an error, and shows no more than markup that it had', () => {
  fc.assert(
    fc.property(anyTemplate, (html) => {
      faults(html)
      const shown = say(html)
      expect(shown.length).toBeLessThan(100_000)
      // Values and text never become elements; all elements come from the template.
      const own = new Set([...html.matchAll(/<([a-z][a-z0-9]*)/gi)].map(([, tag]) => tag?.toLowerCase()))
      for (const [, tag] of shown.matchAll(/<\/?([a-z][a-z0-9]*)/gi))
        expect(['img', 'br', ...own]).toContain(tag?.toLowerCase())
      expect(shown).not.toContain('function')
    }),
    { numRuns: runs(300, 20_000) },
  )
})

it('text of hostile length is read in time that grows with it', () => {
  const began = Date.now()
  for (const html of [
    '{{'.repeat(70_000),
    '<a '.repeat(50_000),
    '<p>'.repeat(50_000),
    '{{ если ФИО }}'.repeat(10_000),
    '{{ ФИО | дата }}'.repeat(9_000),
    `<p${' '.repeat(140_000)}x>`,
    `${'{{ для каждого полиса }}'.repeat(12)}${'{{ нет такого }}'.repeat(2_000)}${'{{ конец }}'.repeat(12)}`,
  ])
    faults(html)
  // What grows with the square of it takes minutes.
  expect(Date.now() - began).toBeLessThan(30_000)
})

it.each([
  [0, 'ноль'],
  [1, 'один'],
  [21, 'двадцать один'],
  [112, 'сто двенадцать'],
  [1_001, 'одна тысяча один'],
  [2_340_019, 'два миллиона триста сорок тысяч девятнадцать'],
  [-5, 'минус пять'],
])('%d in words', (value, words) => expect(numberWords(value)).toBe(words))

it.each([
  [0, 'Ноль рублей 00 копеек'],
  [1, 'Один рубль 00 копеек'],
  [1_234.5, 'Одна тысяча двести тридцать четыре рубля 50 копеек'],
  [2_000_000.01, 'Два миллиона рублей 01 копейка'],
  [-12.34, 'Минус двенадцать рублей 34 копейки'],
  [0.29, 'Ноль рублей 29 копеек'],
])('%d rubles in words', (value, words) => expect(moneyWords(value)).toBe(words))
