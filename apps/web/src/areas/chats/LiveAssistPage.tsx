import { VisuallyHidden } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { holds } from '@ordinator/model/access'
import { LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { pageByKey } from '@ordinator/model/pages'
import { IconMessages } from '@tabler/icons-react'
import { useAddress } from '../../base/address.ts'
import { id, mark } from '../../base/addressValues.ts'
import { useActor } from '../../base/session.ts'
import { usePageTitle } from '../../base/title.ts'
import { Drawer } from '../../kit/Drawer.tsx'
import { EmptyState } from '../../kit/EmptyState.tsx'
import { ErrorState } from '../../kit/ErrorState.tsx'
import { LinesSkeleton } from '../../kit/Skeletons.tsx'
import { useRecord } from '../../records/reads.ts'
import { ChatContext } from './ChatContext.tsx'
import { ChatList } from './ChatList.tsx'
import { ChatThread } from './ChatThread.tsx'
import { type ChatFilters, chatFilters } from './chatFilters.ts'
import classes from './chats.module.css'
import { ShiftView } from './ShiftView.tsx'
import { isTab, type Tab } from './tabs.ts'
import { useCounts } from './useCounts.ts'

const page = pageByKey('liveAssist')

interface Address extends ChatFilters {
  tab: Tab | undefined
  chat: number | undefined
  /** The shift is looked at, where no chat is open. */
  shift: true | undefined
}
const read = (search: Record<string, unknown>): Address => ({
  tab: isTab(search.tab) ? search.tab : undefined,
  chat: id(search.chat),
  shift: mark(search.shift),
  ...chatFilters.read(search),
})

/** Чат поддержки: the list, the conversation, and who it is with. On a phone one after another. */
export default function LiveAssistPage() {
  const [{ tab = 'mine', chat, shift, ...narrowed }, setAddress] = useAddress(read)
  const wide = useMediaQuery('(min-width: 75.01em)', true, { getInitialValueInEffect: false })
  const [aboutOpened, about] = useDisclosure(false)
  const supervises = holds(useActor(), 'superviseLiveAssist')
  const onShift = shift === true && chat === undefined && supervises
  const counts = useCounts()
  const waiting = (counts?.unread ?? 0) + (counts?.unassigned ?? 0)
  usePageTitle(waiting > 0 ? `(${waiting}) ${page.title}` : undefined)
  const open = useRecord(
    LiveAssist,
    chat,
    { expand: ['user', 'customer', 'filial', 'domain', 'group', 'outcome'] },
    { forbidden: 'silent' },
  )
  return (
    <div className={classes.place} data-open={chat !== undefined || onShift || undefined}>
      <VisuallyHidden component="h1">{page.title}</VisuallyHidden>
      <ChatList
        tab={tab}
        opened={chat}
        counts={counts}
        narrowed={narrowed}
        onNarrow={setAddress}
        onTab={(next) => setAddress({ tab: next === 'mine' ? undefined : next })}
        onOpen={(next) => setAddress({ chat: next })}
        onShift={() => setAddress({ shift: true, chat: undefined })}
      />
      {onShift ? (
        <ShiftView onOpen={(next) => setAddress({ chat: next })} onClose={() => setAddress({ shift: undefined })} />
      ) : chat === undefined ? (
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
          <ChatThread
            key={chat}
            chat={open.data}
            onClose={() => setAddress({ chat: undefined })}
            onAbout={wide ? undefined : about.open}
          />
          {wide && (
            <aside className={classes.context} aria-label="О посетителе">
              <ChatContext chat={open.data} />
            </aside>
          )}
          <Drawer
            opened={!wide && aboutOpened}
            onClose={about.close}
            position="right"
            size={360}
            title="О посетителе"
            closeButtonProps={{ 'aria-label': 'Закрыть' }}
          >
            <ChatContext chat={open.data} />
          </Drawer>
        </>
      ) : (
        <section className={classes.blank} aria-label="Разговор">
          <LinesSkeleton lines={6} />
        </section>
      )}
    </div>
  )
}
