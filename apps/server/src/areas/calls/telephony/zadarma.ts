/**
 * Zadarma: notices by POST, each signed over its own fields. The signature is the base64 of the hex HMAC-SHA1. A notice
 * contains the start of the call, and not its own time: the time of its first receipt is used.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { INCOMING, MISSED, OUTGOING } from '@ordinator/model/areas/calls/call'
import { momentIn } from '@ordinator/model/zone'
import { type CloudEvent, type CloudSecret, secondsWaited } from './cloudEvent.ts'
import type { TrackedCall, TrackedLeg } from './tracker.ts'

type Form = Readonly<Record<string, string>>

/** Signed fields of each notice. */
const signed: Readonly<Record<string, readonly string[]>> = {
  NOTIFY_START: ['caller_id', 'called_did', 'call_start'],
  NOTIFY_INTERNAL: ['caller_id', 'called_did', 'call_start'],
  NOTIFY_IVR: ['caller_id', 'called_did', 'call_start'],
  NOTIFY_END: ['caller_id', 'called_did', 'call_start'],
  NOTIFY_ANSWER: ['caller_id', 'destination', 'call_start'],
  NOTIFY_OUT_START: ['internal', 'destination', 'call_start'],
  NOTIFY_OUT_END: ['internal', 'destination', 'call_start'],
  NOTIFY_RECORD: ['pbx_call_id', 'call_id_with_rec'],
}
/** Time zone of the notices. */
const ZONE = 'Europe/Moscow'

const hmac = (words: string, secret: string): string =>
  Buffer.from(createHmac('sha1', secret).update(words).digest('hex')).toString('base64')

/** The signature of a notice; undefined for an unknown one. */
export function zadarmaSign(form: Form, { secret }: Pick<CloudSecret, 'secret'>): string | undefined {
  const fields = signed[form.event ?? '']
  return fields && hmac(fields.map((name) => form[name] ?? '').join(''), secret)
}

/** The signature of a request to their API: https://zadarma.com/ru/support/api/. */
export function zadarmaAuthorization(path: string, query: string, { key, secret }: CloudSecret): string {
  const sum = createHash('md5').update(query).digest('hex')
  return `${key}:${hmac(`${path}${query}${sum}`, secret)}`
}

/** The event of a signed form; undefined if the signature is invalid. */
export function readZadarma(form: Form, signature: string, secret: CloudSecret): CloudEvent | 'other' | undefined {
  const own = zadarmaSign(form, secret)
  if (own === undefined) return 'other'
  const [wanted, given] = [Buffer.from(own), Buffer.from(signature)]
  if (wanted.length !== given.length || !timingSafeEqual(wanted, given)) return undefined
  const entry = form.pbx_call_id
  if (!entry) return 'other'
  const recording = form.event === 'NOTIFY_RECORD' ? form.call_id_with_rec : undefined
  const mark = `${entry}/${form.event}/${form.internal ?? ''}/${form.destination ?? ''}${recording ? `/${recording}` : ''}`
  return { entry: entry.slice(0, 120), mark: mark.slice(0, 300), body: form, ...(recording && { recording }) }
}

const text = (value: string | undefined): string | null => (value && value !== '0' ? value.slice(0, 32) : null)
const momentOf = (words: string | undefined): number | undefined => {
  const [day, time] = (words ?? '').split(' ')
  if (!/^\d{4}-\d\d-\d\d$/.test(day ?? '') || !/^\d\d:\d\d:\d\d$/.test(time ?? '')) return undefined
  const at = Date.parse(momentIn(ZONE, day as string, (time as string).slice(0, 5)))
  return Number.isFinite(at) ? at + Number((time as string).slice(6)) * 1000 : undefined
}

/** The call from the notices of one number; undefined if there is not enough data yet. */
export function zadarmaCall(entry: string, events: readonly CloudEvent[]): TrackedCall | undefined {
  const all = events.map(({ body, at }) => ({ ...(body as Form), at: at ?? Date.now() }) as Form & { at: number })
  const of = (...names: string[]) => all.find(({ event }) => names.includes(event ?? ''))
  const start =
    of('NOTIFY_START', 'NOTIFY_OUT_START') ?? of('NOTIFY_END', 'NOTIFY_OUT_END', 'NOTIFY_INTERNAL', 'NOTIFY_ANSWER')
  if (!start) return undefined
  const isOut = all.some(({ event }) => event === 'NOTIFY_OUT_START' || event === 'NOTIFY_OUT_END')
  const over = of('NOTIFY_END', 'NOTIFY_OUT_END')
  const begin = momentOf(start.call_start) ?? start.at
  const end = over?.at ?? null
  const talkMs = over?.disposition === 'answered' ? Number(over.duration ?? 0) * 1000 : 0
  // A call that is transferred is answered several times.
  const isUnanswered = over !== undefined && over.disposition !== 'answered'
  const answers = isUnanswered ? [] : all.filter(({ event }) => event === 'NOTIFY_ANSWER').sort((a, b) => a.at - b.at)
  // The end says how long the talk was, whenever the answer is reported.
  const answer = isUnanswered
    ? null
    : talkMs > 0 && end !== null
      ? Math.max(begin, end - talkMs)
      : (answers[0]?.at ?? null)
  const talker = text(over?.last_internal) ?? text(answers.at(-1)?.internal)
  const rung = [
    ...new Set(
      all
        .filter(({ event }) => event === 'NOTIFY_INTERNAL' || event === 'NOTIFY_ANSWER')
        .flatMap(({ internal }) => text(internal) ?? []),
    ),
  ]
  if (talker && !rung.includes(talker)) rung.push(talker)
  if (isOut && text(start.internal) && !rung.includes(start.internal as string)) rung.push(start.internal as string)
  const legs: TrackedLeg[] = rung.map((sipPhone) => {
    const turn = answers.findIndex(({ internal }) => internal === sipPhone)
    const next = turn < 0 ? undefined : answers.slice(turn + 1).find(({ internal }) => internal !== sipPhone)
    const within = (at: number) => Math.min(Math.max(at, answer ?? at), end ?? at)
    return {
      uniqueid: `${entry}/${sipPhone}`,
      party: 'operator',
      sipPhone,
      ringAt: all.find(({ internal }) => internal === sipPhone)?.at ?? begin,
      answerAt:
        turn > 0
          ? within((answers[turn] as { at: number }).at)
          : answer !== null && (isOut || turn === 0 || sipPhone === talker)
            ? answer
            : null,
      endAt: sipPhone !== talker && next ? within(next.at) : end,
      dialStatus: null,
    }
  })
  return {
    session: entry,
    type: isOut ? OUTGOING : answer === null && end !== null ? MISSED : INCOMING,
    contactPhone: text(isOut ? start.destination : start.caller_id),
    localPhone: isOut ? text(start.internal) : answer === null ? null : talker,
    destPhone: text(isOut ? start.destination : start.called_did),
    begin,
    answer,
    end,
    waitS: secondsWaited({ isOut, begin, answer, end }),
    queue: null,
    legs,
  }
}
