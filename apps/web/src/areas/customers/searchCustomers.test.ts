import { Customer } from '@ordinator/model/areas/customers/customer'
import { queryText } from '@ordinator/model/client'
import { describe, expect, it } from 'vitest'
import { searchFilter } from '#records/conditions.ts'

const asked = (text: string) => decodeURIComponent(queryText({ filter: searchFilter(Customer, text) }))

describe('the search in customers', () => {
  it.each([
    ['8 (916) 111-22-33', '+79161112233'],
    ['9161112233', '+79161112233'],
    ['8 916', '916'],
    ['+7916', '916'],
    ['22-33', '2233'],
  ])('finds the phone %s as %s', (text, stored) => expect(`${asked(text)}&`).toContain(`[text][ilike]=${stored}&`))

  it.each(['Иванов', 'ivanov2@example.ru', '12'])('asks for %s as it is', (text) =>
    expect(asked(text).match(/\[ilike\]/g)).toHaveLength(1),
  )

  it('takes the words of a name in any order', () => {
    const query = asked('пётр иванов')
    expect(query).toContain('[and][0][text][ilike]=пётр')
    expect(query).toContain('[and][1][text][ilike]=иванов')
  })
})
