import { describe, expect, it } from 'vitest'
import { type Condition, type ExaminationForm, type FormField, keyOf, MAX_FIELDS, readyForm } from './form.ts'
import { defaultsOf, derive, filledPercent, missingOf, outOfNorm, shownValues, wrongValue } from './formValues.ts'
import { readSections, valueWords } from './paper.ts'
import { isSamePart, partIn, withParts, wrongPart } from './parts.ts'
import { jaws, milkJaws } from './teeth.ts'
import { readTemplateFile, templateFile, withPictures } from './template.ts'
import { wrongForm } from './wrongForm.ts'

const number = (key: string, more: Partial<FormField> = {}): FormField => ({ key, label: key, type: 'number', ...more })
const calc = (key: string, formula: string, more: Partial<FormField> = {}): FormField => ({
  key,
  label: key,
  type: 'calc',
  formula,
  ...more,
})
const empty = { date: '2026-11-23', values: {}, diagnoses: [], prescriptions: [], recommendations: [] }
const form = (...fields: FormField[]): ExaminationForm => ({ sections: [{ title: 'Осмотр', fields }] })

describe('a form', () => {
  it('refuses formulas and conditions that go round, and names the way', () => {
    expect(wrongForm(form(calc('а', 'б + 1'), calc('б', 'в'), calc('в', 'а')))).toBe(
      'Замкнутый круг: «а» → «б» → «в» → «а»',
    )
    expect(wrongForm(form(calc('а', 'а')))).toContain('Замкнутый круг')
    const shown = (field: string): Condition => ({ field, is: 'filled' })
    expect(wrongForm(form(number('а', { showIf: shown('б') }), number('б', { showIf: shown('а') })))).toContain('круг')
    expect(wrongForm(form(number('а', { showIf: shown('б') }), calc('б', 'а + 1')))).toContain('круг')
    expect(wrongForm(form(number('а'), calc('б', 'а'), calc('в', 'а + б')))).toBeUndefined()
  })

  it.each([
    ['no form', [], 'В шаблоне нет разделов'],
    [
      'more than it holds',
      form(...Array.from({ length: 10_000 }, (_, at) => number(`п${at}`))),
      `Полей 10000: больше ${MAX_FIELDS}`,
    ],
    ['two of one name', form(number('а'), number('а')), 'имя «а» уже есть'],
    ['an unknown type', form({ key: 'а', label: 'А', type: 'video' as never }), 'нет такого вида поля'],
    ['what its type has not', form(number('а', { options: ['1'] })), 'не бывает «options»'],
    ['no choices', form({ key: 'а', label: 'А', type: 'choice', options: [] }), 'нужны варианты'],
    ['a strange name', form(number('А б')), 'имя для формул'],
    ['a name that all objects have', form(number('constructor')), 'имя «constructor» занято'],
    ['the name of what objects come from', form(number('__proto__')), 'имя «__proto__» занято'],
    ['a formula of nothing', form(calc('а', 'вес')), 'в формуле нет такого поля: вес'],
    ['a formula of words', form({ key: 'т', label: 'Т', type: 'text' }, calc('а', 'т + 1')), '«Т» в формуле не число'],
    ['a broken formula', form(calc('а', '1 +')), 'обрывается'],
    ['a default of another type', form(number('а', { default: 'много' })), 'Нужно число'],
    [
      'a condition on nothing',
      form(number('а', { showIf: { field: 'я', is: 'filled' } })),
      'в условии нет такого поля',
    ],
  ])('refuses %s', (_, given, words) => {
    expect(wrongForm(given)).toContain(words)
  })

  it('gives names that can be used in formulas', () => {
    expect(keyOf('Рост, см', new Set())).toBe('рост')
    expect(keyOf('Рост (стоя)', new Set(['рост']))).toBe('рост_2')
    expect(keyOf('24-часовой диурез', new Set())).toBe('_24_часовой_диурез')
    expect(keyOf('★', new Set())).toBe('поле')
    expect(keyOf('Constructor', new Set())).toBe('constructor_2')
    for (const label of ['Vis OD', 'Ω', '5', 'Ё'.repeat(100)])
      expect(wrongForm(form(number(keyOf(label, new Set()))))).toBeUndefined()
  })
})

describe('values', () => {
  const ready = readyForm(
    form(
      calc('имт', 'вес / (рост / 100) ^ 2', { digits: 1, min: 18.5, max: 25, unit: 'кг/м²' }),
      number('вес', { required: true }),
      number('рост', { default: 170 }),
      { key: 'диета', label: 'Диета', type: 'text', required: true, showIf: { field: 'имт', is: 'more', value: 25 } },
      { key: 'курит', label: 'Курит', type: 'choice', options: ['Нет', 'Да'], points: [0, 2] },
      { key: 'стаж', label: 'Стаж', type: 'number', showIf: { field: 'курит', is: 'equals', value: 'Да' } },
      calc('риск', 'курит + если(стаж > 10; 3; 0)'),
    ),
  )

  it('are followed by formulas and conditions, whatever their order', () => {
    expect(defaultsOf(ready)).toEqual({ рост: 170 })
    const thin = derive(ready, { вес: 60, рост: 170 })
    expect(thin.calculated.get('имт')).toEqual({ value: 20.8 })
    expect([...thin.hidden].sort()).toEqual(['диета', 'стаж'])
    expect(derive(ready, { вес: 90, рост: 170 }).hidden.has('диета')).toBe(false)
    expect(derive(ready, { вес: 90, рост: 0 }).calculated.get('имт')).toEqual({ why: 'Деление на ноль' })
    expect(outOfNorm(ready.fields.get('имт') as FormField, 31)).toBe('high')
  })

  it('that are hidden count for nothing', () => {
    const left = { курит: 'Нет', стаж: 20 }
    expect(derive(ready, left).calculated.get('риск')?.value).toBeUndefined()
    expect(derive(ready, { ...left, курит: 'Да' }).calculated.get('риск')).toEqual({ value: 5 })
    expect(readSections(ready, left)[0]?.lines.map(({ key }) => key)).toEqual(['курит'])
    expect(missingOf(ready, { рост: 170 }).map(({ key }) => key)).toEqual(['вес'])
    expect(missingOf(ready, { вес: 90, рост: 170 }).map(({ key }) => key)).toEqual(['диета'])
    expect(filledPercent(ready, { вес: 60, рост: 170, курит: 'Нет' })).toBe(100)
  })

  it('are none where only all objects have something of that name', () => {
    const old = readyForm(
      form(
        { key: 'constructor', label: 'К', type: 'text', required: true },
        number('а', { showIf: { field: 'constructor', is: 'filled' } }),
      ),
    )
    expect(derive(old, {}).hidden).toEqual(new Set(['а']))
    expect(missingOf(old, {}).map(({ key }) => key)).toEqual(['constructor'])
    expect(filledPercent(old, {})).toBe(0)
    expect(readSections(old, {})).toEqual([])
    expect(partIn({ ...empty, values: {} }, 'values.constructor')).toBeNull()
  })

  it('that are not shown are left out of what is signed', () => {
    expect(shownValues(ready, { курит: 'Нет', стаж: 20, вес: 60 })).toEqual({ курит: 'Нет', вес: 60 })
    expect(shownValues(ready, { курит: 'Да', стаж: 20 })).toEqual({ курит: 'Да', стаж: 20 })
  })

  it.each([
    [{ type: 'number' }, 'много', 'Нужно число'],
    [{ type: 'date' }, '2026-02-30', 'Нужна дата'],
    [{ type: 'choice', options: ['А'] }, 'Б', 'Нет такого варианта'],
    [{ type: 'multi', options: ['А'] }, ['Б'], 'Нет такого варианта'],
    [{ type: 'scale', min: 0, max: 10 }, 11, 'от 0 до 10'],
    [{ type: 'teeth' }, { '19': 'caries' }, 'Нет такого зуба'],
    [{ type: 'teeth' }, { '56': 'caries' }, 'Нет такого зуба'],
    [{ type: 'picture', picture: 'eye' }, [{ x: 120, y: 0, text: '' }], 'Меток'],
    [{ type: 'icd10' }, { code: 'J06.9' }, 'справочника'],
    [{ type: 'table', columns: ['А'] }, [[1]], 'Строк'],
    [{ type: 'calc', formula: '1' }, 1, 'считает программа'],
    [{ type: 'text' }, 'я'.repeat(20_001), 'длиннее'],
  ] as [Partial<FormField>, unknown, string][])('%o refuses %o', (field, value, words) => {
    expect(wrongValue({ key: 'а', label: 'А', ...field } as FormField, value)).toContain(words)
  })

  it('teeth are those of a grown-up and of a child, and are read by what is with them', () => {
    const field = { key: 'а', label: 'А', type: 'teeth' } as FormField
    const teeth = { '55': 'caries', '85': 'missing', '11': 'caries', '48': 'healthy' }
    expect(wrongValue(field, teeth)).toBeUndefined()
    expect(valueWords(field, teeth)).toBe('Кариес: 11, 55; Отсутствует: 85')
    expect([...jaws, ...milkJaws].map((jaw) => [jaw[0], jaw.at(-1), jaw.length])).toEqual([
      ['18', '28', 16],
      ['48', '38', 16],
      ['55', '65', 10],
      ['85', '75', 10],
    ])
  })
})

describe('parts of a draft', () => {
  const fields = new Map([['вес', number('вес')]])
  it('are put in and taken out one by one', () => {
    const one = withParts(empty, { 'values.вес': 80, date: '2026-11-22' })
    expect(one).toMatchObject({ date: '2026-11-22', values: { вес: 80 } })
    expect(withParts(one, { 'values.вес': null }).values).toEqual({})
  })
  it('are checked one by one', () => {
    const flu = { code: 'J11.1', name: 'Грипп', kind: 'main', type: 'final' }
    expect(wrongPart('values.рост', 1, fields)).toContain('нет такого поля')
    expect(wrongPart('status', 'signed', fields)).toContain('нет такой части')
    expect(wrongPart('diagnoses', [flu], fields)).toBeUndefined()
    expect(wrongPart('diagnoses', [flu, { ...flu, code: 'J06.9' }], fields)).toBe('Основной диагноз один')
    expect(wrongPart('diagnoses', [flu, { ...flu, kind: 'accompanying' }], fields)).toBe('Диагноз повторяется')
    expect(wrongPart('diagnoses', [{ ...flu, code: 'грипп' }], fields)).toContain('кодом МКБ-10')
    expect(isSamePart({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true)
    expect(isSamePart(null, '')).toBe(true)
  })
})

describe('a template in a file', () => {
  const one = { name: 'Приём', semdKind: null, form: form(number('вес')) }
  const own = 'a'.repeat(64)
  const PNG = 'data:image/png;base64,iVBORw0KGgo='
  const drawing: FormField = { key: 'схема', label: 'Схема', type: 'picture', picture: own }
  const text = (key: string): FormField => ({ key, label: key, type: 'text' })
  it('comes back as it went, with its own pictures', () => {
    expect(readTemplateFile(templateFile(one))).toEqual({ file: one })
    const drawn = { ...one, form: form(drawing), pictures: { [own]: PNG } }
    expect(readTemplateFile(templateFile(drawn))).toEqual({ file: drawn })
    const there = withPictures(drawn.form, { [own]: 'b'.repeat(64) })
    expect(there.sections[0]?.fields[0]?.picture).toBe('b'.repeat(64))
  })
  it.each([
    ['{', 'Это не файл шаблона'],
    ['{}', 'нет строки "format"'],
    [templateFile({ ...one, name: ' ' }), 'нет названия'],
    [templateFile({ ...one, name: 'я'.repeat(201) }), 'нет названия'],
    [templateFile({ ...one, semdKind: 'я'.repeat(201) }), 'Вид СЭМД'],
    [JSON.stringify({ ...JSON.parse(templateFile(one)), semdKind: 75 }), 'Вид СЭМД'],
    [templateFile({ ...one, form: form(calc('а', 'а')) }), 'Замкнутый круг'],
    [JSON.stringify({ ...JSON.parse(templateFile(one)), roles: [] }), 'В файле лишнее: «roles»'],
    ['x'.repeat(9_000_000), 'слишком велик'],
    [
      templateFile({
        ...one,
        form: form(...Array.from({ length: 299 }, (_, at) => ({ ...text(`п${at}`), help: 'я'.repeat(700) }))),
      }),
      'слишком велик',
    ],
    [templateFile({ ...one, form: form(drawing) }), 'нет рисунка'],
    [templateFile({ ...one, pictures: { [own]: PNG } }), 'лишний'],
    [templateFile({ ...one, form: form(drawing), pictures: { [own]: 'https://clinic.ru/a.png' } }), 'не PNG'],
    [
      templateFile({
        ...one,
        form: form(drawing),
        pictures: { [own]: `data:image/png;base64,${'A'.repeat(800_000)}` },
      }),
      'слишком велик',
    ],
    [JSON.stringify({ ...JSON.parse(templateFile(one)), pictures: [] }), 'по их именам'],
    [
      JSON.stringify({ ...JSON.parse(templateFile({ ...one, form: form(drawing) })), pictures: { [own]: [PNG] } }),
      'не PNG',
    ],
  ])('handmade is refused with a message: %#', (written, words) => {
    expect(readTemplateFile(written)).toMatchObject({ wrong: expect.stringContaining(words) })
  })
})
