import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sense } from './lexicon.ts'
import { type Known, maskPersonal, strangeMarks, unmask } from './mask.ts'

/** The dictionaries are the server's: here each word is a common one, and patterns alone find what is personal. */
const plain = () => sense.common
const masked = (text: string, known?: Known[]) => maskPersonal(text, plain, known).text

describe('names', () => {
  it.each([
    ['Меня зовут Иванов Иван Петрович.', 'Меня зовут [Имя 1].'],
    ['меня зовут иванов иван петрович и я хочу записаться', 'меня зовут [Имя 1] и я хочу записаться'],
    ['Здравствуйте, Анна Сергеевна!', 'Здравствуйте, [Имя 1]!'],
    ['Записала Петрову Марию Ильиничну на завтра', 'Записала [Имя 1] на завтра'],
    ['Пациент Кузнецов А. В. жалуется на кашель', 'Пациент [Имя 1] жалуется на кашель'],
    ['Направил И. П. Сидоров', 'Направил [Имя 1]'],
    ['это мария ивановна звонила', 'это [Имя 1] звонила'],
    ['Хочу к доктору Хаусу', 'Хочу к доктору [Имя 1]'],
    ['можно записаться к Петровой?', 'можно записаться к [Имя 1]?'],
    ['Мама Лена привела сына Мишу', 'Мама [Имя 1] привела сына [Имя 2]'],
    ['ИВАНОВ ИВАН ИВАНОВИЧ', '[Имя 1]'],
    ['Салтыков-Щедрин Михаил Евграфович осмотрен', '[Имя 1] осмотрен'],
    ['Звонил Мамедов Рустам Эльдар оглы', 'Звонил [Имя 1]'],
    ['Позвонить Семёну Фёдоровичу', 'Позвонить [Имя 1]'],
    ['фамилия Рак', 'фамилия [Имя 1]'],
  ])('%s', (text, expected) => expect(masked(text)).toBe(expected))

  it('one person has one mark, in any case', () => {
    expect(masked('Анна Петровна пришла. Анне Петровне назначено.')).toBe('[Имя 1] пришла. [Имя 1] назначено.')
  })

  it.each([
    'Основной диагноз: гипертоническая болезнь 2 стадии, риск 3.',
    'Гепатит В. Витамин С. Головной мозг без особенностей.',
    'Болезнь Паркинсона, синдром Жильбера, рефлекс Павлова сохранён.',
    'Принимает Амоксициллин 500 мг, Анальгин при болях, Лозартан.',
    'АД 120/80, пульс 72, температура 36,6. Сатурация 98 %.',
    'Добрый день. Хочу записаться на УЗИ брюшной полости.',
    'Жалобы на боль в горле, кашель, озноб вечером.',
    'Рекомендации: обильное питьё, контроль через 7 дней.',
    'В анализе крови лейкоциты 11,2, СОЭ 24 мм/ч. Холестерин 5,1.',
    'Стоимость приёма 2500 рублей, запись на 14:30 в понедельник.',
  ])('leaves medicine alone: %s', (text) => expect(maskPersonal(text, plain)).toEqual({ text, found: [] }))

  it('known names are found by their stems, whatever their case', () => {
    const known: Known[] = [
      { kind: 'name', value: 'Жабо' },
      { kind: 'name', value: 'Снегирь' },
      { kind: 'name', value: 'Мураками' },
    ]
    expect(masked('приходил снегирь, потом Жабо; снегирю перезвонить, мураками ждёт', known)).toBe(
      'приходил [Имя 1], потом [Имя 2]; [Имя 1] перезвонить, [Имя 3] ждёт',
    )
  })
  it('a short known name is found only with a capital, so that a word of medicine stays', () => {
    expect(masked('Рак пришёл с жалобой; в анамнезе рак кожи', [{ kind: 'name', value: 'Рак' }])).toBe(
      '[Имя 1] пришёл с жалобой; в анамнезе рак кожи',
    )
  })
})

describe('phones', () => {
  it.each([
    '+7 (912) 345-67-89',
    '8 912 345 67 89',
    '89123456789',
    '+79123456789',
    '912 345-67-89',
    '8 (495) 123-45-67',
    '8-800-555-35-35',
    '+7\u00a0912\u00a0345‑67‑89'.replaceAll('‑', '–'),
    '+375 29 123-45-67',
  ])('%s', (phone) => expect(masked(`Номер ${phone}, звоните`)).toBe('Номер [Телефон 1], звоните'))
  it('is read from words of speech', () => {
    expect(masked('мой номер восемь девятьсот двенадцать сто двадцать три сорок пять шестьдесят семь')).toBe(
      'мой номер [Телефон 1]',
    )
  })
  it('one phone in two spellings is one mark', () => {
    expect(masked('+7 912 345-67-89 или 89123456789')).toBe('[Телефон 1] или [Телефон 1]')
  })
  it('pressure by words is no phone', () => {
    const text = 'давление сто двадцать на восемьдесят, пульс семьдесят два'
    expect(masked(text)).toBe(text)
  })
})

describe('documents', () => {
  it.each([
    ['СНИЛС 112-233-445 95', 'СНИЛС [СНИЛС 1]'],
    ['снилс: 11223344595', 'снилс: [СНИЛС 1]'],
    ['112-233-445 95', '[СНИЛС 1]'],
    ['полис 7755 5108 2500 0123', 'полис [Полис 1]'],
    ['Полис ОМС № 7755510825000123 действует', 'Полис ОМС № [Полис 1] действует'],
    ['ДМС АБ-123456/77', 'ДМС [Полис 1]'],
    ['паспорт 4510 123456', 'паспорт [Документ 1]'],
    ['паспорт серия 45 10 номер 123456', 'паспорт серия [Документ 1]'],
    ['45 10 123456', '[Документ 1]'],
    ['код подразделения 770-001', 'код подразделения [Документ 1]'],
    ['свидетельство II-МЮ № 123456', 'свидетельство [Документ 1]'],
    ['ИНН 772812345678', 'ИНН [Номер 1]'],
    ['карта № 12345/21', 'карта № [Номер 1]'],
    ['пишите на ivanov.p+1@mail.example.ru.', 'пишите на [Почта 1].'],
    ['иванов собака мейл точка ру', '[Почта 1]'],
    ['мой ник @petrov_77', 'мой ник [Почта 1]'],
  ])('%s', (text, expected) => expect(masked(text)).toBe(expected))
})

describe('addresses', () => {
  it.each([
    ['живу на ул. Ленина, д. 5, кв. 12', 'живу на [Адрес 1]'],
    ['г. Казань, ул. Баумана, 12', '[Адрес 1]'],
    ['улица ленина дом пять квартира двенадцать', '[Адрес 1]'],
    ['Невский проспект, 12', '[Адрес 1]'],
    ['проспект Мира 10 корпус 2', '[Адрес 1]'],
    ['420111, г. Казань', '[Адрес 1]'],
    ['Адрес: Казань, Чистопольская 20/12 кв 5.', 'Адрес: [Адрес 1].'],
    ['родом из города Зеленодольск', 'родом из [Адрес 1]'],
  ])('%s', (text, expected) => expect(masked(text)).toBe(expected))
  it.each([
    'Операция в 2020 г. Пациент здоров.',
    'площадь поражения 5 %',
    'дом отдыха не посещал',
    'в ш. позвонке боли',
  ])('is none: %s', (text) => expect(masked(text)).toBe(text))
})

describe('dates of birth', () => {
  it.each([
    ['дата рождения 03.01.1980', 'дата рождения [Дата рождения 1]'],
    ['1980 г.р.', '[Дата рождения 1] г.р.'],
    ['родилась 5 мая 1975 года', 'родилась [Дата рождения 1]'],
    ['родился второго марта тысяча девятьсот восьмидесятого года', 'родился [Дата рождения 1]'],
    ['Иванов Иван, 12.03.1980, пришёл', '[Имя 1], [Дата рождения 1], пришёл'],
    ['д.р. 01.02.80', 'д.р. [Дата рождения 1]'],
  ])('%s', (text, expected) => expect(masked(text)).toBe(expected))
  it('a known one is found in any spelling', () => {
    const known: Known[] = [{ kind: 'birthday', value: '1980-01-03' }]
    for (const text of ['3.1.1980', '03.01.80', '1980-01-03', '3 января 1980 года', '3 января'])
      expect(masked(`он ${text}`, known)).toBe('он [Дата рождения 1]')
  })
  it('a day of a visit stays', () => {
    const text = 'Операция 12.03.2020, повторный приём 5 мая.'
    expect(masked(text)).toBe(text)
  })
})

describe('known values', () => {
  it('of a card leave in no spelling', () => {
    const known: Known[] = [
      { kind: 'phone', value: '+79161112233' },
      { kind: 'snils', value: '112-233-445 95' },
      { kind: 'address', value: 'Казань, Баумана 5' },
      { kind: 'policy', value: 'AB123456' },
    ]
    const text = '916 111 22 33; 11223344595; казань, баумана 5; полис AB123456'
    const { text: left } = maskPersonal(text, plain, known)
    expect(left).not.toMatch(/\d{3}|баумана/i)
  })
})

it('answers come back with the values in place of their marks', () => {
  const { text, found } = maskPersonal('Перезвонить Анне Петровне: +7 912 345-67-89', plain)
  expect(text).toBe('Перезвонить [Имя 1]: [Телефон 1]')
  expect(unmask('[Имя 1] ждёт звонка на [Телефон 1], [Имя 7]', found)).toBe(
    'Анне Петровне ждёт звонка на +7 912 345-67-89, [Имя 7]',
  )
  expect(strangeMarks('[Имя 1] и [Имя 7], [сноска 1]', found)).toEqual(['[Имя 7]'])
})

it('whatever the text, putting back gives it again, and places are those of the original', () => {
  const piece = fc.constantFrom(
    'Иванов Иван Петрович',
    '+7 912 345-67-89',
    'болит голова',
    '112-233-445 95',
    'ул. Ленина, д. 5',
    '\n',
    ', ',
    ' ',
    'Анна',
    'a@b.ru',
    '12.03.1980',
    'г.',
    '«',
    '[Имя 1]'.slice(0, 4),
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 6 })), { maxLength: 20 }), (parts) => {
      const text = parts.join(' ')
      const result = maskPersonal(text, plain)
      for (const { from, to, value } of result.found) expect(text.slice(from, to)).toBe(value)
      if (!/\[[\p{L} ]+ \d+\]/u.test(text)) {
        // Marks of one value in two spellings restore one of them, so the test compares only the number of marks.
        expect(result.found.every(({ mark }) => result.text.includes(mark))).toBe(true)
        expect(unmask(result.text, result.found)).not.toMatch(/\[(?:Имя|Телефон|СНИЛС) \d+\]/)
      }
    }),
    { numRuns: 60 },
  )
})

it('is quick: 60,000 characters of a talk', () => {
  const text = 'Здравствуйте, меня зовут Анна Петровна, болит голова третий день, давление 120 на 80. '.repeat(700)
  const start = performance.now()
  maskPersonal(text, plain)
  expect(performance.now() - start).toBeLessThan(3_000)
})
