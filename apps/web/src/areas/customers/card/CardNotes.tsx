import { Alert } from '@mantine/core'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { CustomerMerge, UNDO_DAYS } from '@ordinator/model/areas/customers/merge'
import type { Row } from '@ordinator/model/entity'
import { IconAlertTriangle, IconArrowMerge } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDate } from '#kit/clock.ts'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { useCan } from '#records/Can.tsx'
import { useList } from '#records/reads.ts'
import { MergeDialog } from './MergeDialog.tsx'
import { SimilarList, useSimilar } from './SimilarCustomers.tsx'
import { unmergeCards } from './unmerge.ts'

interface Props {
  customer: Row<typeof Customer>
}

/** Warnings on a card in every tab: allergies, other cards of the patient, merged ones. */
export function CardNotes({ customer }: Props) {
  const [other, setOther] = useState<number>()
  const mayMerge = useCan('update', Customer)
  const { found, isPending } = useSimilar(customer, customer.id)
  useRevealDelay(isPending)
  return (
    <>
      {customer.allergies && (
        <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} />} mb={12} py={8}>
          <strong>Аллергия:</strong> {customer.allergies}
        </Alert>
      )}
      <SimilarList
        found={found}
        title="Похоже, это карты того же клиента"
        action={(one) =>
          mayMerge && (
            <ActionButton label="Объединить…" size="compact-sm" variant="light" onClick={() => setOther(one.id)} />
          )
        }
      />
      <Joined customer={customer} mayPart={mayMerge} />
      {other !== undefined && <MergeDialog customer={customer} other={other} onClose={() => setOther(undefined)} />}
    </>
  )
}

/** Merged cards that can still be separated. */
function Joined({ customer, mayPart }: Props & { mayPart: boolean }) {
  const cache = useQueryClient()
  const merges = useList(
    CustomerMerge,
    { filter: { idKept: customer.id, dateUndone: { null: true } }, limit: 20 },
    { forbidden: 'silent' },
  )
  useRevealDelay(merges.isPending)
  const since = Date.now() - UNDO_DAYS * 86_400_000
  return (merges.data?.items ?? [])
    .filter(({ dateCreate }) => Date.parse(dateCreate) > since)
    .map(({ id, fioMerged, dateCreate }) => (
      <Alert key={id} color="gray" variant="light" icon={<IconArrowMerge size={18} />} mb={12} py={8}>
        <HStack gap="2px 12px" wrap>
          <span>
            {formatDate(dateCreate)} присоединена карта: {fioMerged}
          </span>
          {mayPart && (
            <ActionButton
              label="Разъединить"
              size="compact-sm"
              variant="subtle"
              onClick={() => void unmergeCards(cache, id)}
            />
          )}
        </HStack>
      </Alert>
    ))
}
