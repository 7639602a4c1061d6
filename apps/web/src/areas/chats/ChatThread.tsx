import { Alert } from '@mantine/core'
import type { ChatMarks } from '@ordinator/model/areas/chats/calls'
import { ChatMessage, ChatNote, LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import type { Expanded } from '@ordinator/model/client'
import { IconAlertCircle, IconClock, IconNote, IconRefresh, IconRobot } from '@tabler/icons-react'
import { type ReactNode, useCallback, useState } from 'react'
import { api } from '#base/api.ts'
import { ApiError, errorMessage } from '#base/apiError.ts'
import { useAccount } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatTime } from '#kit/clock.ts'
import { UserLink } from '#kit/UserLink.tsx'
import { notifyFailure } from '#records/notifyFailure.ts'
import { useEndlessList, useList } from '#records/reads.ts'
import { Bubble, Delivery, MessageFiles } from './Bubble.tsx'
import { ChatActions } from './ChatActions.tsx'
import { ChatComposer, type Pending } from './ChatComposer.tsx'
import { MessageMenu, Revised } from './MessageChanges.tsx'
import classes from './message.module.css'
import { TalkThread, useReading } from './TalkThread.tsx'
import type { Line, OpenChat } from './tabs.ts'
import threadClasses from './thread.module.css'
import { namesOf, useMarks } from './useMarks.ts'

const PORTION = 40

type Note = Expanded<typeof ChatNote, 'user'>

interface Props {
  chat: OpenChat
  onClose: () => void
  /** Opens the context, on screens without room for it. */
  onAbout: (() => void) | undefined
}

/** Messages and the composer. */
export function ChatThread({ chat, onClose, onAbout }: Props) {
  const me = useAccount().user.identity.id
  const list = useEndlessList(
    ChatMessage,
    { filter: { idLiveAssist: chat.id }, expand: ['user', 'files.file'], sort: '-seq', limit: PORTION },
    // Delivery states come from the chat.
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
          // The chat belongs to another operator: restore the text to the composer.
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

  useReading(chat.idUser === me && chat.inCount > chat.readIn && chat.status === 'active', chat.inCount, (no) =>
    api('POST /live-assist/:id/read', { params: { id: chat.id }, body: { no } }, { quiet: true }),
  )
  const [marks, reportTyping] = useMarks(chat)

  return (
    <TalkThread
      label={`Разговор: ${chat.name}`}
      name={chat.name}
      state={
        <>
          {stateOf(chat, me)}
          <Colleagues people={beside(marks.people, chat)} />
        </>
      }
      list={list}
      lines={merged(list.items, notes.data?.items ?? [], list.hasNextPage === true).map((line) => ({
        key: `${line.of}${line.id}`,
        dateCreate: line.dateCreate,
        line: line.of === 'note' ? <NoteLine note={line.row} /> : <MessageLine message={line.row} chat={chat} />,
      }))}
      going={going.map((one) => <PendingLine key={one.clientId} pending={one} onRetry={() => void send(one)} />)}
      below={
        marks.visitorWrites && (
          <p className={threadClasses.writes} role="status">
            Посетитель печатает…
          </p>
        )
      }
      back="К списку чатов"
      about="О посетителе"
      onClose={onClose}
      onAbout={onAbout}
      actions={<ChatActions chat={chat} />}
    >
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
        onWrite={reportTyping}
      />
    </TalkThread>
  )
}

/** Handler of the chat, as text. */
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

/** Messages and notes by position; notes older than the loaded messages are held back. */
function merged(messages: readonly Line[], notes: readonly Note[], more: boolean): Shown[] {
  const from = more ? (messages.at(-1)?.seq ?? 0) : 0
  return [
    ...messages.map((row) => ({ of: 'message' as const, row, id: row.id, seq: row.seq, dateCreate: row.dateCreate })),
    ...notes
      .filter(({ seq }) => seq >= from)
      .map((row) => ({ of: 'note' as const, row, id: row.id, seq: row.seq, dateCreate: row.dateCreate })),
  ].sort((a, b) => a.seq - b.seq)
}

/** Colleagues to show: the chat's own operator only while typing, as the header names them. */
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

function MessageLine({ message, chat }: { message: Line; chat: OpenChat }) {
  if (message.kind === 'system') return <p className={threadClasses.system}>{message.message}</p>
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

/** Reason of a failed delivery, with a retry. */
function Failed({ message }: { message: Line }) {
  const [busy, setBusy] = useState(false)
  const resend = async () => {
    setBusy(true)
    try {
      await api('POST /live-assist/messages/:id/resend', { params: { id: message.id } }, { forbidden: 'toast' })
    } catch (error) {
      notifyFailure(error as Error)
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
