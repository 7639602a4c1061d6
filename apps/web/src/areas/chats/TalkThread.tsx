import { IconChevronLeft, IconUser } from '@tabler/icons-react'
import { Fragment, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { dayOf, formatDate, today } from '#kit/clock.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { UserAvatar } from '#kit/UserAvatar.tsx'
import placeClasses from './place.module.css'
import classes from './thread.module.css'

/** Milliseconds of visibility until a message counts as read. */
const READ_AFTER = 1_000
/** Pixels from the end within which the view follows new messages. */
const NEAR_END = 120

/** Messages, the latest first. */
interface Messages {
  items: readonly { seq: number }[]
  isPending: boolean
  isError: boolean
  error: Error | null
  hasNextPage: boolean
  isFetchingNextPage: boolean
  refetch(): Promise<unknown>
  fetchNextPage(): Promise<unknown>
}

interface Props {
  /** Accessible label of the whole. */
  label: string
  name: string
  /** The handler. */
  state: ReactNode
  list: Messages
  /** Lines, the latest last. */
  lines: readonly { key: string; dateCreate: string; line: ReactNode }[]
  /** Messages being sent, after the lines. */
  going?: readonly ReactNode[]
  /** Below everything, as a typing indicator. */
  below?: ReactNode
  back: string
  about: string
  onClose: () => void
  /** Opens the context, on screens without room for it. */
  onAbout: (() => void) | undefined
  actions: ReactNode
  /** The composer. */
  children: ReactNode
}

/** Conversation with one person by day, and the composer. */
export function TalkThread({ label, name, state, list, lines, going = [], below, back, about, ...props }: Props) {
  const [scroller, end, onScroll] = useFollow(list.items[0]?.seq, going.length, list.items.length)
  return (
    <section className={placeClasses.thread} aria-label={label}>
      <header className={classes.threadHead}>
        <IconButton icon={IconChevronLeft} label={back} className={classes.back} onClick={props.onClose} />
        <div className={classes.face}>
          <UserAvatar user={{ name }} size={32} />
        </div>
        <div className={classes.who}>
          <h2 className={classes.whoName}>{name}</h2>
          <span className={classes.whoState}>{state}</span>
        </div>
        {props.onAbout && <IconButton icon={IconUser} label={about} onClick={props.onAbout} />}
        {props.actions}
      </header>
      <div className={classes.scroll} ref={scroller} onScroll={onScroll}>
        {list.isPending ? (
          <div className={classes.pad}>
            <LinesSkeleton lines={6} />
          </div>
        ) : list.isError ? (
          <ErrorState title="Сообщения не загрузились" error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <>
            {list.hasNextPage && (
              <ActionButton
                label="Показать раньше"
                variant="subtle"
                size="compact-sm"
                mx="auto"
                display="block"
                loading={list.isFetchingNextPage}
                onClick={() => void list.fetchNextPage()}
              />
            )}
            <div role="log" aria-label="Сообщения" aria-live="polite" className={classes.lines}>
              {lines.map(({ key, dateCreate, line }, at) => (
                <Fragment key={key}>
                  {dayOf(dateCreate) !== dayOf(lines[at - 1]?.dateCreate ?? '1970-01-01T00:00:00Z') && (
                    <p className={classes.day}>{dayOf(dateCreate) === today() ? 'Сегодня' : formatDate(dateCreate)}</p>
                  )}
                  {line}
                </Fragment>
              ))}
              {going}
            </div>
          </>
        )}
        {below}
        <div ref={end} />
      </div>
      {props.children}
    </section>
  )
}

/** Follows new messages at the end, and keeps the position while reading earlier ones. */
function useFollow(last: number | undefined, going: number, count: number) {
  const scroller = useRef<HTMLDivElement>(null)
  const end = useRef<HTMLDivElement>(null)
  const near = useRef(true)
  const height = useRef(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these makes the thread longer
  useLayoutEffect(() => {
    const box = scroller.current
    if (!box) return
    if (near.current) box.scrollTop = box.scrollHeight
    else if (box.scrollTop < NEAR_END) box.scrollTop += box.scrollHeight - height.current
    height.current = box.scrollHeight
  }, [last, going, count])
  const onScroll = () => {
    const box = scroller.current
    if (box) near.current = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_END
  }
  return [scroller, end, onScroll] as const
}

/** Reports the read position once the newest message was visible for a second. @param unread false: reports nothing */
export function useReading(unread: boolean, no: number, onRead: (no: number) => Promise<unknown>): void {
  const latest = useRef(onRead)
  latest.current = onRead
  useEffect(() => {
    if (!unread) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      clearTimeout(timer)
      if (document.visibilityState !== 'visible' || !document.hasFocus()) return
      timer = setTimeout(() => void latest.current(no).catch(() => {}), READ_AFTER)
    }
    look()
    window.addEventListener('focus', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('focus', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [unread, no])
}
