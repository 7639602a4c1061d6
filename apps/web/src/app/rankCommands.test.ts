import { expect, test } from 'vitest'
import type { Command } from '#base/commands.ts'
import { isNamed, rankCommands } from './rankCommands.ts'

const command = (label: string, group: string, words?: string, names?: string): Command => ({
  id: label,
  label,
  group,
  words,
  names,
  run: () => {},
})
const list = [
  command('Рабочий стол', 'Страницы'),
  command('Задачи', 'Страницы', 'tasks'),
  command('Создать задачу', 'Действия'),
  command('Тёмное оформление', 'Приложение', 'тема'),
]
const labels = (text: string) => rankCommands(list, text).map((found) => found.label)

test('nothing typed: everything as it is', () => {
  expect(labels(' ')).toEqual(list.map((item) => item.label))
})

test('the start of the label beats the middle, and takes its group along', () => {
  expect(labels('зада')).toEqual(['Задачи', 'Создать задачу'])
  expect(labels('соз')).toEqual(['Создать задачу'])
})

test('the wrong layout, ё and other words are understood', () => {
  expect(labels('pflfxb')).toEqual(['Задачи', 'Создать задачу'])
  expect(labels('темное')).toEqual(['Тёмное оформление'])
  expect(labels('тема')).toEqual(['Тёмное оформление'])
  expect(labels('tasks')).toEqual(['Задачи'])
  expect(labels('склад')).toEqual([])
})

test('a command is named by how a word of its own name begins, in either layout', () => {
  const [, , create] = list as [Command, Command, Command]
  for (const text of ['созд', 'задач', 'pflfx']) expect(isNamed(create, text)).toBe(true)
  for (const text of ['адач', 'действ', 'ан']) expect(isNamed(create, text)).toBe(false)
})

test('what is made is found by the words and the endings that people type', () => {
  const made = (label: string, more = '') =>
    command(label, 'Действия', undefined, `создать добавить новый новая новое новую ${more}`)
  const making = [
    made('Новая задача'),
    made('Новая сделка'),
    made('Новая запись', 'записать на приём'),
    made('Новый клиент', 'пациент карта'),
    made('Принять оплату', 'новый платёж'),
  ]
  const first = (text: string) => rankCommands(making, text)[0]?.label
  for (const [text, label] of [
    ['новая задача', 'Новая задача'],
    ['создать задачу', 'Новая задача'],
    ['добавить сделку', 'Новая сделка'],
    ['запись', 'Новая запись'],
    ['записать на приём', 'Новая запись'],
    ['клиента', 'Новый клиент'],
    ['новую запись', 'Новая запись'],
    ['создать пациента', 'Новый клиент'],
    ['оплата', 'Принять оплату'],
    ['yjdfz pflfxf', 'Новая задача'],
  ] as const) {
    expect([text, first(text)]).toEqual([text, label])
    expect([text, isNamed(making.find((one) => one.label === label) as Command, text)]).toEqual([text, true])
  }
  expect(isNamed(making[0] as Command, 'создать сделку')).toBe(false)
  expect(first('создать воронку')).toBeUndefined()
})

test('a page is found by what people call it, before what only holds the word', () => {
  const pages = [
    command('Чек-листы', 'Страницы', 'задачи'),
    { ...command('Касса', 'Страницы', 'чеки', 'чек чеки оплата'), id: 'cash' },
    { ...command('Расписание', 'Страницы', 'смены', 'график врача смена кабинет'), id: 'calendar' },
  ]
  for (const [text, label] of [
    ['график врача', 'Расписание'],
    ['смену', 'Расписание'],
    ['кабинет', 'Расписание'],
    ['оплата', 'Касса'],
    ['чек', 'Касса'],
    ['чек-л', 'Чек-листы'],
  ] as const)
    expect([text, rankCommands(pages, text)[0]?.label]).toEqual([text, label])
})
