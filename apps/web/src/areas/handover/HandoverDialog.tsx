import { Badge, Progress, Radio, Text } from '@mantine/core'
import type { Filial } from '@ordinator/model/areas/filials/filial'
import {
  FilialHandover,
  HANDOVER_DAYS,
  type HandoverFigures,
  type HandoverWho,
  handoverStates,
  handoverWho,
} from '@ordinator/model/areas/handover/handover'
import { moveSums } from '@ordinator/model/areas/moving/tables'
import type { Row } from '@ordinator/model/entity'
import { counted, formatFileSize, formatMoney, formatNumber, inSentence } from '@ordinator/model/format'
import { IconDownload, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { download } from '#base/http.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Dotted, Fine, Muted } from '#kit/Words.tsx'
import { useList } from '#records/reads.ts'

const SHOWN = 10
const stateColors = { running: 'blue', done: 'teal', failed: 'red', cancelled: 'gray', gone: 'gray' } as const

interface Props {
  filial: Pick<Row<typeof Filial>, 'id' | 'nameFilial'>
  onClose: () => void
}

/** Collects the data of a branch for its buyer; earlier collections with their files. */
export default function HandoverDialog({ filial: { id, nameFilial }, onClose }: Props) {
  const [who, setWho] = useState<HandoverWho>('only')
  const made = useList(
    FilialHandover,
    { filter: { idFilial: id }, sort: '-id', limit: SHOWN, expand: ['user'] },
    { forbidden: 'silent', reportsFailure: true },
  )
  const items = made.data?.items ?? []
  const isRunning = items.some(({ state }) => state === 'running')
  return (
    <ActionDialog
      title={`Передать данные филиала «${nameFilial}»`}
      size={680}
      action="Собрать данные"
      cancel="Закрыть"
      disabled={isRunning || made.isError}
      onClose={onClose}
      run={async () => {
        await api('POST /filials/:id/handovers', { params: { id }, body: { who } }, { forbidden: 'toast' })
        await made.refetch()
        return false
      }}
    >
      <VStack gap={16}>
        <Text>
          Для того, кто купил филиал: таблицы, которые его Ординатор загрузит в разделе «Переезд», все записи филиала,
          файлы и опись с суммами для сверки. Здесь ничего не изменится.
        </Text>
        <Radio.Group label="Чьи данные" value={who} onChange={(value) => setWho(value as HandoverWho)}>
          <VStack gap={8} mt={8}>
            {(Object.keys(handoverWho) as HandoverWho[]).map((key) => (
              <Radio key={key} value={key} label={handoverWho[key]} disabled={isRunning} />
            ))}
          </VStack>
        </Radio.Group>
        <Muted component="p">
          Карты с ограниченным доступом, которые вы не открыли, и пациенты, отозвавшие согласие, останутся: опись
          назовёт, сколько их. Счёт пациента, который был и в других филиалах, остаётся у сети.
        </Muted>
        {made.isError ? (
          <ErrorState title="Прежние передачи не загрузились" error={made.error} onRetry={() => void made.refetch()} />
        ) : made.isPending ? (
          <LinesSkeleton lines={3} />
        ) : (
          items.length > 0 && (
            <VStack component="ul" gap={8} aria-label="Передачи">
              {items.map((one) => (
                <Line key={one.id} made={one as Made} />
              ))}
            </VStack>
          )
        )}
      </VStack>
    </ActionDialog>
  )
}

type Made = Row<typeof FilialHandover> & { user: { shortFio: string } | null }

function Line({ made }: { made: Made }) {
  const { id, state } = made
  const [busy, setBusy] = useState<number | 'stop'>()
  const named = formatDateTime(made.dateCreate)
  const act = async (key: number | 'stop', work: () => Promise<unknown>) => {
    setBusy(key)
    try {
      await work()
    } catch (error) {
      notify.error(errorMessage(error))
    }
    setBusy(undefined)
  }
  return (
    <VStack component="li" framed p={12} gap={8}>
      <HStack justify="space-between" wrap gap={8}>
        <Text fw={600}>{named}</Text>
        <Badge color={stateColors[state]} variant="light" tt="none" fw={500}>
          {handoverStates[state]}
        </Badge>
      </HStack>
      <Fine component="div">
        <Dotted>
          {inSentence(handoverWho[made.who])}
          {made.user?.shortFio}
          {made.patients !== null && counted(made.patients, ['пациент', 'пациента', 'пациентов'])}
          {made.size !== null && formatFileSize(made.size)}
          {state === 'done' && `файлы хранятся ${counted(HANDOVER_DAYS, ['день', 'дня', 'дней'])}`}
        </Dotted>
      </Fine>
      {state === 'running' && (
        <>
          <Progress value={made.progress} animated aria-label={`Передача ${named}`} />
          <HStack justify="space-between" wrap gap={8}>
            <Fine>{made.stage ?? 'В очереди'}</Fine>
            <ActionButton
              label="Остановить"
              aria-label={`Остановить передачу ${named}`}
              icon={IconX}
              size="compact-sm"
              variant="default"
              loading={busy === 'stop'}
              onClick={() =>
                void act('stop', () =>
                  api('POST /filials/handovers/:id/cancel', { params: { id } }, { forbidden: 'toast' }),
                )
              }
            />
          </HStack>
        </>
      )}
      {made.message && (
        <Text c="var(--mantine-color-error)" size="sm">
          {made.message}
        </Text>
      )}
      {made.figures && <Figures figures={made.figures} />}
      {state === 'done' && (
        <HStack wrap gap={8}>
          {made.files?.map(({ name, size }, at) => (
            <ActionButton
              key={name}
              label={`${name}, ${formatFileSize(size)}`}
              aria-label={`Скачать ${name}`}
              icon={IconDownload}
              size="compact-sm"
              variant="default"
              loading={busy === at}
              onClick={() => void act(at, () => download(`/filials/handovers/${id}/files/${at + 1}`, name))}
            />
          ))}
        </HStack>
      )}
    </VStack>
  )
}

function Figures({ figures: { sums, records, left } }: { figures: HandoverFigures }) {
  return (
    <Fine component="div">
      <Dotted>
        {`записей ${formatNumber(records)}`}
        {...sums.map(
          ({ kind, sum }) =>
            `${inSentence(moveSums[kind].label)} ${kind === 'bonus' ? formatNumber(sum) : formatMoney(sum)}`,
        )}
      </Dotted>
      {left.map(({ words, count }) => (
        <div key={words}>{`Осталось: ${formatNumber(count)}. ${words}`}</div>
      ))}
    </Fine>
  )
}
