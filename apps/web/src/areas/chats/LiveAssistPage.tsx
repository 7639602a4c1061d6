import { holds } from '@ordinator/model/access'
import { LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { pageByKey } from '@ordinator/model/pages'
import { IconMessageForward } from '@tabler/icons-react'
import { useAddress } from '#base/address.ts'
import { id, mark } from '#base/addressValues.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { useList, useRecord } from '#records/reads.ts'
import { ChatContext } from './ChatContext.tsx'
import { ChatList } from './ChatList.tsx'
import { ChatThread } from './ChatThread.tsx'
import { type ChatFilters, chatFilters } from './chatFilters.ts'
import { ShiftView } from './ShiftView.tsx'
import { TalkPlace } from './TalkPlace.tsx'
import { isTab, type Tab } from './tabs.ts'
import { useCounts } from './useCounts.ts'

const page = pageByKey('liveAssist')

interface Address extends ChatFilters {
  tab: Tab | undefined
  chat: number | undefined
  /** Shows the shift while no chat is open. */
  shift: true | undefined
}
const read = (search: Record<string, unknown>): Address => ({
  tab: isTab(search.tab) ? search.tab : undefined,
  chat: id(search.chat),
  shift: mark(search.shift),
  ...chatFilters.read(search),
})

/** Чат поддержки. */
export default function LiveAssistPage() {
  const [{ tab = 'mine', chat, shift, ...narrowed }, setAddress] = useAddress(read)
  const supervises = holds(useActor(), 'superviseLiveAssist')
  const onShift = shift === true && chat === undefined && supervises
  const counts = useCounts()
  const open = useRecord(
    LiveAssist,
    chat,
    { expand: ['user', 'customer', 'filial', 'domain', 'group', 'outcome'] },
    { forbidden: 'silent' },
  )
  return (
    <TalkPlace
      title={page.title}
      news={counts?.awaits}
      opened={chat}
      open={open}
      words={{ ...words, next: <LongestWaiting onOpen={(next) => setAddress({ chat: next })} /> }}
      list={
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
      }
      instead={
        onShift && (
          <ShiftView onOpen={(next) => setAddress({ chat: next })} onClose={() => setAddress({ shift: undefined })} />
        )
      }
      thread={(row, onAbout) => (
        <ChatThread key={row.id} chat={row} onClose={() => setAddress({ chat: undefined })} onAbout={onAbout} />
      )}
      context={(row) => <ChatContext chat={row} />}
    />
  )
}

/** The longest waiting chat of the user or without an operator. */
function LongestWaiting({ onOpen }: { onOpen: (id: number) => void }) {
  const { id: me } = useActor()
  const { data } = useList(
    LiveAssist,
    {
      filter: {
        status: 'active',
        queuedAt: { null: false },
        or: [
          { handler: 'human', idUser: me },
          { handler: 'none', isForMe: true },
        ],
      },
      sort: 'queuedAt',
      limit: 1,
    },
    { forbidden: 'silent' },
  )
  const [first] = data?.items ?? []
  return first ? (
    <ActionButton
      label={`Дольше всех ждёт: ${first.name}`}
      variant="default"
      icon={IconMessageForward}
      onClick={() => onOpen(first.id)}
    />
  ) : null
}

const words = {
  talk: 'Разговор',
  choose: { title: 'Выберите чат', text: 'Слева те, кто пишет клинике: сначала ваши и ничьи.' },
  failed: 'Чат не открылся',
  about: 'О посетителе',
}
