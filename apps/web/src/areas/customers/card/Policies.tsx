import { Alert } from '@mantine/core'
import type { Customer } from '@ordinator/model/areas/customers/customer'
import { CustomerPolicy, policyTypes } from '@ordinator/model/areas/customers/customer'
import { policyDoubts } from '@ordinator/model/areas/customers/documents'
import type { Row } from '@ordinator/model/entity'
import { formatDay } from '@ordinator/model/format'
import { schemes } from '@ordinator/model/identifiers'
import { useWatch } from 'react-hook-form'
import { today } from '#kit/clock.ts'
import { Fine } from '#kit/Words.tsx'
import { PartList } from '#records/registry/PartList.tsx'
import { SimilarTyped } from './SimilarCustomers.tsx'

interface Props {
  customer: Row<typeof Customer>
}

/** Insurance policies, the longest validity first. */
export const Policies = ({ customer }: Props) => (
  <PartList
    entity={CustomerPolicy}
    of={{ idCustomer: customer.id }}
    title="Полисы"
    fields={['type', 'number', 'company', 'programme', 'dateFrom', 'dateTo', 'note']}
    beside={
      <>
        <Doubts customer={customer} />
        <SimilarTyped names={{ policy: 'number' }} except={customer.id} />
      </>
    }
    face={({ type, number, company, programme, dateFrom, dateTo }) => (
      <>
        {policyTypes[type]} <span className="tabular">{type === 'oms' ? schemes.enp.text(number) : number}</span>
        <Fine component="div">
          {[
            company,
            programme,
            dateFrom && `с ${formatDay(dateFrom)}`,
            dateTo && `${dateTo < today() ? 'истёк' : 'по'} ${formatDay(dateTo)}`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </Fine>
      </>
    )}
  />
)

/** A number with another birthday or sex is a warning that the user may ignore. */
function Doubts({ customer }: Props) {
  const [type, number] = useWatch({ name: ['type', 'number'] }) as [string, string | undefined]
  const doubt = type === 'oms' && number ? policyDoubts(number, customer) : undefined
  return (
    doubt && (
      <Alert color="yellow" variant="light" mt={12} py={8} role="status">
        {doubt}. Проверьте, чей это полис: сохранить можно и так.
      </Alert>
    )
  )
}
