import { Badge } from '@mantine/core'
import { EgiszEvent, eventLevels } from '@ordinator/model/areas/egisz/semd'
import { pageByKey } from '@ordinator/model/pages'
import { VStack } from '#kit/Stacks.tsx'
import { choice } from '#records/filters/choice.tsx'
import { filters } from '#records/filters/filters.ts'
import { period } from '#records/filters/period.tsx'
import { refs } from '#records/filters/ref.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import { EventFigures } from './Figures.tsx'
import { SetUpNotice } from './SetUpNotice.tsx'

const colors: Record<keyof typeof eventLevels, string> = { info: 'gray', warning: 'yellow', error: 'red' }

const eventFilters = filters(EgiszEvent, {
  level: choice('level', { any: 'Любой уровень' }),
  kind: choice('kind', { any: 'О чём угодно' }),
  user: refs('idUser', { label: 'Кто', any: 'Кто угодно' }),
  date: period('dateCreate', { label: 'Когда' }),
})

/** ЕГИСЗ: журнал событий, with figures of the last month. */
export default function EventsPage() {
  return (
    <RegistryPage
      page={pageByKey('egiszEvents')}
      entity={EgiszEvent}
      filters={eventFilters}
      columns={[
        { key: 'dateCreate', width: 150 },
        {
          key: 'level',
          width: 150,
          cell: ({ level }) => (
            <Badge color={colors[level]} variant="light" tt="none" fw={500}>
              {eventLevels[level]}
            </Badge>
          ),
        },
        { key: 'kind', width: 160 },
        { key: 'text', width: 480 },
        { key: 'idSemd', width: 240 },
        { key: 'idUser', width: 180 },
      ]}
      layout={(list) => (
        <VStack gap={12} px="var(--ord-page)" pb="var(--ord-page)">
          <SetUpNotice />
          <EventFigures />
          {list}
        </VStack>
      )}
      wide
    />
  )
}
