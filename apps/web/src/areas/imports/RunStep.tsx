import { Alert, Button, Group, Progress, Stack, Title } from '@mantine/core'
import { Import } from '@ordinator/model/areas/imports/import'
import { formatNumber } from '@ordinator/model/format'
import { IconAlertTriangle, IconCheck, IconDownload, IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { errorMessage } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { notify } from '#kit/notify.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { useRecord } from '#records/reads.ts'
import classes from './ImportDialog.module.css'
import { type ImportRow, importCalls } from './importCalls.ts'
import { useRevert } from './useRevert.ts'

/** Progress of the import, and its result. */
export function RunStep({ id, onClose }: { id: number; onClose: () => void }) {
  const run = useRecord(Import, id, {}, { forbidden: 'silent' })
  const revert = useRevert()
  if (run.isError) return <ErrorState title="Импорт не найден" error={run.error} onRetry={() => void run.refetch()} />
  if (!run.data) return <Progress value={0} aria-label="Ход импорта" />
  const { state, total, done, created, failed } = run.data
  const going = state === 'running' || state === 'reverting'
  const cancel = () => void importCalls.cancel(id).catch((error) => notify.error(errorMessage(error)))
  return (
    <Stack gap="md">
      {going ? (
        <div role="status">
          <HStack component="p" gap="4px 16px" align="stretch" wrap className="tabular">
            {state === 'running' ? (
              <>
                <span>Загружаем: {`${formatNumber(done)} из ${formatNumber(total)}`}</span>
                {failed > 0 && <span className={classes.wrong}>С ошибками: {formatNumber(failed)}</span>}
              </>
            ) : (
              <span>Убираем созданное, осталось: {formatNumber(created)}</span>
            )}
          </HStack>
          <Progress
            value={state === 'running' ? (100 * done) / Math.max(1, total) : 100}
            animated
            mt={8}
            aria-label="Ход импорта"
          />
        </div>
      ) : (
        <Outcome run={run.data} />
      )}
      {(failed > 0 || (state === 'reverted' && created > 0)) && !going && <Errors id={id} />}
      <Group justify="flex-end" gap="xs">
        {state === 'running' && (
          <>
            <ActionButton label="Остановить и убрать созданное" variant="default" onClick={cancel} />
            <Button onClick={onClose}>Продолжить в фоне</Button>
          </>
        )}
        {(state === 'done' || state === 'failed') && created > 0 && (
          <ActionButton
            label="Отменить импорт"
            reverse
            variant="default"
            loading={revert.isPending}
            onClick={() => revert.mutate(id)}
          />
        )}
        {state !== 'running' && <ActionButton label="Закрыть" onClick={onClose} data-autofocus />}
      </Group>
    </Stack>
  )
}

function Outcome({ run }: { run: ImportRow }) {
  const { state, created, failed, message } = run
  const summary = {
    done: { color: 'teal', icon: <IconCheck size={18} />, title: 'Импорт завершён' },
    failed: { color: 'red', icon: <IconAlertTriangle size={18} />, title: 'Импорт прерван' },
    cancelled: { color: 'gray', icon: <IconInfoCircle size={18} />, title: 'Импорт остановлен, созданное — в корзине' },
    reverted: {
      color: 'gray',
      icon: <IconInfoCircle size={18} />,
      title: 'Импорт отменён: созданное — в корзине, изменённое — как было',
    },
  }[state as 'done' | 'failed' | 'cancelled' | 'reverted']
  return (
    <Alert color={summary.color} variant="light" icon={summary.icon} title={summary.title} role="status">
      <HStack component="p" gap="4px 16px" align="stretch" wrap className="tabular">
        {message && <span>{message}</span>}
        {state !== 'cancelled' && state !== 'reverted' && <span>Создано строк: {formatNumber(created)}</span>}
        {failed > 0 && <span>Пропущено с ошибками: {formatNumber(failed)}</span>}
      </HStack>
    </Alert>
  )
}

function Errors({ id }: { id: number }) {
  const errors = useQuery({ queryKey: ['imports', id, 'errors'], queryFn: () => importCalls.errors(id) })
  if (!errors.data) return null
  return (
    <>
      <HStack gap="8px 12px" justify="space-between" wrap>
        <Title order={3} fz={13} mb={4}>
          {errors.data.items.some(({ kept }) => kept) ? 'Что осталось и ошибки' : 'Ошибки'}
        </Title>
        <ActionButton
          label="Скачать CSV"
          variant="subtle"
          size="compact-sm"
          icon={IconDownload}
          onClick={() => void importCalls.saveErrors(id).catch((error) => notify.error(errorMessage(error)))}
        />
      </HStack>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys */}
      <section className={classes.frame} aria-label="Ошибки по строкам" tabIndex={0}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th className={classes.number}>№</th>
              <th>Колонка</th>
              <th>Ошибка</th>
            </tr>
          </thead>
          <tbody>
            {errors.data.items.map(({ row, field, message }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change
              <tr key={at}>
                <td className={classes.number}>{row || ''}</td>
                <td>{field}</td>
                <td>{message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}
