import { Lead } from '@ordinator/model/areas/sales/lead'
import { TaskLink } from '@ordinator/model/areas/tasks/link'
import type { Row } from '@ordinator/model/entity'
import { formatMoney } from '@ordinator/model/format'
import { IconCoin } from '@tabler/icons-react'
import { chatLinks } from '#areas/links/index.ts'
import { recordsWith } from '#base/client.ts'
import { CardField } from '#kit/CardField.tsx'
import { AJAX_LIMIT } from '#kit/useAjaxOptions.ts'
import { LinkedRecords, type LinkKind } from '#records/LinkedRecords.tsx'
import type { SectionProps } from './SectionProps.ts'

const quiet = recordsWith({ forbidden: 'silent' })

const kinds: LinkKind[] = [
  {
    type: 'lead',
    entity: Lead,
    label: 'Сделки',
    placeholder: 'Связать со сделкой',
    removed: 'Сделка больше не связана с задачей',
    forms: ['сделка', 'сделки', 'сделок'],
    icon: IconCoin,
    words: (lead: Row<typeof Lead>) => ({ name: lead.title, state: formatMoney(lead.price) }),
    async load(text, signal) {
      const { items } = await quiet.list(Lead, { q: text, limit: AJAX_LIMIT }, { signal })
      return items.map(({ id, title, price }) => ({ value: id, label: title, hint: formatMoney(price) }))
    },
  },
  chatLinks('с задачей'),
]

/** Linked deals and chats of the task. */
export function Links({ card, mayEdit }: SectionProps) {
  return kinds.map((kind) => (
    <LinkedRecords
      key={kind.type}
      kind={kind}
      links={TaskLink}
      of={{ idTask: card.idTask }}
      mayEdit={mayEdit}
      frame={(title, _count, body) => <CardField label={title}>{body}</CardField>}
    />
  ))
}
