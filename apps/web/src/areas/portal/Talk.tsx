import { CHAT_FILE_MAX, CHAT_FILE_TYPES } from '@ordinator/model/areas/chats/chatFiles'
import type { PatientLine, PatientTalk } from '@ordinator/model/areas/chats/onlineCalls'
import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { ask, Refusal } from './ask.ts'
import { Button, Empty } from './parts.tsx'

const WAIT = 25
const PAUSE = 3_000
/** A response faster than this, in ms, was not a long poll. */
const AT_ONCE = 1_000

const momentOf = (moment: string): string =>
  new Date(moment).toLocaleString('ru-RU', { day: '2-digit', month: '2-digit', hour: '2-digit', minute: '2-digit' })

interface TalkProps {
  /** Id of a doctor's dialogue; absent: the clinic. */
  dialog?: number
  /** Writing is disabled. */
  closed?: boolean
  onChange?: () => void
}

/** Messages and the composer. */
export function Talk({ dialog, closed = false, onChange }: TalkProps) {
  const query = { dialog }
  const [talk, setTalk] = useState<PatientTalk>()
  const [refused, setRefused] = useState<string>()
  const [words, setWords] = useState('')
  const [going, setGoing] = useState<{ clientId: string; text: string }>()
  const [busy, setBusy] = useState(false)
  const end = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const gone = new AbortController()
    void listen(dialog, gone.signal, setTalk, setRefused)
    return () => gone.abort()
  }, [dialog])

  const last = talk?.cursor
  const isLoaded = talk !== undefined
  /** Whether the end is in view: earlier messages being read do not move. */
  const near = useRef(true)
  useEffect(() => {
    if (!isLoaded || !end.current) return
    const observer = new IntersectionObserver(([entry]) => {
      near.current = entry?.isIntersecting ?? true
    })
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [isLoaded])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new line is brought into sight
  useLayoutEffect(() => {
    if (near.current) end.current?.scrollIntoView({ block: 'end' })
  }, [last])
  // New messages may change the surrounding data.
  const first = useRef<number>(undefined)
  useEffect(() => {
    if (last === undefined || first.current === last) return
    if (first.current !== undefined) onChange?.()
    first.current = last
  }, [last, onChange])
  const unread = talk?.dialog?.unread ?? 0
  useEffect(() => {
    if (unread > 0) void ask('POST /portal/dialog/read', { query: { dialog } }).catch(() => {})
  }, [unread, dialog])

  const send = async (event: FormEvent) => {
    event.preventDefault()
    // A retry uses the same key, so that the message is stored once.
    const one = going?.text === words.trim() ? going : { clientId: crypto.randomUUID(), text: words.trim() }
    setGoing(one)
    setBusy(true)
    setRefused(undefined)
    try {
      await ask('POST /portal/dialog', { query, body: one })
      setWords('')
      setGoing(undefined)
      near.current = true
      setTalk(await ask('GET /portal/dialog', { query }))
    } catch (error) {
      setRefused((error as Refusal).message)
    }
    setBusy(false)
  }
  const attach = async (list: FileList | null) => {
    const [file] = list ?? []
    if (!file) return
    setBusy(true)
    setRefused(undefined)
    try {
      if (file.size > CHAT_FILE_MAX)
        throw new Refusal(413, 'Файл больше 10 МБ: пришлите его по частям или принесите на приём')
      const form = new FormData()
      form.append('file', file)
      await ask('POST /portal/dialog/files', { query: { ...query, clientId: crypto.randomUUID() }, body: form })
      setTalk(await ask('GET /portal/dialog', { query }))
    } catch (error) {
      setRefused((error as Refusal).message)
    }
    setBusy(false)
  }
  const rate = async (rating: number) => {
    try {
      await ask('POST /portal/dialog/rating', { query, body: { rating } })
      setTalk(await ask('GET /portal/dialog', { query }))
      onChange?.()
    } catch (error) {
      setRefused((error as Refusal).message)
    }
  }

  const isOver = closed || (dialog !== undefined && talk?.dialog?.status === 'closed')
  return (
    <>
      <p className="quiet">В экстренном случае звоните 103 или 112: здесь отвечают не сразу.</p>
      {!talk ? (
        <div className="waits" role="status">
          Загружаем…
        </div>
      ) : talk.lines.length === 0 ? (
        <Empty title="Здесь можно спросить">О записи, подготовке к приёму или документах: ответит администратор.</Empty>
      ) : (
        <div role="log" aria-label="Сообщения" aria-live="polite">
          <ul className="log">
            {talk.lines.map((line) => (
              <Line key={line.seq} line={line} />
            ))}
          </ul>
        </div>
      )}
      {talk?.dialog?.mayRate && (
        <fieldset className="asks card">
          <legend>Оцените разговор</legend>
          <div className="stars">
            {[1, 2, 3, 4, 5].map((rating) => (
              <Button key={rating} tone="plain" aria-label={`Оценка ${rating} из 5`} onClick={() => void rate(rating)}>
                {rating}
              </Button>
            ))}
          </div>
        </fieldset>
      )}
      {refused && (
        <p className="wrong" role="alert">
          {refused}
        </p>
      )}
      {!isOver && (
        <form className="composer" onSubmit={(event) => void send(event)}>
          <textarea
            aria-label={dialog === undefined ? 'Сообщение клинике' : 'Сообщение врачу'}
            placeholder="Сообщение"
            rows={3}
            maxLength={4096}
            value={words}
            onChange={(event) => setWords(event.currentTarget.value)}
          />
          <label className="button attach" data-tone="plain">
            Прикрепить файл
            <input
              type="file"
              className="away"
              accept={CHAT_FILE_TYPES.map((one) => `.${one}`).join(',')}
              disabled={busy}
              onChange={(event) => {
                void attach(event.currentTarget.files)
                event.currentTarget.value = ''
              }}
            />
          </label>
          <Button type="submit" busy={busy} disabled={words.trim() === ''}>
            Отправить
          </Button>
        </form>
      )}
      <div ref={end} />
    </>
  )
}

const pause = (ms: number) => new Promise((go) => setTimeout(go, ms))
/** Temporary errors: no connection, too many requests, server restart. */
const passes = ({ status }: Refusal): boolean => status === 0 || status === 429 || status >= 500

/** Long-polls for news until unmounted, with retries. */
async function listen(
  dialog: number | undefined,
  signal: AbortSignal,
  onTalk: (talk: PatientTalk) => void,
  onRefused: (message: string) => void,
): Promise<void> {
  let cursor = 0
  while (!signal.aborted) {
    try {
      const asked = performance.now()
      const talk = await ask('GET /portal/dialog', { query: { cursor, wait: cursor === 0 ? 0 : WAIT, dialog } }, signal)
      onTalk(talk)
      // Nothing to wait for yet.
      if (talk.cursor === 0) await pause(PAUSE * 5)
      else if (talk.cursor <= cursor && performance.now() - asked < AT_ONCE) await pause(PAUSE)
      cursor = talk.cursor
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof Refusal && !passes(error)) return onRefused(error.message)
      await pause(error instanceof Refusal && error.status === 429 ? PAUSE * 5 : PAUSE)
    }
  }
}

const Line = ({ line }: { line: PatientLine }) => (
  <li className="bubble" data-mine={line.author === 'patient'} data-author={line.author}>
    {line.by && <b>{line.by}</b>}
    {(line.isRemoved || line.text) && <p>{line.isRemoved ? <i>Сообщение удалено</i> : line.text}</p>}
    {line.files.map(({ id, name, isPicture, isSound }) =>
      isSound ? (
        // biome-ignore lint/a11y/useMediaCaption: a voice message has no captions
        <audio
          key={id}
          className="heard"
          controls
          src={`/portal/dialog/files/${id}`}
          aria-label={name}
          preload="metadata"
        />
      ) : (
        <a key={id} className="sent" href={`/portal/dialog/files/${id}`} target="_blank" rel="noreferrer">
          {isPicture ? <img src={`/portal/dialog/files/${id}?small`} alt={name} loading="lazy" /> : name}
        </a>
      ),
    )}
    <small className="number">
      {line.isEdited && !line.isRemoved && 'изменено, '}
      {momentOf(line.dateCreate)}
      {line.author === 'patient' && (line.state === 'read' ? ' ✓✓' : ' ✓')}
    </small>
  </li>
)
