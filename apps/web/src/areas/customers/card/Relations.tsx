import { Title } from '@mantine/core'
import { CustomerRelation, relationKinds } from '@ordinator/model/areas/customers/customer'
import { formatDay } from '@ordinator/model/format'
import { PhoneLink } from '../../../kit/PhoneLink.tsx'
import { Block, VStack } from '../../../kit/Stacks.tsx'
import { Dotted, Fine } from '../../../kit/Words.tsx'
import { useList } from '../../../records/reads.ts'
import { PartList } from '../../../records/registry/PartList.tsx'
import { CustomerLink } from '../CustomerChip.tsx'

/** Of one family. */
const MOST = 50

/** Who somebody is to the patient, and who signs for them. */
export const Relations = ({ idCustomer }: { idCustomer: number }) => (
  <>
    <OwnRelations idCustomer={idCustomer} />
    <RelativeOf idCustomer={idCustomer} />
  </>
)

/** Whose cards name this patient: a mother's card leads to her children. */
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
