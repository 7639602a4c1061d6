import { CloseButton } from '@mantine/core'
import { chatStatuses, LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { Lead } from '@ordinator/model/areas/sales/lead'
import { TaskLink } from '@ordinator/model/areas/tasks/link'
import type { Entity, Row } from '@ordinator/model/entity'
import { counted, formatMoney } from '@ordinator/model/format'
import { IconCoin, IconLock, IconMessage } from '@tabler/icons-react'
import { AjaxSelect } from '../../../kit/AjaxSelect.tsx'
import { AJAX_LIMIT, type AjaxLoad } from '../../../kit/useAjaxOptions.ts'
import { onSortKeys, stepPlace, useSortable } from '../../../kit/useSortable.ts'
import { useCan } from '../../../records/Can.tsx'
import { recordsWith } from '../../../records/client.ts'
import { useList } from '../../../records/reads.ts'
import { useMove, useRemove, useSave } from '../../../records/writes.ts'
import type { SectionProps } from './sections.ts'
import classes from './Things.module.css'
import { useTaskLinks } from './useThings.ts'

interface Kind {
  type: 'lead' | 'liveassist'
  entity: Entity
  label: string
  placeholder: string
  removed: string
  forms: readonly [string, string, string]
  icon: typeof IconCoin
  /** Name and state of one. */
  words: (row: never) => { name: string; state: string }
  load: AjaxLoad
}

const quiet = recordsWith({ forbidden: 'silent' })

const kinds: Kind[] = [
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
      const query = { filter: { title: { ilike: text } }, limit: AJAX_LIMIT }
      const { items } = await quiet.list(Lead, query, { signal })
      return items.map(({ id, title, price }) => ({ value: id, label: title, hint: formatMoney(price) }))
    },
  },
  {
    type: 'liveassist',
    entity: LiveAssist,
    label: 'Чаты',
    placeholder: 'Связать с чатом',
    removed: 'Чат больше не связан с задачей',
    forms: ['чат', 'чата', 'чатов'],
    icon: IconMessage,
    words: (chat: Row<typeof LiveAssist>) => ({ name: chat.name, state: chatStatuses[chat.status] }),
    async load(text, signal) {
      const digits = text.replace(/\D/g, '')
      const phone = digits.length > 2 ? [{ phone: { ilike: digits } }] : []
      const filter = { or: [{ name: { ilike: text } }, { email: { ilike: text } }, ...phone] }
      const { items } = await quiet.list(LiveAssist, { filter, limit: AJAX_LIMIT }, { signal })
      return items.map((chat) => ({
        value: chat.id,
        label: chat.name,
        hint: [chat.sourceName, chatStatuses[chat.status]].filter(Boolean).join(' · '),
      }))
    },
  },
]

/** The deals and the chats that the task is about. */
export function Links(props: SectionProps) {
  return kinds.map((kind) => <LinksOf key={kind.type} kind={kind} {...props} />)
}

function LinksOf({ kind, card, mayEdit }: SectionProps & { kind: Kind }) {
  const { type, entity, label, forms, icon: Icon } = kind
  const sees = useCan('view', entity)
  const all = useTaskLinks(card.idTask)
  const links = (all.data?.items ?? []).filter((link) => link.type === type)
  const ids = links.map((link) => link.idEntity)
  const list = useList(entity, { filter: { id: { in: ids } }, limit: 500 } as never, {
    enabled: sees && ids.length > 0,
    forbidden: 'silent',
  })
  const save = useSave(TaskLink)
  const remove = useRemove(TaskLink, { message: kind.removed })
  const move = useMove(TaskLink)
  if (links.length === 0 && !(mayEdit && sees)) return null
  const byId = new Map((list.data?.items ?? []).map((row) => [row.id, row]))
  return (
    <section aria-label={label}>
      <div className={classes.sideLabel}>{label}</div>
      {!sees && (
        <p className={classes.nothing}>
          <IconLock size={14} aria-hidden /> {counted(links.length, forms)}, у вас нет права их смотреть
        </p>
      )}
      {sees && links.length > 0 && (
        <ul className={classes.links}>
          {links.map((link) => {
            const row = byId.get(link.idEntity)
            const words = row ? kind.words(row as never) : { name: list.isPending ? '…' : 'Удалено', state: '' }
            return (
              <LinkRow
                key={link.id}
                id={link.id}
                type={type}
                mayEdit={mayEdit}
                words={words}
                icon={<Icon size={16} aria-hidden />}
                onPut={(id, place) => move.mutate({ id, ...place })}
                onStep={(step) => {
                  const place = stepPlace(links, link.id, step)
                  if (place) move.mutate({ id: link.id, ...place })
                }}
                onRemove={() => remove.mutate(link.id)}
              />
            )
          })}
        </ul>
      )}
      {mayEdit && sees && (
        <AjaxSelect
          size="xs"
          aria-label={kind.placeholder}
          placeholder={kind.placeholder}
          load={async (text, signal) => (await kind.load(text, signal)).filter(({ value }) => !ids.includes(value))}
          value={null}
          onChange={(option) => option && save.mutate({ idTask: card.idTask, type, idEntity: option.value })}
        />
      )}
    </section>
  )
}

interface LinkRowProps {
  id: number
  type: string
  mayEdit: boolean
  words: { name: string; state: string }
  icon: React.ReactNode
  onPut: (id: number, place: { before?: number; after?: number }) => void
  onStep: (step: 'up' | 'down') => void
  onRemove: () => void
}

function LinkRow({ id, type, mayEdit, words, icon, onPut, onStep, onRemove }: LinkRowProps) {
  const { ref, edge, dragging } = useSortable<HTMLLIElement>({ kind: `links-${type}`, id, disabled: !mayEdit, onPut })
  return (
    <li
      ref={ref}
      className={classes.link}
      data-edge={edge ?? undefined}
      data-dragging={dragging || undefined}
      onKeyDown={mayEdit ? onSortKeys(onStep) : undefined}
    >
      {icon}
      <span className={classes.linkName} title={words.name}>
        {words.name}
      </span>
      {words.state && <span className={`${classes.linkState} tabular`}>{words.state}</span>}
      {mayEdit && <CloseButton size="xs" aria-label={`Убрать связь: ${words.name}`} onClick={onRemove} />}
    </li>
  )
}
