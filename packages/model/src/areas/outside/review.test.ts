import fc from 'fast-check'
import { expect, it } from 'vitest'
import { draftAnswer, reviewSites } from './review.ts'

it('drafts an answer that never reveals that the author was a patient', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...(Object.keys(reviewSites) as (keyof typeof reviewSites)[])),
      fc.option(fc.integer({ min: 0, max: 10 })),
      fc.option(fc.constantFrom('Ольга', 'olga1990', 'Пациент врача Иванова', '')),
      fc.option(fc.constant('+74951234567')),
      (site, score, author, phone) => {
        const draft = draftAnswer({ site, score, author, phone })
        expect(draft).toMatch(/здравствуйте!|Здравствуйте!/)
        expect(draft).not.toMatch(/ваш визит|ваш при[её]м|вашего врача|у нас были|лечили вас/i)
      },
    ),
  )
})

it('asks a dissatisfied author to speak in person', () => {
  const low = { author: 'Ольга', phone: '+74951234567' }
  expect(draftAnswer({ ...low, site: 'yandex', score: 2 })).toMatch(/^Ольга, здравствуйте!.*врачебная тайна.*\+7/)
  expect(draftAnswer({ ...low, site: 'own', score: 9 })).toMatch(/Спасибо/)
})
