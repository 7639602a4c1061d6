import { OnlineDialog, onlineKinds, onlineStatuses } from '@ordinator/model/areas/chats/online'
import type { Filter } from '@ordinator/model/client'
import { useAccount } from '#base/session.ts'
import { WayTo } from '#base/WayTo.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { PersonName } from '#kit/UserLink.tsx'
import { useNow } from '#kit/useNow.ts'
import { useEndlessList, useList } from '#records/reads.ts'
import classes from '../list.module.css'
import placeClasses from '../place.module.css'
import { TalkLine, TalkLines, TalkSkeleton, TalkTabs, Waits } from '../TalkLines.tsx'

const PORTION = 30
const CLOCK_MS = 30_000

/** Tabs of the list (screens of the specification). */
export const onlineTabs = { mine: 'Мои', all: 'Все', waiting: 'Без ответа', closed: 'Закрытые' } as const
export type OnlineTab = keyof typeof onlineTabs

export const isOnlineTab = (value: unknown): value is OnlineTab =>
  typeof value === 'string' && Object.hasOwn(onlineTabs, value)

const empty: Record<OnlineTab, { title: string; text: string }> = {
  mine: { title: 'У вас нет открытых диалогов', text: 'Возьмите диалог из «Без ответа» или ответьте в нём.' },
  all: { title: 'Диалогов пока нет', text: 'Пациенты пишут из личного кабинета: он включается в настройках.' },
  waiting: { title: 'Все ответы даны', text: 'Здесь те, кто ждёт ответа дольше всех.' },
  closed: { title: 'Закрытых диалогов нет', text: 'Закрытый диалог остаётся здесь для чтения.' },
}

/** An empty tab; in a clinic where no patient has ever written, how dialogues come. */
function NoDialogs({ tab }: { tab: OnlineTab }) {
  const ever = useList(OnlineDialog, { fields: ['status'], limit: 1 }, { enabled: tab !== 'all', forbidden: 'silent' })
  if (tab !== 'all' && ever.isPending) return <TalkSkeleton lines={2} />
  const shown = ever.data?.items.length === 0 ? 'all' : tab
  return (
    <EmptyState
      {...empty[shown]}
      action={shown === 'all' && <WayTo page="clientSettings" label="К личному кабинету" />}
    />
  )
}

function filterOf(tab: OnlineTab, me: number): Filter<typeof OnlineDialog> {
  if (tab === 'mine') return { idUser: me, status: { neq: 'closed' } }
  if (tab === 'waiting') return { status: { in: ['new', 'active'] } }
  if (tab === 'closed') return { status: 'closed' }
  return {}
}

export interface OnlineCounts {
  mine: number
  waiting: number
  unread: number
}

interface Props {
  tab: OnlineTab
  opened: number | undefined
  counts: OnlineCounts | undefined
  onTab: (tab: OnlineTab) => void
  onOpen: (id: number) => void
}

/** Dialogues of a tab: the longest waiting first where answers are due, the latest first elsewhere. */
export function OnlineList({ tab, opened, counts, onTab, onOpen }: Props) {
  const me = useAccount().user.identity.id
  const now = useNow(CLOCK_MS)
  const list = useEndlessList(
    OnlineDialog,
    {
      filter: filterOf(tab, me),
      expand: ['user', 'customer'],
      sort: tab === 'waiting' ? ['queuedAt', 'id'] : ['-dateLast', '-id'],
      limit: PORTION,
    },
    {},
  )
  return (
    <aside className={placeClasses.list} aria-label="Список диалогов">
      <div className={classes.listHead}>
        <h2 className={classes.title}>Чат с пациентом</h2>
        <TalkTabs
          label="Какие диалоги показать"
          tabs={onlineTabs}
          tab={tab}
          countOf={(one) => (one === 'mine' || one === 'waiting' ? (counts?.[one] ?? 0) : 0)}
          hot="waiting"
          onTab={onTab}
        />
      </div>
      <TalkLines label={onlineTabs[tab]} failed="Диалоги не загрузились" list={list} empty={<NoDialogs tab={tab} />}>
        {(dialog) => (
          <TalkLine
            name={dialog.customer?.fio ?? 'Пациент'}
            moment={dialog.dateLast ?? dialog.dateCreate}
            last={dialog.lastMessage}
            unread={dialog.status === 'closed' ? 0 : (dialog.numberOfUnreadMessages ?? 0)}
            current={dialog.id === opened}
            onOpen={() => onOpen(dialog.id)}
          >
            <span>{onlineStatuses[dialog.status]}</span>
            {dialog.kind !== 'admin' && (
              <span>{dialog.paidState ? `${onlineKinds[dialog.kind]}, платно` : onlineKinds[dialog.kind]}</span>
            )}
            {dialog.user && dialog.idUser !== me && <PersonName user={dialog.user} />}
            {dialog.queuedAt && (
              <Waits
                since={dialog.queuedAt}
                now={now}
                late={dialog.nextDueAt !== null && Date.parse(dialog.nextDueAt) < now}
              />
            )}
          </TalkLine>
        )}
      </TalkLines>
    </aside>
  )
}
