import { expect, test } from 'vitest'
import { fioOf, initialsOf, type PersonName, shortFioOf } from './names.ts'

test.each<[PersonName, string, string, string]>([
  [{ surname: 'Иванова', name: 'Анна', middleName: 'Петровна' }, 'Иванова Анна Петровна', 'Иванова А. П.', 'ИА'],
  [{ surname: 'Ким', name: 'лев' }, 'Ким лев', 'Ким Л.', 'КЛ'],
  [{ name: 'Анна', middleName: 'Петровна' }, 'Анна Петровна', 'Анна Петровна', 'АП'],
  [{ surname: ' Ли ', name: '', middleName: null }, 'Ли', 'Ли', 'Л'],
  [{ surname: '  ', name: undefined }, 'Без имени', 'Без имени', ''],
])('%j', (person, fio, short, initials) => {
  expect([fioOf(person), shortFioOf(person), initialsOf(person)]).toEqual([fio, short, initials])
})
