import { queryText } from '@ordinator/model/client'
import { describe, expect, it } from 'vitest'
import { customerFilter } from './searchCustomers.ts'

const asked = (text: string) => decodeURIComponent(queryText({ filter: customerFilter(text) }))

describe('the search in customers', () => {
  it.each([
    ['8 (916) 111-22-33', '+79161112233'],
    ['9161112233', '+79161112233'],
    ['8 916', '916'],
    ['+7916', '916'],
    ['22-33', '2233'],
  ])('finds the phone %s as %s', (text, stored) => expect(asked(text)).toContain(`[phoneMother][ilike]=${stored}&`))

  it.each(['Иванов', 'ivanov2@example.ru', '12'])('asks no phones for %s', (text) =>
    expect(asked(text)).not.toContain('phone'),
  )

  it('takes the words of a name in any order', () => {
    const query = asked('пётр иванов')
    expect(query).toContain('[and][0][or][0][surname][ilike]=пётр')
    expect(query).toContain('[and][1][or][1][name][ilike]=иванов')
  })
})
