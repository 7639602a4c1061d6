import { Alert } from '@mantine/core'
import type { ChatMarks } from '@ordinator/model/areas/chats/calls'
import { ChatMessage, ChatNote, LiveAssist, messageStates } from '@ordinator/model/areas/chats/liveAssist'
import type { Expanded } from '@ordinator/model/client'
import { formatFileSize } from '@ordinator/model/format'
import { type FileMeta, isPicture, isSound } from '@ordinator/model/storedFile'
import {
  IconAlertCircle,
  IconCheck,
  IconChecks,
  IconChevronLeft,
  IconClock,
  IconNote,
  IconRefresh,
  IconRobot,
  IconUser,
} from '@tabler/icons-react'
import { Fragment, type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { api } from '../../base/api.ts'
import { ApiError, errorMessage } from '../../base/apiError.ts'
import { useAccount } from '../../base/session.ts'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { dayOf, formatDate, formatTime, today } from '../../kit/clock.ts'
import { ErrorState } from '../../kit/ErrorState.tsx'
import { FileName } from '../../kit/FileName.tsx'
import { IconButton } from '../../kit/IconButton.tsx'
import { LinesSkeleton } from '../../kit/Skeletons.tsx'
import { SoundPlayer } from '../../kit/SoundPlayer.tsx'
import { UserAvatar } from '../../kit/UserAvatar.tsx'
import { UserLink } from '../../kit/UserLink.tsx'
import { useEndlessList, useList } from '../../records/reads.ts'
import { tellFailure } from '../../records/tellFailure.ts'
import { ChatActions } from './ChatActions.tsx'
import { ChatComposer, type Pending } from './ChatComposer.tsx'
import classes from './chats.module.css'
import { MessageMenu, Revised } from './MessageChanges.tsx'
import type { Line, OpenChat } from './tabs.ts'
import { namesOf, useMarks } from './useMarks.ts'

const PORTION = 40
/** Milliseconds in sight after which a message is read. */
const READ_AFTER = 1_000
/** Pixels from the end within which one follows it. */
const NEAR_END = 120

type Note = Expanded<typeof ChatNote, 'user'>

interface Props {
  chat: OpenChat
  onClose: () => void
  /** Shows who one talks with, where there is no room for it beside. */
  onAbout: (() => void) | undefined
}

/** What was said, and where one answers. */
export function ChatThread({ chat, onClose, onAbout }: Props) {
  const me = useAccount().user.identity.id
  const list = useEndlessList(
    ChatMessage,
    { filter: { idLiveAssist: chat.id }, expand: ['user', 'files.file'], sort: '-seq', limit: PORTION },
    // How far a line has come the chat knows.
    { forbidden: 'silent', live: [{ path: LiveAssist.path, id: chat.id, fields: ['deliveredOut', 'readOut'] }] },
  )
  const notes = useList(
    ChatNote,
    { filter: { idLiveAssist: chat.id }, expand: ['user'], sort: '-seq', limit: 100 },
    { forbidden: 'silent' },
  )
  const [pending, setPending] = useState<Pending[]>([])
  const known = new Set(list.items.map(({ clientId }) => clientId))
  const going = pending.filter(({ clientId }) => !known.has(clientId))
  const [lost, setLost] = useState<{ message: string; why: string }>()

  const send = useCallback(
    async (one: Pending) => {
      setLost(undefined)
      setPending((all) => [...all.filter(({ clientId }) => clientId !== one.clientId), { ...one, failed: undefined }])
      try {
        await api(
          'POST /live-assist/messages',
          {
            body: {
              idLiveAssist: chat.id,
              clientId: one.clientId,
              message: one.message,
              files: one.files.map(({ id }) => id),
              seenNo: one.seenNo,
            },
          },
          { forbidden: 'silent' },
        )
        void list.refetch()
      } catch (error) {
        if (error instanceof ApiError && error.status === 409) {
          // The chat is another's: what was written stays where it was written.
          setPending((all) => all.filter(({ clientId }) => clientId !== one.clientId))
          setLost({ message: one.message, why: errorMessage(error) })
          return
        }
        setPending((all) =>
          all.map((each) => (each.clientId === one.clientId ? { ...each, failed: errorMessage(error) } : each)),
        )
      }
    },
    [chat.id, list.refetch],
  )

  useReading(chat, me)
  const [marks, tellWriting] = useMarks(chat)
  const [scroller, end, onScroll] = useFollow(list.items[0]?.seq, going.length, list.items.length)
  const lines = merged(list.items, notes.data?.items ?? [], list.hasNextPage === true)

  return (
    <section className={classes.thread} aria-label={`Разговор: ${chat.name}`}>
      <header className={classes.threadHead}>
        <IconButton icon={IconChevronLeft} label="К списку чатов" className={classes.back} onClick={onClose} />
        <div className={classes.face}>
          <UserAvatar user={{ name: chat.name }} size={32} />
        </div>
        <div className={classes.who}>
          <h2 className={classes.whoName}>{chat.name}</h2>
          <span className={classes.whoState}>
            {stateOf(chat, me)}
            <Colleagues people={beside(marks.people, chat)} />
          </span>
        </div>
        {onAbout && <IconButton icon={IconUser} label="О посетителе" onClick={onAbout} />}
        <ChatActions chat={chat} />
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
              {lines.map((line, at) => (
                <Fragment key={`${line.of}${line.id}`}>
                  {dayOf(line.dateCreate) !== dayOf(lines[at - 1]?.dateCreate ?? '1970-01-01T00:00:00Z') && (
                    <p className={classes.day}>
                      {dayOf(line.dateCreate) === today() ? 'Сегодня' : formatDate(line.dateCreate)}
                    </p>
                  )}
                  {line.of === 'note' ? <NoteLine note={line.row} /> : <MessageLine message={line.row} chat={chat} />}
                </Fragment>
              ))}
              {going.map((one) => (
                <PendingLine key={one.clientId} pending={one} onRetry={() => void send(one)} />
              ))}
            </div>
          </>
        )}
        {marks.visitorWrites && (
          <p className={classes.writes} role="status">
            Посетитель печатает…
          </p>
        )}
        <div ref={end} />
      </div>
      {lost && (
        <Alert
          color="yellow"
          variant="light"
          role="alert"
          mx={12}
          title={lost.why}
          withCloseButton
          closeButtonLabel="Скрыть"
          onClose={() => setLost(undefined)}
        >
          Написанное осталось в поле ответа.
        </Alert>
      )}
      <ChatComposer
        chat={chat}
        returned={lost?.message}
        onSend={(one) => void send(one)}
        onNoted={() => void notes.refetch()}
        onWrite={tellWriting}
      />
    </section>
  )
}

/** Who has the chat, in words. */
function stateOf(chat: OpenChat, me: number): ReactNode {
  if (chat.banned) return 'Посетитель заблокирован'
  if (chat.status === 'archive') return 'В архиве, только чтение'
  if (chat.status === 'completed') return 'Завершён'
  if (chat.handler === 'robot') return 'Отвечает робот'
  if (chat.handler === 'none') return 'Никто не отвечает: ваш ответ возьмёт чат'
  if (chat.idUser === me) return 'Отвечаете вы'
  return chat.user ? (
    <>
      Отвечает <UserLink user={chat.user} />
    </>
  ) : (
    'Отвечает коллега'
  )
}

type Shown = { id: number; seq: number; dateCreate: string } & (
  | { of: 'message'; row: Line }
  | { of: 'note'; row: Note }
)

/** Messages and notes by their place; notes older than what is loaded wait for it. */
function merged(messages: readonly Line[], notes: readonly Note[], more: boolean): Shown[] {
  const from = more ? (messages.at(-1)?.seq ?? 0) : 0
  return [
    ...messages.map((row) => ({ of: 'message' as const, row, id: row.id, seq: row.seq, dateCreate: row.dateCreate })),
    ...notes
      .filter(({ seq }) => seq >= from)
      .map((row) => ({ of: 'note' as const, row, id: row.id, seq: row.seq, dateCreate: row.dateCreate })),
  ].sort((a, b) => a.seq - b.seq)
}

/** Of who has the chat it is said already that they answer: that they look at it too is no news, that they write is. */
const beside = (people: ChatMarks['people'], { status, handler, idUser }: OpenChat) =>
  people.filter(({ id, writes }) => writes || !(status === 'active' && handler === 'human' && id === idUser))

const Colleagues = ({ people }: { people: ChatMarks['people'] }) =>
  people.length > 0 && (
    <span title={people.map(({ name }) => name).join(', ')}>
      {' · '}
      {people.some(({ writes }) => writes)
        ? `пишет ${namesOf(people.filter(({ writes }) => writes))}`
        : `смотрит ${namesOf(people)}`}
    </span>
  )

/** Tells that the own chat has been read once it has been looked at for a second. */
function useReading(
  {
    id,
    idUser,
    inCount,
    readIn,
    status,
  }: Pick<Expanded<typeof LiveAssist>, 'id' | 'idUser' | 'inCount' | 'readIn' | 'status'>,
  me: number,
): void {
  useEffect(() => {
    if (idUser !== me || inCount <= readIn || status !== 'active') return
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      clearTimeout(timer)
      if (document.visibilityState !== 'visible' || !document.hasFocus()) return
      timer = setTimeout(
        () =>
          void api('POST /live-assist/:id/read', { params: { id }, body: { no: inCount } }, { quiet: true }).catch(
            () => {},
          ),
        READ_AFTER,
      )
    }
    look()
    window.addEventListener('focus', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('focus', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [id, idUser, inCount, readIn, status, me])
}

/** Keeps the end in sight for who is there, and the place for who reads what was before. */
export function useFollow(last: number | undefined, going: number, count: number) {
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

/** One line of a conversation. */
export const Bubble = ({
  side,
  tone,
  author,
  children,
  foot,
}: {
  side: 'in' | 'out'
  tone?: string
  author?: ReactNode
  children: ReactNode
  foot: ReactNode
}) => (
  <article className={classes.bubble} data-side={side} data-tone={tone}>
    {author && <span className={classes.author}>{author}</span>}
    {children}
    <footer className={`${classes.foot} tabular`}>{foot}</footer>
  </article>
)

function MessageLine({ message, chat }: { message: Line; chat: OpenChat }) {
  if (message.kind === 'system') return <p className={classes.system}>{message.message}</p>
  const isOurs = message.kind !== 'visitor'
  return (
    <Bubble
      side={isOurs ? 'out' : 'in'}
      tone={message.failure && !message.dateRemoved ? 'failed' : message.kind}
      author={
        message.kind === 'robot' ? (
          <>
            <IconRobot size={14} aria-hidden /> Робот
          </>
        ) : (
          isOurs && message.user && <UserLink user={message.user} />
        )
      }
      foot={
        <>
          {message.failure && !message.dateRemoved && <Failed message={message} />}
          <Revised message={message} />
          {formatTime(message.dateCreate)}
          {isOurs && !message.dateRemoved && <Delivery state={message.state} />}
          <MessageMenu message={message} chat={chat} />
        </>
      }
    >
      {message.message && <p className={classes.words}>{message.message}</p>}
      {message.dateRemoved && (
        <p className={classes.removed}>
          {message.idRemover === null ? 'Посетитель удалил сообщение' : 'Сообщение удалено'}
        </p>
      )}
      <MessageFiles files={message.files} />
    </Bubble>
  )
}

interface FileOf {
  file: { id: number; name: string; size: number; url: string; meta: FileMeta } | null
}

/** What was sent with a line: pictures and voices as they are, the rest by its name. */
export const MessageFiles = ({ files }: { files: readonly FileOf[] }) =>
  files.map(({ file }) =>
    file && isPicture(file.meta) ? (
      <a key={file.id} href={file.url} target="_blank" rel="noopener" className={classes.picture}>
        <img src={`${file.url}/medium`} alt={file.name} loading="lazy" />
      </a>
    ) : file && isSound(file.meta) ? (
      <div key={file.id} className={classes.sound}>
        <SoundPlayer src={file.url} download={`${file.url}?download`} label={file.name} />
      </div>
    ) : (
      file && (
        <a key={file.id} href={`${file.url}?download`} className={classes.file}>
          <FileName name={file.name} />
          <span className="tabular">{formatFileSize(file.size)}</span>
        </a>
      )
    ),
  )

const marks = { failed: IconAlertCircle, sent: IconCheck, delivered: IconChecks, read: IconChecks } as const

/** How far a line of ours has come. */
export function Delivery({ state }: { state: keyof typeof messageStates }) {
  const Icon = marks[state]
  return (
    <span
      className={classes.mark}
      data-state={state}
      title={messageStates[state]}
      role="img"
      aria-label={messageStates[state]}
    >
      <Icon size={14} aria-hidden />
    </span>
  )
}

/** Why a messenger did not take a line, and another try. */
function Failed({ message }: { message: Line }) {
  const [busy, setBusy] = useState(false)
  const resend = async () => {
    setBusy(true)
    try {
      await api('POST /live-assist/messages/:id/resend', { params: { id: message.id } }, { forbidden: 'toast' })
    } catch (error) {
      tellFailure(error as Error)
    }
    setBusy(false)
  }
  return (
    <span className={classes.failure}>
      {message.failure}
      <ActionButton
        label="Повторить"
        size="compact-xs"
        variant="subtle"
        icon={IconRefresh}
        loading={busy}
        onClick={() => void resend()}
      />
    </span>
  )
}

const NoteLine = ({ note }: { note: Note }) => (
  <Bubble
    side="out"
    tone="note"
    author={
      <>
        <IconNote size={14} aria-hidden /> Заметка · {note.user && <UserLink user={note.user} />}
      </>
    }
    foot={`${formatTime(note.dateCreate)} · посетитель не видит`}
  >
    <p className={classes.words}>{note.text}</p>
  </Bubble>
)

const PendingLine = ({ pending, onRetry }: { pending: Pending; onRetry: () => void }) => (
  <Bubble
    side="out"
    tone={pending.failed ? 'failed' : 'staff'}
    foot={
      pending.failed ? (
        <>
          <IconAlertCircle size={14} aria-hidden /> {pending.failed}
          <ActionButton label="Повторить" size="compact-xs" variant="subtle" icon={IconRefresh} onClick={onRetry} />
        </>
      ) : (
        <span role="img" aria-label="Отправляется">
          <IconClock size={14} aria-hidden />
        </span>
      )
    }
  >
    <p className={classes.words}>{pending.message || pending.files.map(({ name }) => name).join(', ')}</p>
  </Bubble>
)
