import { Badge } from '@mantine/core'
import { EgiszOperation, operationStatuses } from '@ordinator/model/areas/egisz/semd'
import { pageByKey } from '@ordinator/model/pages'
import { VStack } from '#kit/Stacks.tsx'
import { choice } from '#records/filters/choice.tsx'
import { filters } from '#records/filters/filters.ts'
import { period } from '#records/filters/period.tsx'
import { refs } from '#records/filters/ref.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import { Figures } from './Figures.tsx'
import { SetUpNotice } from './SetUpNotice.tsx'

const colors: Record<keyof typeof operationStatuses, string> = {
  queued: 'gray',
  accepted: 'yellow',
  done: 'teal',
  rejected: 'red',
  network: 'red',
}

const operationFilters = filters(EgiszOperation, {
  operation: choice('operation', { any: 'Любая операция' }),
  status: choice('status', { any: 'Любой итог' }),
  doctor: refs('idUser', { label: 'Врач', any: 'Любой врач' }),
  filial: refs('idFilial', { label: 'Филиал', any: 'Любой филиал' }),
  date: period('dateCreate', { label: 'Когда' }),
})

/** ЕГИСЗ: журнал операций, with figures of the last month. */
export default function OperationsPage() {
  return (
    <RegistryPage
      page={pageByKey('egiszOperations')}
      entity={EgiszOperation}
      filters={operationFilters}
      columns={[
        { key: 'dateCreate', width: 150 },
        { key: 'operation', width: 180 },
        { key: 'title', width: 240 },
        {
          key: 'status',
          width: 150,
          cell: ({ status }) => (
            <Badge color={colors[status]} variant="light" tt="none" fw={500}>
              {operationStatuses[status]}
            </Badge>
          ),
        },
        { key: 'idCustomer', width: 180 },
        { key: 'idUser', width: 160 },
        { key: 'emdrId', width: 190 },
        { key: 'seconds', width: 110 },
        { key: 'idFilial', width: 150 },
        { key: 'error', width: 280 },
      ]}
      layout={(list) => (
        <VStack gap={12} px="var(--ord-page)" pb="var(--ord-page)">
          <SetUpNotice />
          <Figures />
          {list}
        </VStack>
      )}
      wide
    />
  )
}
