import { SegmentedControl, Textarea } from '@mantine/core'
import { CHAT_FILES } from '@ordinator/model/areas/chats/chatFiles'
import { ChatSuggestion } from '@ordinator/model/areas/chats/chatSettings'
import { ChatFile, ChatNote, GUEST } from '@ordinator/model/areas/chats/liveAssist'
import { filledReply, openPlace } from '@ordinator/model/areas/chats/rules'
import type { Row } from '@ordinator/model/entity'
import { phoneText } from '@ordinator/model/phone'
import { IconMicrophone, IconNote, IconPaperclip, IconSend } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useMentionable } from '#areas/staff/index.ts'
import { errorMessage } from '#base/apiError.ts'
import { records } from '#base/client.ts'
import { useDraft } from '#base/draft.ts'
import { useAccount } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { byMatch } from '#kit/byMatch.ts'
import { formatDate } from '#kit/clock.ts'
import { pasteFiles, useFileInput } from '#kit/FilePicker.tsx'
import { useHotkey } from '#kit/hotkeys.ts'
import { IconButton } from '#kit/IconButton.tsx'
import { personName } from '#kit/UserAvatar.tsx'
import { useVoice } from '#kit/useVoice.tsx'
import { useCan } from '#records/Can.tsx'
import { type Mentionable, mentionable } from '#records/fields/mentionable.ts'
import { useList } from '#records/reads.ts'
import { uploads } from '#records/uploads.ts'
import { useUploads } from '#records/useUploads.ts'
import { AnswerFiles } from './AnswerFiles.tsx'
import classes from './chats.module.css'
import type { OpenChat } from './tabs.ts'

/** Milliseconds between typing notifications. */
const TYPING_EVERY = 3_000
const SHOWN = 6

/** A message being sent. */
export interface Pending {
  clientId: string
  message: string
  files: { id: number; name: string }[]
  seenNo: number
  failed?: string
}

interface Named {
  id: number
  /** Text after the @. */
  label: string
}

interface Written {
  text: string
  /** For a note: mentioned colleagues. */
  named?: Named[]
  files: { id: number; name: string }[]
}
const nothing: Written = { text: '', files: [] }

interface Props {
  chat: OpenChat
  /** Text of a failed message, to restore. */
  returned: string | undefined
  onSend: (pending: Pending) => void
  onNoted: () => void
  /** Called while typing an answer. */
  onWrite: () => void
}

/** A suggestion to insert by a key. */
interface Offer {
  id: number
  mark: string
  name: string
  text: string
  take: () => void
}

/** Replies whose code starts with the text come first, then matches in the name. */
const repliesFor = (all: readonly Row<typeof ChatSuggestion>[], asked: string) =>
  byMatch(
    byMatch(all, asked, ({ name }) => name),
    asked,
    ({ code }) => code,
  ).filter(({ code, name }) => code.toLowerCase().startsWith(asked) || name.toLowerCase().includes(asked))

/** Composer of a message, or of a note for colleagues. The draft is kept. */
export function ChatComposer({ chat, returned, onSend, onNoted, onWrite }: Props) {
  const me = useAccount().user.identity.id
  const key = `chat:${chat.id}`
  const draft = useDraft<Written>(key)
  const [written, setWritten] = useState<Written>(() => draft.found?.value ?? nothing)
  const [mode, setMode] = useState<'reply' | 'note'>('reply')
  const [error, setError] = useState<string>()
  const [chosen, setChosen] = useState(0)
  /** Caret position. */
  const [caret, setCaret] = useState(0)
  /** The text for which Escape has closed the suggestions. */
  const [refused, setRefused] = useState<string>()
  const people = useMentionable()
  const field = useRef<HTMLTextAreaElement>(null)
  const typedAt = useRef(0)
  const going = useUploads(key)
  const suggestions = useList(
    ChatSuggestion,
    { limit: 200, sort: 'name' },
    { enabled: useCan('view', ChatSuggestion), staleTime: 60_000 },
  )

  const change = (next: Written) => {
    setWritten(next)
    setError(undefined)
    setRefused(undefined)
    setChosen(0)
    if (next.text === '' && next.files.length === 0) draft.drop()
    else draft.keep(next)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: what comes back is put in once
  useEffect(() => {
    if (returned) change({ ...written, text: [returned, written.text].filter(Boolean).join('\n') })
  }, [returned])

  const taken = chat.status === 'active' && chat.handler === 'human' && chat.idUser !== me
  const closed = chat.status === 'archive'
  // At the start of any line.
  const asked =
    mode === 'reply' ? /(?:^|\n)\/([\p{L}\d_-]*)$/u.exec(written.text.slice(0, caret))?.[1]?.toLowerCase() : undefined
  const called =
    mode === 'note' ? /(?:^|\s)@([\p{L}\d-]*)$/u.exec(written.text.slice(0, caret))?.[1]?.toLowerCase() : undefined
  const fitting = asked === undefined ? [] : repliesFor(suggestions.data?.items ?? [], asked)
  const replies = fitting.slice(0, SHOWN)
  const more = fitting.length - replies.length
  const callable =
    called === undefined
      ? []
      : mentionable(
          people
            .filter((one) => one.id !== me)
            // Operators first; a note may mention anyone who can see it.
            .toSorted((a, b) => Number(b.isLiveAssist) - Number(a.isLiveAssist)),
          called,
        )
  const found: Offer[] = [
    ...replies.map((one) => ({
      id: one.id,
      mark: `/${one.code}`,
      name: one.name,
      text: one.text,
      take: () => takeReply(one),
    })),
    ...callable.map((one) => ({
      id: one.id,
      mark: `@${personName(one)}`,
      name: '',
      text: one.post ?? '',
      take: () => takePerson(one),
    })),
  ]

  const offered = written.text === refused ? [] : found

  const take = (at: number) => offered[at]?.take()
  const takePerson = (one: Mentionable) => {
    const label = personName(one)
    const from = caret - (called ?? '').length
    const before = `${written.text.slice(0, from)}${label} `
    change({
      ...written,
      text: before + written.text.slice(caret).trimStart(),
      named: [...(written.named ?? []), { id: one.id, label }],
    })
    setCaret(before.length)
    field.current?.focus()
  }
  const takeReply = (one: Row<typeof ChatSuggestion>) => {
    const known = {
      имя: chat.name === GUEST ? undefined : chat.name,
      дата: formatDate(new Date()),
      филиал: chat.filial?.nameFilial,
      'телефон филиала': chat.filial?.filialPhone ? phoneText(chat.filial.filialPhone) : undefined,
    }
    const before = `${written.text.slice(0, caret - (asked ?? '').length - 1)}${filledReply(one.text, known)}`
    change({ ...written, text: before + written.text.slice(caret) })
    setCaret(before.length)
    field.current?.focus()
  }
  const add = (list: File[]) =>
    uploads.add(
      {
        key,
        stored: ChatFile,
        whereToLook: 'Откройте чат, чтобы повторить.',
        take: async (file) => {
          setWritten((now) => ({
            ...now,
            files: [...now.files, { id: file.id, name: String(file.name) }].slice(0, CHAT_FILES),
          }))
        },
      },
      list,
    )
  const limits = { maxSize: ChatFile.upload?.maxSize, extensions: ChatFile.upload?.extensions }
  const [voice, record] = useVoice((file) => add([file]))
  const [input, pick] = useFileInput({ onFiles: add, multiple: true, ...limits })

  const submit = async () => {
    const text = written.text.trim()
    if (going.length > 0 || (text === '' && written.files.length === 0)) return
    if (mode === 'note') {
      try {
        const named = (written.named ?? []).filter(({ label }) => text.includes(`@${label}`))
        await records.create(ChatNote, { idLiveAssist: chat.id, text, mentions: named.map(({ id }) => id) })
        onNoted()
        change(nothing)
        setMode('reply')
      } catch (cause) {
        setError(errorMessage(cause))
      }
      return
    }
    const open = openPlace(text)
    if (open) return setError(`Заполните {${open}}: это место осталось пустым`)
    onSend({ clientId: crypto.randomUUID(), message: text, files: written.files, seenNo: chat.inCount })
    change(nothing)
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (offered.length > 0) {
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
      if (step) {
        event.preventDefault()
        return setChosen((at) => (at + step + offered.length) % offered.length)
      }
      if (event.key === 'Enter' || event.key === 'Tab') {
        event.preventDefault()
        return take(chosen)
      }
      if (event.key === 'Escape') {
        event.stopPropagation()
        return setRefused(written.text)
      }
    }
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    void submit()
  }

  const onType = (text: string) => {
    change({ ...written, text })
    if (mode === 'note' || Date.now() - typedAt.current < TYPING_EVERY || text === '' || taken) return
    typedAt.current = Date.now()
    onWrite()
  }

  const begin = (what: 'reply' | 'note') => {
    setMode(what)
    field.current?.focus()
  }
  useHotkey('r', () => begin('reply'), { label: 'Ответить', group: 'Чат', enabled: !closed })
  useHotkey('n', () => begin('note'), { label: 'Заметка для коллег', group: 'Чат', enabled: !closed })

  if (closed) return null
  return (
    <div className={classes.composer} data-mode={mode}>
      {offered.length > 0 && (
        <div
          className={classes.offers}
          role="listbox"
          aria-label={mode === 'note' ? 'Кого упомянуть' : 'Быстрые ответы'}
          id={`${key}-offers`}
        >
          {offered.map((one, at) => (
            <button
              key={one.id}
              id={`${key}-${one.id}`}
              type="button"
              role="option"
              aria-selected={at === chosen}
              tabIndex={-1}
              className={classes.offer}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(at)}
            >
              <strong>{one.mark}</strong> {one.name}
              <span className={classes.last}>{one.text}</span>
            </button>
          ))}
          {more > 0 && <p className={classes.moreOffers}>и ещё {more}: наберите точнее</p>}
        </div>
      )}
      <Textarea
        ref={field}
        aria-label={mode === 'note' ? 'Заметка для коллег' : 'Ответ посетителю'}
        placeholder={
          mode === 'note'
            ? 'Заметка для коллег: посетитель её не увидит. @ — позвать коллегу'
            : taken
              ? 'Чат ведёт коллега: можно оставить заметку или забрать чат'
              : 'Ответ. Enter — отправить, / — быстрые ответы'
        }
        autosize
        minRows={2}
        maxRows={10}
        maxLength={4096}
        value={written.text}
        error={error}
        aria-autocomplete="list"
        aria-controls={offered.length > 0 ? `${key}-offers` : undefined}
        aria-activedescendant={offered[chosen] ? `${key}-${offered[chosen].id}` : undefined}
        onChange={(event) => {
          setCaret(event.currentTarget.selectionStart)
          onType(event.currentTarget.value)
        }}
        onKeyDown={onKeyDown}
        onPaste={(event) => {
          if (
            mode === 'reply' &&
            !event.clipboardData.types.includes('text/plain') &&
            pasteFiles(event.clipboardData, limits, add)
          )
            event.preventDefault()
        }}
      />
      <AnswerFiles
        files={written.files}
        going={going}
        onRemove={(file) => change({ ...written, files: written.files.filter(({ id }) => id !== file.id) })}
      />
      {mode === 'reply' && voice}
      <div className={classes.tools}>
        <SegmentedControl
          size="xs"
          aria-label="Что пишете"
          data={[
            { value: 'reply', label: 'Ответ' },
            { value: 'note', label: 'Заметка' },
          ]}
          value={mode}
          onChange={(value) => setMode(value as 'reply' | 'note')}
        />
        {mode === 'reply' && (
          <>
            {input}
            <IconButton icon={IconPaperclip} label="Прикрепить файл" onClick={pick} disabled={taken} />
            <IconButton icon={IconMicrophone} label="Записать голос" onClick={record} disabled={taken || !record} />
          </>
        )}
        <ActionButton
          ml="auto"
          label={mode === 'note' ? 'Записать' : 'Отправить'}
          icon={mode === 'note' ? IconNote : IconSend}
          color={mode === 'note' ? 'yellow' : undefined}
          variant={mode === 'note' ? 'light' : 'filled'}
          disabled={
            (taken && mode === 'reply') ||
            going.length > 0 ||
            (written.text.trim() === '' && written.files.length === 0)
          }
          onClick={() => void submit()}
        />
      </div>
    </div>
  )
}
