import { expect, test } from 'vitest'
import { everyCall } from './calls.ts'
import { entities } from './entities.ts'
import { pages } from './pages.ts'
import { gateOf, modules, type Owned, tariffIncludes, tariffs } from './tariff.ts'

/** All closed paths by their condition: listed by hand, so that none is opened or closed by accident. */
const asked = (paths: readonly string[]) => {
  const closed: Record<string, string[]> = {}
  for (const path of new Set(paths)) {
    const { tariff, module }: Owned = gateOf(path) ?? {}
    if (tariff || module) (closed[[tariff, module].filter(Boolean).join(' ')] ??= []).push(path)
  }
  return closed
}

test('pages', () => {
  expect(asked(pages.map(({ path }) => path))).toEqual({
    standard: [
      'deals',
      'funnels',
      'funnels/:id',
      'deals/requests',
      'deals/sources',
      'deals/loss-reasons',
      'deals/service-reasons',
      'deals/companies',
      'discounts',
      'discount/create',
      'discount/update/:id',
      'discounts/check',
      'discounts/uses',
      'discounts/approvals',
      'discounts/bonuses',
      'regulations',
      'scripts',
      'scripts/:id',
      'new-scripts',
    ],
    premium: ['deals/analytics', 'deals/:id/analytics'],
    omnichannel: ['settings/channels', 'settings/socials/vk'],
    clinicalRecommendations: [
      'clinical-recommendations',
      'clinical-recommendations/criteria',
      'reports/clinical-recommendations/general',
      'reports/clinical-recommendations/detail',
    ],
    doctorDialogs: ['dialogs'],
    callPrompts: ['call-prompts', 'call-prompts/:id'],
    callTranscript: ['journal/calls/transcripts'],
    protocolPrompts: ['protocol-prompts', 'protocol-prompts/:id'],
  })
})

/** Everything with the same path prefix is closed alike. */
const beginnings = (paths: readonly string[]) => [
  ...new Set(paths.map((path) => path.replace(/^\//, '').split('/')[0] as string)),
]
const isWhole = (root: string, paths: readonly string[]) =>
  paths.filter((path) => path.replace(/^\//, '').split('/')[0] === root).every((path) => gateOf(path)?.tariff)

test('records', () => {
  const all = entities.map(({ path }) => path)
  const { standard = [], ...others } = asked(all)
  expect(others).toEqual({
    omnichannel: ['live-assist/channels'],
    clinicalRecommendations: ['', '/criteria', '/choices', '/answers'].map((part) => `clinical-recommendations${part}`),
    callTranscript: ['calls/transcripts', 'calls/transcript-lines'],
  })
  expect(beginnings(standard)).toEqual(['discounts', 'script-groups', 'old-scripts', 'sales-management', 'regulations'])
  expect(beginnings(standard).filter((root) => !isWhole(root, all))).toEqual([])
})

test('calls, those too that reach from one area into another', () => {
  const all = everyCall.map(({ path }) => path)
  const { standard = [], ...others } = asked(all)
  expect(others).toEqual({
    premium: ['/sales-management/funnels/:id/analytics', '/sales-management/leads/:id/analytics'],
    omnichannel: ['/live-assist/channels/:id/connect', '/live-assist/channels/:key/updates'],
    clinicalRecommendations: ['general', 'detail'].flatMap((kind) =>
      ['', '/rows', '/file'].map((part) => `/reports/clinical-recommendations/${kind}${part}`),
    ),
    callPrompts: ['/calls/:id/prompt/preview', '/calls/:id/prompt'],
    callTranscript: ['/calls/:id/transcript', '/calls/:id/transcript/cancel'],
    protocolPrompts: ['/examinations/:id/prompt/preview', '/examinations/:id/prompt'],
  })
  const roots = ['discounts', 'intake', 'old-scripts', 'regulations', 'sales-management']
  expect(roots.filter((root) => !isWhole(root, all))).toEqual([])
  expect(standard.filter((path) => !roots.includes(path.split('/')[1] as string)).toSorted()).toEqual([
    '/appeals/:id/lead',
    '/appointments/:id/discounts',
    '/customer-plans/:id/offer',
  ])
})

test('each tier has what the lower ones have; without one the account is on the highest', () => {
  expect(tariffs.map((owned) => tariffs.filter((one) => tariffIncludes(owned, one)).length)).toEqual([1, 2, 3])
  expect(tariffs.every((one) => tariffIncludes(undefined, one))).toBe(true)
})

test('the modules of the specification', () => {
  expect(modules).toEqual([
    'clinicalRecommendations',
    'omnichannel',
    'documentManagement',
    'doctorDialogs',
    'callPrompts',
    'callTranscript',
    'protocolPrompts',
  ])
})
