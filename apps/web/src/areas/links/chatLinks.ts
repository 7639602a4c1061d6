import { chatStatuses, LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import type { Row } from '@ordinator/model/entity'
import { IconMessage } from '@tabler/icons-react'
import { recordsWith } from '#base/client.ts'
import { AJAX_LIMIT } from '#kit/useAjaxOptions.ts'
import type { LinkKind } from '#records/LinkedRecords.tsx'

type Chat = Row<typeof LiveAssist>

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
    const { items } = await quiet.list(LiveAssist, { q: text, limit: AJAX_LIMIT }, { signal })
    return items.map((chat) => ({ value: chat.id, label: chat.name, hint: stateOf(chat) }))
  },
})

const quiet = recordsWith({ forbidden: 'silent' })

const stateOf = (chat: Chat): string => [chat.sourceName, chatStatuses[chat.status]].filter(Boolean).join(' · ')
