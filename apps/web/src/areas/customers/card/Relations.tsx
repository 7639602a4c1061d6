import { Title } from '@mantine/core'
import { Customer, CustomerRelation, relationKinds } from '@ordinator/model/areas/customers/customer'
import type { Row } from '@ordinator/model/entity'
import { formatDay } from '@ordinator/model/format'
import { ActionButton } from '#kit/ActionButton.tsx'
import { PhoneLink } from '#kit/PhoneLink.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { Dotted, Fine } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { useList } from '#records/reads.ts'
import { PartList } from '#records/registry/PartList.tsx'
import { useSave } from '#records/writes.ts'
import { CustomerLink } from '../CustomerChip.tsx'

/** Maximum relations shown. */
const MOST = 50

/** Relations of the patient, and representatives. */
export const Relations = ({ customer, idCustomer }: { customer: Row<typeof Customer>; idCustomer: number }) => (
  <>
    <ByPhones customer={customer} />
    <OwnRelations idCustomer={idCustomer} />
    <RelativeOf idCustomer={idCustomer} />
  </>
)

/** Suggests parents found by the phones on the card, to add by one click. */
function ByPhones({ customer }: { customer: Row<typeof Customer> }) {
  const mayEdit = useCan('create', CustomerRelation)
  const save = useSave(CustomerRelation)
  const phones = { mother: customer.phoneMother, father: customer.phoneFather }
  const or = Object.values(phones).flatMap((phone) => (phone ? [{ phone }] : []))
  const cards = useList(
    Customer,
    { filter: { or }, fields: ['fio', 'birthday', 'phone'], limit: MOST },
    { enabled: mayEdit && or.length > 0 },
  )
  const known = useList(CustomerRelation, { filter: { idCustomer: customer.id }, limit: MOST })
  if (!mayEdit || !known.data) return null
  const there = new Set(known.data.items.map(({ idRelative }) => idRelative))
  const found = (cards.data?.items ?? []).filter(({ id }) => id !== customer.id && !there.has(id))
  if (found.length === 0) return null
  return (
    <Block framed component="section" aria-label="По телефонам родителей" p={12} mb={12}>
      <Title order={3} fz={14} mb={8}>
        Карты с телефонами родителей
      </Title>
      <VStack gap={4}>
        {found.map(({ id, fio, birthday, phone }) => {
          const relation = phone === phones.mother ? 'mother' : 'father'
          return (
            <HStack key={id} gap="2px 12px" wrap>
              <CustomerAnchor customer={{ id, fio }} />
              <Fine>
                {birthday ? `${birthday} · ` : ''}телефон {relation === 'mother' ? 'матери' : 'отца'}
              </Fine>
              <ActionButton
                label={`Добавить: ${relationKinds[relation].toLowerCase()}`}
                size="compact-sm"
                variant="light"
                loading={save.isPending}
                onClick={() => save.mutate({ idCustomer: customer.id, relation, idRelative: id })}
              />
            </HStack>
          )
        })}
      </VStack>
    </Block>
  )
}

/** Cards that name this patient as a relative: a mother's children. */
function RelativeOf({ idCustomer }: { idCustomer: number }) {
  const list = useList(CustomerRelation, { filter: { idRelative: idCustomer }, expand: ['customer'], limit: MOST })
  const found = list.data?.items ?? []
  if (found.length === 0) return null
  return (
    <Block component="section" aria-label="Указан в картах" mt={24}>
      <Title order={3} fz={14} mb={8}>
        Указан в картах
      </Title>
      <VStack gap={4}>
        {found.map(({ id, customer, relation, signs }) => (
          <div key={id}>
            <CustomerAnchor customer={customer} />
            <Fine component="div">
              {[
                `здесь: ${relationKinds[relation].toLowerCase()}`,
                customer.birthday,
                signs === 'yes' && 'подписывает за клиента',
              ]
                .filter(Boolean)
                .join(' · ')}
            </Fine>
          </div>
        ))}
      </VStack>
    </Block>
  )
}

const CustomerAnchor = ({ customer }: { customer: { id: number; fio: string } }) => (
  <CustomerLink customer={{ id: customer.id, shortFio: customer.fio }} />
)

const OwnRelations = ({ idCustomer }: { idCustomer: number }) => (
  <PartList
    entity={CustomerRelation}
    of={{ idCustomer }}
    title="Семья и представители"
    fields={['relation', 'idRelative', 'fio', 'phone', 'signs', 'document', 'dateTo']}
    expand={['relative']}
    face={({ relation, relative, fio, phone, signs, document, dateTo }) => (
      <>
        {relationKinds[relation]}: {relative ? <CustomerAnchor customer={relative} /> : fio}
        <Fine component="div">
          <Dotted>
            {(phone ?? relative?.phone) && <PhoneLink phone={String(phone ?? relative?.phone)} bare />}
            {signs === 'yes' && 'подписывает за клиента'}
            {document}
            {dateTo && `до ${formatDay(dateTo)}`}
          </Dotted>
        </Fine>
      </>
    )}
  />
)
