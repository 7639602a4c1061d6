import { chatStatuses, LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import type { Row } from '@ordinator/model/entity'
import { IconMessage } from '@tabler/icons-react'
import { recordsWith } from '#base/client.ts'
import { AJAX_LIMIT } from '#kit/useAjaxOptions.ts'
import type { LinkKind } from '#records/LinkedRecords.tsx'

type Chat = Row<typeof LiveAssist>

/** Minimum digits of a phone search. */
const MIN_DIGITS = 3

/** Chat links of another record; `from`: text of the relation, «с задачей». */
export const chatLinks = (from: string): LinkKind => ({
  type: 'liveassist',
  entity: LiveAssist,
  label: 'Чаты',
  placeholder: 'Связать с чатом',
  removed: `Чат больше не связан ${from}`,
  forms: ['чат', 'чата', 'чатов'],
  icon: IconMessage,
  words: (chat: Chat) => ({ name: chat.name, state: stateOf(chat) }),
  async load(text, signal) {
    const digits = text.replace(/\D/g, '')
    const phone = digits.length >= MIN_DIGITS ? [{ phone: { ilike: digits } }] : []
    const filter = { or: [{ name: { ilike: text } }, { email: { ilike: text } }, ...phone] }
    const { items } = await quiet.list(LiveAssist, { filter, limit: AJAX_LIMIT }, { signal })
    return items.map((chat) => ({ value: chat.id, label: chat.name, hint: stateOf(chat) }))
  },
})

const quiet = recordsWith({ forbidden: 'silent' })

const stateOf = (chat: Chat): string => [chat.sourceName, chatStatuses[chat.status]].filter(Boolean).join(' · ')
