import { expect, it } from 'vitest'
import type { SigningPlugin } from './plugin/plugin.ts'
import { type Signed, signAll, type ToSign } from './signAll.ts'

const taken: string[] = []
const item = (key: string, more: Partial<ToSign> = {}): ToSign => ({
  key,
  title: `Документ ${key}`,
  purpose: 'doctor',
  read: async () => btoa(key),
  take: async (content, signature) => void taken.push(`${atob(content)} ${signature}`),
  ...more,
})
/** Signs all but one, as a user who declines it. */
const plugin = (refuses: string): SigningPlugin => ({
  name: 'КриптоПро',
  certificates: async () => [],
  sign: async (thumbprint, content) => {
    if (atob(content) === refuses) throw new Error('Операция была отменена пользователем (0x000004C7)')
    return `${thumbprint}:${atob(content)}`
  },
  signRaw: async (thumbprint, content) => `raw ${thumbprint}:${atob(content)}`,
})
const never = new AbortController().signal

it('a day is signed one after another: a refusal, a stale document and a lack of a certificate stop nothing', async () => {
  const steps: (readonly Signed[])[] = []
  const stale = item('c', { take: () => Promise.reject(new Error('Документ тем временем собрали заново')) })
  const ofClinic = item('d', { purpose: 'organization' })
  const done = await signAll(
    plugin('b'),
    [item('a'), item('b'), stale, ofClinic, item('e')],
    { doctor: 'T' },
    (all) => steps.push(all),
    never,
  )
  expect(taken).toEqual(['a T:a', 'e T:e'])
  expect(done.map(({ key, failure }) => [key, failure?.message, failure?.isRefusal])).toEqual([
    ['a', undefined, undefined],
    ['b', 'Вы отменили подписание', true],
    ['c', 'Документ тем временем собрали заново', false],
    ['d', 'Нет сертификата для этой подписи', false],
    ['e', undefined, undefined],
  ])
  // Each step reports all results so far.
  expect(steps.map((all) => all.length)).toEqual([1, 2, 3, 4, 5])
})

it('stops before the next one when it is asked to', async () => {
  const stop = new AbortController()
  const done = await signAll(plugin(''), [item('a'), item('b')], { doctor: 'T' }, () => stop.abort(), stop.signal)
  expect(done.map(({ key }) => key)).toEqual(['a'])
})

it('a part of XMLDSig is signed without a container, and names its certificate', async () => {
  const sent: string[] = []
  const part = item('f', {
    isRaw: true,
    take: async (content, signature, thumbprint) => void sent.push(`${atob(content)} ${signature} ${thumbprint}`),
  })
  await signAll(plugin(''), [part], { doctor: 'T' }, () => {}, never)
  expect(sent).toEqual(['f raw T:f T'])
})
