import { VisuallyHidden } from '@mantine/core'
import { LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { pageByKey } from '@ordinator/model/pages'
import { IconMessages } from '@tabler/icons-react'
import { useAddress } from '../../base/address.ts'
import { id } from '../../base/addressValues.ts'
import { usePageTitle } from '../../base/title.ts'
import { EmptyState } from '../../kit/EmptyState.tsx'
import { ErrorState } from '../../kit/ErrorState.tsx'
import { LinesSkeleton } from '../../kit/Skeletons.tsx'
import { useRecord } from '../../records/reads.ts'
import { ChatContext } from './ChatContext.tsx'
import { ChatList } from './ChatList.tsx'
import { ChatThread } from './ChatThread.tsx'
import classes from './chats.module.css'
import { isTab, type Tab } from './tabs.ts'
import { useCounts } from './useCounts.ts'

const page = pageByKey('liveAssist')

interface Address {
  tab: Tab | undefined
  chat: number | undefined
}
const read = (search: Record<string, unknown>): Address => ({
  tab: isTab(search.tab) ? search.tab : undefined,
  chat: id(search.chat),
})

/** Чат поддержки: the list, the conversation, and who it is with. On a phone one after another. */
export default function LiveAssistPage() {
  const [{ tab = 'mine', chat }, setAddress] = useAddress(read)
  const counts = useCounts()
  const waiting = (counts?.unread ?? 0) + (counts?.unassigned ?? 0)
  usePageTitle(waiting > 0 ? `(${waiting}) ${page.title}` : undefined)
  const open = useRecord(
    LiveAssist,
    chat,
    { expand: ['user', 'customer', 'filial', 'domain'] },
    { forbidden: 'silent' },
  )
  return (
    <div className={classes.place} data-open={chat !== undefined || undefined}>
      <VisuallyHidden component="h1">{page.title}</VisuallyHidden>
      <ChatList
        tab={tab}
        opened={chat}
        counts={counts}
        onTab={(next) => setAddress({ tab: next === 'mine' ? undefined : next })}
        onOpen={(next) => setAddress({ chat: next })}
      />
      {chat === undefined ? (
        <section className={classes.blank} aria-label="Разговор">
          <EmptyState
            icon={IconMessages}
            title="Выберите чат"
            text="Слева те, кто пишет клинике: сначала ваши и ничьи."
          />
        </section>
      ) : open.isError ? (
        <section className={classes.blank} aria-label="Разговор">
          <ErrorState title="Чат не открылся" error={open.error} onRetry={() => void open.refetch()} />
        </section>
      ) : open.data?.id === chat ? (
        <>
          <ChatThread key={chat} chat={open.data} onClose={() => setAddress({ chat: undefined })} />
          <ChatContext chat={open.data} />
        </>
      ) : (
        <section className={classes.blank} aria-label="Разговор">
          <LinesSkeleton lines={6} />
        </section>
      )}
    </div>
  )
}
