import { expect, it } from 'vitest'
import { certificateWarning } from './certificate.ts'

it.each([
  [null, undefined],
  ['2026-05-02', undefined],
  ['2026-05-01', { isOver: false, text: 'Сертификат действует до 01.05.2026' }],
  ['2026-03-02', { isOver: false, text: 'Сертификат действует до 02.03.2026' }],
  ['2026-03-01', { isOver: true, text: 'Срок сертификата вышел 01.03.2026' }],
])('of a certificate until %s is announced on 02.03.2026: %o', (to, wanted) => {
  expect(certificateWarning(to, '2026-03-02')).toEqual(wanted)
})
