/** Verdicts of a client of an outside system, and those that are true after each fault. */

import { PossiblyArrived } from '#areas/metrika/client.ts'
import { atolOnlineKkt } from '#areas/money/atolOnline.ts'
import { DeviceError, type Kkt, type PrintTask } from '#areas/money/devices.ts'
import { AnswerFault } from '#areas/money/yookassa.ts'
import { AdapterFault } from '#platform/adapter.ts'
import { type Outbound, openOutbound } from '#platform/outbound.ts'
import type { Outcome } from '#platform/outboxMessage.ts'
import { RemoteFault, remote } from '#platform/remote.ts'
import type { Fault } from './simulator.ts'

/** Milliseconds: a late answer comes within them, a silent one does not. */
export const PATIENCE = 2_000

/** Each client has a patience of its own; here none waits longer. */
export function hasty(outbound: Outbound): Outbound {
  const { ask, post: send } = outbound
  return Object.assign(outbound, {
    ask: (url, options) => ask(url, { ...options, timeout: PATIENCE }),
    post: (url, body, options) => send(url, body, { ...options, timeout: PATIENCE }),
  } satisfies Partial<Outbound>)
}

export type Verdict = 'done' | 'certain' | 'unknown'
/** Verdicts that are true after a fault. A request that breaks before it is read may be reported as unknown. */
export const truths: Readonly<Record<Fault, readonly Verdict[]>> = {
  refused: ['unknown', 'certain'],
  silent: ['unknown'],
  late: ['done'],
  lost: ['unknown'],
  twice: ['done'],
  html: ['unknown'],
  half: ['unknown'],
  short: ['unknown'],
  fails: ['unknown'],
  busy: ['certain'],
  stranger: ['certain', 'unknown'],
}
/** The receiver's answer has only a status. */
export const byStatus = { html: ['done'], half: ['done'], short: ['done', 'unknown'] } as const
/** What is certain of the whole, as nothing was changed there, or not yet. */
const doubtful = ['certain', 'unknown'] as const
export const vain = {
  silent: doubtful,
  lost: doubtful,
  html: doubtful,
  half: doubtful,
  short: doubtful,
  fails: doubtful,
}
/** An answer of this protocol is certain: there is no gateway between. */
export const direct = { fails: ['certain'] } as const

export interface Wire {
  /** What plays the other side. */
  by: { fault: Fault | undefined; close(): unknown }
  /** One request that changes something there, under a key of its own. */
  act(key: string): Promise<Verdict>
  /** Verdicts that are true of this system after these faults, in place of the common ones. */
  truths?: Partial<Record<Fault, readonly Verdict[]>>
  /** Signs in anew after a refused sign-in, as a person's check does; or waits until it has done so by itself. */
  signIn?(): Promise<unknown>
}
/** Wires of a system; or why it has none, and its test. */
export type Wires = Readonly<Record<string, Wire>> | { files: string }

export const outbound = hasty(openOutbound())
export const exchanged = async () => {}
export const byRemote = (url: string) =>
  remote(
    { outbound, exchanged },
    { adapter: 'yookassa', url, isOwn: true, auth: () => ({ authorization: 'Basic a2V5OnM=' }) },
  )
/** @param done kinds of a thrown error that are certain */
export const verdictOf = (work: () => Promise<unknown>): Promise<Verdict> =>
  work().then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof DeviceError) return error.isCertain ? 'certain' : 'unknown'
      if (error instanceof RemoteFault) return error.mayHaveArrived ? 'unknown' : 'certain'
      if (error instanceof PossiblyArrived) return 'unknown'
      if (error instanceof AnswerFault || error instanceof AdapterFault) return 'certain'
      throw error
    },
  )
export const verdictIn = ({ kind }: Outcome): Verdict =>
  kind === 'done' || kind === 'accepted' ? 'done' : kind === 'unknown' ? 'unknown' : 'certain'

const receipt: PrintTask['receipt'] = {
  items: [
    { name: 'Приём', price: 10_000, quantity: 1, amount: 10_000, settlement: 'fullPayment', subject: 4, tax: 'none' },
  ],
  payments: [{ type: 'electronically', sum: 10_000 }],
  total: 10_000,
}
export const printed = (kkt: Kkt, key: string, kind: 'sell' | 'openShift' = 'sell') =>
  kkt.print({
    ...{ key, request: key, kind, receipt, idPayment: 1, expectedFd: null, operator: null },
    day: '2026-11-29',
  })
export const cloudKkt = (url: string) =>
  atolOnlineKkt(
    byRemote(url),
    {
      ...{ group: 'g', login: 'l', password: 'p', email: 'a@b.ru', address: 'https://b.ru', inn: '7707083893' },
      taxSystem: null,
    },
    url,
  )
