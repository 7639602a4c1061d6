import {
  Call,
  type CallType,
  callTypes,
  INCOMING,
  INTERNAL,
  MISSED,
  OUTGOING,
  RECALLED,
} from '@ordinator/model/areas/calls/call'
import { Customer } from '@ordinator/model/areas/customers/customer'
import type { Row } from '@ordinator/model/entity'
import { formatDuration } from '@ordinator/model/format'
import { phoneText } from '@ordinator/model/phone'
import {
  IconPhone,
  IconPhoneCheck,
  IconPhoneIncoming,
  IconPhoneOutgoing,
  IconPhoneX,
  type TablerIcon,
} from '@tabler/icons-react'
import type { CustomerRow } from '#areas/customers/index.ts'
import { recordsWith } from '#base/client.ts'
import { formatDateTimeSeconds } from '#kit/clock.ts'
import { type PersonLike, personName } from '#kit/UserAvatar.tsx'
import { AJAX_LIMIT, type AjaxOption } from '#kit/useAjaxOptions.ts'
import { useCan } from '#records/Can.tsx'
import type { LinkKind } from '#records/LinkedRecords.tsx'
import type { LinkWords } from '#records/LinkFace.tsx'

/** A call with its people; the customer only for users who may see customers. */
export type CallRow = Row<typeof Call> & { user?: PersonLike | null; customer?: CustomerRow | null }

/** Relations needed for a call's text. */
export type CallPart = 'user' | 'customer'

/** Minimum digits of a phone search. */
const MIN_DIGITS = 3

/** Call links of another record; `from`: text of the relation, «со сделкой». */
export function useCallLinks(from: string): LinkKind & { expand: readonly CallPart[] } {
  const expand: readonly CallPart[] = useCan('view', Customer) ? ['user', 'customer'] : ['user']
  return {
    type: 'call',
    entity: Call,
    label: 'Звонки',
    placeholder: expand.includes('customer') ? 'Связать со звонком: телефон или клиент' : 'Связать со звонком: телефон',
    removed: `Звонок больше не связан ${from}`,
    forms: ['звонок', 'звонка', 'звонков'],
    icon: IconPhone,
    expand,
    words: callWords,
    load: (text, signal) => findCalls(text, expand, signal),
  }
}

async function findCalls(text: string, expand: readonly CallPart[], signal: AbortSignal): Promise<AjaxOption[]> {
  const digits = text.replace(/\D/g, '')
  const byPhone = digits.length >= MIN_DIGITS
  if (!byPhone && !expand.includes('customer')) return []
  // «8 900…» and «+7 900…» are the same number: the country code is not searched.
  const sought = digits.length > MIN_DIGITS ? digits.replace(/^[78]/, '') : digits
  const filter = byPhone ? { contactPhone: { ilike: sought } } : { 'customer.fio': { ilike: text } }
  const { items } = await quiet.list(Call, { filter, expand, sort: '-dateCreate', limit: AJAX_LIMIT }, { signal })
  return items.map((call) => {
    const { name, meta, state } = callWords(call)
    return { value: call.id, label: name, hint: [meta, state].filter(Boolean).join(' · ') }
  })
}

const quiet = recordsWith({ forbidden: 'silent' })

export const callIcons: Record<CallType, TablerIcon> = {
  [INCOMING]: IconPhoneIncoming,
  [OUTGOING]: IconPhoneOutgoing,
  [MISSED]: IconPhoneX,
  [INTERNAL]: IconPhone,
  [RECALLED]: IconPhoneCheck,
}

/** Person, number, time (with seconds, spec §9), employee, and duration as m:ss. */
export function callWords(call: CallRow): Required<LinkWords> {
  const { customer, user, contactPhone, localPhone, destPhone, dateCreate, duration, callType } = call
  const phone = phoneText(contactPhone)
  const inside = [localPhone, destPhone].filter(Boolean).join(' → ')
  const name = customer?.fio || phone || (callType === INTERNAL && inside) || 'Номер скрыт'
  const meta = [
    callTypes[callType],
    customer?.fio ? phone : '',
    formatDateTimeSeconds(dateCreate),
    user ? personName(user) : '',
  ]
  return {
    name,
    meta: meta.filter(Boolean).join(' · '),
    // A missed call has no conversation.
    state: callType === MISSED ? '' : formatDuration(duration),
    icon: callIcons[callType],
  }
}
