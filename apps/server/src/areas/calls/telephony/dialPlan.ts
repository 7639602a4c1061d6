/**
 * Formats of employees and numbers at an exchange, from the query of AMI_URL: `ami://user:secret@host?out=9&area=4822`.
 */
import { phoneFromExchange, phoneOf } from '@ordinator/model/phone'

export interface DialPlan {
  /**
   * Names of an employee's channel before the dash of its serial number; `{n}` is the short number. `{n}-WS` is a
   * browser phone of MikoPBX, `99{n}` one of FreePBX.
   */
  channels: readonly string[]
  /** Prefix for outside numbers: `9`; empty: none. */
  out: string
  /** Area code that completes a local number to ten digits: `4822`; empty: local numbers are not completed. */
  area: string
}

const CHANNELS = ['{n}', '{n}-WS', '99{n}']
export const PLAIN: DialPlan = { channels: CHANNELS, out: '', area: '' }

export function dialPlanOf(url: string): DialPlan {
  const asked = new URL(url).searchParams
  const digits = (name: string) => (asked.get(name) ?? '').replace(/\D/g, '')
  const channels = asked
    .get('channels')
    ?.split(',')
    .filter((form) => form.includes('{n}'))
  return { channels: channels?.length ? channels : CHANNELS, out: digits('out'), area: digits('area') }
}

const SHORT = '\\d{2,5}'

/** The short number of the channel's employee: `PJSIP/302-WS-0000000d` → `302`; null: an outside channel. */
export function employeeOf(channel: string, { channels }: DialPlan): string | null {
  const name = /^[A-Z0-9]+\/(.+)-[\da-f]+/i.exec(channel)?.[1]
  if (name === undefined) return null
  const found = channels.flatMap((form) => {
    const [before = '', after = ''] = form.split('{n}').map((part) => part.replace(/[^\w-]/g, '\\$&'))
    return new RegExp(`^${before}(${SHORT})${after}$`).exec(name)?.[1] ?? []
  })
  // Of several matches the one that removes most of the name: `99302` is 302 if such a form is configured.
  return found.toSorted((a, b) => a.length - b.length)[0] ?? null
}

const NATIONAL = 10
/** Extensions and emergency numbers, which are dialled as they are. */
const MAX_SHORT = 5

/** The number of an address: `"Иван" <sip:79161112233@host;user=phone>` → `79161112233`. */
const userOf = (dialled: string): string =>
  dialled
    .replace(/^.*<([^<>]*)>.*$/, '$1')
    .trim()
    .replace(/^(?:sips?|tel):/i, '')
    .replace(/[@;].*$/, '')

/** A number of the exchange: E.164, or unchanged if incomplete; undefined: it is none. */
export function numberOf(raw: string, { out, area }: DialPlan): string | undefined {
  const user = userOf(raw)
  const digits = user.replace(/[\s()-]/g, '')
  const isLocal = (text: string) => area !== '' && /^\d+$/.test(text) && text.length + area.length === NATIONAL
  if (out && digits.startsWith(out)) {
    const rest = digits.slice(out.length)
    if (/^([78]\d{10}|\d{10})$/.test(rest)) return phoneOf(rest)
    if (/^810\d{9,}$/.test(rest)) return phoneFromExchange(rest)
    if (isLocal(rest)) return `+7${area}${rest}`
  }
  return isLocal(digits) ? `+7${area}${digits}` : phoneFromExchange(user)
}

/** The digits to dial: `9` and `89161112233` if the exchange needs a prefix, else the number unchanged. */
export const dialled = (phone: string, { out }: DialPlan): string =>
  out === '' || phone.length <= MAX_SHORT
    ? phone
    : out + (phone.startsWith('+7') ? `8${phone.slice(2)}` : phone.replace(/^\+/, '810'))
