import { UnstyledButton } from '@mantine/core'
import { OnlineDialog, onlineKinds, onlineStatuses } from '@ordinator/model/areas/chats/online'
import type { Filter } from '@ordinator/model/client'
import { formatNumber } from '@ordinator/model/format'
import { IconClock } from '@tabler/icons-react'
import { useAccount } from '#base/session.ts'
import { WayTo } from '#base/WayTo.tsx'
import { dayOf, formatDate, formatTime, today } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { LoadMore } from '#kit/LoadMore.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { UserAvatar } from '#kit/UserAvatar.tsx'
import { PersonName } from '#kit/UserLink.tsx'
import { useNow } from '#kit/useNow.ts'
import { useEndlessList, useList } from '#records/reads.ts'
import { waitText } from '../ChatList.tsx'
import classes from '../list.module.css'
import placeClasses from '../place.module.css'
import threadClasses from '../thread.module.css'

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
  if (tab !== 'all' && ever.isPending)
    return (
      <div className={threadClasses.pad}>
        <LinesSkeleton lines={2} />
      </div>
    )
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
  const countOf = (one: OnlineTab) => (one === 'mine' || one === 'waiting' ? (counts?.[one] ?? 0) : 0)
  return (
    <aside className={placeClasses.list} aria-label="Список диалогов">
      <div className={classes.listHead}>
        <h2 className={classes.title}>Чат с пациентом</h2>
        <fieldset className={classes.tabs} aria-label="Какие диалоги показать">
          {(Object.keys(onlineTabs) as OnlineTab[]).map((one) => (
            <UnstyledButton
              key={one}
              className={classes.tab}
              aria-pressed={one === tab}
              data-hot={(one === 'waiting' && countOf(one) > 0) || undefined}
              onClick={() => onTab(one)}
            >
              {onlineTabs[one]}
              {countOf(one) > 0 && <span className="tabular"> {formatNumber(countOf(one))}</span>}
            </UnstyledButton>
          ))}
        </fieldset>
      </div>
      {list.isPending ? (
        <div className={threadClasses.pad}>
          <LinesSkeleton lines={8} />
        </div>
      ) : list.isError ? (
        <ErrorState title="Диалоги не загрузились" error={list.error} onRetry={() => void list.refetch()} />
      ) : list.items.length === 0 ? (
        <NoDialogs tab={tab} />
      ) : (
        <div className={threadClasses.scroll}>
          <ul aria-label={onlineTabs[tab]}>
            {list.items.map((dialog) => {
              const name = dialog.customer?.fio ?? 'Пациент'
              const late = dialog.nextDueAt !== null && Date.parse(dialog.nextDueAt) < now
              const unread = dialog.status === 'closed' ? 0 : (dialog.numberOfUnreadMessages ?? 0)
              return (
                <li key={dialog.id}>
                  <button
                    type="button"
                    className={classes.line}
                    aria-current={dialog.id === opened || undefined}
                    data-unread={unread > 0 || undefined}
                    onClick={() => onOpen(dialog.id)}
                  >
                    <UserAvatar user={{ name }} size={36} />
                    <span className={classes.lineText}>
                      <span className={classes.lineTop}>
                        <span className={classes.name}>{name}</span>
                        <span className={`${classes.time} tabular`}>
                          {momentOf(dialog.dateLast ?? dialog.dateCreate)}
                        </span>
                      </span>
                      <span className={classes.lineTop}>
                        <span className={classes.last}>{dialog.lastMessage || 'Ещё ничего не написано'}</span>
                        {unread > 0 && (
                          <span className={`${classes.badge} tabular`} title={`Непрочитанных: ${unread}`}>
                            {unread}
                          </span>
                        )}
                      </span>
                      <span className={classes.facts}>
                        <span>{onlineStatuses[dialog.status]}</span>
                        {dialog.kind !== 'admin' && (
                          <span>
                            {dialog.paidState ? `${onlineKinds[dialog.kind]}, платно` : onlineKinds[dialog.kind]}
                          </span>
                        )}
                        {dialog.user && dialog.idUser !== me && <PersonName user={dialog.user} />}
                        {dialog.queuedAt && (
                          <span className={classes.fact} data-late={late || undefined}>
                            <IconClock size={14} aria-hidden /> ждёт {waitText(now - Date.parse(dialog.queuedAt))}
                          </span>
                        )}
                      </span>
                    </span>
                  </button>
                </li>
              )
            })}
          </ul>
          {list.hasNextPage && (
            <LoadMore label="Показать ещё" loading={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} />
          )}
        </div>
      )}
    </aside>
  )
}

const momentOf = (moment: string): string =>
  dayOf(moment) === today() ? formatTime(moment) : formatDate(moment).slice(0, 5)
