import { expect, test } from 'vitest'
import { briefOf } from './brief.ts'
import { packBriefs, unpackBriefs } from './briefPack.ts'
import { entities } from './entities.ts'

test('briefs of all entities are unpacked as they were', () => {
  const briefs = entities.map((entity, at) => briefOf(entity, `area${Math.floor(at / 5)}`))
  const packed = JSON.parse(JSON.stringify(packBriefs(briefs)))
  const plain = JSON.parse(JSON.stringify(briefs)) as typeof briefs
  expect(unpackBriefs(packed)).toEqual(plain.map((brief) => ({ ...brief, many: brief.many ?? {} })))
})
