import { Select } from '@mantine/core'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { CardField } from '#kit/CardField.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { useCan } from '#records/Can.tsx'
import { CustomerChip } from './CustomerChip.tsx'
import { CustomerThread } from './card/CustomerThread.tsx'

interface Named {
  id: number
  fio: string
  shortFio: string
}

/**
 * Timelines of the customers of an open card, for users with access to customers; loaded on demand, as each view is
 * recorded in the access journal.
 */
export function CustomerThreads({ customers }: { customers: readonly Named[] }) {
  const sees = useCan('view', Customer)
  const [opened, setOpened] = useState(false)
  const [chosen, setChosen] = useState<number>()
  const panel = useId()
  const known = [...new Map(customers.map((one) => [one.id, one])).values()]
  const shown = known.find(({ id }) => id === chosen) ?? known[0]
  if (!sees || !shown) return null
  return (
    <CardField label="Лента клиента">
      <VStack gap={8} align="stretch">
        <HStack wrap gap={8}>
          {known.length === 1 ? (
            <CustomerChip customer={shown} />
          ) : (
            <Select
              aria-label="Чья лента"
              size="sm"
              flex={1}
              miw={160}
              allowDeselect={false}
              data={known.map(({ id, fio }) => ({ value: String(id), label: fio }))}
              value={String(shown.id)}
              onChange={(value) => setChosen(Number(value))}
            />
          )}
          <ActionButton
            label={opened ? 'Скрыть' : 'Показать'}
            aria-label={`${opened ? 'Скрыть' : 'Показать'} ленту: ${shown.fio}`}
            size="compact-sm"
            variant="subtle"
            icon={opened ? IconChevronUp : IconChevronDown}
            aria-expanded={opened}
            aria-controls={opened ? panel : undefined}
            onClick={() => setOpened(!opened)}
          />
        </HStack>
        {opened && (
          <div id={panel}>
            <CustomerThread key={shown.id} idCustomer={shown.id} />
          </div>
        )}
      </VStack>
    </CardField>
  )
}
