import { expect, test } from 'vitest'
import type { Command } from '../base/commands.ts'
import { isNamed, rankCommands } from './rankCommands.ts'

const command = (label: string, group: string, words?: string): Command => ({
  id: label,
  label,
  group,
  words,
  run: () => {},
})
const list = [
  command('Рабочий стол', 'Страницы'),
  command('Задачи', 'Страницы', 'tasks'),
  command('Создать задачу', 'Действия'),
  command('Тёмное оформление', 'Приложение', 'тема'),
]
const labels = (text: string) => rankCommands(list, text).map((found) => found.label)

test('nothing typed: everything as it stands', () => {
  expect(labels(' ')).toEqual(list.map((item) => item.label))
})

test('the start of the label beats the middle, and takes its group along', () => {
  expect(labels('зада')).toEqual(['Задачи', 'Создать задачу'])
  expect(labels('соз')).toEqual(['Создать задачу'])
})

test('the wrong layout, ё and other words are understood', () => {
  expect(labels('pflfxb')).toEqual(['Задачи'])
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
