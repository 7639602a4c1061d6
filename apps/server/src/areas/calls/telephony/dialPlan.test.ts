import { expect, it } from 'vitest'
import { dialled, dialPlanOf, employeeOf, numberOf, PLAIN } from './dialPlan.ts'

it.each([
  ['PJSIP/201-0000001a', '201'],
  // Browser phones of MikoPBX and FreePBX.
  ['PJSIP/302-WS-0000000d', '302'],
  ['PJSIP/99302-0000000e', '302'],
  ['SIP/5012-00000001', '5012'],
  ['PJSIP/trunk-mts-0000000f', null],
  ['PJSIP/79161112233-0000000f', null],
  ['Local/201@queue-1;2', null],
])('%s belongs to the employee %s', (channel, employee) => expect(employeeOf(channel, PLAIN)).toBe(employee))

it('names of channels are configurable', () => {
  const plan = dialPlanOf('ami://a:b@pbx?channels={n},{n}-soft')
  expect(['PJSIP/99302-0a', 'PJSIP/302-soft-0a', 'PJSIP/302-WS-0a'].map((one) => employeeOf(one, plan))).toEqual([
    '99302',
    '302',
    null,
  ])
})

it.each([
  ['989161112233', '+79161112233'],
  ['9161112233', '+79161112233'],
  ['9771122', '+74822771122'],
  ['771122', '+74822771122'],
  ['+79161112233', '+79161112233'],
  ['302', undefined],
  ['9810491512345678', '+491512345678'],
  ['988001234567', '+78001234567'],
  ['sip:989161112233@10.0.0.1;user=phone', '+79161112233'],
  ['"Иван" <sip:+79161112233@trunk>', '+79161112233'],
])('%s behind the prefix 9 in Tver is %s', (dialled, phone) => {
  expect(numberOf(dialled, dialPlanOf('ami://a:b@pbx?out=9&area=4822'))).toBe(phone)
})

it.each([
  ['2771122', '2771122'],
  ['771122', '771122'],
  ['+8613812345678', '+8613812345678'],
  ['8613812345678', '+8613812345678'],
  ['201', undefined],
])('%s without an area code is kept unchanged', (dialled, phone) => expect(numberOf(dialled, PLAIN)).toBe(phone))

it('a local number is dialled with the outside prefix', () => {
  expect(dialled('2771122', dialPlanOf('ami://a:b@pbx?out=9'))).toBe('92771122')
})

it("a number is dialled in the exchange's format", () => {
  const plan = dialPlanOf('ami://a:b@pbx?out=9')
  expect([dialled('+79161112233', plan), dialled('+375291112233', plan), dialled('+79161112233', PLAIN)]).toEqual([
    '989161112233',
    '9810375291112233',
    '+79161112233',
  ])
  // Extensions and emergency numbers go without the prefix.
  expect(['302', '112'].map((one) => dialled(one, plan))).toEqual(['302', '112'])
})
