import { Appointment } from '@ordinator/model/areas/visits/visit'
import { totalOf } from '@ordinator/model/client'
import { IconStethoscope } from '@tabler/icons-react'
import { PageLink } from '#base/PageLink.tsx'
import { useActor } from '#base/session.ts'
import { today } from '#kit/clock.ts'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { WidgetCard } from '#kit/WidgetCard.tsx'
import { useList } from '#records/reads.ts'
import { StatusChip } from './StatusChip.tsx'

const SHOWN = 6

/** Remaining patients of the user today; hidden for users without visits. */
export default function MyVisits() {
  const idUser = useActor().id
  const list = useList(
    Appointment,
    {
      filter: {
        'coupons.idUser': idUser,
        localDate: today(),
        visitStatus: { in: ['booked', 'confirmed', 'arrived', 'inProgress'] },
      },
      sort: 'dateFrom',
      limit: SHOWN,
      count: true,
      expand: ['customer'],
    },
    { forbidden: 'silent' },
  )
  useRevealDelay(list.isPending)
  const visits = list.data?.items ?? []
  if (visits.length === 0 && !list.isError) return null
  return (
    <WidgetCard
      title="Записи сегодня"
      icon={<IconStethoscope size={18} />}
      count={totalOf(list.data?._meta)}
      load={list}
    >
      <ul>
        {visits.map(({ id, localDate, localStart, idFilial, customer, services, visitStatus }) => (
          <HStack key={id} component="li" gap={8} py={4}>
            <span className="tabular">{localStart}</span>
            <PageLink page="daySheet" search={{ filial: idFilial, day: localDate, visit: id }} className="truncate">
              {customer?.shortFio ?? services}
            </PageLink>
            <HStack component="span" ml="auto">
              <StatusChip status={visitStatus} />
            </HStack>
          </HStack>
        ))}
      </ul>
    </WidgetCard>
  )
}
