import { Skeleton, Table } from '@mantine/core'
import type { HubStats } from '@ordinator/model/socketCalls'
import { useQuery } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { formatDateTimeSeconds } from '#kit/clock.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { Block } from '#kit/Stacks.tsx'
import classes from './Socket.module.css'

const EVERY_MS = 5_000

const number = new Intl.NumberFormat('ru-RU')

const rows: [string, (stats: HubStats) => string][] = [
  ['Подключений', (s) => number.format(s.clients)],
  ['Сотрудников', (s) => number.format(s.users)],
  ['Подписок', (s) => number.format(s.listeners)],
  ['Прочитано событий', (s) => number.format(s.events)],
  ['Отправлено сообщений', (s) => number.format(s.sent)],
  ['Запросов в очереди', (s) => number.format(s.queue)],
  ['Не прочитано клиентами, байт', (s) => number.format(s.unread)],
  ['Отключено медленных', (s) => number.format(s.slow)],
  ['Чтений истории', (s) => number.format(s.reads)],
  ['Последнее чтение с событиями, мс', (s) => number.format(s.lastReadMs)],
  ['Когда оно было', (s) => (s.lastReadAt ? formatDateTimeSeconds(s.lastReadAt) : '—')],
  ['Курсор', (s) => s.cursor ?? '—'],
]

/** Metrics of the responding server process. */
export function ServerStats() {
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['socket', 'stats'],
    queryFn: ({ signal }) => api('GET /socket/stats', {}, { signal, quiet: true, forbidden: 'silent' }),
    refetchInterval: EVERY_MS,
    retry: false,
  })
  return (
    <Block component="section" framed p={16} miw={0} aria-labelledby="socket-server">
      <h2 id="socket-server" className={classes.heading}>
        Сервер
      </h2>
      {error && !data ? (
        <ErrorState title="Показатели не получены" error={error} onRetry={() => void refetch()} retrying={isFetching} />
      ) : (
        <Table withRowBorders horizontalSpacing={0} verticalSpacing={6}>
          <Table.Tbody>
            {rows.map(([label, value]) => (
              <Table.Tr key={label}>
                <Table.Th fw={400}>{label}</Table.Th>
                <Table.Td ta="right" className="tabular">
                  {data ? value(data) : <Skeleton height={12} width={48} ml="auto" />}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Block>
  )
}
