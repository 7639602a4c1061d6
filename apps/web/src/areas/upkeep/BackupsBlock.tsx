import { Alert, Badge, Progress, Text } from '@mantine/core'
import { Backup, backupKinds, backupStates, trialStates } from '@ordinator/model/areas/upkeep/backup'
import { formatFileSize, formatFromNow, formatNumber } from '@ordinator/model/format'
import { IconDatabaseExclamation, IconDatabaseExport, IconDownload, IconRestore, IconX } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Answer, api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { download } from '#base/http.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { notify } from '#kit/notify.tsx'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Dotted, Fine } from '#kit/Words.tsx'
import { useList } from '#records/reads.ts'

const SHOWN = 20
/** Polling intervals: during a backup or trial, and otherwise. */
const [BUSY_MS, QUIET_MS] = [2_000, 60_000]
const stateColors = { running: 'blue', done: 'teal', failed: 'red', cancelled: 'gray', gone: 'gray' } as const
const trialColors = { none: 'gray', running: 'blue', good: 'teal', bad: 'red' } as const

type State = Answer<'GET /backups/state'>

/** Backups: last good and next one, location, and the list with actions. */
export default function BackupsBlock() {
  const cache = useQueryClient()
  const found = useQuery({
    queryKey: ['backups', 'state'],
    queryFn: ({ signal }) => api('GET /backups/state', {}, { signal, forbidden: 'silent' }),
    refetchInterval: ({ state: { data } }) => (data?.isRunning ? BUSY_MS : QUIET_MS),
  })
  const copies = useList(Backup, { sort: '-id', limit: SHOWN }, { forbidden: 'silent' })
  const [busy, setBusy] = useState<string>()
  const act = async (key: string, work: () => Promise<unknown>) => {
    setBusy(key)
    try {
      await work()
    } catch (error) {
      notify.error(errorMessage(error))
    }
    setBusy(undefined)
    await cache.invalidateQueries({ queryKey: ['backups', 'state'] })
  }
  useRevealDelay(found.isPending || copies.isPending)
  if (found.isPending) return <LinesSkeleton lines={6} />
  if (found.isError)
    return <ErrorState title="Копии не загрузились" error={found.error} onRetry={() => void found.refetch()} />
  const state = found.data
  return (
    <VStack gap={16} mb={16}>
      {state.alert && (
        <Alert
          color="red"
          variant="light"
          icon={<IconDatabaseExclamation size={18} />}
          title={state.alert}
          role="alert"
        >
          Сделайте копию сейчас; если не выйдет, причина будет в списке.
        </Alert>
      )}
      {state.refusal ? (
        <Alert color="gray" variant="light" title="Копии делает не программа">
          {state.refusal}
        </Alert>
      ) : (
        <Summary
          state={state}
          busy={busy === 'make'}
          onMake={() => act('make', () => api('POST /backups/make', {}, { forbidden: 'toast' }))}
        />
      )}
      {copies.data?.items.length === 0 && !state.refusal && (
        <EmptyState
          icon={IconDatabaseExport}
          title="Копий пока нет"
          text="Сделайте первую сейчас: она займёт несколько минут, работать можно."
        />
      )}
      {(copies.data?.items.length ?? 0) > 0 && (
        <VStack component="ul" gap={8} aria-label="Копии">
          {copies.data?.items.map((copy) => (
            <CopyLine key={copy.id} copy={copy as Copy} busy={busy} act={act} />
          ))}
        </VStack>
      )}
    </VStack>
  )
}

function Summary({ state, busy, onMake }: { state: State; busy: boolean; onMake: () => void }) {
  const { last, next, place, isSameDisk, freeBytes, passphrase, isRunning } = state
  const facts: [string, string][] = [
    ['Последняя удачная', last ? `${formatDateTime(last.date)}, ${formatFileSize(last.size)}` : 'ещё не было'],
    ['Следующая', next ? formatDateTime(next) : 'по расписанию не делается'],
    ['Где лежат', freeBytes === null ? place : `${place}, свободно ${formatFileSize(freeBytes)}`],
    [
      'Шифрование',
      passphrase === 'server' ? 'паролем сервера (BACKUP_PASSPHRASE)' : passphrase ? 'паролем копий' : 'нет',
    ],
  ]
  return (
    <VStack component="section" framed p={16} gap={12} aria-label="Сейчас">
      <HStack justify="space-between" align="flex-start" wrap>
        <VStack component="dl" gap={8} m={0} miw={0}>
          {facts.map(([name, value]) => (
            <div key={name}>
              <Fine component="dt">{name}</Fine>
              <Text component="dd" m={0} style={{ overflowWrap: 'anywhere' }}>
                {value}
              </Text>
            </div>
          ))}
        </VStack>
        <ActionButton
          label="Сделать копию"
          icon={IconDatabaseExport}
          loading={busy}
          disabled={isRunning}
          onClick={onMake}
        />
      </HStack>
      {isSameDisk && (
        <Alert color="yellow" variant="light" title="Копии на одном диске с базой">
          Если сломается диск, пропадёт всё сразу. Попросите того, кто обслуживает сервер, задать BACKUP_TO: другой диск
          или S3.
        </Alert>
      )}
      {passphrase === null && (
        <Alert color="yellow" variant="light" title="Копии не зашифрованы">
          В них данные пациентов. Задайте «Пароль копий» ниже: тогда новую копию можно будет и скачать.
        </Alert>
      )}
    </VStack>
  )
}

interface Copy {
  id: number
  name: string | null
  kind: keyof typeof backupKinds
  state: keyof typeof backupStates
  progress: number
  size: number | null
  files: number | null
  isEncrypted: boolean
  message: string | null
  trial: keyof typeof trialStates
  trialRows: number | null
  trialFiles: number | null
  trialMessage: string | null
  dateTrial: string | null
  dateCreate: string
}

interface LineProps {
  copy: Copy
  busy: string | undefined
  act: (key: string, work: () => Promise<unknown>) => Promise<void>
}

function CopyLine({ copy, busy, act }: LineProps) {
  const { id, state, trial } = copy
  const named = formatDateTime(copy.dateCreate)
  return (
    <VStack component="li" framed p={12} gap={8}>
      <HStack justify="space-between" wrap gap={8}>
        <Text fw={600}>{named}</Text>
        <HStack gap={8} wrap>
          {state === 'done' && (
            <Badge color={trialColors[trial]} variant="light" tt="none" fw={500}>
              {trialStates[trial]}
            </Badge>
          )}
          <Badge color={stateColors[state]} variant="light" tt="none" fw={500}>
            {backupStates[state]}
          </Badge>
        </HStack>
      </HStack>
      <Fine component="div">
        <Dotted>
          {backupKinds[copy.kind]}
          {copy.size !== null && formatFileSize(copy.size)}
          {copy.files !== null && `файлов клиники ${formatNumber(copy.files)}`}
          {state === 'done' && (copy.isEncrypted ? 'зашифрована' : 'не зашифрована')}
        </Dotted>
      </Fine>
      {state === 'running' && <Progress value={copy.progress} animated aria-label={`Копия ${named}`} />}
      {copy.message && (
        <Text c="var(--mantine-color-error)" size="sm">
          {copy.message}
        </Text>
      )}
      {copy.dateTrial && (
        <Fine component="p">
          Проверена {formatFromNow(copy.dateTrial)}
          {copy.trialRows !== null &&
            `: записей ${formatNumber(copy.trialRows)}, файлов ${formatNumber(copy.trialFiles ?? 0)}`}
          {copy.trialMessage && `. ${copy.trialMessage}`}
        </Fine>
      )}
      {state === 'running' && (
        <HStack>
          <ActionButton
            label="Остановить"
            aria-label={`Остановить копию ${named}`}
            icon={IconX}
            size="compact-sm"
            variant="default"
            loading={busy === `stop${id}`}
            onClick={() =>
              void act(`stop${id}`, () => api('POST /backups/:id/cancel', { params: { id } }, { forbidden: 'toast' }))
            }
          />
        </HStack>
      )}
      {state === 'done' && (
        <HStack wrap gap={8}>
          <ActionButton
            label="Проверить восстановлением"
            aria-label={`Проверить восстановлением копию ${named}`}
            icon={IconRestore}
            size="compact-sm"
            variant="default"
            loading={busy === `trial${id}` || trial === 'running'}
            onClick={() =>
              void act(`trial${id}`, () => api('POST /backups/:id/trial', { params: { id } }, { forbidden: 'toast' }))
            }
          />
          {copy.isEncrypted && (
            <ActionButton
              label="Скачать"
              aria-label={`Скачать копию ${named}`}
              icon={IconDownload}
              size="compact-sm"
              variant="default"
              loading={busy === `file${id}`}
              onClick={() =>
                void act(`file${id}`, () => download(`/backups/${id}/file`, copy.name ?? 'ordinator.tar.gz'))
              }
            />
          )}
        </HStack>
      )}
    </VStack>
  )
}
