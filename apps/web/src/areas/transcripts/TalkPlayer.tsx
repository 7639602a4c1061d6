import { Alert, Progress, TextInput } from '@mantine/core'
import {
  type SpokenWord,
  speakers,
  Transcript,
  TranscriptLine,
  transcriptStatuses,
} from '@ordinator/model/areas/transcripts/transcript'
import type { Row } from '@ordinator/model/entity'
import { counted, formatDuration } from '@ordinator/model/format'
import { IconCopy, IconFileText, IconSearch } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { memo, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { copyText } from '#kit/copy.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import type { SoundControl } from '#kit/SoundPlayer.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { useEndlessList, useList } from '#records/reads.ts'
import { Player } from './Player.tsx'
import classes from './Transcript.module.css'

type Line = Row<typeof TranscriptLine>

interface Props {
  idCall: number
  /** Initial position in milliseconds. */
  at?: number | undefined
}

/** Recording of a call with its transcript: a click on a word plays from there. */
export function TalkPlayer({ idCall, at }: Props) {
  const control = useRef<SoundControl>(null)
  const [now, setNow] = useState(-1)
  const play = useMemo(() => (ms: number) => control.current?.playFrom(ms / 1000), [])
  return (
    <VStack gap={16}>
      <Player idCall={idCall} control={control} onTime={(seconds) => setNow(Math.round(seconds * 1000))} />
      <Talk idCall={idCall} now={now} at={at} onPlay={play} />
    </VStack>
  )
}

interface TalkProps extends Props {
  /** Current position in milliseconds. */
  now: number
  onPlay: (ms: number) => void
}

function Talk({ idCall, now, at, onPlay }: TalkProps) {
  const cache = useQueryClient()
  const [busy, setBusy] = useState(false)
  const list = useList(Transcript, { filter: { idCall }, limit: 1 }, { forbidden: 'silent', reportsFailure: true })
  const transcript = list.data?.items[0]
  if (list.isError) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (!list.data) return <LinesSkeleton lines={3} />
  const ask = async (call: 'POST /calls/:id/transcript' | 'POST /calls/:id/transcript/cancel') => {
    setBusy(true)
    try {
      await api(call, { params: { id: idCall } }, { forbidden: 'toast' })
      await invalidateRecords(cache, Transcript.path)
    } catch (error) {
      notify.error(errorMessage(error))
    }
    setBusy(false)
  }
  const make = (label: string) => (
    <ActionButton
      label={label}
      icon={IconFileText}
      variant="default"
      size="compact-sm"
      loading={busy}
      onClick={() => void ask('POST /calls/:id/transcript')}
    />
  )
  const isWaiting = transcript?.status === 'queued' || transcript?.status === 'running'
  return (
    <section aria-label="Расшифровка">
      <HStack justify="space-between" wrap mb={8}>
        <h2>Расшифровка</h2>
        {!transcript && make('Расшифровать')}
        {transcript && !isWaiting && transcript.status !== 'done' && make('Расшифровать снова')}
      </HStack>
      {!transcript && <Muted>Текста разговора пока нет.</Muted>}
      {transcript && isWaiting && (
        <VStack gap={6} role="status">
          <Progress value={transcript.progress} animated aria-label="Ход расшифровки" />
          <HStack justify="space-between">
            <Fine>
              {transcriptStatuses[transcript.status]}
              {transcript.status === 'running' && `: ${transcript.progress} %`}
            </Fine>
            <ActionButton
              label="Отменить"
              reverse
              size="compact-sm"
              variant="default"
              disabled={busy}
              onClick={() => void ask('POST /calls/:id/transcript/cancel')}
            />
          </HStack>
        </VStack>
      )}
      {transcript?.status === 'failed' && (
        <Alert color="red" variant="light" role="alert">
          Расшифровка не получилась: {transcript.error ?? 'причина неизвестна'}.
        </Alert>
      )}
      {transcript?.status === 'empty' && <Muted>В записи никто не говорит.</Muted>}
      {transcript && transcript.wordsCount > 0 && (
        <Lines transcript={transcript} now={now} at={at} onPlay={onPlay} remake={make('Заново')} />
      )}
    </section>
  )
}

interface LinesProps extends Omit<TalkProps, 'idCall'> {
  transcript: Row<typeof Transcript>
  remake: ReactNode
}

function Lines({ transcript, now, at, onPlay, remake }: LinesProps) {
  const { id, wordsCount, speechS, byChannels } = transcript
  const [query, setQuery] = useState('')
  const list = useEndlessList(
    TranscriptLine,
    { filter: { idTranscript: id }, sort: ['fromMs', 'id'], limit: 200 },
    { forbidden: 'silent' },
  )
  const sought = query.trim().toLowerCase()
  const lines = useMemo(
    () => (sought ? list.items.filter(({ text }) => text.toLowerCase().includes(sought)) : list.items),
    [list.items, sought],
  )
  const copy = async () => {
    const text = list.items.map(({ fromMs, speaker, text: line }) => `${clock(fromMs)} ${speakers[speaker]}: ${line}`)
    if (await copyText(text.join('\n'), 'Текст разговора')) notify.success('Текст разговора скопирован')
  }
  if (list.isError) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (list.isPending) return <LinesSkeleton lines={5} />
  return (
    <VStack gap={8}>
      <HStack wrap>
        <TextInput
          aria-label="Найти в разговоре"
          placeholder="Найти в разговоре"
          size="xs"
          leftSection={<IconSearch size={14} aria-hidden />}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          className={classes.search}
        />
        <Fine className="tabular">
          {sought
            ? counted(lines.length, ['реплика', 'реплики', 'реплик'])
            : `${counted(wordsCount, ['слово', 'слова', 'слов'])}, речи ${formatDuration(speechS)}`}
        </Fine>
        <Block grow />
        <IconButton icon={IconCopy} label="Скопировать текст разговора" onClick={() => void copy()} />
        {remake}
      </HStack>
      {!byChannels && <Fine>Запись в один канал: кто говорит, неизвестно.</Fine>}
      <ol className={classes.lines}>
        {lines.map((line) => (
          <TalkLine
            key={line.id}
            line={line}
            sought={sought}
            now={now >= line.fromMs && now <= line.toMs ? now : -1}
            isFirst={at !== undefined && at >= line.fromMs && at <= line.toMs}
            onPlay={onPlay}
          />
        ))}
      </ol>
      {list.hasNextPage && (
        <ActionButton
          label="Показать ещё"
          variant="default"
          size="compact-sm"
          loading={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        />
      )}
    </VStack>
  )
}

interface TalkLineProps {
  line: Line
  sought: string
  /** Milliseconds within the line; -1: another line is playing. */
  now: number
  isFirst: boolean
  onPlay: (ms: number) => void
}

const TalkLine = memo(function TalkLine({ line, sought, now, isFirst, onPlay }: TalkLineProps) {
  const { speaker, fromMs, words } = line
  const place = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isFirst) place.current?.scrollIntoView({ block: 'center' })
  }, [isFirst])
  return (
    <li ref={place} className={classes.line} data-speaker={speaker} data-first={isFirst || undefined}>
      <button type="button" className={classes.time} onClick={() => onPlay(fromMs)} title="Слушать с этого места">
        {clock(fromMs)}
      </button>
      <div className={classes.said}>
        <span className={classes.speaker}>{speakers[speaker]}</span>
        <p>
          {words.map(([from, to, word]: SpokenWord, at: number) => (
            <button
              // biome-ignore lint/suspicious/noArrayIndexKey: a word is its place
              key={at}
              type="button"
              tabIndex={-1}
              className={classes.word}
              data-now={(now >= from && now <= to) || undefined}
              data-found={(sought !== '' && word.toLowerCase().includes(sought.split(/\s+/)[0] ?? '')) || undefined}
              onClick={() => onPlay(from)}
            >
              {word}{' '}
            </button>
          ))}
        </p>
      </div>
    </li>
  )
})

const clock = (ms: number): string => formatDuration(Math.floor(ms / 1000))
