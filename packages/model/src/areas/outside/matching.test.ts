import { expect, it } from 'vitest'
import { linesOf, suggestionOf } from './matching.ts'

const services = [
  { id: 1, name: 'Приём (осмотр, консультация) врача-терапевта первичный', code: 'B01.047.001' },
  { id: 2, name: 'Приём (осмотр, консультация) врача-терапевта повторный', code: 'B01.047.002' },
  { id: 3, name: 'УЗИ почек', code: 'A04.28.001' },
  { id: 4, name: 'УЗИ почек и надпочечников', code: 'A04.28.001' },
]
const ofService = (name: string, code: string | null = null) =>
  suggestionOf({ kind: 'service', name, code }, services)?.id

it('offers a service by its code, else by its words, and nothing where it is unclear', () => {
  expect(ofService('Терапевт, первый визит', 'b01.047.001')).toBe(1)
  expect(ofService('Прием врача терапевта повторный')).toBe(2)
  // One code of two: the words decide among these.
  expect(ofService('УЗИ почек', 'A04.28.001')).toBe(3)
  expect(ofService('Массаж спины')).toBeUndefined()
  expect(ofService('Приём (осмотр, консультация) врача-терапевта')).toBeUndefined()
})

it('never offers a doctor of another surname', () => {
  const doctors = [
    { id: 1, name: 'Иванова Анна Петровна', code: null },
    { id: 2, name: 'Петрова Анна Ивановна', code: null },
  ]
  const of = (name: string) => suggestionOf({ kind: 'doctor', name, code: null }, doctors)?.id
  expect([of('Иванова А. П.'), of('Петрова Анна'), of('Сидорова Анна Петровна')]).toEqual([1, 2, undefined])
})

it('reads a pasted list', () => {
  expect(linesOf('УЗИ почек;A04.28.001\r\n\nB01.047.001\tТерапевт\nУЗИ Почек\n')).toEqual([
    { name: 'УЗИ Почек', code: null },
    { name: 'Терапевт', code: 'B01.047.001' },
  ])
})
