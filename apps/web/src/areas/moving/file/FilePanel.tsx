import { Alert, Progress } from '@mantine/core'
import { isMoveBusy, type Move, MoveFile, moveFileStates } from '@ordinator/model/areas/moving/move'
import { moveTables } from '@ordinator/model/areas/moving/tables'
import type { Row } from '@ordinator/model/entity'
import { counted, formatNumber } from '@ordinator/model/format'
import { IconAlertTriangle } from '@tabler/icons-react'
import { api } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { SidePanel } from '#kit/SidePanel.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { useRecord } from '#records/reads.ts'
import { useAct } from '../movingCalls.ts'
import { Columns } from './Columns.tsx'
import { DropButton } from './DropButton.tsx'
import classes from './file.module.css'
import { type LoadedFile, rowForms } from './loadedFile.ts'
import { Outcome } from './Outcome.tsx'

interface Props {
  move: Row<typeof Move>
  id: number
  onClose: () => void
}

/** One file: its columns, the rehearsal, the run, and the result. */
export function FilePanel({ move, id, onClose }: Props) {
  const file = useRecord(MoveFile, id, {}, { forbidden: 'silent' })
  const table = moveTables.find(({ key }) => key === file.data?.table)
  return (
    <SidePanel opened onClose={onClose} wide title={table ? `${table.title}: ${file.data?.fileName}` : 'Файл переезда'}>
      {file.isError ? (
        <ErrorState title="Файл не найден" error={file.error} onRetry={() => void file.refetch()} />
      ) : file.data ? (
        <Content move={move} file={file.data} onClose={onClose} />
      ) : (
        <LinesSkeleton lines={8} />
      )}
    </SidePanel>
  )
}

const steps = ['Чтение', 'Колонки', 'Репетиция', 'Загрузка'] as const
const placeOf: Readonly<Record<LoadedFile['state'], number>> = {
  reading: 0,
  failed: 0,
  ready: 1,
  checking: 2,
  checked: 2,
  stopped: 2,
  running: 3,
  done: 3,
  reverting: 3,
  reverted: 1,
}
const stepOf = ({ state }: LoadedFile): number => placeOf[state]

function Content({ move, file, onClose }: { move: Row<typeof Move>; file: LoadedFile; onClose: () => void }) {
  const now = stepOf(file)
  return (
    <VStack gap={20} p={4}>
      <ol className={classes.track} aria-label="Шаги файла">
        {steps.map((one, at) => (
          <li
            key={one}
            aria-current={at === now ? 'step' : undefined}
            data-done={at < now || file.state === 'done' || undefined}
          >
            {one}
          </li>
        ))}
      </ol>
      {file.message && (
        <Alert
          color={file.state === 'failed' ? 'red' : 'yellow'}
          variant="light"
          icon={<IconAlertTriangle size={18} />}
          role="alert"
        >
          {file.message}
        </Alert>
      )}
      {file.state === 'stopped' ? (
        <Stopped file={file} />
      ) : isMoveBusy(file.state) ? (
        <Going file={file} />
      ) : file.state === 'failed' ? (
        <VStack gap={12} align="flex-start">
          <Muted>Исправьте файл и добавьте его ещё раз.</Muted>
          <DropButton file={file} onDropped={onClose} />
        </VStack>
      ) : file.state === 'ready' || file.state === 'reverted' ? (
        <Columns key={file._version} file={file} onClose={onClose} />
      ) : (
        <Outcome move={move} file={file} />
      )}
    </VStack>
  )
}

/** Work that gave up: it goes on from where it was, or is taken back. */
function Stopped({ file: { id, done, total } }: { file: LoadedFile }) {
  const resume = useAct(() => api('POST /moving/files/:id/resume', { params: { id } }))
  const cancel = useAct(() => api('POST /moving/files/:id/cancel', { params: { id } }))
  return (
    <VStack gap={12} align="flex-start">
      {total > 0 && <span className="tabular">{`Сделано: ${formatNumber(done)} из ${counted(total, rowForms)}`}</span>}
      <HStack gap={8} wrap>
        <ActionButton label="Продолжить" loading={resume.isPending} onClick={() => resume.mutate(undefined)} />
        <ActionButton
          label="Остановить и убрать загруженное"
          variant="default"
          loading={cancel.isPending}
          onClick={() => cancel.mutate(undefined)}
        />
      </HStack>
    </VStack>
  )
}

function Going({ file: { id, state, done, total } }: { file: LoadedFile }) {
  const cancel = useAct(() => api('POST /moving/files/:id/cancel', { params: { id } }))
  return (
    <VStack gap={12} role="status">
      <span className="tabular">
        {moveFileStates[state]}
        {total > 0 && `: ${formatNumber(done)} из ${counted(total, rowForms)}`}
      </span>
      <Progress value={total > 0 ? (100 * done) / total : 100} animated aria-label="Ход работы с файлом" />
      <Fine>Панель можно закрыть: работа идёт на сервере.</Fine>
      {(state === 'checking' || state === 'running') && (
        <ActionButton
          label={state === 'checking' ? 'Остановить проверку' : 'Остановить и убрать загруженное'}
          variant="default"
          style={{ alignSelf: 'flex-start' }}
          loading={cancel.isPending}
          onClick={() => cancel.mutate(undefined)}
        />
      )}
    </VStack>
  )
}
