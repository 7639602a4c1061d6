import { CloseButton } from '@mantine/core'
import { chatStatuses, LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { LeadLink } from '@ordinator/model/areas/sales/lead'
import { IconMessage } from '@tabler/icons-react'
import { AjaxSelect } from '../../../kit/AjaxSelect.tsx'
import { AJAX_LIMIT, type AjaxOption } from '../../../kit/useAjaxOptions.ts'
import { useCan } from '../../../records/Can.tsx'
import { recordsWith } from '../../../records/client.ts'
import { useList } from '../../../records/reads.ts'
import { useRemove, useSave } from '../../../records/writes.ts'
import classes from './Lead.module.css'
import { Section } from './Section.tsx'

/** The chats that the deal is about; those who may not see chats do not see the part. */
export function Chats({ idLead, mayEdit }: { idLead: number; mayEdit: boolean }) {
  const sees = useCan('view', LiveAssist)
  const links = useList(
    LeadLink,
    { filter: { idLead, type: 'liveassist' }, sort: 'order', limit: 100 },
    { enabled: sees, forbidden: 'silent' },
  )
  const ids = (links.data?.items ?? []).map(({ idEntity }) => idEntity)
  const chats = useList(
    LiveAssist,
    { filter: { id: { in: ids } }, limit: 100 },
    { enabled: sees && ids.length > 0, forbidden: 'silent' },
  )
  const save = useSave(LeadLink)
  const remove = useRemove(LeadLink, { message: 'Чат больше не связан со сделкой' })
  if (!sees || (ids.length === 0 && !mayEdit)) return null
  const byId = new Map((chats.data?.items ?? []).map((chat) => [chat.id, chat]))
  return (
    <Section title="Чаты" count={ids.length}>
      {ids.length === 0 && <p className={classes.nothing}>Связанных чатов нет</p>}
      <ul className={classes.list}>
        {(links.data?.items ?? []).map((link) => {
          const chat = byId.get(link.idEntity)
          const name = chat?.name ?? (chats.isPending ? '…' : 'Чат удалён')
          return (
            <li key={link.id} className={classes.row}>
              <IconMessage size={16} aria-hidden />
              <div className={classes.rowText}>
                {name}
                {chat && (
                  <div className={classes.rowMeta}>
                    {chat.sourceName && <span>{chat.sourceName}</span>}
                    <span>{chatStatuses[chat.status]}</span>
                  </div>
                )}
              </div>
              {mayEdit && (
                <CloseButton size="sm" aria-label={`Убрать чат: ${name}`} onClick={() => remove.mutate(link.id)} />
              )}
            </li>
          )
        })}
      </ul>
      {mayEdit && (
        <div className={classes.add}>
          <AjaxSelect
            size="xs"
            aria-label="Связать с чатом"
            placeholder="Связать с чатом"
            load={async (text, signal) => (await findChats(text, signal)).filter(({ value }) => !ids.includes(value))}
            value={null}
            onChange={(option) => option && save.mutate({ idLead, type: 'liveassist', idEntity: option.value })}
          />
        </div>
      )}
    </Section>
  )
}

const quiet = recordsWith({ forbidden: 'silent' })

async function findChats(text: string, signal: AbortSignal): Promise<AjaxOption[]> {
  const filter = { or: [{ name: { ilike: text } }, { email: { ilike: text } }] }
  const { items } = await quiet.list(LiveAssist, { filter, limit: AJAX_LIMIT }, { signal })
  return items.map((chat) => ({
    value: chat.id,
    label: chat.name,
    hint: [chat.sourceName, chatStatuses[chat.status]].filter(Boolean).join(' · '),
  }))
}
