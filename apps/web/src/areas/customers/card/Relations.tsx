import { Anchor } from '@mantine/core'
import { CustomerRelation, relationKinds } from '@ordinator/model/areas/customers/customer'
import { formatDay } from '@ordinator/model/format'
import { phoneText } from '@ordinator/model/phone'
import { PageLink } from '../../../base/PageLink.tsx'
import { Fine } from '../../../kit/Words.tsx'
import { PartList } from '../../../records/registry/PartList.tsx'

/** Who somebody is to the patient, and who signs for them. */
export const Relations = ({ idCustomer }: { idCustomer: number }) => (
  <PartList
    entity={CustomerRelation}
    of={{ idCustomer }}
    title="Семья и представители"
    fields={['relation', 'idRelative', 'fio', 'phone', 'signs', 'document', 'dateTo']}
    expand={['relative']}
    face={({ relation, relative, fio, phone, signs, document, dateTo }) => (
      <>
        {relationKinds[relation]}:{' '}
        {relative ? (
          <Anchor
            inherit
            underline="always"
            renderRoot={(props) => <PageLink page="customer" search={{ id: relative.id }} {...props} />}
          >
            {relative.fio}
          </Anchor>
        ) : (
          fio
        )}
        <Fine component="div">
          {[
            phoneText(phone ?? relative?.phone),
            signs === 'yes' && 'подписывает за клиента',
            document,
            dateTo && `до ${formatDay(dateTo)}`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </Fine>
      </>
    )}
  />
)
