import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { holds } from '@ordinator/model/access'
import type { SimilarCustomer } from '@ordinator/model/areas/customers/calls'
import { sameReasons } from '@ordinator/model/areas/customers/similar'
import { IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import { api } from '#base/api.ts'
import { useActor } from '#base/session.ts'
import { PhoneLink } from '#kit/PhoneLink.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { Dotted, Fine } from '#kit/Words.tsx'
import { RecordField } from '#records/form/RecordField.tsx'
import { CustomerLink } from '../CustomerChip.tsx'

const TYPING_MS = 400
const asked = ['surname', 'name', 'middleName', 'birthday', 'phone', 'phoneMother', 'snils', 'policy'] as const

type Known = Partial<Record<(typeof asked)[number], string | null>>

/** Other cards that may belong to the patient. */
export function useSimilar(known: Known, except?: number): { found: readonly SimilarCustomer[]; isPending: boolean } {
  const query = Object.fromEntries(asked.flatMap((field) => (known[field] ? [[field, known[field]]] : [])))
  const [sought] = useDebouncedValue(JSON.stringify(query), TYPING_MS)
  const found = useQuery({
    queryKey: ['customers', 'similar', sought, except],
    queryFn: ({ signal }) =>
      api(
        'GET /customers/similar',
        { query: { ...(JSON.parse(sought) as typeof query), except } },
        { signal, forbidden: 'silent', quiet: true },
      ),
    enabled: sought !== '{}',
  })
  return { found: found.data?.items ?? [], isPending: found.isLoading }
}

interface TypedProps {
  /** Form fields by kind of data; absent: as in a new card. */
  names?: Partial<Record<(typeof asked)[number], string>>
  /** The open card, excluded. */
  except?: number
}

/** Warns about similar cards while typing; to save anyway, a reason is required. */
export function SimilarTyped({ names, except }: TypedProps) {
  const fields = asked.filter((field) => !names || names[field])
  const values = useWatch({ name: fields.map((field) => names?.[field] ?? field) }) as (string | null)[]
  const { found } = useSimilar(Object.fromEntries(fields.map((field, at) => [field, values[at]])) as Known, except)
  const mayPass = holds(useActor(), 'passDuplicates')
  const isTaken = found.some(({ because }) => because.includes('snils') || because.includes('policy'))
  return (
    <>
      <SimilarList
        found={found}
        title={isTaken ? 'СНИЛС или полис уже в другой карте' : 'Возможно, этот клиент уже есть'}
      />
      {isTaken &&
        (mayPass ? (
          <RecordField name="duplicateReason" />
        ) : (
          <Fine>Сохранить вторую карту с этим номером может тот, у кого есть на это право.</Fine>
        ))}
    </>
  )
}

/** For the form of a new card. */
export const SimilarOfNew = () => <SimilarTyped />

interface ListProps {
  found: readonly SimilarCustomer[]
  title: string
  action?: (one: SimilarCustomer) => ReactNode
}

export const SimilarList = ({ found, title, action }: ListProps) =>
  found.length > 0 && (
    <Block framed component="section" aria-label={title} p={12} mb={12}>
      <HStack gap={8} mb={4}>
        <IconUsers
          size={18}
          aria-hidden
          color={`var(--mantine-color-${found.some(({ certain }) => certain) ? 'red' : 'yellow'}-6)`}
        />
        <Text component="h2" inherit fw={500}>
          {title}
        </Text>
      </HStack>
      <VStack gap={4}>
        {found.map((one) => (
          <HStack key={one.id} gap="2px 12px" wrap>
            <CustomerLink customer={{ id: one.id, shortFio: one.fio }} />
            <Fine>
              <Dotted>
                {one.birthday}
                {one.phone && <PhoneLink phone={one.phone} bare />}
                {one.cardNumber && `карта № ${one.cardNumber}`}
                {one.because.map((why) => sameReasons[why]).join(', ')}
              </Dotted>
            </Fine>
            {action?.(one)}
          </HStack>
        ))}
      </VStack>
    </Block>
  )
