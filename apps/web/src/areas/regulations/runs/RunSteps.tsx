import { Text, Textarea, Title } from '@mantine/core'
import { type RunStep, type RunStepState, runStepStates } from '@ordinator/model/areas/regulations/run'
import type { Stage } from '@ordinator/model/areas/regulations/wire'
import type { Row } from '@ordinator/model/entity'
import { formatSpan } from '@ordinator/model/format'
import { IconArrowBackUp, IconCheck, IconCircle, IconPlayerSkipForward, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatTime } from '#kit/clock.ts'
import { IconButton } from '#kit/IconButton.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { Chip } from '../Chip.tsx'
import { toastFailed } from '../toasts.ts'
import { StepContent } from '../view/StepCard.tsx'
import { useRunVerbs } from './calls.ts'
import { markColors } from './looks.ts'
import classes from './Run.module.css'
import { StepTimer } from './StepTimer.tsx'

const MAX_NOTE = 2000

type Marked = Row<typeof RunStep>

interface Props {
  idRun: number
  rows: readonly Marked[]
  stages: readonly Stage[]
  mayMark: boolean
}

/** Ordered steps: done ones as a line, the current one in full. */
export function RunSteps({ idRun, rows, stages, mayMark }: Props) {
  const { mark, isMarking } = useRunVerbs(idRun)
  const now = rows.findIndex(({ state }) => state === 'waiting')
  const last = now < 0 ? rows.length - 1 : now - 1
  const send = (id: number, state: RunStepState, note?: string) =>
    void mark({ id, state, ...(note !== undefined && { note: note || null }) }).catch((error: unknown) =>
      toastFailed('Ошибка при сохранении', error),
    )
  return (
    <VStack component="ol" gap={4} aria-label="Шаги выполнения">
      {rows.map((row, at) => {
        const stage = stages.find(({ id }) => id === row.idStep)
        if (!stage) return null
        return at === now && mayMark ? (
          <CurrentStep key={row.id} row={row} n={at + 1} stage={stage} busy={isMarking} onMark={send} />
        ) : (
          <StepLine
            key={row.id}
            row={row}
            n={at + 1}
            stage={stage}
            isNow={at === now}
            onBack={mayMark && at === last && !isMarking ? () => send(row.id, 'waiting') : undefined}
          />
        )
      })}
    </VStack>
  )
}

const marks = { waiting: IconCircle, done: IconCheck, skipped: IconPlayerSkipForward, failed: IconX } as const

interface LineProps {
  row: Marked
  n: number
  stage: Stage
  isNow: boolean
  onBack: (() => void) | undefined
}

function StepLine({ row, n, stage, isNow, onBack }: LineProps) {
  const Icon = marks[row.state]
  return (
    <li className={classes.line} data-now={isNow || undefined}>
      <span className={classes.mark} data-state={row.state}>
        <Icon size={16} aria-hidden />
      </span>
      <VStack component="span" gap={0} miw={160} flex={1}>
        <Text span inherit className="breaks">
          {n}. {stage.title}
        </Text>
        {row.note && <Fine className="breaks lines">{row.note}</Fine>}
      </VStack>
      {row.state !== 'waiting' && (
        <HStack component="span" flex="none">
          <Chip color={markColors[row.state]}>{runStepStates[row.state]}</Chip>
          <Muted>{formatTime(row.dateEnd)}</Muted>
        </HStack>
      )}
      {isNow && <Chip color="blue">сейчас</Chip>}
      {onBack && (
        <IconButton
          icon={IconArrowBackUp}
          label={`Вернуть отметку шага ${n}`}
          title="Вернуть отметку"
          onClick={onBack}
        />
      )}
    </li>
  )
}

interface CurrentProps {
  row: Marked
  n: number
  stage: Stage
  busy: boolean
  onMark: (id: number, state: RunStepState, note: string) => void
}

/** The current step with its content and buttons. */
function CurrentStep({ row, n, stage, busy, onMark }: CurrentProps) {
  const [note, setNote] = useState(row.note ?? '')
  const card = useRef<HTMLLIElement>(null)
  useEffect(() => {
    card.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const mark = (state: RunStepState) => onMark(row.id, state, note.trim())
  return (
    <li ref={card} className={classes.current} aria-current="step">
      <HStack gap={12} align="flex-start">
        <Title order={3} size="h2" miw={0} flex={1} className="breaks">
          {n}. {stage.title}
        </Title>
        {row.dateStart && <StepTimer since={row.dateStart} estimate={stage.timeEstimate} />}
      </HStack>
      {stage.timeEstimate > 0 && (
        <Text mt={-8} c="dimmed">
          На шаг отведено {formatSpan(stage.timeEstimate * 60)}
        </Text>
      )}
      <StepContent stage={stage} />
      <Textarea
        label="Примечание"
        placeholder="Что помешало или что важно"
        autosize
        minRows={1}
        maxRows={6}
        maxLength={MAX_NOTE}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <div className={classes.buttons}>
        <ActionButton label="Готово" size="md" icon={IconCheck} disabled={busy} onClick={() => mark('done')} />
        <ActionButton
          label="Пропустить"
          size="md"
          variant="default"
          icon={IconPlayerSkipForward}
          disabled={busy}
          onClick={() => mark('skipped')}
        />
        <ActionButton
          label="Не удалось"
          size="md"
          variant="light"
          color="red"
          icon={IconX}
          disabled={busy}
          onClick={() => mark('failed')}
        />
      </div>
    </li>
  )
}
