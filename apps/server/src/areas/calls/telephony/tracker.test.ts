import { describe, expect, it } from 'vitest'
import { blockReader } from './ami.ts'
import type { PbxEvent } from './exchange.ts'
import { CallTracker, type TrackedCall } from './tracker.ts'

/** Plays events second by second. @returns the last reported state of the calls */
function play(...events: [second: number, event: string, fields?: Record<string, string>][]): TrackedCall[] {
  const calls = new Map<string, TrackedCall>()
  const tracker = new CallTracker((call) => calls.set(call.session, call))
  for (const [second, Event, fields] of events) tracker.event({ Event, ...fields }, second * 1000)
  const end = Math.max(...events.map(([second]) => second))
  tracker.tick((end + 3) * 1000)
  return [...calls.values()].filter(({ end: over }) => over !== null)
}
const channel = (Uniqueid: string, Channel: string, more: Record<string, string> = {}) => ({
  Uniqueid,
  Channel,
  ...more,
})
const caller = channel('a', 'PJSIP/trunk-1', { CallerIDNum: '89161234567', Exten: '74950000000', Linkedid: 'a' })
const rings = (id: string, sip: string) => channel(id, `PJSIP/${sip}-0${id}`, { Linkedid: 'a' })
const bridge = (Uniqueid: string, BridgeUniqueid: string, Linkedid = 'a') => ({ Uniqueid, BridgeUniqueid, Linkedid })
const gone = (Uniqueid: string) => ({ Uniqueid })

describe('one conversation', () => {
  it('rings 201 and 202, 202 answers: one call of type 1 and no miss', () => {
    const calls = play(
      [0, 'Newchannel', caller],
      [1, 'Newchannel', rings('b', '201')],
      [1, 'Newchannel', rings('c', '202')],
      [5, 'BridgeEnter', bridge('a', 'X')],
      [5, 'BridgeEnter', bridge('c', 'X')],
      [5, 'Hangup', gone('b')],
      [65, 'Hangup', gone('c')],
      [65, 'Hangup', gone('a')],
    )
    expect(calls).toHaveLength(1)
    expect(calls[0]).toMatchObject({ session: 'a', type: 1, localPhone: '202', waitS: 5, answer: 5000, end: 65_000 })
    expect(calls[0]?.legs.find(({ sipPhone }) => sipPhone === '201')?.answerAt).toBeNull()
  })

  it('is abandoned in a queue after 35 s: type 3, waited 35, one miss and not one per member', () => {
    const calls = play(
      [0, 'Newchannel', caller],
      [1, 'QueueCallerJoin', { Uniqueid: 'a', Queue: 'reception' }],
      [2, 'Newchannel', rings('b', '201')],
      [20, 'Hangup', gone('b')],
      [36, 'QueueCallerAbandon', { Uniqueid: 'a', HoldTime: '35' }],
      [36, 'Hangup', gone('a')],
    )
    expect(calls).toHaveLength(1)
    expect(calls[0]).toMatchObject({ type: 3, waitS: 35, queue: 'reception', localPhone: null })
  })

  it('201 consults 305 by another call and transfers: one call, of 305', () => {
    const calls = play(
      [0, 'Newchannel', caller],
      [0, 'Newchannel', rings('b', '201')],
      [1, 'BridgeEnter', bridge('a', 'B1')],
      [1, 'BridgeEnter', bridge('b', 'B1')],
      [61, 'Newchannel', channel('m', 'PJSIP/201-0m', { Linkedid: 'm', Exten: '305' })],
      [61, 'Newchannel', channel('n', 'PJSIP/305-0n', { Linkedid: 'm' })],
      [62, 'BridgeEnter', bridge('m', 'B2', 'm')],
      [62, 'BridgeEnter', bridge('n', 'B2', 'm')],
      [72, 'AttendedTransfer', { OrigTransfererUniqueid: 'b', SecondTransfererUniqueid: 'm' }],
      [72, 'Hangup', gone('b')],
      [72, 'Hangup', gone('m')],
      [72, 'BridgeEnter', bridge('n', 'B1')],
      [192, 'Hangup', gone('n')],
      [192, 'Hangup', gone('a')],
    )
    expect(calls.map(({ session, type, localPhone }) => [session, type, localPhone])).toEqual([['a', 1, '305']])
  })

  it('with a consultation before a transfer: the reported part is withdrawn', () => {
    const merged: string[] = []
    const calls: TrackedCall[] = []
    const tracker = new CallTracker(
      (call) => calls.push(call),
      (session) => merged.push(session),
    )
    const events: [string, Record<string, string>][] = [
      ['Newchannel', caller],
      ['Newchannel', rings('b', '201')],
      ['BridgeEnter', bridge('a', 'B1')],
      ['BridgeEnter', bridge('b', 'B1')],
      ['Newchannel', channel('m', 'PJSIP/201-0a', { Linkedid: 'm', Exten: '305' })],
      ['AttendedTransfer', { OrigTransfererUniqueid: 'b', SecondTransfererUniqueid: 'm' }],
    ]
    for (const [at, [Event, fields]] of events.entries()) tracker.event({ Event, ...fields }, at * 1000)
    expect(calls.some(({ session }) => session === 'm')).toBe(true)
    expect(merged).toEqual(['m'])
    expect(calls.at(-1)?.session).toBe('a')
  })

  it('with a number reported after its channel gets that number', () => {
    const calls = play(
      [0, 'Newchannel', { ...caller, CallerIDNum: '<unknown>' }],
      [0, 'NewCallerid', { Uniqueid: 'a', CallerIDNum: '89161234567' }],
      [1, 'NewCallerid', { Uniqueid: 'nobody', CallerIDNum: '1' }],
      [9, 'Hangup', gone('a')],
    )
    expect(calls[0]).toMatchObject({ type: 3, contactPhone: '89161234567' })
  })

  it('answered in a browser phone of MikoPBX or FreePBX belongs to the employee', () => {
    for (const name of ['PJSIP/302-WS-0000000d', 'PJSIP/99302-0000000d']) {
      const calls = play(
        [0, 'Newchannel', caller],
        [1, 'Newchannel', channel('b', name, { Linkedid: 'a' })],
        [2, 'BridgeEnter', bridge('a', 'X')],
        [2, 'BridgeEnter', bridge('b', 'X')],
        [9, 'Hangup', gone('b')],
        [9, 'Hangup', gone('a')],
      )
      expect(calls[0]).toMatchObject({ type: 1, localPhone: '302' })
    }
  })

  it('reaches 201 through a Local channel: answered', () => {
    const calls = play(
      [0, 'Newchannel', caller],
      [1, 'Newchannel', channel('p', 'Local/201@queue-1;1', { Linkedid: 'a' })],
      [1, 'Newchannel', channel('q', 'Local/201@queue-1;2', { Linkedid: 'a' })],
      [2, 'Newchannel', rings('b', '201')],
      [3, 'BridgeEnter', bridge('a', 'B1')],
      [3, 'BridgeEnter', bridge('p', 'B1')],
      [4, 'BridgeEnter', bridge('q', 'B2')],
      [4, 'BridgeEnter', bridge('b', 'B2')],
      ...['b', 'q', 'p', 'a'].map((id) => [30, 'Hangup', gone(id)] as [number, string, Record<string, string>]),
    )
    expect(calls).toHaveLength(1)
    expect(calls[0]).toMatchObject({ type: 1, answer: 4000, localPhone: '201' })
  })
})

it('a bridge with only music is no answer', () => {
  const calls = play([0, 'Newchannel', caller], [2, 'BridgeEnter', bridge('a', 'M')], [9, 'Hangup', gone('a')])
  expect(calls[0]).toMatchObject({ type: 3, answer: null, waitS: 9 })
})

it('a blind transfer continues the same call', () => {
  const calls = play(
    [0, 'Newchannel', caller],
    [0, 'Newchannel', rings('b', '201')],
    [1, 'BridgeEnter', bridge('a', 'B1')],
    [1, 'BridgeEnter', bridge('b', 'B1')],
    [9, 'BlindTransfer', { TransfererUniqueid: 'b', TransfereeUniqueid: 'a', Extension: '305' }],
    [9, 'Hangup', gone('b')],
    [10, 'Newchannel', rings('d', '305')],
    [12, 'BridgeEnter', bridge('a', 'B2')],
    [12, 'BridgeEnter', bridge('d', 'B2')],
    [40, 'Hangup', gone('d')],
    [40, 'Hangup', gone('a')],
  )
  expect(calls.map(({ type, localPhone }) => [type, localPhone])).toEqual([[1, '305']])
})

it('dialled by an employee is outgoing to outside and internal to a colleague', () => {
  const own = channel('o', 'PJSIP/201-0o', { Exten: '+79161234567', Linkedid: 'o' })
  const out = play(
    [0, 'Newchannel', own],
    [1, 'Newchannel', channel('t', 'PJSIP/trunk-9', { Linkedid: 'o' })],
    [20, 'Hangup', gone('t')],
    [20, 'Hangup', gone('o')],
  )
  expect(out[0]).toMatchObject({ type: 2, contactPhone: '+79161234567', localPhone: '201', answer: null })
  const inner = play(
    [0, 'Newchannel', { ...own, Exten: '305' }],
    [1, 'Newchannel', channel('u', 'PJSIP/305-0u', { Linkedid: 'o' })],
    [2, 'BridgeEnter', bridge('o', 'I', 'o')],
    [2, 'BridgeEnter', bridge('u', 'I', 'o')],
    [20, 'Hangup', gone('u')],
    [20, 'Hangup', gone('o')],
  )
  expect(inner[0]).toMatchObject({ type: 4, contactPhone: null, destPhone: '305', localPhone: '201', answer: 2000 })
})

it('hung up while disconnected is finished', () => {
  const reported: TrackedCall[] = []
  const tracker = new CallTracker((call) => reported.push(call))
  tracker.event({ Event: 'Newchannel', ...caller }, 0)
  tracker.living(new Set(), 60_000)
  tracker.tick(63_000)
  expect(reported.at(-1)).toMatchObject({ type: 3, end: 60_000 })
})

it('malformed events change nothing', () => {
  const calls = play(
    [0, 'Newchannel', caller],
    [1, 'BridgeEnter', { Uniqueid: 'nobody' }],
    [1, 'AttendedTransfer', {}],
    [1, 'Hangup', { Uniqueid: '' }],
    [1, 'QueueCallerAbandon', { Uniqueid: 'a', HoldTime: 'soon' }],
    [2, 'toString', { Uniqueid: 'a' }],
    [9, 'Hangup', gone('a')],
    [9, 'Hangup', gone('a')],
  )
  expect(calls).toHaveLength(1)
  expect(calls[0]).toMatchObject({ type: 3, waitS: 9 })
})

describe('AMI blocks', () => {
  const read = (...parts: string[]): PbxEvent[] => {
    const blocks: PbxEvent[] = []
    const reader = blockReader((block) => blocks.push(block))
    for (const part of parts) reader(part)
    return blocks
  }

  it('are the same however the stream is split', () => {
    const text =
      'Asterisk Call Manager/9.0\r\nEvent: Hangup\r\nUniqueid: 1.2\r\n\r\nnonsense\r\n\r\nEvent: Ping\r\n\r\n'
    const whole = read(text)
    expect(whole).toEqual([{ Event: 'Hangup', Uniqueid: '1.2' }, { Event: 'Ping' }])
    for (let at = 1; at < text.length; at++) expect(read(text.slice(0, at), text.slice(at))).toEqual(whole)
  })

  it('without an end are refused', () => expect(() => read('x'.repeat(70_000))).toThrow())
})
