import { Customer } from '@ordinator/model/areas/customers/customer'
import { OutsideBooking } from '@ordinator/model/areas/outside/channel'
import type { Row } from '@ordinator/model/entity'
import { pageByKey, pagePath } from '@ordinator/model/pages'
import { IconCheck, IconUsers } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CustomerLink } from '#areas/customers/index.ts'
import { api } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { GenericLink } from '#kit/GenericLink.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { notifyFailure } from '#records/notifyFailure.ts'
import { RegistryPage } from '#records/RegistryPage.tsx'
import { useList, useRecord } from '#records/reads.ts'
import type { RecordParts } from '#records/registry/RegistryRecord.tsx'

type Booking = Row<typeof OutsideBooking>

const tabs: RecordParts<typeof OutsideBooking>['tabs'] = {
  check: {
    label: 'Проверить',
    when: ({ question }) => question !== null,
    panel: (booking) => <Check key={booking.id} booking={booking} />,
  },
}

/** Записи с площадок: every booking and refusal, with help where it is unclear who will come. */
export default function OutsideBookingsPage() {
  return <RegistryPage page={pageByKey('outsideBookings')} entity={OutsideBooking} tabs={tabs} />
}

/** The cards that share the phone of a new one: the same person is joined, another one is not. */
function Check({ booking: { id, question, idCustomer } }: { booking: Booking }) {
  const cache = useQueryClient()
  const made = useRecord(Customer, idCustomer ?? undefined)
  const phone = made.data?.phone ?? null
  const cards = useList(
    Customer,
    { filter: { phone: phone ?? '' }, limit: 10, sort: ['id'] },
    { enabled: phone !== null },
  )
  const check = useMutation({
    mutationFn: () => api('POST /outside-bookings/:id/checked', { params: { id } }),
    onError: notifyFailure,
    onSettled: () => invalidateRecords(cache, OutsideBooking.path),
  })
  return (
    <VStack gap={16}>
      <div>{question}</div>
      {cards.isPending && phone !== null ? (
        <LinesSkeleton lines={3} />
      ) : (
        <VStack gap={8} component="ul">
          {(cards.data?.items ?? []).map((card) => (
            <HStack key={card.id} component="li" gap={12}>
              <CustomerLink customer={card} />
              <Muted>{card.birthday ?? 'без даты рождения'}</Muted>
              {card.id === idCustomer && <Fine>новая карта из этой записи</Fine>}
            </HStack>
          ))}
        </VStack>
      )}
      <Fine>Позвоните и спросите, кто придёт. Один человек — объедините карты; другой — отметьте, что сверили</Fine>
      <HStack gap={8} wrap>
        <ActionButton label="Сверили" icon={IconCheck} loading={check.isPending} onClick={() => check.mutate()} />
        <GenericLink href={pagePath('duplicates')}>
          <HStack component="span" gap={6}>
            <IconUsers size={16} aria-hidden /> Возможные дубли
          </HStack>
        </GenericLink>
      </HStack>
    </VStack>
  )
}
