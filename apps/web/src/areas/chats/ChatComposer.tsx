import { SegmentedControl, Textarea } from '@mantine/core'
import { ChatFile, ChatNote } from '@ordinator/model/areas/chats/liveAssist'
import { openPlace } from '@ordinator/model/areas/chats/rules'
import { IconMicrophone, IconNote, IconPaperclip, IconSend } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { errorMessage } from '#base/apiError.ts'
import { records } from '#base/client.ts'
import { useAccount } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { useHotkey } from '#kit/hotkeys.ts'
import { IconButton } from '#kit/IconButton.tsx'
import { AnswerFiles } from './AnswerFiles.tsx'
import classes from './composer/composer.module.css'
import { OfferList } from './composer/OfferList.tsx'
import { useAttaching } from './composer/useAttaching.ts'
import { type Offer, useOffers } from './composer/useOffers.ts'
import { nothing, useWritten, type Written } from './composer/written.ts'
import type { OpenChat } from './tabs.ts'

/** Milliseconds between typing notifications. */
const TYPING_EVERY = 3_000

const target = { stored: ChatFile, whereToLook: 'Откройте чат, чтобы повторить.' }

/** A message being sent. */
export interface Pending {
  clientId: string
  message: string
  files: { id: number; name: string }[]
  seenNo: number
  failed?: string
}

interface Props {
  chat: OpenChat
  /** Text of a failed message, to restore. */
  returned: string | undefined
  onSend: (pending: Pending) => void
  onNoted: () => void
  /** Called while typing an answer. */
  onWrite: () => void
}

/** Composer of a message, or of a note for colleagues. The draft is kept. */
export function ChatComposer({ chat, returned, onSend, onNoted, onWrite }: Props) {
  const me = useAccount().user.identity.id
  const key = `chat:${chat.id}`
  const { written, write, setWritten } = useWritten(key)
  const [mode, setMode] = useState<'reply' | 'note'>('reply')
  const [error, setError] = useState<string>()
  const field = useRef<HTMLTextAreaElement>(null)
  const typedAt = useRef(0)
  const files = useAttaching(key, setWritten, target)
  const { offers, chosen, more, ...offered } = useOffers({
    chat,
    mode,
    written,
    onTake: (next) => {
      change(next)
      field.current?.focus()
    },
  })
  const change = (next: Written) => {
    write(next)
    setError(undefined)
    offered.reset()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a returned text is inserted once
  useEffect(() => {
    if (returned) change({ ...written, text: [returned, written.text].filter(Boolean).join('\n') })
  }, [returned])

  const isNote = mode === 'note'
  const taken = chat.status === 'active' && chat.handler === 'human' && chat.idUser !== me
  const closed = chat.status === 'archive'
  const isEmpty = files.going.length > 0 || (written.text.trim() === '' && written.files.length === 0)

  const note = async (text: string) => {
    try {
      const named = (written.named ?? []).filter(({ label }) => text.includes(`@${label}`))
      await records.create(ChatNote, { idLiveAssist: chat.id, text, mentions: named.map(({ id }) => id) })
      onNoted()
      change(nothing)
      setMode('reply')
    } catch (cause) {
      setError(errorMessage(cause))
    }
  }
  const submit = async () => {
    const text = written.text.trim()
    if (isEmpty) return
    if (isNote) return note(text)
    const open = openPlace(text)
    if (open) return setError(`Заполните {${open}}: это место осталось пустым`)
    onSend({ clientId: crypto.randomUUID(), message: text, files: written.files, seenNo: chat.inCount })
    change(nothing)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || offered.onKey(event)) return
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    void submit()
  }
  const onType = (text: string) => {
    change({ ...written, text })
    if (isNote || Date.now() - typedAt.current < TYPING_EVERY || text === '' || taken) return
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
  const idOf = ({ id }: Offer) => `${key}-${id}`
  const active = offers[chosen]
  return (
    <div className={classes.composer} data-mode={mode}>
      <OfferList
        id={`${key}-offers`}
        label={isNote ? 'Кого упомянуть' : 'Быстрые ответы'}
        {...{ offers, chosen, more, idOf }}
      />
      <Textarea
        ref={field}
        aria-label={isNote ? 'Заметка для коллег' : 'Ответ посетителю'}
        placeholder={placeholderOf(isNote, taken)}
        autosize
        minRows={2}
        maxRows={10}
        maxLength={4096}
        value={written.text}
        error={error}
        aria-autocomplete="list"
        aria-controls={offers.length > 0 ? `${key}-offers` : undefined}
        aria-activedescendant={active && idOf(active)}
        onChange={(event) => {
          offered.setCaret(event.currentTarget.selectionStart)
          onType(event.currentTarget.value)
        }}
        onKeyDown={onKeyDown}
        onPaste={(event) => {
          const { clipboardData } = event
          if (!isNote && !clipboardData.types.includes('text/plain') && files.paste(clipboardData))
            event.preventDefault()
        }}
      />
      <AnswerFiles
        files={written.files}
        going={files.going}
        onRemove={(file) => change({ ...written, files: written.files.filter(({ id }) => id !== file.id) })}
      />
      {!isNote && files.voice}
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
        {!isNote && (
          <>
            {files.input}
            <IconButton icon={IconPaperclip} label="Прикрепить файл" onClick={files.pick} disabled={taken} />
            <IconButton
              icon={IconMicrophone}
              label="Записать голос"
              onClick={files.record}
              disabled={taken || !files.record}
            />
          </>
        )}
        <ActionButton
          ml="auto"
          label={isNote ? 'Записать' : 'Отправить'}
          icon={isNote ? IconNote : IconSend}
          color={isNote ? 'yellow' : undefined}
          variant={isNote ? 'light' : 'filled'}
          disabled={(taken && !isNote) || isEmpty}
          onClick={() => void submit()}
        />
      </div>
    </div>
  )
}

const placeholderOf = (isNote: boolean, taken: boolean) => {
  if (isNote) return 'Заметка для коллег: посетитель её не увидит. @ — позвать коллегу'
  return taken
    ? 'Чат ведёт коллега: можно оставить заметку или забрать чат'
    : 'Ответ. Enter — отправить, / — быстрые ответы'
}
