import { expect, it } from 'vitest'
import { namedBy, stemOf, stemsOf } from './words.ts'

it('takes endings and prepositions off', () => {
  for (const [one, other] of [
    ['острого', 'острый'],
    ['бронхита', 'бронхит'],
    ['гипертонии', 'гипертония'],
    ['сахарным', 'сахарный'],
    ['руки', 'рука'],
    ['боли', 'боль'],
  ] as const)
    expect([one, stemOf(one)]).toEqual([one, stemOf(other)])
  expect(stemsOf('Боль в спине')).toEqual(stemsOf('боли спины'))
})

it('takes the synonym of most words, whatever their endings and order', () => {
  const synonyms = [
    { name: 'диабет', codes: 'E10,E11' },
    { name: 'диабет 2 типа', codes: 'E11' },
    { name: 'перелом руки', codes: 'S42, S52' },
  ]
  expect(namedBy('сахарного диабета 2 типа', synonyms)).toEqual({ codes: ['E11'], isWhole: false })
  expect(namedBy('диабета', synonyms)).toEqual({ codes: ['E10', 'E11'], isWhole: true })
  expect(namedBy('руки перелом', synonyms)).toEqual({ codes: ['S42', 'S52'], isWhole: true })
  expect(namedBy('перелом', synonyms)).toEqual({ codes: [], isWhole: false })
})
