import { Table } from '@mantine/core'
import { type AccessAction, accessActions } from '@ordinator/model/areas/customers/access'
import type { AccessLine } from '@ordinator/model/areas/customers/calls'
import { useInfiniteQuery } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { formatDateTimeSeconds } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { MoreRows } from '#kit/LoadMore.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Muted } from '#kit/Words.tsx'
import { CustomerLink } from '../CustomerChip.tsx'
import classes from './Access.module.css'

export interface AccessFilter {
  idCustomer?: number
  idUser?: number
  action?: AccessAction
  /** ISO moments. */
  from?: string
  to?: string
}

/** Entries of the access journal, the latest first, loaded on demand. */
export function AccessLines({ filter }: { filter: AccessFilter }) {
  const lines = useInfiniteQuery({
    queryKey: ['access-log', filter],
    queryFn: ({ pageParam, signal }) =>
      api('GET /access-log', { query: { ...filter, before: pageParam } }, { signal, forbidden: 'silent' }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  })
  if (lines.isError) return <ErrorState error={lines.error} onRetry={() => void lines.refetch()} />
  if (lines.isPending) return <LinesSkeleton lines={8} />
  const items = lines.data.pages.flatMap((page) => page.items)
  if (items.length === 0) return <EmptyState title="Записей нет" text="За это время никто не обращался к данным." />
  const whose = filter.idCustomer === undefined
  return (
    <>
      <div className={classes.frame}>
        <Table className={classes.lines} aria-label="Журнал доступа">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Когда</Table.Th>
              <Table.Th>Кто</Table.Th>
              <Table.Th>Действие</Table.Th>
              {whose && <Table.Th>Клиент</Table.Th>}
              <Table.Th>Что</Table.Th>
              <Table.Th>Адрес</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {items.map((line) => (
              <Table.Tr key={line.id}>
                <Table.Td className="tabular">{formatDateTimeSeconds(line.dt)}</Table.Td>
                <Table.Td>
                  {line.idUser !== null && line.user ? (
                    <UserLink user={{ id: line.idUser, shortFio: line.user }} />
                  ) : (
                    <Muted>система</Muted>
                  )}
                </Table.Td>
                <Table.Td>{accessActions[line.action as AccessAction] ?? line.action}</Table.Td>
                {whose && (
                  <Table.Td>
                    <Whose line={line} />
                  </Table.Td>
                )}
                <Table.Td>{[line.label, line.basis].filter(Boolean).join(' · ')}</Table.Td>
                <Table.Td className="tabular">{line.ip}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      <MoreRows list={lines} />
    </>
  )
}

const Whose = ({ line: { idCustomer, customer } }: { line: AccessLine }) =>
  idCustomer !== null && customer ? <CustomerLink customer={{ id: idCustomer, shortFio: customer }} /> : null
