import { holds } from '@ordinator/model/access'
import type { ChatMarks } from '@ordinator/model/areas/chats/calls'
import { ChatMessage, LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { chatSourceLabel } from '@ordinator/model/areas/chats/source'
import type { Expanded } from '@ordinator/model/client'
import { IconEye, IconRobot, IconUsersGroup } from '@tabler/icons-react'
import { useDeferredValue, useState } from 'react'
import { useAccount, useActor } from '#base/session.ts'
import { WayTo } from '#base/WayTo.tsx'
import { ActionButton } from '#kit/ActionButton.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { useHotkey } from '#kit/hotkeys.ts'
import { SearchField } from '#kit/SearchField.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { PersonName } from '#kit/UserLink.tsx'
import { useNow } from '#kit/useNow.ts'
import { Fine } from '#kit/Words.tsx'
import { FilterButton } from '#records/filters/FilterBar.tsx'
import { useEndlessList, useList } from '#records/reads.ts'
import { type ChatFilters, chatFilters } from './chatFilters.ts'
import { DutyMenu } from './DutyMenu.tsx'
import classes from './list.module.css'
import placeClasses from './place.module.css'
import { momentOf, TalkLine, TalkLines, TalkSkeleton, TalkTabs, Waits } from './TalkLines.tsx'
import { filterOf, type Tab, tabs } from './tabs.ts'
import type { Counts } from './useCounts.ts'
import { namesOf, useChatViewers } from './useMarks.ts'

const PORTION = 30
/** Refresh interval of waiting times. */
const CLOCK_MS = 30_000
/** Minimum characters of a message search. */
const MIN_SEARCH = 3

interface Props {
  tab: Tab
  opened: number | undefined
  counts: Counts | undefined
  narrowed: ChatFilters
  onNarrow: (patch: Partial<ChatFilters>) => void
  onTab: (tab: Tab) => void
  onOpen: (id: number) => void
  onShift: () => void
}

/** Chats of a tab, the latest first; or search results in messages. */
export function ChatList({ tab, opened, counts, narrowed, onNarrow, onTab, onOpen, onShift }: Props) {
  const supervises = holds(useActor(), 'superviseLiveAssist')
  const [typed, setTyped] = useState('')
  const text = useDeferredValue(typed.trim())
  return (
    <aside className={placeClasses.list} aria-label="Список чатов">
      <div className={classes.listHead}>
        <HStack justify="space-between">
          <h2 className={classes.title}>Чат поддержки</h2>
          {supervises && (
            <ActionButton label="Смена" size="compact-sm" variant="subtle" icon={IconUsersGroup} onClick={onShift} />
          )}
        </HStack>
        <DutyMenu />
        <div className={classes.finder}>
          <SearchField
            className={classes.finderWords}
            aria-label="Поиск по сообщениям"
            placeholder="Поиск по сообщениям"
            value={typed}
            onChange={setTyped}
          />
          {text.length < MIN_SEARCH && <FilterButton filters={chatFilters} values={narrowed} onChange={onNarrow} />}
        </div>
        {text.length < MIN_SEARCH && (
          <TalkTabs
            label="Какие чаты показать"
            tabs={tabs}
            tab={tab}
            countOf={(one) => (counts && Object.hasOwn(counts, one) ? counts[one as keyof Counts] : 0)}
            hot="unassigned"
            onTab={onTab}
          />
        )}
      </div>
      {text.length < MIN_SEARCH ? (
        <Chats tab={tab} opened={opened} narrowed={narrowed} onOpen={onOpen} />
      ) : (
        <Found text={text} opened={opened} onOpen={onOpen} />
      )}
    </aside>
  )
}

function Chats({ tab, opened, narrowed, onOpen }: Pick<Props, 'tab' | 'opened' | 'narrowed' | 'onOpen'>) {
  const me = useAccount().user.identity.id
  const now = useNow(CLOCK_MS)
  const list = useEndlessList(
    LiveAssist,
    {
      filter: { and: [filterOf(tab, me, narrowed.group !== undefined), ...chatFilters.conditions(narrowed)] },
      expand: ['user', 'group'],
      // The longest waiting first where chats are to be taken.
      sort: tab === 'unassigned' || narrowed.awaits ? ['queuedAt', 'id'] : ['-dateLast', '-id'],
      limit: PORTION,
    },
    {},
  )
  const step = (way: 1 | -1) => {
    const at = list.items.findIndex(({ id }) => id === opened)
    const next = list.items[at < 0 ? 0 : at + way]
    if (next) onOpen(next.id)
  }
  useHotkey('j', () => step(1), { label: 'Следующий чат', group: 'Чат' })
  useHotkey('k', () => step(-1), { label: 'Предыдущий чат', group: 'Чат' })
  const lookers = useChatViewers(list.items.map(({ id }) => id))
  return (
    <TalkLines
      label={tabs[tab]}
      failed="Чаты не загрузились"
      list={list}
      empty={
        chatFilters.count(narrowed) > 0 ? (
          <EmptyState title="Таких чатов нет" text="Снимите часть отбора: он стоит над списком." />
        ) : (
          <NoChats tab={tab} />
        )
      }
    >
      {(chat) => (
        <ChatLine
          chat={chat}
          me={me}
          now={now}
          lookers={lookers.get(chat.id)}
          current={chat.id === opened}
          onOpen={() => onOpen(chat.id)}
        />
      )}
    </TalkLines>
  )
}

/** An empty tab; in a clinic without any chat yet, how chats come. */
function NoChats({ tab }: { tab: Tab }) {
  const ever = useList(LiveAssist, { fields: ['status'], limit: 1 }, { enabled: tab !== 'all', forbidden: 'silent' })
  if (tab !== 'all' && ever.isPending) return <TalkSkeleton lines={2} />
  const shown = ever.data?.items.length === 0 ? 'all' : tab
  return (
    <EmptyState
      title={emptyTitle[shown]}
      text={emptyText[shown]}
      action={
        shown === 'all' && (
          <HStack wrap justify="center">
            <WayTo page="domainmap" label="Поставить на сайт" />
            <WayTo page="chatChannels" label="Подключить мессенджер" />
          </HStack>
        )
      }
    />
  )
}

const emptyTitle: Record<Tab, string> = {
  mine: 'У вас нет открытых чатов',
  unassigned: 'Очередь пуста',
  robot: 'Робот сейчас ни с кем не говорит',
  active: 'Никто сейчас не отвечает',
  completed: 'Завершённых чатов нет',
  archive: 'Архив пуст',
  all: 'Чатов пока нет',
}
const emptyText: Partial<Record<Tab, string>> = {
  mine: 'Возьмите чат из «Ничьих»: дольше всех ждущие отмечены временем.',
  unassigned: 'Чатов без оператора нет.',
  all: 'Пациенты напишут, когда чат стоит на сайте клиники или подключён мессенджер.',
}

type Listed = Expanded<typeof LiveAssist, 'user' | 'group'>

interface LineProps {
  chat: Listed
  me: number
  /** Milliseconds; waiting times are relative to it. */
  now: number
  /** Colleagues who have the chat open. */
  lookers: ChatMarks['people'] | undefined
  current: boolean
  onOpen: () => void
}

function ChatLine({ chat, me, now, lookers, current, onOpen }: LineProps) {
  const unread = chat.status === 'active' ? (chat.numberOfUnreadMessages ?? 0) : 0
  const due = chat.nextDueAt === null ? undefined : Date.parse(chat.nextDueAt)
  const late = due !== undefined && due < now
  // Half of the norm has passed.
  const soon = due !== undefined && chat.queuedAt !== null && now > (Date.parse(chat.queuedAt) + due) / 2
  const snoozed = chat.snoozedUntil !== null && Date.parse(chat.snoozedUntil) > now
  return (
    <TalkLine
      name={chat.name}
      moment={chat.dateLast ?? chat.dateCreate}
      last={chat.lastMessage}
      unread={unread}
      current={current}
      onOpen={onOpen}
    >
      <span>{chat.sourceName || chatSourceLabel(chat.source)}</span>
      {chat.handler === 'robot' && chat.status === 'active' && (
        <span className={classes.fact}>
          <IconRobot size={14} aria-hidden /> робот
        </span>
      )}
      {chat.group && <span>{chat.group.name}</span>}
      {chat.user && chat.idUser !== me && <PersonName user={chat.user} />}
      {chat.status === 'active' && chat.queuedAt && !snoozed && (
        <Waits since={chat.queuedAt} now={now} late={late} soon={soon} />
      )}
      {lookers && (
        <span className={classes.fact} title={lookers.map(({ name }) => name).join(', ')}>
          <IconEye size={14} aria-hidden /> {lookers.some(({ writes }) => writes) ? 'пишет' : 'смотрит'}{' '}
          {namesOf(lookers)}
        </span>
      )}
      {snoozed && (
        <span className={classes.fact}>
          отложен до {momentOf(chat.snoozedUntil as string)}
          {chat.snoozeHard && ', ответ не будит'}
        </span>
      )}
    </TalkLine>
  )
}

function Found({ text, opened, onOpen }: { text: string } & Pick<Props, 'opened' | 'onOpen'>) {
  const list = useEndlessList(
    ChatMessage,
    { filter: { message: { ilike: text } }, expand: ['chat'], sort: '-id', limit: PORTION },
    {},
  )
  return (
    <TalkLines
      label="Найденные сообщения"
      failed="Поиск не удался"
      list={list}
      empty={<EmptyState title="Ничего не найдено" text="Попробуйте другое слово или его часть." />}
    >
      {(message) => (
        <button
          type="button"
          className={classes.line}
          aria-current={message.idLiveAssist === opened || undefined}
          onClick={() => onOpen(message.idLiveAssist)}
        >
          <span className={classes.lineText}>
            <span className={classes.lineTop}>
              <span className={classes.name}>{message.chat.name}</span>
              <span className={`${classes.time} tabular`}>{momentOf(message.dateCreate)}</span>
            </span>
            <span className={classes.found}>{message.message}</span>
            <Fine>{message.kind === 'visitor' ? 'посетитель' : 'ответ'}</Fine>
          </span>
        </button>
      )}
    </TalkLines>
  )
}
